"""Heat maps as SVG. The file says how wide each word is, so that boxes fit whatever font there is."""

import re
from collections.abc import Mapping, Sequence

from whichword.render import escape
from whichword.render.heatmap import PAPER, RGB, WHITE, Palette, WordCell, blend, tint
from whichword.reporting.figures_layout import SIZE, Placed, placed, width

LINE = 25.0  # all lengths are pixels
WIDTH = 900.0
PAD = 12.0
EDGE = 2.0  # of a box, beyond its word
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def stacked(rows: Mapping[str, Sequence[WordCell]], title: str, palette: Palette = PAPER) -> str:
    """One block per method: its name, and beside it the text in lines."""
    head = max((width(name) for name in rows), default=0.0) + 2 * PAD
    parts, top = [], PAD
    for name, cells in rows.items():
        words = list(placed(cells, head, WIDTH - PAD))
        parts.append(_text(name, PAD, top, "", width(name)))
        parts += [_word(word, top, palette) for word in words]
        top += LINE * (1 + max((word.line for word in words), default=0)) + PAD / 2
    return _document("".join(parts), top + PAD / 2, title)


def _word(word: Placed, top: float, palette: Palette) -> str:
    y, cell = top + word.line * LINE, word.piece.cell
    colour = tint(cell, palette) if cell else None
    box = "" if colour is None else _box(word, y, blend(*colour, WHITE))
    return box + _text(word.piece.text, word.x, y, _style(cell) if cell else "", word.piece.width)


def _box(word: Placed, y: float, colour: RGB) -> str:
    """A little wider than the word, but not on a side where the next word begins at once."""
    before, after = (0.0 if joined else EDGE for joined in word.joined)
    size = f'width="{before + word.piece.width + after:.1f}" height="{LINE - 4:.1f}"'
    return f'<rect x="{word.x - before:.1f}" y="{y:.1f}" {size} rx="3" fill="rgb({",".join(map(str, colour))})"/>\n'


def _style(cell: WordCell) -> str:
    styles = (
        (cell.bold, ' font-weight="bold"'),
        (cell.italic, ' font-style="italic"'),
        (cell.underlined, ' text-decoration="underline"'),
    )
    return "".join(style for holds, style in styles if holds)


def _text(text: str, x: float, y: float, style: str, width: float) -> str:
    fitted = f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"' if width else ""
    return f'<text x="{x:.1f}" y="{y + LINE - 9:.1f}"{style}{fitted}>{_xml(text)}</text>\n'


def _document(body: str, height: float, title: str) -> str:
    size = f'width="{WIDTH:.0f}" height="{height:.0f}" viewBox="0 0 {WIDTH:.0f} {height:.0f}"'
    font = f'font-family="Helvetica, Arial, Liberation Sans, sans-serif" font-size="{SIZE:g}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>\n<title>{_xml(title)}</title>\n'
    return f'{opening}<rect width="100%" height="100%" fill="#fff"/>\n{body}</svg>\n'


def _xml(text: str) -> str:
    """HTML's escape is also XML's, but XML cannot hold control characters at all."""
    return escape.html(_NOT_IN_XML.sub("\ufffd", text))
