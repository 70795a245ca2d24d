"""From relevances to cells, what every sink draws, computed once; and the colours of relevance.

Every hue has a relative luminance near .179, where black and white text have the same contrast (at least
4.5 to 1). As a translucent background it is readable on a light and on a dark page alike.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whichword.errors import InputError
from whichword.text.places import gaps
from whichword.types import Text


@dataclass(frozen=True)
class WordCell:
    """A word with its relevance; ``red`` and ``green`` are intensities in 0..1, at most one above 0.

    ``gap`` is what stands before the word in its text, ``tail`` what stands after the last word: together, all cells
    are the text as it was written.
    """

    word: str
    phi: float
    red: float
    green: float
    bold: bool  # rmax
    underlined: bool  # ground truth
    italic: bool  # unknown to the model
    gap: str = ""
    tail: str = ""  # of the last word only

    @property
    def remark(self) -> str:
        """A remark beside the word where phi is not a finite number: nan, inf or -inf; else empty."""
        return "" if np.isfinite(self.phi) else f"{self.phi:g}"


def heatmap(
    words: Sequence[str],
    relevances: ArrayLike,
    marks: Collection[int] = (),
    rmax: int | None = None,
    unknown: Sequence[bool] = (),
    text: str = "",
) -> list[WordCell]:
    """Compute phi' = phi / (1.1 max|phi|); red = |phi'| where phi < 0, green = phi' where phi > 0.

    ``relevances`` [T]; ``marks`` are the positions of the ground truth; ``text`` is what the words stand in (without
    one, the words joined by spaces). Values that are not finite take no part in the maximum and get no colour; where
    every phi is 0 there is no colour at all.
    """
    phi = np.asarray(relevances, dtype=np.float64)
    if phi.shape != (len(words),):
        raise InputError(f"a heat map of {len(words)} words needs as many relevances, not shape {phi.shape}")
    if unknown and len(unknown) != len(words):
        raise InputError(f"a heat map of {len(words)} words needs as many unknown flags, not {len(unknown)}")
    shade, between = _intensity(phi), gaps(Text(tuple(words), text or " ".join(words)))
    return [
        WordCell(
            word=word,
            phi=float(phi[t]),
            red=max(0.0, -float(shade[t])),
            green=max(0.0, float(shade[t])),
            bold=t == rmax,
            underlined=t in marks,
            italic=bool(unknown and unknown[t]),
            gap=between[t],
            tail=between[-1] if t == len(words) - 1 else "",
        )
        for t, word in enumerate(words)
    ]


def _intensity(phi: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute phi' [T], 0 where phi is not finite. Dividing by the maximum first keeps 1.1 max|phi| finite."""
    finite = np.where(np.isfinite(phi), phi, 0.0)
    largest = np.abs(finite).max(initial=0.0)
    return finite / largest / 1.1 if largest > 0 else finite


RGB = tuple[int, int, int]
WHITE: RGB = (255, 255, 255)
BLACK: RGB = (0, 0, 0)


@dataclass(frozen=True)
class Palette:
    """The hue of evidence for the class and of evidence against it."""

    positive: RGB
    negative: RGB


PAPER = Palette(positive=(0, 137, 0), negative=(236, 0, 0))
COLOUR_BLIND = Palette(positive=(0, 122, 190), negative=(196, 83, 0))  # blue and orange, not green and red
PALETTES: Mapping[str, Palette] = {"paper": PAPER, "colour-blind": COLOUR_BLIND}


def tint(cell: WordCell, palette: Palette) -> tuple[RGB, float] | None:
    """Choose the cell's hue and its opacity in 0..1; None where the word has no colour."""
    if cell.green > 0:
        return palette.positive, cell.green
    return (palette.negative, cell.red) if cell.red > 0 else None


def blend(hue: RGB, opacity: float, base: RGB) -> RGB:
    """Lay the hue over an opaque base: opacity * hue + (1 - opacity) * base."""
    red, green, blue = (round(opacity * over + (1 - opacity) * under) for over, under in zip(hue, base, strict=True))
    return red, green, blue
