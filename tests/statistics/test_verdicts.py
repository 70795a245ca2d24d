"""The verdict as data."""

import dataclasses
import math

import numpy as np
import pytest

from whichword.errors import InputError
from whichword.statistics import Comparison, Interval, Played, compare, needed_documents, verdict, wilson

NAN = math.nan


def hits(count: int, total: int = 200) -> list[float]:
    return [1.0] * count + [0.0] * (total - count)


PLAYED = {
    "random": Played([0.25] * 200, 0.001),
    "slow": Played(hits(180), 2.0),
    "quick": Played(hits(177), 0.5),
    "weak": Played(hits(150), 0.1),
    "weaker": Played(hits(60), 0.1),
    "last": Played(hits(120), 0.0),
}


def test_everything_it_says():
    decision = verdict(PLAYED, chance=0.25)
    assert decision.best == "slow"
    assert decision.accuracy == pytest.approx(0.9)
    assert decision.interval == wilson(180, 200)
    assert (decision.documents, decision.discarded) == (200, 0)
    assert decision.tied == ("quick",)
    assert decision.fastest == "quick"
    assert decision.seconds == {"slow": 2.0, "quick": 0.5}
    assert decision.follower == "weak"
    assert decision.over_follower == compare(hits(180), hits(150))
    assert decision.needed == needed_documents(3 / 200, 0.0)
    assert decision.chance == 0.25
    assert decision.baseline == "last"
    assert decision.over_baseline == compare(hits(180), hits(120))
    assert decision.first_in == pytest.approx(1.0, abs=0.06)
    assert decision.trusted


def test_how_often_the_best_stays_first():
    """Two methods that are right on different documents: 6 against 4 of ten; P[Bin(10, .6) >= 5] = .8338."""
    decision = verdict({"a": Played([1] * 6 + [0] * 4), "b": Played([0] * 6 + [1] * 4)})
    assert decision.best == "a"
    assert decision.first_in == pytest.approx(0.8338, abs=4 * math.sqrt(0.14 / 2000))


def test_discarded_documents_are_left_out():
    decision = verdict({"a": Played([1, NAN, 1, 0]), "b": Played([0, NAN, 0, 0])})
    assert (decision.documents, decision.discarded) == (3, 1)
    assert decision.accuracy == pytest.approx(2 / 3)


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
    decision = verdict({"a": Played([1, 0])})
    assert decision == verdict({"a": Played([1, 0])})
    assert (decision.tied, decision.follower, decision.over_follower, decision.needed) == ((), None, None, None)
    assert (decision.baseline, decision.over_baseline, decision.chance) == (None, None, None)
    assert decision.fastest == "a"
    assert decision.seconds == {"a": None}
    assert decision.first_in == 1.0
    assert decision.trusted


def test_unknown_costs_leave_the_best():
    played = {"a": Played(hits(180), None), "b": Played(hits(179), 0.1)}
    assert verdict(played).fastest == "a"


def test_alpha_and_baselines_can_be_set():
    assert "weak" in verdict(PLAYED, alpha=1e-12).tied
    assert verdict(PLAYED, baselines=()).baseline is None
    assert verdict(PLAYED, baselines=("slow", "random", "last")).best == "quick"
    assert verdict(PLAYED, baselines=("slow", "random", "last")).baseline == "slow"


def test_identical_methods_can_never_be_told_apart():
    decision = verdict({"a": Played(hits(100)), "b": Played(hits(100))})
    assert decision.tied == ("b",)
    assert decision.needed is None
    assert decision.first_in == 1.0


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
    decision = dataclasses.replace(verdict(PLAYED, chance=0.25), interval=Interval(0.8, 0.9))
    assert dataclasses.replace(decision, **changes).trusted is trusted


def test_fractional_baseline_is_compared_by_bootstrap():
    decision = verdict({"a": Played(hits(60)), "random": Played(np.full(200, 0.25))})
    assert decision.baseline == "random"
    assert decision.over_baseline == compare(hits(60), [0.25] * 200)
    assert 0 < decision.over_baseline.p < 1


def test_the_seed_reaches_the_resampling():
    played = {"a": Played([1] * 6 + [0] * 4), "b": Played([0] * 6 + [1] * 4)}
    assert verdict(played, seed=1).first_in != verdict(played, seed=2).first_in
