"""A results table as data: every cell with all its numbers, for CSV and JSON."""

from collections.abc import Iterator
from typing import Any

from whichword.reporting.table import Column, Table, TableCell
from whichword.runs.run import mixture


def records(table: Table) -> Iterator[dict[str, Any]]:
    """Every cell with all its numbers, undefined ones with the status n/a."""
    for column in table.columns:
        about = {
            "run": column.run,
            "model": column.model,
            "network": column.network,
            "corpus": column.corpus,
            "game": column.game,
            "part": column.part,
        }
        after = {"chance": column.chance, "arithmetic": _arithmetic(column), "remarks": "; ".join(column.remarks)}
        for method in (*column.cells, *column.undefined):
            numbers, reason = _numbers(column.cells.get(method)), column.undefined.get(method)
            yield {**about, "method": method, **numbers, "reason": reason, **after}


def _arithmetic(column: Column) -> str | None:
    """By which arithmetic, or by which ones in a mixed run; None where nobody noted it."""
    return mixture(column.arithmetics) or next(iter(column.arithmetics), None)


def _numbers(cell: TableCell | None) -> dict[str, Any]:
    if cell is None:
        return {"status": "n/a"} | dict.fromkeys(_FIELDS)
    interval, tally, cost = cell.interval, cell.tally, cell.cost
    shares = (cell.accuracy, interval and interval.low, interval and interval.high)
    counts = (tally.hits, tally.total, tally.discarded, tally.ties, tally.nonfinite)
    marks = (cell.mark, str(cell.tied).lower(), cell.p)
    return {"status": "ok"} | dict(
        zip(_FIELDS, (*shares, *counts, cell.rate, cost.alone, cost.together, *marks), strict=True)
    )


_FIELDS = (
    "accuracy",
    "low",
    "high",
    "hits",
    "total",
    "discarded",
    "ties",
    "nonfinite",
    "documents_per_second",
    "seconds_alone_per_document",
    "seconds_together_per_document",
    "mark",
    "tied",
    "p",
)
