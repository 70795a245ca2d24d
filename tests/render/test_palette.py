"""Text on every colour is readable on a light and on a dark page."""

import pytest

from whichword.render.heatmap import BLACK, PALETTES, WHITE, blend, heatmap, tint


def luminance(colour):
    """Relative luminance by WCAG 2."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("side", ["positive", "negative"])
@pytest.mark.parametrize(("page", "ink"), [(WHITE, BLACK), (BLACK, WHITE)])
def test_contrast_is_at_least_4_5(name, side, page, ink):
    hue = getattr(PALETTES[name], side)
    assert min(contrast(blend(hue, step / 20, page), ink) for step in range(21)) >= 4.5


def test_blend():
    assert blend((200, 100, 0), 0.25, (0, 100, 200)) == (50, 100, 150)
    assert blend((1, 2, 3), 1.0, WHITE) == (1, 2, 3)
    assert blend((1, 2, 3), 0.0, WHITE) == WHITE


def test_tint():
    palette = PALETTES["paper"]
    up, down, none = heatmap("abc", [1.0, -0.5, 0.0])
    assert tint(up, palette) == (palette.positive, up.green)
    assert tint(down, palette) == (palette.negative, down.red)
    assert tint(none, palette) is None
