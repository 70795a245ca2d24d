"""Trust against cost: which method points at the right word most often for a given CPU second per document?

From finished runs (`whichword evaluate ... --out RUN`), whose methods were timed alone: ``RUNS=RUN make bench``, with a
colon between several. Only the methods are listed that no cheaper one equals or beats.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks.tables import table_of
from whichword.reporting.table import Column
from whichword.reporting.tabulate import table

FEWEST = 20  # documents of a column that says anything
HEAD = ("model", "game", "part", "corpus", "method", "right", "documents", "chance", "CPU seconds per document")


def folders() -> list[Path]:
    """The runs that were named."""
    return [Path(name) for name in os.environ.get("RUNS", "").split(os.pathsep) if name]


def measure() -> list[list[str]]:
    """Rows of all columns of these runs."""
    named = folders()
    columns = table(named).columns if named else []
    return [row for column in columns if column.documents >= FEWEST for row in rows(column)]


def rows(column: Column) -> list[list[str]]:
    """The frontier of one column, the cheapest method first."""
    names = [column.model, column.game, column.part, column.corpus]
    around = [str(column.documents), "" if column.chance is None else f"{column.chance:.2f}"]
    return [[*names, method, f"{share:.2f}", *around, f"{seconds:.3g}"] for seconds, share, method in frontier(column)]


def frontier(column: Column) -> list[tuple[float, float, str]]:
    """Seconds, share of hits and name of the methods that no cheaper one equals or beats."""
    cells = {method: cell for method, cell in column.cells.items() if cell.tally.total}
    points = [(cell.cost.seconds, cell.tally.hits / cell.tally.total, method) for method, cell in cells.items()]
    best: list[tuple[float, float, str]] = []
    for seconds, share, method in sorted(points, key=lambda point: (point[0], -point[1])):
        if not best or share > best[-1][1]:
            best.append((seconds, share, method))
    return best


def section(measured: Sequence[list[list[str]]]) -> list[str]:
    """A run of the benchmarks to which no finished run was named has none."""
    told = "Of finished runs; a method is listed if no cheaper one points at the right word as often:"
    return [text for rows in measured for text in ("## Trust against cost", told, table_of(HEAD, rows))]
