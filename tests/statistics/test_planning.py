"""Power by brute force, and the number of documents that gives it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whichword.errors import InputError
from whichword.statistics import exact_power, mcnemar, needed_documents


def brute_power(n, b, c, alpha):
    """Every (wins of the first, wins of the second, neither) with its multinomial probability."""
    return math.fsum(
        math.comb(n, i) * math.comb(n - i, j) * b**i * c**j * (1 - b - c) ** (n - i - j)
        for i in range(n + 1)
        for j in range(n + 1 - i)
        if mcnemar(i, j) < alpha
    )


@given(st.integers(0, 25), st.integers(0, 10), st.integers(0, 10), st.sampled_from([0.05, 0.01, 0.3]))
@settings(max_examples=40, deadline=None)
def test_power_equals_summing_over_all_outcomes(n, b, c, alpha):
    b, c = b / 20, c / 20
    assert exact_power(n, b, c, alpha) == pytest.approx(brute_power(n, b, c, alpha), abs=1e-9)


@pytest.mark.parametrize(("b", "c"), [(0.2, 0.1), (0.15, 0.05), (0.5, 0.0), (0.05, 0.3), (0.6, 0.4), (0.02, 0.01)])
def test_needed_is_where_the_power_is_reached(b, c):
    n = needed_documents(b, c)
    assert exact_power(n, b, c) >= 0.8
    assert exact_power(n - 1, b, c) < 0.8


@pytest.mark.parametrize(("alpha", "power"), [(0.01, 0.8), (0.2, 0.8), (0.05, 0.95), (0.001, 0.5)])
def test_needed_at_other_settings(alpha, power):
    n = needed_documents(0.3, 0.1, alpha, power)
    assert exact_power(n, 0.3, 0.1, alpha) >= power
    assert exact_power(n - 1, 0.3, 0.1, alpha) < power


def test_close_to_the_normal_approximation():
    """The textbook value for b = .2, c = .1 is 234; the exact test needs a little more."""
    z, z_power = 1.959964, 0.841621
    textbook = (z * math.sqrt(0.3) + z_power * math.sqrt(0.3 - 0.01)) ** 2 / 0.01
    assert math.ceil(textbook) == 234
    assert textbook <= needed_documents(0.2, 0.1) <= 1.1 * textbook


def test_a_simulation_agrees():
    n = needed_documents(0.3, 0.1)
    draws = np.random.default_rng(0).multinomial(n, [0.3, 0.1, 0.6], size=3000)
    power = np.mean([mcnemar(int(i), int(j)) < 0.05 for i, j, _ in draws])
    assert power == pytest.approx(0.8, abs=4 * math.sqrt(0.16 / 3000) + 0.01)


def test_either_order_and_stricter_settings():
    assert needed_documents(0.1, 0.2) == needed_documents(0.2, 0.1)
    assert needed_documents(0.2, 0.1, alpha=0.01) > needed_documents(0.2, 0.1)
    assert needed_documents(0.2, 0.1, power=0.95) > needed_documents(0.2, 0.1)


def test_six_sure_wins_are_needed():
    """Six documents out of six give p = .03125, five out of five .0625."""
    assert needed_documents(1.0, 0.0) == 6


def test_hopeless():
    assert needed_documents(0.1, 0.1) is None
    assert needed_documents(0.0, 0.0) is None
    assert needed_documents(0.1001, 0.1) is None
    assert needed_documents(0.103, 0.1) is not None
    assert exact_power(100, 0.0, 0.0) == 0


@pytest.mark.parametrize(("b", "c"), [(-0.1, 0.2), (0.2, -0.1), (0.6, 0.5)])
def test_no_shares(b, c):
    with pytest.raises(InputError, match="no shares"):
        needed_documents(b, c)


def test_shares_that_add_up_to_one_but_for_rounding():
    assert needed_documents(0.7 + 1e-12, 0.3) == needed_documents(0.7, 0.3)
