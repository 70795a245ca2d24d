"""A results table for each sink: terminal, Markdown, LaTeX, CSV, JSON, HTML. Every text goes through its escape.

CSV and JSON hold every cell with all its numbers (`records`); the others show blocks with remarks below (`blocks`).
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from whichword.registry import Registry
from whichword.render import escape
from whichword.reporting.latex_table import latex
from whichword.reporting.table import Column, Table, TableCell, count, points, rate
from whichword.reporting.table import interval as brackets
from whichword.reporting.verdict import verdict
from whichword.runs.run import mixture
from whichword.statistics.tests import Mark


def records(table: Table) -> Iterator[dict[str, Any]]:
    """Yield every cell with all its numbers, undefined ones with the status n/a."""
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
    """Name the arithmetic, or those of a mixed run; None where no shard names any."""
    return mixture(column.arithmetics) or next(iter(column.arithmetics), None)


def _numbers(cell: TableCell | None) -> dict[str, Any]:
    if cell is None:
        return {"status": "n/a"} | dict.fromkeys(_FIELDS)  # empty fields: every line of a CSV has all of them
    interval, tally, cost = cell.interval, cell.tally, cell.cost
    shares = (cell.accuracy, interval and interval.low, interval and interval.high)
    counts = (tally.hits, tally.total, tally.discarded, tally.ties, tally.nonfinite)
    marks = (cell.mark, str(cell.tied).lower(), cell.p)  # a CSV would say True
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


def judging_remarks(columns: Sequence[Column]) -> list[str]:
    """Say which games cannot judge, which methods lead by width, and how scores that are no hits were tested."""
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


LEGEND = (
    "= not significantly worse than the best (paired exact McNemar tests, Holm-corrected, 5 %). "
    "Brackets: Wilson 95 % interval; then hits/documents. Documents per second: on one core, each method asked alone."
)
STARS = "** best, * within five points (the paper's marks); "
STROKES = "Bold: best, underlined: within five points (the paper's marks); "

Renderer = Callable[[Table], str]
FORMATS: Registry[Renderer] = Registry("format", "whichword.formats")
FORMATS.register("latex", latex)  # files of their own make these two, the others are below
FORMATS.register("verdict", verdict)

Rows = list[list[str]]
Marking = Callable[[str, Mark], str]  # a figure and the paper's mark -> the figure, marked


@dataclass(frozen=True)
class Block:
    """Rows under a header: methods, then counts, then remarks."""

    title: str
    header: list[str]
    rows: Rows
    counts: Rows
    remarks: list[str]


def _starred(figure: str, mark: Mark) -> str:
    return figure + {"best": "**", "within five points": "*", "": ""}[mark]


def _bold(figure: str, mark: Mark) -> str:
    return {"best": f"**<u>{figure}</u>**", "within five points": f"<u>{figure}</u>", "": figure}[mark]


def blocks(table: Table, marking: Marking = _starred) -> Iterator[Block]:
    """Make a block for each part of a game, and one with the costs for each game on a corpus."""
    for (game, corpus), group in groupby(table.groups.items(), key=lambda entry: entry[0][:2]):
        parts = list(group)
        for (_, _, part), columns in parts:
            rows = [_row(method, columns, partial(_accuracy, marking=marking)) for method in table.methods]
            counts = [[name, *map(count_of, columns)] for name, count_of in _COUNTS.items()]
            if any(column.ceiling is not None for column in columns):
                counts.append(["best order", *(points(column.ceiling) for column in columns)])
            title = f"{game} on {corpus}" + ("" if part == game.split("[")[0] else f": {columns[0].heading}")
            yield Block(title, ["method", *_heads(table, columns)], rows, counts, _remarks(columns))
        first = parts[0][1]  # all parts of a game cost the same: a method is asked once
        costs = [_row(method, first, _rate) for method in table.methods]
        title = f"{game} on {corpus}: documents per second"
        yield Block(title, ["method", *_heads(table, first)], costs, [], _cost_remarks(first))


def _heads(table: Table, columns: Sequence[Column]) -> list[str]:
    """Head columns by the models' labels, with their run where another run has a model of that name."""
    runs = Counter(model for _, model in {(column.run, column.model) for column in table.columns})
    return [f"{column.run}/{column.model}" if runs[column.model] > 1 else column.model for column in columns]


def _row(method: str, columns: Sequence[Column], show: Callable[[TableCell], str]) -> list[str]:
    cells = [column.cells.get(method) for column in columns]
    return [method, *("n/a" if cell is None else show(cell) for cell in cells)]


def _rate(cell: TableCell) -> str:
    return rate(cell.rate)


def _accuracy(cell: TableCell, marking: Marking) -> str:
    """Write a cell as ``.87**= [.83 .90] 348/400``."""
    if not cell.tally.total:  # no document counts
        return "-"
    marked = marking(points(cell.accuracy), cell.mark) + ("=" if cell.tied else "")
    return f"{marked:<6} {brackets(cell.interval)} {count(cell.tally.hits)}/{cell.tally.total}"  # 6: .87**=


