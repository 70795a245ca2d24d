"""Heat maps in the terminal, as rich `Text` (which parses no markup, so a word like [bold] stays a word)."""

from collections.abc import Mapping, Sequence

from rich.color import Color
from rich.style import Style
from rich.text import Text

from whichword.render import escape
from whichword.render.heatmap import WordCell
from whichword.render.palette import BLACK, PAPER, WHITE, Palette, blend, tint


def heatmap(cells: Sequence[WordCell], palette: Palette = PAPER, dark: bool = True) -> Text:
    """The text with its line ends, colours as background; ``dark`` says which page the terminal has."""
    text = Text(end="")
    for cell in cells:
        text.append(escape.terminal_lines(cell.gap))
        text.append(_named(cell), style=_style(cell, palette, dark))
        text.append(escape.terminal_lines(cell.tail))
    return text


def stacked(rows: Mapping[str, Sequence[WordCell]], palette: Palette = PAPER, dark: bool = True) -> Text:
    """One heat map per paragraph, headed by the method's name."""
    width = max((len(escape.terminal(name)) for name in rows), default=0)
    lines = [
        Text().append(escape.terminal(name).ljust(width) + "  ", "dim").append_text(heatmap(cells, palette, dark))
        for name, cells in rows.items()
    ]
    return Text("\n").join(lines)


def _named(cell: WordCell) -> str:
    return escape.terminal(cell.word) + (f"{{{cell.remark}}}" if cell.remark else "")


def _style(cell: WordCell, palette: Palette, dark: bool) -> Style:
    page, ink = (BLACK, WHITE) if dark else (WHITE, BLACK)
    colour = tint(cell, palette)
    return Style(
        color=Color.from_rgb(*ink) if colour else None,
        bgcolor=Color.from_rgb(*blend(*colour, page)) if colour else None,
        bold=cell.bold or None,
        underline=cell.underlined or None,
        italic=cell.italic or None,
    )
