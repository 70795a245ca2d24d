"""Heat maps in a byte a word are those of the one renderer, up to half a level."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from whichword.render.heatmap import heatmap
from whichword.reporting.page.explorer import FULL, INFINITE, NAN, chunks, coarser, shades

PHI = arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(0, 12)), elements=st.floats(width=64))


@given(PHI)
def test_levels_are_the_renderers_intensities(phi):
    levels, largest = shades(phi)
    for row, values, top in zip(levels, phi, largest, strict=True):
        cells = heatmap(["w"] * len(values), values)
        finite = np.isfinite(values)
        shown = np.array([cell.green - cell.red for cell in cells])[finite]
        np.testing.assert_allclose(row[finite] / FULL / 1.1, shown, atol=0.5 / FULL / 1.1 + 1e-12)
        assert np.isfinite(top)
        codes = {np.nan: NAN, np.inf: INFINITE, -np.inf: -INFINITE}
        expected = [NAN if np.isnan(value) else codes[float(value)] for value in values[~finite]]
        assert row[~finite].tolist() == expected


def test_largest_is_the_scale():
    levels, largest = shades(np.array([[0.5, -2.0, np.nan], [0.0, 0.0, 0.0]]))
    assert largest.tolist() == [2.0, 0.0]
    assert levels.tolist() == [[30, -120, NAN], [0, 0, 0]]


@pytest.mark.parametrize("steps", [60, 30, 15])
def test_coarser_keeps_codes_and_ends(steps):
    levels = np.array([FULL, -FULL, 0, NAN, INFINITE, -INFINITE, FULL // 2], dtype=np.int8)
    assert coarser(levels, steps).tolist() == [steps, -steps, 0, NAN, INFINITE, -INFINITE, round(steps / 2)]


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 12))
def test_chunks_are_full_but_never_over(lengths, size):
    starts = chunks(lengths, size)
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    pieces = [lengths[a:b] for a, b in zip(starts, [*starts[1:], len(lengths)], strict=True)]
    assert all(sum(piece) <= size or sum(length > 0 for length in piece) == 1 for piece in pieces)
    assert all(sum(piece) + lengths[b] > size for piece, b in zip(pieces, starts[1:], strict=False))
