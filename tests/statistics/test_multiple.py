"""Holm's correction against another implementation and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whichword.statistics import holm


def plain(values):
    """Holm by its definition: the largest corrected value among all p not above this one."""
    ordered = sorted(values)
    corrected = [min(1.0, (len(values) - j) * p) for j, p in enumerate(ordered)]
    return [max(c for p, c in zip(ordered, corrected, strict=True) if p <= value) for value in values]


@given(st.lists(st.floats(0, 1), max_size=8))
def test_by_definition(values):
    assert list(holm(dict(enumerate(values))).values()) == pytest.approx(plain(values))


def test_by_hand_and_in_the_given_order():
    adjusted = holm({"a": 0.03, "b": 0.01, "c": 0.04, "d": 0.5})
    assert list(adjusted) == ["a", "b", "c", "d"]
    assert adjusted == pytest.approx({"a": 0.09, "b": 0.04, "c": 0.09, "d": 0.5})


def test_never_above_one():
    assert holm({"a": 0.6, "b": 0.7}) == {"a": 1.0, "b": 1.0}


def test_nothing_to_correct():
    assert holm({}) == {}
    assert holm({"a": 0.2}) == {"a": 0.2}
