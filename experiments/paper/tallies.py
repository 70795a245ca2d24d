"""The same figures as CSV, for spreadsheets: every cell, and every outcome that a claim rests on."""

import csv
import io
from collections.abc import Iterable, Iterator

from experiments.columns import Figure
from experiments.paper.comparison import Compared
from experiments.paper.discussion import CLAIMS
from experiments.paper.evidence import Measured
from experiments.paper.options import Places
from experiments.paper.shown import Shown, read_shown
from whichword.runs.sealed import commit, sweep

CELL = ("column", "group", "part", "network", "method", "hits", "documents", "accuracy", "low", "high", "published")
OUTCOME = ("claim", "status", "where", "state", "difference")


def write_tallies(places: Places) -> None:
    """table.csv and claims.csv of everything in the results folder."""
    shown = read_shown(places.spec, places.kind)
    for name, header, rows in (("table.csv", CELL, _cells(shown)), ("claims.csv", OUTCOME, _outcomes(shown))):
        commit(places.results, name, _csv(header, rows))
    sweep(places.results)


def _csv(header: Iterable[str], rows: Iterable[Iterable[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue().encode("utf8")


def _cells(shown: Shown) -> Iterator[list[object]]:
    paper = {label: name for name, label in shown.spec.rows.items()}
    for one in shown.compared.values():
        result = one.result
        for label, figure in result.figures.items():
            about = [result.column, result.group, result.part, result.network, label]
            yield [*about, *_numbers(figure), _published(one, paper.get(label))]


def _numbers(figure: Figure) -> list[object]:
    shares = (figure.accuracy, figure.interval.low, figure.interval.high)
    hits = f"{figure.hits:.0f}" if figure.hits == int(figure.hits) else f"{figure.hits:.3f}"
    return [hits, figure.total, *(f"{share:.4f}" if figure.total else "" for share in shares)]


def _published(one: Compared, row: str | None) -> object:
    return one.published.get(row, "") if row else ""


def _outcomes(shown: Shown) -> Iterator[list[object]]:
    measured = Measured(shown.results, shown.spec.rows)
    for claim in CLAIMS:
        decision = claim.decide(measured)
        for outcome in decision.outcomes:
            yield [claim.key, decision.status, outcome.where, outcome.state, outcome.numbers]
