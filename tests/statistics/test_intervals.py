"""Wilson's interval against its definition and scipy."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whichword.errors import InputError
from whichword.statistics.tests import Interval, wilson

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_equals_scipy(counts, level):
    hits, total = counts
    theirs = stats.binomtest(hits, total).proportion_ci(level, method="wilson")
    ours = wilson(hits, total, level)
    assert ours.low == pytest.approx(theirs.low, abs=1e-12)
    assert ours.high == pytest.approx(theirs.high, abs=1e-12)


@given(st.integers(1, 300), st.floats(0.01, 0.99))
def test_fractional_hits_solve_the_defining_equation(total, share):
    interval = wilson(share * total, total)
    z = stats.norm.ppf(0.975)
    for p in (interval.low, interval.high):
        assert abs(share - p) == pytest.approx(z * math.sqrt(p * (1 - p) / total), abs=1e-9)
    assert 0 <= interval.low < share < interval.high <= 1


def test_ends_are_exact():
    assert wilson(0, 7).low == 0
    assert wilson(7, 7).high == 1
    assert wilson(0, 7).high == pytest.approx(1 - wilson(7, 7).low)
    assert wilson(0, 7).high > 0.3


def test_no_documents():
    assert wilson(0, 0) == Interval(0.0, 1.0)


@pytest.mark.parametrize(("hits", "total"), [(-1, 5), (5.5, 5), (1, 0), (math.nan, 5)])
def test_no_share(hits, total):
    with pytest.raises(InputError, match="hits must be between 0 and the number of documents"):
        wilson(hits, total)