def _named(counted: Callable[[TableCell], int]) -> Callable[[Column], str]:
    """Make a text of the methods for which something was counted, with the count."""

    def named(column: Column) -> str:
        counts = {method: counted(cell) for method, cell in column.cells.items() if counted(cell)}  # zeros are left out
        return ", ".join(f"{method} {number}" for method, number in counts.items())

    return named


tie_counts = _named(lambda cell: cell.tally.ties)  # lrp 3, omit_1 2; "": none

_COUNTS: Mapping[str, Callable[[Column], str]] = {
    "documents": lambda column: str(column.documents),
    "discarded": lambda column: str(column.discarded),
    "chance": lambda column: points(column.chance),
}
_REMARKS: Mapping[str, Callable[[Column], str]] = {
    "ties": tie_counts,
    "not finite": _named(lambda cell: cell.tally.nonfinite),
    "n/a": lambda column: ", ".join(f"{method} ({reason})" for method, reason in column.undefined.items()),
}


def _remarks(columns: Sequence[Column]) -> list[str]:
    """Tell ties, relevances that are not finite and undefined methods, by model; also where there are none."""
    remarks = []
    for name, value in _REMARKS.items():
        by_model = [f"{column.model}: {value(column)}" for column in columns if value(column)]
        remarks.append(f"{name}: {'; '.join(by_model) or 'none'}")
    remarks += [f"{column.model}: {remark}" for column in columns for remark in column.remarks]
    remarks += judging_remarks(columns)
    mixed = {column.run: mixture(column.arithmetics) for column in columns}  # once per run, not per column
    return remarks + [f"{run} is {words}" for run, words in mixed.items() if words]


def _cost_remarks(columns: Sequence[Column]) -> list[str]:
    """Say which runs have not timed every method alone: those of relevances from elsewhere."""
    old = dict.fromkeys(c.run for c in columns for cell in c.cells.values() if cell.cost.alone is None)
    shared = "methods were not timed alone: those that share passes share their seconds"
    return [f"{run}: {shared}" for run in old]


# ---------------------------------------------------------------------------------------------------------------------


@FORMATS.register("text")
def text(table: Table) -> str:
    """Align columns for a terminal."""
    return "\n\n".join([*map(_text_block, blocks(table)), STARS + LEGEND]) + "\n"


def _text_block(block: Block) -> str:
    escaped = [[escape.terminal(cell) for cell in row] for row in [block.header, *block.rows, *block.counts]]
    widths = [max(map(len, column)) for column in zip(*escaped, strict=True)]  # after escaping, which lengthens
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in escaped)
    lines = ["  ".join(row).rstrip() for row in padded]
    rule, end = "-" * max(map(len, lines)), 1 + len(block.rows)
    body = [lines[0], rule, *lines[1:end], *([rule, *lines[end:]] if block.counts else [])]
    return "\n".join([escape.terminal(block.title), *body, *map(escape.terminal, block.remarks)])


@FORMATS.register("markdown")
def markdown(table: Table) -> str:
    """Write a pipe table for each block."""
    return "\n\n".join([*map(_markdown_block, blocks(table, _bold)), STROKES + LEGEND]) + "\n"


def _markdown_block(block: Block) -> str:
    names = [[escape.markdown(cell) for cell in block.header], ["---", *("---:" for _ in block.header[1:])]]
    figures = [[escape.markdown(row[0]), *row[1:]] for row in [*block.rows, *block.counts]]  # marks are Markdown
    lines = [f"| {' | '.join(row)} |" for row in names + figures]
    remarks = [f"- {escape.markdown(remark)}" for remark in block.remarks]
    return "\n".join([f"### {escape.markdown(block.title)}", "", *lines, "", *remarks]).rstrip()


@FORMATS.register("html")
def html(table: Table) -> str:
    """Write plain tables, for the notebook."""
    return "".join(map(_html_block, blocks(table))) + f"<p><small>{escape.html(STARS + LEGEND)}</small></p>"


def _html_block(block: Block) -> str:
    head = "".join(f"<th>{escape.html(cell)}</th>" for cell in block.header)
    rows = ("".join(f"<td>{escape.html(cell)}</td>" for cell in row) for row in [*block.rows, *block.counts])
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    remarks = "".join(f"<li>{escape.html(remark)}</li>" for remark in block.remarks)
    caption = f"<caption>{escape.html(block.title)}</caption>"
    return f'<table class="whichword-table">{caption}<tr>{head}</tr>{body}</table><ul>{remarks}</ul>'


# ---------------------------------------------------------------------------------------------------------------------


@FORMATS.register("csv")
def csv(table: Table) -> str:
    """Write one line per cell."""
    rows = list(records(table))
    header = list(rows[0]) if rows else []  # a table without cells is an empty file
    return escape.csv_row(header) + "".join(escape.csv_row(row.values()) for row in rows)


@FORMATS.register("json")
def to_json(table: Table) -> str:
    """Write a list with an object for each cell."""
    return json.dumps(list(records(table)), indent=1, allow_nan=False) + "\n"
