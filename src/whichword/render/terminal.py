"""Render heat maps in the terminal, as rich `Text` (which parses no markup, so a word like [bold] stays a word)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rich.color import Color
from rich.style import Style
from rich.text import Text

from whichword.render import escape
from whichword.render.heatmap import BLACK, PAPER, RGB, WHITE, Palette, WordCell, blend, tint

CUBE = (95, 135, 175)  # brightness of a hue in a terminal of 256 colours, whose darkest steps are black and grey
FAINT = 0.1  # of the largest relevance: below, neither a cube nor a sign has a step for it


@dataclass(frozen=True)
class Depth:
    """The depth of a terminal: a word's background (None: none), and a sign behind it ("": none)."""

    colour: Callable[[WordCell, Palette, bool], RGB | None]
    sign: Callable[[WordCell], str] = lambda cell: ""


def heatmap(
    cells: Sequence[WordCell], palette: Palette = PAPER, dark: bool = True, colours: str | None = "truecolor"
) -> Text:
    """Render text with its line ends, colours as background; ``dark`` says which page the terminal has.

    ``colours`` is what rich calls the terminal's colour system; without any, signs stand behind the words.
    """
    text, depth = Text(end=""), DEPTHS.get(colours, DEPTHS[None])
    for cell in cells:
        text.append(escape.terminal_lines(cell.gap))
        text.append(_named(cell, depth), style=_style(cell, depth.colour(cell, palette, dark), dark))
        text.append(escape.terminal_lines(cell.tail))
    return text


def stacked(
    rows: Mapping[str, Sequence[WordCell]],
    palette: Palette = PAPER,
    dark: bool = True,
    colours: str | None = "truecolor",
) -> Text:
    """Render one heat map per paragraph, headed by the method's name."""
    width = max((len(escape.terminal(name)) for name in rows), default=0)
    drawn = partial(heatmap, palette=palette, dark=dark, colours=colours)
    lines = [
        Text().append(escape.terminal(name).ljust(width) + "  ", "dim").append_text(drawn(cells))
        for name, cells in rows.items()
    ]
    return Text("\n").join(lines)


def _named(cell: WordCell, depth: Depth) -> str:
    sign = cell.remark or depth.sign(cell)
    return escape.terminal(cell.word) + (f"{{{sign}}}" if sign else "")


def _style(cell: WordCell, colour: RGB | None, dark: bool) -> Style:
    return Style(
        color=Color.from_rgb(*_ink(colour, dark)) if colour else None,
        bgcolor=Color.from_rgb(*colour) if colour else None,
        bold=cell.bold or None,
        underline=cell.underlined or None,
        italic=cell.italic or None,
    )


def _ink(colour: RGB, dark: bool) -> RGB:
    """Choose the page's ink; black on the brightest step of a bright hue, where white could not be read."""
    red, green, blue = colour
    bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 120  # weights of Rec. 709
    return WHITE if dark and not bright else BLACK


def _blended(cell: WordCell, palette: Palette, dark: bool) -> RGB | None:
    colour = tint(cell, palette)
    return blend(*colour, BLACK if dark else WHITE) if colour else None


def _cubed(cell: WordCell, palette: Palette, dark: bool) -> RGB | None:
    """Choose one of three steps of the hue, all on the 256-colour cube; a light page has the blended colour."""
    colour, step = tint(cell, palette), _step(cell)
    if colour is None or not step or not dark:
        return _blended(cell, palette, dark) if step else None
    hue, brightness = colour[0], CUBE[step - 1]
    red, green, blue = (round(brightness * part / max(hue)) for part in hue)
    return red, green, blue


def _step(cell: WordCell) -> int:
    """Grade a cell: 0 for faint, then 1 to 3."""
    opacity = max(cell.green, cell.red)
    return 0 if opacity < FAINT else min(3, 1 + int(3.3 * opacity))


def _signs(cell: WordCell) -> str:
    """Write ``+`` to ``+++`` for the class, ``-`` to ``---`` against it; ``!`` for the most relevant word."""
    return ("+" if cell.green > 0 else "-") * _step(cell) + ("!" if cell.bold else "")


DEPTHS: Mapping[str | None, Depth] = {
    "truecolor": Depth(_blended),
    "256": Depth(_cubed),
    None: Depth(lambda cell, palette, dark: None, _signs),  # also for 8 and 16 colours: they have no shades
}
SIGNS = "+ ++ +++ speaks for the class, - -- --- against it; ! is the most relevant word"
