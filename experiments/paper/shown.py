"""Everything that tables are made of, from the results folder alone."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.columns import ColumnResult, read_results
from experiments.paper.comparison import Compared, compare_all
from experiments.paper.published import PublishedColumn, read_published
from experiments.paper.spec import Reproduction


@dataclass(frozen=True)
class Shown:
    """``networks`` maps names to what was kept of their training."""

    spec: Reproduction
    results: Mapping[str, ColumnResult]
    published: Mapping[str, PublishedColumn]
    networks: Mapping[str, Mapping[str, Any]]
    seeds: Mapping[str, Sequence[ColumnResult]] = field(default_factory=dict)  # column -> a result a seed, of one kind

    @property
    def compared(self) -> dict[str, Compared]:
        return compare_all(self.results, self.published, self.spec.rows)


def read_shown(spec: Reproduction, *kinds: str) -> Shown:
    """What the results folders of these kinds hold together; a later kind takes the place of an earlier one."""
    folders = [spec.results / kind for kind in kinds]
    networks: dict[str, Any] = {}
    for folder in folders:
        for path in sorted((folder / "networks").glob("*.json")):
            networks[path.stem] = json.loads(path.read_text(encoding="utf8"))
    results = chosen([read_results(folder) for folder in folders])
    return Shown(spec, results, read_published(spec.published), networks, _seeds(spec, kinds))


def _seeds(spec: Reproduction, kinds: Sequence[str]) -> dict[str, list[ColumnResult]]:
    """The columns with more than one seed, the file's own first; of the kind that has most of them."""
    found: dict[str, list[ColumnResult]] = {}
    for kind in kinds:
        others = [read_results(folder) for folder in spec.results.glob(f"{kind}-seed*")]
        for column, result in read_results(spec.results / kind).items():
            every = [result, *sorted((some[column] for some in others if column in some), key=lambda one: one.seed)]
            if len(every) >= max(2, len(found.get(column, []))):
                found[column] = every
    return {column: found[column] for column in sorted(found)}


def chosen(results: Sequence[Mapping[str, ColumnResult]]) -> dict[str, ColumnResult]:
    """The last that has a column gives it; in the order of the columns."""
    merged = {column: result for some in results for column, result in some.items()}
    return {column: merged[column] for column in sorted(merged)}
