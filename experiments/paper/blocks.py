"""Tables of strings, for a terminal or a Markdown page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from whichword.render import escape

PLAIN = re.compile(r"(?:[\w .,:;%()+=/\[\]-]|< )*", re.ASCII)  # what Markdown leaves alone inside a cell


@dataclass(frozen=True)
class Block:
    """A title, a header, rows, and a sentence on how to read them."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    legend: str = ""


def text(block: Block) -> str:
    """Aligned columns."""
    shown = [[escape.terminal(cell) for cell in row] for row in [block.header, *block.rows]]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in shown]
    rule = "-" * max(map(len, lines))
    return "\n".join([block.title, lines[0], rule, *lines[1:], *([block.legend] if block.legend else [])]) + "\n"


def markdown(block: Block) -> str:
    """A pipe table under a heading."""
    rows = [[cell if PLAIN.fullmatch(cell) else escape.markdown(cell) for cell in row] for row in block.rows]
    lines = [list(block.header), ["---"] * len(block.header), *rows]
    table = "\n".join(f"| {' | '.join(row)} |" for row in lines)
    return "\n\n".join([f"### {block.title}", *([block.legend] if block.legend else []), table]) + "\n"
