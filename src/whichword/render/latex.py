r"""Render heat maps as LaTeX: rows of coloured boxes like the paper's figures.

Needs what `PREAMBLE` loads; words outside Latin script need LuaLaTeX or XeLaTeX.
"""

import re
from collections.abc import Mapping, Sequence

from whichword.method_names import latex_of
from whichword.render import escape
from whichword.render.heatmap import PAPER, WHITE, Palette, WordCell, blend, tint

_PARAGRAPH = "\\par "
_WHITE = re.compile(r"(\s+)")
PREAMBLE = "\\usepackage[T1]{fontenc}\n\\usepackage{textcomp}\n\\usepackage{xcolor}\n"


def heatmap(cells: Sequence[WordCell], palette: Palette = PAPER) -> str:
    r"""Render text with a ``\colorbox`` around each coloured word; an empty line in it begins a paragraph.

    Words without a gap stand side by side, and lines break at white space only.
    """
    body = "".join(f"{_gap(cell.gap)}{_word(cell, palette)}{_gap(cell.tail)}" for cell in cells)
    return body.removeprefix(_PARAGRAPH).removesuffix(_PARAGRAPH).strip()


def stacked(rows: Mapping[str, Sequence[WordCell]], palette: Palette = PAPER) -> str:
    """Render a tabular with one heat map per row, headed by the method's name as the paper writes it."""
    lines = "".join(f"{method(name)} & {heatmap(cells, palette)} \\\\\n" for name, cells in rows.items())
    opening = "{\\setlength{\\fboxsep}{1pt}\\begin{tabular}{@{}lp{0.8\\textwidth}@{}}\n"
    return f"{opening}{lines}\\end{{tabular}}}}\n"


def method(name: str) -> str:
    """Typeset ``grad_1_s_l2`` as the paper does; a name that is not the paper's in typewriter face."""
    return latex_of(name) or rf"\texttt{{{escape.latex(name)}}}"


def _gap(gap: str) -> str:
    return "".join(_white(piece) if piece.isspace() else escape.latex(piece) for piece in _WHITE.split(gap))


def _white(space: str) -> str:
    r"""Write one space, or a paragraph's end (in a column of a tabular, ``\\`` would end the row)."""
    return _PARAGRAPH if space.count("\n") > 1 else " "


def _word(cell: WordCell, palette: Palette) -> str:
    text = escape.latex(cell.word)
    for holds, command in ((cell.underlined, "underline"), (cell.italic, "textit"), (cell.bold, "textbf")):
        text = rf"\{command}{{{text}}}" if holds else text
    if cell.remark:
        return rf"{text}\textsuperscript{{{escape.latex(cell.remark)}}}"
    colour = tint(cell, palette)
    return text if colour is None else _box(blend(*colour, WHITE), text)  # boxes are opaque, and paper is white


def _box(colour: tuple[int, int, int], text: str) -> str:
    return rf"\colorbox[RGB]{{{','.join(map(str, colour))}}}{{\strut {text}}}"  # \strut: boxes of one height
