"""The verdict as data."""

import dataclasses
import math

import numpy as np
import pytest

from whichword.errors import InputError
from whichword.statistics import Comparison, Interval, Played, compare, needed_documents, verdict, wilson

NAN = math.nan


def hits(right: int, total: int = 200) -> list[float]:
    return [1.0] * right + [0.0] * (total - right)


PLAYED = {
    "random": Played([0.25] * 200, 0.001),
    "slow": Played(hits(180), 2.0),
    "quick": Played(hits(177), 0.5),
    "weak": Played(hits(150), 0.1),
    "weaker": Played(hits(60), 0.1),
    "last": Played(hits(120), 0.0),
}


def test_everything_it_says():
    found = verdict(PLAYED, chance=0.25)
    assert found.best == "slow"
    assert found.accuracy == pytest.approx(0.9)
    assert found.interval == wilson(180, 200)
    assert (found.documents, found.discarded) == (200, 0)
    assert found.tied == ("quick",)
    assert found.fastest == "quick"
    assert found.seconds == {"slow": 2.0, "quick": 0.5}
    assert found.follower == "weak"
    assert found.over_follower == compare(hits(180), hits(150))
    assert found.needed == needed_documents(3 / 200, 0.0)
    assert found.chance == 0.25
    assert found.baseline == "last"
    assert found.over_baseline == compare(hits(180), hits(120))
    assert found.first_in == pytest.approx(1.0, abs=0.06)
    assert found.trusted


def test_how_often_the_best_stays_first():
    """Two methods that are right on different documents: 6 against 4 of ten; P[Bin(10, .6) >= 5] = .8338."""
    found = verdict({"a": Played([1] * 6 + [0] * 4), "b": Played([0] * 6 + [1] * 4)})
    assert found.best == "a"
    assert found.first_in == pytest.approx(0.8338, abs=4 * math.sqrt(0.14 / 2000))


def test_discarded_documents_are_left_out():
    found = verdict({"a": Played([1, NAN, 1, 0]), "b": Played([0, NAN, 0, 0])})
    assert (found.documents, found.discarded) == (3, 1)
    assert found.accuracy == pytest.approx(2 / 3)


def test_different_documents_are_refused():
    with pytest.raises(InputError, match="the same documents"):
        verdict({"a": Played([1, NAN]), "b": Played([NAN, 1])})
    with pytest.raises(InputError, match="the same documents"):
        verdict({"a": Played([1, 1]), "b": Played([1])})


def test_nothing_to_judge():
    with pytest.raises(InputError, match="no baseline"):
        verdict({"random": Played([0.5])})
    with pytest.raises(InputError, match="at least one document that counts"):
        verdict({"a": Played([NAN, NAN])})
    with pytest.raises(InputError, match="at least one document that counts"):
        verdict({"a": Played([])})


def test_alone():
    found = verdict({"a": Played([1, 0])})
    assert found == verdict({"a": Played([1, 0])})
    assert (found.tied, found.follower, found.over_follower, found.needed) == ((), None, None, None)
    assert (found.baseline, found.over_baseline, found.chance) == (None, None, None)
    assert found.fastest == "a"
    assert found.seconds == {"a": None}
    assert found.first_in == 1.0
    assert found.trusted


def test_unknown_costs_leave_the_best():
    played = {"a": Played(hits(180), None), "b": Played(hits(179), 0.1)}
    assert verdict(played).fastest == "a"


def test_alpha_and_baselines_can_be_set():
    assert "weak" in verdict(PLAYED, alpha=1e-12).tied
    assert verdict(PLAYED, baselines=()).baseline is None
    assert verdict(PLAYED, baselines=("slow", "random", "last")).best == "quick"
    assert verdict(PLAYED, baselines=("slow", "random", "last")).baseline == "slow"


def test_identical_methods_can_never_be_told_apart():
    found = verdict({"a": Played(hits(100)), "b": Played(hits(100))})
    assert found.tied == ("b",)
    assert found.needed is None
    assert found.first_in == 1.0


@pytest.mark.parametrize(
    ("changes", "trusted"),
    [
        ({}, True),
        ({"chance": None, "over_baseline": None}, True),
        ({"chance": 0.8}, False),
        ({"chance": 0.79}, True),
        ({"over_baseline": Comparison(0.1, Interval(0, 1), 0.05, 3, 1)}, False),
        ({"over_baseline": Comparison(0.1, Interval(0, 1), 0.0499, 3, 1)}, True),
        ({"over_baseline": Comparison(-0.1, Interval(-1, 0), 0.001, 1, 3)}, False),
        ({"over_baseline": Comparison(0.0, Interval(-1, 1), 0.001, 1, 1)}, False),
    ],
)
def test_trusted(changes, trusted):
    found = dataclasses.replace(verdict(PLAYED, chance=0.25), interval=Interval(0.8, 0.9))
    assert dataclasses.replace(found, **changes).trusted is trusted


def test_fractional_baseline_is_compared_by_bootstrap():
    found = verdict({"a": Played(hits(60)), "random": Played(np.full(200, 0.25))})
    assert found.baseline == "random"
    assert found.over_baseline == compare(hits(60), [0.25] * 200)
    assert 0 < found.over_baseline.p < 1


def test_the_seed_reaches_the_resampling():
    played = {"a": Played([1] * 6 + [0] * 4), "b": Played([0] * 6 + [1] * 4)}
    assert verdict(played, seed=1).first_in != verdict(played, seed=2).first_in
