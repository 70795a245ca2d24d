"""What the variants of the trainings change, beside the column as it is and the paper's."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from experiments.columns import read_results
from experiments.paper.blocks import Block
from experiments.paper.comparison import Compared, compare_all
from experiments.paper.published import PublishedColumn
from experiments.paper.shown import Shown
from experiments.paper.spec import Reproduction
from experiments.paper.variants import VARIANTS, folder_of
from whichword.reporting.table import points

KINDS = ("full", "quick")  # the first of them that was played is shown
LEGEND = (
    "In a cell: as here, of the variant, in the paper; nearness: rank correlation and "
    "mean absolute difference to the paper over these methods, as here and of the variant."
)


@dataclass(frozen=True)
class Side:
    """Columns of one kind of training, and the tests of its networks."""

    compared: Mapping[str, Compared]
    networks: Path

    @staticmethod
    def of(folder: Path, rows: Mapping[str, str], published: Mapping[str, PublishedColumn]) -> "Side":
        return Side(compare_all(read_results(folder), published, rows), folder / "networks")

    def test(self, column: str) -> float | None:
        """The accuracy of the column's network on the test set."""
        if column not in self.compared:
            return None
        result = self.compared[column].result
        path = self.networks / f"{result.group}-{result.network}.json"
        return float(json.loads(path.read_text(encoding="utf8"))["test"]) if path.exists() else None

    def documents(self, column: str) -> str:
        """How many were played."""
        return str(self.compared[column].result.played) if column in self.compared else "-"

    def accuracy(self, column: str, method: str) -> float | None:
        return self.compared[column].ours.get(method) if column in self.compared else None

    def nearness(self, column: str) -> str:
        """.90 .047"""
        compared = self.compared.get(column)
        if compared is None or compared.correlation is None:
            return "-"
        return f"{compared.correlation:.2f} {compared.difference:.3f}".replace("0.", ".")


def variants(shown: Shown) -> Iterator[Block]:
    """A table for each variant that was played."""
    for name, variant in VARIANTS.items():
        rows = {row: label for row, label in shown.spec.rows.items() if not variant.methods or row in variant.methods}
        played = [kind for kind in KINDS if read_results(folder_of(shown.spec, name) / kind)]
        for kind in played[:1]:
            folders = (shown.spec.results / kind, folder_of(shown.spec, name) / kind)
            usual, other = (Side.of(folder, rows, shown.published) for folder in folders)
            yield Block(variant.title, ["method", *other.compared], _rows(shown, tuple(rows), usual, other), LEGEND)


def _rows(shown: Shown, methods: tuple[str, ...], usual: Side, other: Side) -> list[list[str]]:
    columns, networks = tuple(other.compared), _accuracies(shown.spec)
    tests = [_three(usual.test(column), other.test(column), networks.get(column)) for column in columns]
    cells = [[method, *(_cell(shown, usual, other, column, method) for column in columns)] for method in methods]
    near = [f"{usual.nearness(column)}, {other.nearness(column)}" for column in columns]
    played = [f"{usual.documents(column)} {other.documents(column)}" for column in columns]
    return [["documents", *played], ["accuracy of the network", *tests], *cells, ["nearness", *near]]


def _cell(shown: Shown, usual: Side, other: Side, column: str, method: str) -> str:
    published = shown.published[column].accuracies.get(method) if column in shown.published else None
    return _three(usual.accuracy(column, method), other.accuracy(column, method), published)


def _three(*shares: float | None) -> str:
    return " ".join(map(points, shares))


def _accuracies(spec: Reproduction) -> dict[str, float]:
    """Column -> the paper's accuracy of its network."""
    return {
        column: group.accuracy[network]
        for group in spec.groups.values()
        for listed in group.columns.values()
        for network, column in zip(group.networks, listed, strict=True)
        if network in group.accuracy
    }
