"""What is remarked on below the columns of a table: ties, what is not finite or not defined, and who cannot judge."""

from collections.abc import Callable, Mapping, Sequence

from whichword.experiment.reading import mixture
from whichword.reporting.numbers import points
from whichword.reporting.table import Column, TableCell


def _named(counted: Callable[[TableCell], int]) -> Callable[[Column], str]:
    """The methods for which something was counted, with the count."""

    def named(column: Column) -> str:
        counts = {method: counted(cell) for method, cell in column.cells.items() if counted(cell)}
        return ", ".join(f"{method} {number}" for method, number in counts.items())

    return named


_REMARKS: Mapping[str, Callable[[Column], str]] = {
    "ties": _named(lambda cell: cell.tally.ties),
    "not finite": _named(lambda cell: cell.tally.nonfinite),
    "n/a": lambda column: ", ".join(f"{method} ({reason})" for method, reason in column.undefined.items()),
}


def column_remarks(columns: Sequence[Column]) -> list[str]:
    """Ties, relevances that are not finite and methods that are not defined, by model; also where there are none."""
    remarks = []
    for name, value in _REMARKS.items():
        by_model = [f"{column.model}: {value(column)}" for column in columns if value(column)]
        remarks.append(f"{name}: {'; '.join(by_model) or 'none'}")
    remarks += [f"{column.model}: {remark}" for column in columns for remark in column.remarks]
    remarks += [
        f"{column.model}: this game cannot judge it: {column.degraded.why}"
        for column in columns
        if column.degraded is not None and column.decides and not column.sound
    ]
    remarks += [f"{column.model}: ahead by width: {_widths(column)}" for column in columns if column.wide]
    if any(cell.bounds is not None for column in columns for cell in column.cells.values()):
        remarks.append("scores that are no hits: intervals and tests by a bootstrap over documents")
    mixed = {column.run: mixture(column.arithmetics) for column in columns}
    return remarks + [f"{run} is {words}" for run, words in mixed.items() if words]


def _widths(column: Column) -> str:
    return ", ".join(f"{wide.wide} ({points(wide.over.difference)} over {wide.narrow})" for wide in column.wide)


def cost_remarks(columns: Sequence[Column]) -> list[str]:
    """Which runs are too old to have timed every method alone."""
    old = dict.fromkeys(c.run for c in columns for cell in c.cells.values() if cell.cost.alone is None)
    shared = "methods were not timed alone: those that share passes share their seconds"
    return [f"{run}: {shared}" for run in old]
