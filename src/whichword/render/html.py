"""Render heat maps as HTML: for the page, the web app and the notebook."""

import re
from collections.abc import Mapping, Sequence

from whichword.render import escape
from whichword.render.heatmap import PAPER, Palette, WordCell, tint

_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # controls that would turn what follows around


def heatmap(cells: Sequence[WordCell], palette: Palette = PAPER) -> str:
    """Render one <div> with one <span> per word; its text is the original text, character for character."""
    words = "".join(f"{_gap(cell.gap)}{_word(cell, palette)}{_gap(cell.tail)}" for cell in cells)
    return f'<div class="whichword-heatmap" dir="auto" style="{_FLOW}">{words}</div>'


def stacked(
    rows: Mapping[str, Sequence[WordCell]], palette: Palette = PAPER, remarks: Mapping[str, str] | None = None
) -> str:
    """Render a table with one heat map per row, headed by the method's name, with the remark on it if any."""
    lines = "".join(_row(name, cells, palette, (remarks or {}).get(name, "")) for name, cells in rows.items())
    return f'<table class="whichword-heatmaps" style="border-collapse:collapse">{lines}</table>'


def _row(name: str, cells: Sequence[WordCell], palette: Palette, remark: str) -> str:
    head = f'<th scope="row" style="{_HEAD}">{escape.html(name)}</th>'
    note = f"<div><small>{escape.html(remark)}</small></div>" if remark else ""
    return f'<tr>{head}<td style="{_BODY}">{heatmap(cells, palette)}{note}</td></tr>'


def _gap(gap: str) -> str:
    return f"<bdi>{escape.html(gap)}</bdi>" if _BIDI.search(gap) else escape.html(gap)


def _word(cell: WordCell, palette: Palette) -> str:
    # A word with bidi controls is kept to itself; others must not be, or Arabic would lose its word order.
    direction = ' dir="auto"' if _BIDI.search(cell.word) else ""
    style = ";".join(_style(cell, palette))
    styled = f' style="{style}"' if style else ""
    return f'<span{direction} title="{cell.phi:.4g}"{styled}>{escape.html(cell.word)}</span>'


def _style(cell: WordCell, palette: Palette) -> list[str]:
    colour = tint(cell, palette)
    styles = (
        (colour is not None, _background(colour) if colour else ""),
        (cell.bold, "font-weight:bold"),
        (cell.underlined, "text-decoration:underline"),
        (cell.italic, "font-style:italic"),
        (bool(cell.remark), "outline:1px dashed"),
    )
    return [style for holds, style in styles if holds]


def _background(colour: tuple[tuple[int, int, int], float]) -> str:
    (red, green, blue), opacity = colour
    return f"background:rgba({red},{green},{blue},{opacity:.3f})"


_FLOW = "white-space:pre-wrap;line-height:1.7"
_HEAD = "text-align:left;vertical-align:top;padding:.2em .8em .2em 0;font-weight:normal;font-family:monospace"
_BODY = "text-align:left;vertical-align:top;padding:.2em 0"
