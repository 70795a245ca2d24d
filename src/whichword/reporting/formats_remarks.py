"""What is remarked on below the columns of a table about the judging itself."""

from collections.abc import Sequence

from whichword.reporting.numbers import points
from whichword.reporting.table import Column


def judging_remarks(columns: Sequence[Column]) -> list[str]:
    """Who cannot judge, who leads by width, and how scores that are no hits were tested."""
    remarks = [
        f"{column.model}: this game cannot judge it: {column.degraded.why}"
        for column in columns
        if column.degraded is not None and column.decides and not column.sound
    ]
    remarks += [f"{column.model}: ahead by width: {_widths(column)}" for column in columns if column.wide]
    if any(cell.bounds is not None for column in columns for cell in column.cells.values()):
        remarks.append("scores that are no hits: intervals and tests by a bootstrap over documents")
    return remarks


def _widths(column: Column) -> str:
    return ", ".join(f"{wide.wide} ({points(wide.over.difference)} over {wide.narrow})" for wide in column.wide)
