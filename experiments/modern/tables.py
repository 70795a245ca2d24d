"""The tables of the columns: what was played, accuracies, claims, costs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from experiments.columns import ColumnResult
from experiments.modern.claims import CLAIMS
from experiments.modern.spec import Modern
from experiments.modern.trials import Seated
from experiments.paper.blocks import Block
from experiments.paper.tables import reasons
from whichword.reporting.table import interval, points, rate

Results = Mapping[str, ColumnResult]


@dataclass(frozen=True)
class Stored:
    """Everything under results: columns, panels, how often models are right, distances from a known truth."""

    modern: Modern
    columns: Results
    panels: Mapping[str, Any]
    right: Mapping[str, Mapping[str, int]]
    truth: Mapping[str, Mapping[str, Mapping[str, float]]]

    @property
    def methods(self) -> list[str]:
        return methods_of(self.columns)

    @property
    def evidence(self) -> Seated:
        return Seated(self.columns, {method: method for method in self.methods}, self.panels)


def methods_of(results: Results) -> list[str]:
    return list(dict.fromkeys(method for result in results.values() for method in result.figures))


def columns(stored: Stored) -> Iterator[Block]:
    """What was played; nothing is said of columns that are not there."""
    rows = [[name, *_row(stored, name, result)] for name, result in stored.columns.items()]
    missing = [name for name in stored.modern.columns if name not in stored.columns]
    legend = (
        "Right: of the test part as it is, at most 400 texts. A document counts if it has a word of the called class."
        " Minutes: of a core; of columns from before that was counted (M09 among them) by the clock."
    )
    absent = f" Not played: {', '.join(missing)}." if missing else ""
    header = ["column", "model", "right", "game", "corpus", "documents that count", "minutes", "digest"]
    yield Block("Columns", header, rows, legend + absent)


def _row(stored: Stored, name: str, result: ColumnResult) -> list[str]:
    right = stored.right.get(name)
    return [
        stored.modern.models[result.network].title,
        points(right["right"] / right["total"]) if right else "-",
        f"{result.game}: {result.part}" if result.part != "hybrid" else result.game,
        result.corpus.partition("[")[0].rpartition("/")[2],
        f"{result.counted} of {result.played} played",
        f"{sum(figure.seconds for figure in result.figures.values()) / 60:.1f}",
        result.digest[:8],
    ]


def figures(stored: Stored) -> Iterator[Block]:
    """Accuracies, a table for each group of columns in the file."""
    legend = "Accuracy with its 95 % interval (Wilson). `random` is exact chance; n/a: not defined for the model."
    tables = {name: stored.modern.sittings[name].table for name in stored.columns}
    order = list(dict.fromkeys(sitting.table for sitting in stored.modern.sittings.values()))
    for title, names in groupby(sorted(tables, key=lambda name: order.index(tables[name])), key=tables.__getitem__):
        yield _figures(title, {name: stored.columns[name] for name in names}, legend)


def _figures(title: str, results: Results, legend: str) -> Block:
    rows = [[method, *(_cell(result, method) for result in results.values())] for method in methods_of(results)]
    return Block(title, ["method", *results], rows, legend)


def _cell(result: ColumnResult, method: str) -> str:
    figure = result.figures.get(method)
    if figure is None or not figure.total:
        return "n/a" if method in result.undefined else "-"
    return f"{points(figure.accuracy)} {interval(figure.interval)}"


def claims(stored: Stored) -> Iterator[Block]:
    """Each claim with its decision and the numbers that speak against it."""
    decisions = [(claim, claim.decide(stored.evidence)) for claim in CLAIMS]
    rows = [[claim.about, claim.text, decision.status, reasons(decision)] for claim, decision in decisions]
    legend = "Paired exact McNemar tests, corrected by Holm, or 95 % intervals of paired differences."
    yield Block("Claims", ["about", "claim", "decision", "numbers"], rows, legend)


def costs(stored: Stored) -> Iterator[Block]:
    """Documents per second, by method; columns of one model are shown once."""
    distinct = {result.network: (name, result) for name, result in reversed([*stored.columns.items()])}
    by_model = dict(sorted(distinct.values()))
    rows = [[method, *(_rate(result, method) for result in by_model.values())] for method in methods_of(by_model)]
    legend = "Methods that share their passes share their seconds evenly. The machine was busy with other work."
    yield Block("Documents per second, one core", ["method", *by_model], rows, legend)


def _rate(result: ColumnResult, method: str) -> str:
    figure = result.figures.get(method)
    return rate(result.played / figure.seconds) if figure and figure.seconds else "-"
