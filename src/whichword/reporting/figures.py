"""Heat-map rows like the paper's figures, from any run, as LaTeX, SVG or PNG.

SVG has no line breaks, so words are placed here, each as wide as a common font makes it. The file says how wide each
word is, so that boxes fit whatever font there is.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from whichword.base.runtime import install_command
from whichword.errors import InputError, SettingError
from whichword.explanation import first_maximum
from whichword.games import recalled
from whichword.registry import Registry
from whichword.render import escape, latex
from whichword.render.heatmap import PAPER, RGB, WHITE, Palette, WordCell, blend, heatmap, tint
from whichword.runs.records import Pairing
from whichword.runs.run import Run, StoredRelevance
from whichword.types import Item

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
    """Place chunks from left to right; one that does not fit, or has a line end before it, begins the next line."""
    x, line = left, 0
    for number, chunk in enumerate(chunks(cells)):
        breaks = chunk.breaks if number else 0  # no empty lines on top
        if breaks or (x > left and x + sum(piece.width for piece in chunk.pieces) > right_edge):
            x, line = left, line + max(1, breaks)
        for place, piece in enumerate(chunk.pieces):
            if x > left and x + piece.width > right_edge:  # a chunk wider than a line breaks between its pieces
                x, line = left, line + 1
            yield Placed(piece, x, line, (place > 0, place < len(chunk.pieces) - 1))
            x += piece.width
        x += SPACE  # one space, however much white space the text has


def chunks(cells: Sequence[WordCell]) -> Iterator[Chunk]:
    """Cut the text into chunks, in order."""
    breaks, pieces = 0, list[Piece]()
    for token in _tokens(cells):
        if isinstance(token, Piece):
            pieces.append(token)
            continue
        if pieces:
            yield Chunk(breaks, tuple(pieces))
            breaks, pieces = 0, []
        breaks = min(1 + EMPTY_LINES, breaks + token.count("\n"))  # texts may be full of empty lines
    if pieces:
        yield Chunk(breaks, tuple(pieces))


def width(text: str) -> float:
    return SIZE * sum(map(_em, text))


def _tokens(cells: Sequence[WordCell]) -> Iterator[Piece | str]:
    """Yield words, and the gaps between them cut into white space and the rest."""
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
    if unicodedata.combining(mark):  # drawn over the letter before it
        return 0.0
    if unicodedata.east_asian_width(mark) in "WF":  # wide and full-width letters fill a square
        return 1.0
    return _EMS.get(mark, 0.67 if mark.isupper() else 0.56)  # as most letters of Helvetica


LINE = 25.0  # all lengths are pixels
WIDTH = 900.0
PAD = 12.0
EDGE = 2.0  # of a box, beyond its word
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def stacked(rows: Mapping[str, Sequence[WordCell]], title: str, palette: Palette = PAPER) -> str:
    """Draw one block per method: its name, and beside it the text in lines."""
    head = max((width(name) for name in rows), default=0.0) + 2 * PAD  # a column for the names alone
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
    """Draw it a little wider than the word, but not on a side where the next word begins at once."""
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
    return f'<text x="{x:.1f}" y="{y + LINE - 9:.1f}"{style}{fitted}>{_xml(text)}</text>\n'  # y is the baseline


def _document(body: str, height: float, title: str) -> str:
    size = f'width="{WIDTH:.0f}" height="{height:.0f}" viewBox="0 0 {WIDTH:.0f} {height:.0f}"'
    font = f'font-family="Helvetica, Arial, Liberation Sans, sans-serif" font-size="{SIZE:g}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>\n<title>{_xml(title)}</title>\n'
    return f'{opening}<rect width="100%" height="100%" fill="#fff"/>\n{body}</svg>\n'


def _xml(text: str) -> str:
    """Escape for XML: as for HTML, but XML cannot hold control characters at all."""
    return escape.html(_NOT_IN_XML.sub("\ufffd", text))


@dataclass(frozen=True)
class Figure:
    """One document under one model: a heat map per method, and what the figure is of."""

    document: str
    model: str
    predicted: str
    part: str
    rows: Mapping[str, Sequence[WordCell]]

    @property
    def title(self) -> str:
        return f"document {self.document}, {self.model} predicts {self.predicted}"


Drawing = Callable[[Figure, Palette], str | bytes]
DRAWINGS: Registry[Drawing] = Registry("figure format", "whichword.figures")


def figure(
    run: Run, document: str, methods: Sequence[str] = (), model: str | None = None, part: str | None = None
) -> Figure:
    """Make the figure of a document, by its key or the beginning of it; no method: all. ``part`` is underlined."""
    pairing, item = _find(run, document, model)
    prediction, played = run.predictions(pairing.id).get(item.key), run.plan.set(pairing.set)
    if prediction is None:
        raise InputError(f"document {item.key} failed: {pairing.model} gave no answer")
    counted = part or played.parts[0]
    if counted not in played.parts:
        raise SettingError(f"the game has no part {counted!r}; it has: {', '.join(played.parts)}")
    marks = recalled(played.game).rewarded(item, prediction.predicted).get(counted) or frozenset()
    vectors = {name: row.values for name, row in _relevances(run, pairing, item, methods).items()}
    rows = {
        name: heatmap(
            item.words,
            phi,
            marks & frozenset(range(len(item.words))[: prediction.seen]),  # words not read cannot be pointed at
            first_maximum(phi[: prediction.seen]),  # nor can they be the maximum
            prediction.unknown,
            item.text,
        )
        for name, phi in vectors.items()
    }
    return Figure(item.key, pairing.model, prediction.predicted, counted, rows)


def _find(run: Run, document: str, model: str | None) -> tuple[Pairing, Item]:
    """Find the first pairing that has the document, among those of the model if one is named."""
    labels = [subject.label for subject in run.plan.models]
    if model is not None and model not in labels:
        raise SettingError(f"the run has no model {model!r}; it has: {', '.join(labels)}")
    pairings = [pairing for pairing in reversed(run.plan.pairings) if model in (None, pairing.model)]
    pairs = ((pairing, item) for pairing in pairings for item in run.items(pairing.set))
    near = {item.key: (pairing, item) for pairing, item in pairs if _is(item, document)}  # reversed: the first stays
    exact = near.get(document)  # a whole key may be the beginning of another
    if exact is None and len(near) != 1:
        problem = f"{len(near)} documents have keys that begin with" if near else "no document has the key"
        raise SettingError(f"{run.folder}: {problem} {document!r}; the report shows every document's key")
    return exact or next(iter(near.values()))


def _is(item: Item, document: str) -> bool:
    return bool(document) and item.key.startswith(document)


def _relevances(run: Run, pairing: Pairing, item: Item, methods: Sequence[str]) -> dict[str, StoredRelevance]:
    names = list(methods) or list(pairing.labels)  # none named: all
    if unknown := [name for name in names if name not in pairing.labels]:
        raise SettingError(f"{unknown[0]!r} is no method of this model's run; it has: {', '.join(pairing.labels)}")
    by_method = {row.method: row for row in run.relevances(pairing.id) if row.key == item.key}
    return {name: by_method[name] for name in names}


# ---------------------------------------------------------------------------------------------------------------------


@DRAWINGS.register("latex")
def to_latex(figure: Figure, palette: Palette = PAPER) -> str:
    """Write a tabular, and as comments what it is of and what its preamble needs."""
    needs = "".join(f"% needs {line}\n" for line in latex.PREAMBLE.splitlines())
    about = escape.terminal(figure.title).replace("\n", " ")
    return f"% {about}\n{needs}{latex.stacked(figure.rows, palette)}"


@DRAWINGS.register("svg")
def to_svg(figure: Figure, palette: Palette = PAPER) -> str:
    return stacked(figure.rows, figure.title, palette)


@DRAWINGS.register("png")
def to_png(figure: Figure, palette: Palette = PAPER) -> bytes:
    """Draw the SVG at twice its size."""
    try:
        import resvg_py
    except ImportError:
        raise InputError(f"PNG needs a renderer: {install_command('figures')}, or take --format svg") from None
    drawn: bytes = bytes(resvg_py.svg_to_bytes(svg_string=to_svg(figure, palette), zoom=2, background="#ffffff"))
    return drawn
