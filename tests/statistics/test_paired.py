"""Paired tests against scipy and brute force."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from whichword.errors import InputError
from whichword.statistics import compare, discordant, mcnemar
from whichword.statistics.tests import Interval


@pytest.mark.parametrize("n", range(13))
def test_mcnemar_equals_counting_all_outcomes(n):
    """Under the null hypothesis every discordant document is a fair coin: count the outcomes at least as uneven."""
    flips = [sum(coins) for coins in product((0, 1), repeat=n)]
    for b in range(n + 1):
        extreme = sum(abs(2 * wins - n) >= abs(2 * b - n) for wins in flips)
        assert mcnemar(b, n - b) == pytest.approx(extreme / len(flips), abs=1e-12)


@given(st.integers(0, 500), st.integers(0, 500))
def test_mcnemar_equals_the_binomial_test(b, c):
    expected = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert mcnemar(b, c) == pytest.approx(expected, rel=1e-9)
    assert mcnemar(b, c) == mcnemar(c, b)


def test_discordant():
    assert discordant([1, 1, 1, 0, 0, 0.5], [0, 0, 1, 0, 1, 0.25]) == (3, 1)


def test_compare_whole_hits():
    first = [1] * 60 + [0] * 40
    second = [1] * 40 + [0] * 20 + [1] * 5 + [0] * 35
    comparison = compare(first, second)
    assert (comparison.only_first, comparison.only_second) == (20, 5)
    assert comparison.difference == pytest.approx(0.15)
    assert comparison.p == mcnemar(20, 5)
    spread = 1.96 * math.sqrt((0.25 - 0.15**2) / 100)
    assert comparison.interval.low == pytest.approx(0.15 - spread, abs=0.02)
    assert comparison.interval.high == pytest.approx(0.15 + spread, abs=0.02)


def test_compare_is_reproducible_and_seeded():
    draw = np.random.default_rng(0)
    first, second = draw.random(50), draw.random(50)
    assert compare(first, second, seed=1) == compare(first, second, seed=1)
    assert compare(first, second, seed=1).interval != compare(first, second, seed=2).interval


def test_swapping_turns_the_sign():
    draw = np.random.default_rng(1)
    first, second = draw.integers(0, 2, 80), draw.integers(0, 2, 80)
    forth, back = compare(first, second), compare(second, first)
    assert forth.difference == -back.difference
    assert (forth.only_first, forth.only_second) == (back.only_second, back.only_first)
    assert forth.p == back.p


@pytest.mark.parametrize("side", [0, 1])
def test_fractional_hits_take_the_bootstrap(side):
    whole, shares = np.ones(30), np.full(30, 0.5)
    pair = (whole, shares) if side else (shares, whole)
    comparison = compare(*pair, resamples=999)
    assert comparison.p == pytest.approx(2 / 1000)
    assert comparison.difference == pytest.approx(0.5 if side else -0.5)
    assert (comparison.only_first, comparison.only_second) == ((30, 0) if side else (0, 30))


def test_bootstrap_p_of_no_difference_is_one():
    assert compare([0.5, 0.25], [0.5, 0.25], resamples=99).p == 1.0
    assert compare([0.5, 0.25], [0.5, 0.25], resamples=99).interval == Interval(0.0, 0.0)


def test_bootstrap_p_is_close_to_the_t_test():
    draw = np.random.default_rng(7)
    first = np.clip(draw.normal(0.55, 0.2, 200), 0, 1)
    second = np.clip(draw.normal(0.51, 0.2, 200), 0, 1)
    expected = stats.ttest_rel(first, second).pvalue
    assert 0.01 < expected < 0.2
    assert compare(first, second, resamples=20_000).p == pytest.approx(expected, rel=0.15)


def test_false_alarms_are_rare():
    draw = np.random.default_rng(3)
    pairs = draw.integers(0, 2, (300, 2, 60))
    alarms = sum(mcnemar(*discordant(*pair)) < 0.05 for pair in pairs)
    assert alarms <= 300 * 0.05 + 3 * math.sqrt(300 * 0.05 * 0.95)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([], [], "at least one document"),
        ([1, 0], [1], "the same documents, not 2 and 1"),
        ([1, math.nan], [1, 0], "a hit value for each"),
        ([[1, 0]], [[1, 0]], "at least one document"),
    ],
)
def test_what_cannot_be_compared(first, second, message):
    with pytest.raises(InputError, match=message):
        compare(first, second)
