"""Tie groups and the paper's marks."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whichword.errors import InputError
from whichword.statistics import discordant, holm, mcnemar, paper_marks, tie_group


def hits(count: int, total: int = 100) -> list[int]:
    return [1] * count + [0] * (total - count)


def test_group():
    methods = {"low": hits(50), "near": hits(86), "top": hits(90), "mid": hits(80)}
    group = tie_group(methods)
    assert group.best == "top"
    assert group.members == ("top", "near")
    expected = holm({"near": mcnemar(4, 0), "mid": mcnemar(10, 0), "low": mcnemar(40, 0)})
    assert group.p == expected
    assert expected["near"] == pytest.approx(0.125)


def test_correction_widens_the_group():
    """p = .03125 alone is significant; among twenty equals it is not."""
    assert tie_group({"top": hits(90), "near": hits(84)}).members == ("top",)
    many = {"top": hits(90), **{f"m{i}": hits(84) for i in range(20)}}
    assert len(tie_group(many).members) == 21


def test_exactly_alpha_is_no_evidence():
    p = mcnemar(6, 0)
    methods = {"top": hits(90), "near": hits(84)}
    assert tie_group(methods, alpha=p).members == ("top", "near")
    assert tie_group(methods, alpha=p + 1e-9).members == ("top",)


def test_equal_methods_keep_their_order():
    assert tie_group({"a": hits(5), "b": hits(5)}).members == ("a", "b")
    assert tie_group({"b": hits(5), "a": hits(5)}).best == "b"


def test_one_method_and_none():
    assert tie_group({"a": hits(1)}).members == ("a",)
    assert tie_group({"a": hits(1)}).p == {}
    with pytest.raises(InputError, match="at least one method"):
        tie_group({})


@given(st.lists(st.lists(st.integers(0, 1), min_size=12, max_size=12), min_size=1, max_size=4))
def test_group_holds_the_best_and_all_of_its_equals(rows):
    methods = {f"m{i}": row for i, row in enumerate(rows)}
    group = tie_group(methods)
    best = max(np.mean(row) for row in rows)
    assert np.mean(methods[group.best]) == best
    assert {name for name, row in methods.items() if np.mean(row) == best} <= set(group.members)
    assert [np.mean(methods[m]) for m in group.members] == sorted(np.mean(methods[m]) for m in group.members)[::-1]


def pairwise(methods):
    """The p-value of every two methods, Holm-corrected over all pairs."""
    return holm({(a, b): mcnemar(*discordant(methods[a], methods[b])) for a, b in combinations(methods, 2)})


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 1), min_size=30, max_size=30), min_size=2, max_size=4))
def test_a_group_is_corrected_for_no_more_tests_than_it_makes(rows):
    """Over all pairs there are more tests, so every method of the group stays tied with the best there too."""
    methods = {f"m{i}": row for i, row in enumerate(rows)}
    group = tie_group(methods)
    stricter = {frozenset(pair): p for pair, p in pairwise(methods).items()}
    assert all(stricter[frozenset((group.best, name))] >= p for name, p in group.p.items())


def test_the_seed_reaches_fractional_comparisons():
    draw = np.random.default_rng(5)
    methods = {"a": draw.random(40), "b": draw.random(40), "c": draw.random(40)}
    assert len({tuple(tie_group(methods, seed=seed).p.values()) for seed in range(4)}) > 1
    assert tie_group(methods) == tie_group(methods, seed=0)


def test_the_papers_marks_of_a_published_column():
    """The lower half of the paper's column C08 (the LSTM on hybrid newsgroup posts) and its bold and underlined."""
    published = {"omit_7": 0.77, "occ_7": 0.74, "decomp": 0.77, "lrp": 0.79, "deeplift": 0.78, "limsse_bb": 0.78}
    published |= {"limsse_ms_s": 0.83, "limsse_ms_p": 0.83, "random": 0.22, "last": None}
    marks = paper_marks(published)
    assert {name for name, mark in marks.items() if mark == "best"} == {"limsse_ms_s", "limsse_ms_p"}
    underlined = {name for name, mark in marks.items() if mark == "within five points"}
    assert underlined == {"lrp", "deeplift", "limsse_bb"}
    assert list(marks) == list(published)


def test_marks_are_decided_on_two_digits():
    marks = paper_marks({"a": 0.9049, "b": 0.8951, "c": 0.8451, "d": 0.8449})
    assert marks == {"a": "best", "b": "best", "c": "within five points", "d": ""}


def test_marks_without_figures():
    assert paper_marks({"a": 0.5, "b": None}) == {"a": "best", "b": ""}
    assert paper_marks({"b": None}) == {"b": ""}
    assert paper_marks({}) == {}
    assert paper_marks({"a": 0.0}) == {"a": "best"}
