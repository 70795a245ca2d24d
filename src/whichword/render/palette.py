"""The colours of relevance.

Every hue has a relative luminance near .179, where black and white text have the same contrast (at least
4.5 to 1). As a translucent background it is readable on a light and on a dark page alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from whichword.render.heatmap import WordCell

RGB = tuple[int, int, int]
WHITE: RGB = (255, 255, 255)
BLACK: RGB = (0, 0, 0)


@dataclass(frozen=True)
class Palette:
    """The hue of evidence for the class and of evidence against it."""

    positive: RGB
    negative: RGB


PAPER = Palette(positive=(0, 137, 0), negative=(236, 0, 0))
COLOUR_BLIND = Palette(positive=(0, 122, 190), negative=(196, 83, 0))
PALETTES: Mapping[str, Palette] = {"paper": PAPER, "colour-blind": COLOUR_BLIND}


def tint(cell: WordCell, palette: Palette) -> tuple[RGB, float] | None:
    """The cell's hue and its opacity in 0..1; None where the word has no colour."""
    if cell.green > 0:
        return palette.positive, cell.green
    return (palette.negative, cell.red) if cell.red > 0 else None


def blend(hue: RGB, opacity: float, base: RGB) -> RGB:
    """The hue laid over an opaque base: opacity * hue + (1 - opacity) * base."""
    red, green, blue = (round(opacity * over + (1 - opacity) * under) for over, under in zip(hue, base, strict=True))
    return red, green, blue
