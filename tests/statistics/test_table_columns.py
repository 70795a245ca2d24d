"""Comparing columns, against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whichword.statistics import mean_absolute_difference, spearman

figures = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=10)


@given(figures)
def test_spearman_equals_scipy(pairs):
    x, y = ([pair[i] / 10 for pair in pairs] for i in (0, 1))
    ours = spearman(dict(enumerate(x)), dict(enumerate(y)))
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert ours is None
    else:
        assert ours == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


def test_only_common_methods_count():
    first = {"a": 0.1, "b": 0.2, "c": 0.3, "x": 0.9, "n": None}
    second = {"c": 0.1, "b": 0.2, "a": 0.4, "y": 0.9, "n": 0.5, "x": None}
    assert spearman(first, second) == pytest.approx(-1)
    assert mean_absolute_difference(first, second) == pytest.approx((0.3 + 0.0 + 0.2) / 3)


def test_too_little_to_compare():
    assert spearman({"a": 1.0}, {"a": 1.0}) is None
    assert spearman({}, {"a": 1.0}) is None
    assert mean_absolute_difference({"a": 1.0}, {"b": 1.0}) is None
    assert spearman({"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 2.0}) == pytest.approx(1)


@given(figures)
def test_difference_by_numpy(pairs):
    x, y = ([float(pair[i]) for pair in pairs] for i in (0, 1))
    distance = mean_absolute_difference(dict(enumerate(x)), dict(enumerate(y)))
    assert distance == pytest.approx(np.abs(np.subtract(x, y)).mean())
