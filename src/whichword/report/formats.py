"""A results table for each sink: terminal, Markdown, LaTeX, CSV, JSON, HTML. Every text goes through its escape."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from whichword.registry import Registry
from whichword.render import escape
from whichword.report.latex_table import latex
from whichword.report.numbers import count, interval, points, rate
from whichword.report.table import Cell, Column, Table
from whichword.statistics.groups import Mark

LEGEND = (
    "= not significantly worse than the best (paired exact McNemar tests, Holm-corrected, 5 %). "
    "Brackets: Wilson 95 % interval; then hits/documents. docs/s: documents a second on one core."
)
STARS = "** best, * within five points (the paper's marks); "
STROKES = "Bold: best, underlined: within five points (the paper's marks); "

Renderer = Callable[[Table], str]
FORMATS: Registry[Renderer] = Registry("format", "whichword.formats")
FORMATS.register("latex", latex)

Rows = list[list[str]]
Marking = Callable[[str, Mark], str]  # a figure and the paper's mark -> the figure, marked


def _starred(shown: str, mark: Mark) -> str:
    return shown + {"best": "**", "within five points": "*", "": ""}[mark]


def _bold(shown: str, mark: Mark) -> str:
    return {"best": f"**<u>{shown}</u>**", "within five points": f"<u>{shown}</u>", "": shown}[mark]


def blocks(table: Table, marking: Marking = _starred) -> Iterator[tuple[str, list[str], Rows]]:
    """(title, header, rows) for each group of columns: methods, then the counts."""
    ambiguous = len({column.run for column in table.columns}) > 1
    for (game, corpus, part), columns in table.groups.items():
        heads = [f"{column.run}/{column.model}" if ambiguous else column.model for column in columns]
        header = ["method", *heads, *(f"{head} docs/s" for head in heads)]
        rows = [_row(method, columns, marking) for method in table.methods]
        title = f"{game} on {corpus}" + ("" if part == game.split("[")[0] else f": {part}")
        yield title, header, rows + [_footer(name, value, columns) for name, value in _COUNTS.items()]


def _row(method: str, columns: Sequence[Column], marking: Marking) -> list[str]:
    cells = [column.cells.get(method) for column in columns]
    rates = ["" if cell is None else rate(cell.rate) for cell in cells]
    return [method, *(_accuracy(cell, marking) for cell in cells), *rates]


def _accuracy(cell: Cell | None, marking: Marking) -> str:
    """.87**= [.83 .90] 348/400"""
    if cell is None:
        return "n/a"
    marked = marking(points(cell.accuracy), cell.mark) + ("=" if cell.tied else "")
    return f"{marked:<6} {interval(cell.interval)} {count(cell.tally.hits)}/{cell.tally.total}"


def _footer(name: str, value: Callable[[Column], str], columns: Sequence[Column]) -> list[str]:
    return [name, *(value(column) for column in columns), *("" for _ in columns)]


def _named(count: Callable[[Cell], int]) -> Callable[[Column], str]:
    """The methods for which something was counted, with the count."""

    def named(column: Column) -> str:
        found = {method: count(cell) for method, cell in column.cells.items() if count(cell)}
        return ", ".join(f"{method} {number}" for method, number in found.items()) or "none"

    return named


_COUNTS: Mapping[str, Callable[[Column], str]] = {
    "documents": lambda column: str(column.documents),
    "discarded": lambda column: str(column.discarded),
    "chance": lambda column: points(column.chance),
}
_REMARKS: Mapping[str, Callable[[Column], str]] = {
    "ties": _named(lambda cell: cell.tally.ties),
    "not finite": _named(lambda cell: cell.tally.nonfinite),
}


def _remarks(columns: Sequence[Column]) -> list[str]:
    """Ties and relevances that are not finite, by model."""
    return [f"{name}: {column.model}: {value(column)}" for name, value in _REMARKS.items() for column in columns]


# ---------------------------------------------------------------------------------------------------------------------


@FORMATS.register("text")
def text(table: Table) -> str:
    """Aligned columns for a terminal."""
    parts = []
    for (title, header, rows), columns in zip(blocks(table), table.groups.values(), strict=True):
        shown = [[escape.terminal(cell) for cell in row] for row in [header, *rows]]
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in shown
        ]
        lines.insert(1, "-" * max(map(len, lines)))
        lines.insert(-len(_COUNTS), lines[1])
        parts.append("\n".join([escape.terminal(title), *lines, *map(escape.terminal, _remarks(columns))]))
    return "\n\n".join([*parts, STARS + LEGEND]) + "\n"


@FORMATS.register("markdown")
def markdown(table: Table) -> str:
    """A pipe table for each group."""
    parts = []
    for (title, header, rows), columns in zip(blocks(table, _bold), table.groups.values(), strict=True):
        names = [[escape.markdown(cell) for cell in header], ["---", *("---:" for _ in header[1:])]]
        figures = [[escape.markdown(row[0]), *row[1:]] for row in rows]
        lines = [f"| {' | '.join(row)} |" for row in names + figures]
        remarks = [f"- {escape.markdown(remark)}" for remark in _remarks(columns)]
        parts.append("\n".join([f"### {escape.markdown(title)}", "", *lines, "", *remarks]))
    return "\n\n".join([*parts, STROKES + LEGEND]) + "\n"


@FORMATS.register("html")
def html(table: Table) -> str:
    """Plain tables, for the notebook."""
    parts = []
    for (title, header, rows), columns in zip(blocks(table), table.groups.values(), strict=True):
        head = "".join(f"<th>{escape.html(cell)}</th>" for cell in header)
        body = "".join(f"<tr>{''.join(f'<td>{escape.html(cell)}</td>' for cell in row)}</tr>" for row in rows)
        remarks = "".join(f"<li>{escape.html(remark)}</li>" for remark in _remarks(columns))
        caption = f"<caption>{escape.html(title)}</caption>"
        parts.append(f'<table class="whichword-table">{caption}<tr>{head}</tr>{body}</table><ul>{remarks}</ul>')
    return f"{''.join(parts)}<p><small>{escape.html(STARS + LEGEND)}</small></p>"


# ---------------------------------------------------------------------------------------------------------------------


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
        for method in (*column.cells, *column.undefined):
            yield {**about, "method": method, **_numbers(column.cells.get(method)), "chance": column.chance}


def _numbers(cell: Cell | None) -> dict[str, Any]:
    if cell is None:
        return {"status": "n/a"} | dict.fromkeys(_FIELDS)
    found, tally = cell.interval, cell.tally
    values = (cell.accuracy, found and found.low, found and found.high, tally.hits, tally.total, tally.discarded)
    more = (tally.ties, tally.nonfinite, cell.rate, cell.seconds, cell.mark, str(cell.tied).lower(), cell.p)
    return {"status": "ok"} | dict(zip(_FIELDS, (*values, *more), strict=True))


_FIELDS = (
    "accuracy",
    "low",
    "high",
    "hits",
    "total",
    "discarded",
    "ties",
    "nonfinite",
    "documents_a_second",
    "seconds",
    "mark",
    "tied",
    "p",
)


@FORMATS.register("csv")
def csv(table: Table) -> str:
    """One line a cell."""
    rows = list(records(table))
    header = list(rows[0]) if rows else []
    return escape.csv_row(header) + "".join(escape.csv_row(row.values()) for row in rows)


@FORMATS.register("json")
def to_json(table: Table) -> str:
    """A list with an object for each cell."""
    return json.dumps(list(records(table)), indent=1, allow_nan=False) + "\n"
