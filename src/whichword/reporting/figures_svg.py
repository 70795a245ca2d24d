"""Heat maps as SVG. The file says how wide each word is, so that boxes fit whatever font there is."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whichword.render import escape
from whichword.render.heatmap import WordCell
from whichword.render.palette import PAPER, WHITE, Palette, blend, tint

SIZE = 15.0  # of the letters; all lengths are pixels
LINE = 25.0
SPACE = 5.0
WIDTH = 900.0
PAD = 12.0
_CLASSES = (  # rough widths of Helvetica's letters, in its size
    (0.22, "ijl'|"),
    (0.28, "ft.,:;!/[]\\I "),
    (0.34, 'r()-`"{}'),
    (0.5, "sckvxyzJ"),
    (0.61, "FLTZ"),
    (0.72, "wCDHNRU"),
    (0.79, "GOQ"),
    (0.85, "mM%"),
    (0.97, "W@"),
)
_EMS: Mapping[str, float] = {mark: width for width, marks in _CLASSES for mark in marks}
_BOLD = 1.07  # bold letters are wider
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class _Placed:
    cell: WordCell
    x: float
    line: int
    width: float


def stacked(rows: Mapping[str, Sequence[WordCell]], title: str, palette: Palette = PAPER) -> str:
    """One block a method: its name, and beside it the words in lines."""
    head = max((_width(name) for name in rows), default=0.0) + 2 * PAD
    parts, top = [], PAD
    for name, cells in rows.items():
        placed = list(_place(cells, head, WIDTH - PAD))
        parts.append(_text(name, PAD, top, "", _width(name)))
        parts += [_word(one, top, palette) for one in placed]
        top += LINE * (1 + max((one.line for one in placed), default=0)) + PAD / 2
    return _document("".join(parts), top + PAD / 2, title)


def _place(cells: Sequence[WordCell], left: float, right: float) -> Iterator[_Placed]:
    """Words from left to right; one that does not fit begins the next line."""
    x, line = left, 0
    for cell in cells:
        width = _width(_shown(cell)) * (_BOLD if cell.bold else 1)
        if x > left and x + width > right:
            x, line = left, line + 1
        yield _Placed(cell, x, line, width)
        x += width + SPACE


def _shown(cell: WordCell) -> str:
    return escape.terminal(cell.word) + (f"{{{cell.remark}}}" if cell.remark else "")


def _width(text: str) -> float:
    return SIZE * sum(map(_em, text))


def _em(mark: str) -> float:
    if unicodedata.combining(mark):
        return 0.0
    if unicodedata.east_asian_width(mark) in "WF":
        return 1.0
    return _EMS.get(mark, 0.67 if mark.isupper() else 0.56)


def _word(one: _Placed, top: float, palette: Palette) -> str:
    y = top + one.line * LINE
    colour = tint(one.cell, palette)
    box = "" if colour is None else _box(one, y, blend(*colour, WHITE))
    return box + _text(_shown(one.cell), one.x, y, _style(one.cell), one.width)


def _box(one: _Placed, y: float, colour: tuple[int, int, int]) -> str:
    place = f'x="{one.x - 2:.1f}" y="{y:.1f}" width="{one.width + 4:.1f}" height="{LINE - 4:.1f}"'
    return f'<rect {place} rx="3" fill="rgb({",".join(map(str, colour))})"/>\n'


def _style(cell: WordCell) -> str:
    wanted = (
        (cell.bold, ' font-weight="bold"'),
        (cell.italic, ' font-style="italic"'),
        (cell.underlined, ' text-decoration="underline"'),
    )
    return "".join(style for holds, style in wanted if holds)


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
