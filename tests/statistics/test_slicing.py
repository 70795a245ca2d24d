"""Slices by any fact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whichword.statistics import length_bucket, slice_facts, slices
from whichword.types import Item


@pytest.mark.parametrize(
    ("words", "bucket"),
    [
        (0, "0-5"),
        (5, "0-5"),
        (6, "6-10"),
        (10, "6-10"),
        (11, "11-20"),
        (50, "21-50"),
        (100, "51-100"),
        (101, "101-200"),
        (500, "201-500"),
        (501, "501+"),
        (9999, "501+"),
    ],
)
def test_buckets(words, bucket):
    assert length_bucket(words) == bucket


def test_other_edges():
    assert [length_bucket(n, (2,)) for n in (2, 3)] == ["0-2", "3+"]


def test_facts():
    item = Item("k", ("a",) * 7, gold="x", facts={"attractors": "2"})
    assert slice_facts(item, "x") == {"attractors": "2", "class": "x", "length": "6-10", "prediction": "correct"}
    assert slice_facts(item, "y")["prediction"] == "wrong"
    assert slice_facts(item, "y")["class"] == "y"
    assert "prediction" not in slice_facts(Item("k", ()), "x")


def test_slices_in_natural_order():
    facts = [{"n": value} for value in ("10", "2", "b", "501+", "11-20", "a", "6-10", "2")] + [{}]
    rows_of = slices(facts, "n")
    assert list(rows_of) == ["2", "6-10", "10", "11-20", "501+", "a", "b"]
    assert rows_of["2"].tolist() == [1, 7]
    assert slices(facts, "other") == {}


@given(st.lists(st.dictionaries(st.sampled_from("fg"), st.text(max_size=3)), max_size=10))
def test_slices_part_the_rows_that_have_the_fact(facts):
    rows_of = slices(facts, "f")
    rows = sorted(int(row) for index in rows_of.values() for row in index)
    assert rows == [row for row, fact in enumerate(facts) if "f" in fact]
    for value, index in rows_of.items():
        assert all(facts[row]["f"] == value for row in index)
