"""Everything that tables are made of, from the results folder alone."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from whichword.reproduction.columns import ColumnResult, read_results
from whichword.reproduction.comparison import Compared, compare_all
from whichword.reproduction.published import PublishedColumn, read_published
from whichword.reproduction.spec import Reproduction


@dataclass(frozen=True)
class Shown:
    """``networks`` maps names to what was kept of their training."""

    spec: Reproduction
    results: Mapping[str, ColumnResult]
    published: Mapping[str, PublishedColumn]
    networks: Mapping[str, Mapping[str, Any]]
    seeds: Mapping[str, Mapping[str, ColumnResult]] = field(default_factory=dict)  # "seed1" -> columns

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


def _seeds(spec: Reproduction, kinds: Sequence[str]) -> dict[str, dict[str, ColumnResult]]:
    """The columns of every other seed that has some."""
    names = {path.name.partition("-")[2] for kind in kinds for path in spec.results.glob(f"{kind}-seed*")}
    return {name: chosen([read_results(spec.results / f"{kind}-{name}") for kind in kinds]) for name in sorted(names)}


def chosen(results: Sequence[Mapping[str, ColumnResult]]) -> dict[str, ColumnResult]:
    """The last that has a column gives it; in the order of the columns."""
    merged = {column: result for some in results for column, result in some.items()}
    return {column: merged[column] for column in sorted(merged)}
