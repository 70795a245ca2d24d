"""Many items at once give what one by one gives."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pointing import expectation, pointing, tally

from whichword.errors import InputError
from whichword.games import AgreementGame, HybridGame, columns
from whichword.types import Item

value = st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.5, math.nan, math.inf, -math.inf])
row = st.lists(st.tuples(value, st.sampled_from(["singular", "plural", ""])), max_size=5)
turn = st.tuples(row, st.sampled_from(["singular", "plural"]), st.sampled_from(["singular", "plural"]))


@pytest.mark.parametrize("game", [HybridGame(), AgreementGame()])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@given(turns=st.lists(turn, max_size=6))
def test_equals_one_by_one(game, kind, turns):
    items = [
        Item("k", ("w",) * len(cells), gold=gold, labels=tuple(tag for _, tag in cells), targets=(0,) if cells else ())
        for cells, gold, _ in turns
    ]
    predicted = [asked for _, _, asked in turns]
    vectors = [np.array([v for v, _ in cells], dtype=kind) for cells, _, _ in turns]
    lengths = [len(vector) for vector in vectors]
    points = columns.point(np.concatenate([np.zeros(0, dtype=kind), *vectors]), lengths)
    positions = columns.rewarded(zip(items, predicted, strict=True), game)
    single = [pointing(v, i, p, game) for v, i, p in zip(vectors, items, predicted, strict=True)]
    expected = [expectation(i, p, game) for i, p in zip(items, predicted, strict=True)]
    assert set(positions) == set(game.parts)
    for part in game.parts:
        hits = columns.hits(points, positions[part])
        shares = columns.shares(lengths, positions[part])
        assert [None if math.isnan(hit) else hit for hit in hits] == [s[part].hit for s in single]
        assert [None if math.isnan(share) else share for share in shares] == [e[part].hit for e in expected]
        assert columns.count(hits, points) == tally(s[part] for s in single)
        fractional, exact = columns.count(shares), tally(e[part] for e in expected)
        assert fractional.hits == pytest.approx(exact.hits, abs=1e-12)
        assert (fractional.total, fractional.discarded) == (exact.total, exact.discarded)
    assert points.nonfinite.tolist() == [s[game.parts[0]].nonfinite for s in single]
    assert points.tie.tolist() == [s[game.parts[0]].tie for s in single]


def test_rmax_itself():
    points = columns.point(np.array([1.0, 3.0, 3.0, math.nan, -2.0, -1.0, math.inf]), [3, 0, 1, 3])
    assert points.rmax.tolist() == [1, -1, -1, 1]
    assert points.tie.tolist() == [True, False, False, False]
    assert points.nonfinite.tolist() == [False, False, True, True]


def test_no_items():
    points = columns.point(np.zeros(0), [])
    assert points.rmax.shape == (0,)
    assert columns.hits(points, []).shape == (0,)
    assert columns.count(np.zeros(0)).total == 0


def test_wrong_total_length():
    with pytest.raises(InputError, match="items of 3 words together, but relevances of shape"):
        columns.point(np.zeros(4), [1, 2])


def test_wrong_number_of_items():
    with pytest.raises(ValueError, match="zip"):
        columns.hits(columns.point(np.zeros(2), [1, 1]), [None])
