"""Where the words of a figure stand: in lines, as the text has them, each as wide as a common font makes it."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whichword.render import escape
from whichword.render.heatmap import WordCell

SIZE = 15.0  # of the letters; all lengths are pixels
SPACE = 5.0
EMPTY_LINES = 1  # at most, between two lines
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
_WHITE = re.compile(r"(\s+)")


@dataclass(frozen=True)
class Piece:
    """A word with its colours, or what stands between words and is no white space (``cell`` None)."""

    text: str
    width: float
    cell: WordCell | None = None


@dataclass(frozen=True)
class Chunk:
    """Pieces without white space between them, and how many lines before they begin."""

    breaks: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Placed:
    """A piece and its place; ``joined``: nothing is between it and the piece before, after it."""

    piece: Piece
    x: float
    line: int
    joined: tuple[bool, bool]


def placed(cells: Sequence[WordCell], left: float, right_edge: float) -> Iterator[Placed]:
    """Chunks from left to right; one that does not fit, or has a line end before it, begins the next line."""
    x, line = left, 0
    for number, chunk in enumerate(chunks(cells)):
        breaks = chunk.breaks if number else 0
        if breaks or (x > left and x + sum(piece.width for piece in chunk.pieces) > right_edge):
            x, line = left, line + max(1, breaks)
        for place, piece in enumerate(chunk.pieces):
            if x > left and x + piece.width > right_edge:
                x, line = left, line + 1
            yield Placed(piece, x, line, (place > 0, place < len(chunk.pieces) - 1))
            x += piece.width
        x += SPACE


def chunks(cells: Sequence[WordCell]) -> Iterator[Chunk]:
    """The text in order."""
    breaks, pieces = 0, list[Piece]()
    for token in _tokens(cells):
        if isinstance(token, Piece):
            pieces.append(token)
            continue
        if pieces:
            yield Chunk(breaks, tuple(pieces))
            breaks, pieces = 0, []
        breaks = min(1 + EMPTY_LINES, breaks + token.count("\n"))
    if pieces:
        yield Chunk(breaks, tuple(pieces))


def width(text: str) -> float:
    return SIZE * sum(map(_em, text))


def _tokens(cells: Sequence[WordCell]) -> Iterator[Piece | str]:
    """Words, and the gaps between them cut into white space and the rest."""
    for cell in cells:
        yield from _of_gap(cell.gap)
        text = escape.terminal(cell.word) + (f"{{{cell.remark}}}" if cell.remark else "")
        yield Piece(text, width(text) * (_BOLD if cell.bold else 1), cell)
        yield from _of_gap(cell.tail)


def _of_gap(gap: str) -> Iterator[Piece | str]:
    for part in filter(None, _WHITE.split(gap)):
        text = escape.terminal(part)
        yield part if part.isspace() else Piece(text, width(text))


def _em(mark: str) -> float:
    if unicodedata.combining(mark):
        return 0.0
    if unicodedata.east_asian_width(mark) in "WF":
        return 1.0
    return _EMS.get(mark, 0.67 if mark.isupper() else 0.56)
