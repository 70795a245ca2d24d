r"""The results table in the paper's layout: methods as rows, numbered columns grouped by game, corpus and part.

Best: bold and underlined; within five points: underlined; a raised = for methods not significantly worse than the best.
"""

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from whichword.render import escape
from whichword.render.latex import method as method_name
from whichword.reporting.table import Column, Table, TableCell, points

CAPTION = (
    "Pointing game accuracies. Bold and underlined: best of the column; underlined: within five points; "
    "$^{=}$: not significantly worse than the best (exact McNemar tests, Holm-corrected, 5\\,\\%). "
    "Documents: items that count, of which the accuracy is a share."
)


def latex(table: Table) -> str:
    """Write a ``table*`` that needs no package beyond graphicx (for the turned names of the networks)."""
    width = len(table.columns)
    lines = [
        f"\\begin{{tabular}}{{{_shape(table)}}}",
        _line("column", [f"\\tiny C{number:02d}" for number in range(1, width + 1)]) + "\\hline",
        *(_heads(table.columns, of) for of in (_game, _corpus, _part)),  # each within the one above it
        _line("$\\phi$", [f"\\rotatebox{{90}}{{\\tiny {escape.latex(column.model)}}}" for column in table.columns]),
        "\\hline",
        *(_line(method_name(name), [_cell(c.cells.get(name)) for c in table.columns]) for name in table.methods),
        "\\hline",
        _line("chance", [points(column.chance) for column in table.columns]),
        _line("documents", [str(column.documents) for column in table.columns]),
        _line("discarded", [str(column.discarded) for column in table.columns]),
        "\\end{tabular}",
    ]
    opening = "\\begin{table*}\n\\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}\n"
    return opening + "\n".join(lines) + f"\n\\caption{{{CAPTION}}}\n\\end{{table*}}\n"


def _shape(table: Table) -> str:
    return "l|" + "|".join("c" * len(columns) for columns in table.groups.values())  # a rule after each group


def _line(head: str, cells: Sequence[str]) -> str:
    return " & ".join([head, *cells]) + " \\\\"


def _game(column: Column) -> tuple[str, ...]:
    return (column.game,)


def _corpus(column: Column) -> tuple[str, ...]:
    return (column.game, column.corpus)  # the game too: a heading must not reach across two games


def _part(column: Column) -> tuple[str, ...]:
    return (column.game, column.corpus, column.heading)


def _heads(columns: Sequence[Column], of: Callable[[Column], tuple[str, ...]]) -> str:
    """Put one heading over all neighbours that share it."""
    spans = [(key[-1], len(list(group))) for key, group in groupby(columns, key=of)]
    return _line("", [f"\\multicolumn{{{size}}}{{c}}{{{_stacked(name)}}}" for name, size in spans])


def _stacked(name: str) -> str:
    """Break ``number, wrong predictions [hit_feat_wrong]`` into three lines: one would be wider than its columns."""
    lines = [escape.latex(line) for line in re.split(r"(?<=,) | (?=\[)", name)]
    if len(lines) == 1:
        return lines[0]
    rows = " \\\\ ".join(f"\\tiny {line}" for line in lines)
    return f"\\shortstack{{{rows}}}"


def _cell(cell: TableCell | None) -> str:
    if cell is None or cell.accuracy is None:
        return "-"
    figure = points(cell.accuracy)
    marked = {
        "best": f"\\underline{{\\textbf{{{figure}}}}}",
        "within five points": f"\\underline{{{figure}}}",
        "": figure,
    }
    return marked[cell.mark] + ("$^{=}$" if cell.tied else "")
