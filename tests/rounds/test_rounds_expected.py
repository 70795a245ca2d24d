"""How far methods are expected to come: by what they cost, once and for all."""

import math

import pytest

from whichword.planning.costs import CostModel
from whichword.rounds.levels import Score, fair_level
from whichword.rounds.looks import contest_of
from whichword.runs.records import Asked, Pairing
from whichword.statistics.bounds import TELLING


def score_of(documents: int = 400, **seconds: float) -> Score:
    """Rounds end after 4, 8, 16, 32, 64, 128, 256 and 400 documents."""
    contest = contest_of(Pairing("p00", "net", "s00", tuple(map(Asked, seconds)), {}, ()), documents)
    costs = CostModel({}, {name: (each, 1) for name, each in seconds.items()})
    return Score(contest, None, costs, dict.fromkeys(seconds, TELLING))  # type: ignore[arg-type]


def test_who_takes_less_than_its_share_leaves_the_rest_to_others() -> None:
    assert fair_level([1.0, 1.0, 100.0], 30.0) == 28.0
    assert fair_level([10.0, 100.0, 100.0], 70.0) == 30.0
    assert fair_level([10.0, 20.0], 30.0) == math.inf
    assert fair_level([10.0, 10.0], 1.0) == 0.5


def test_rounds_by_cost() -> None:
    """Of 600 seconds lrp takes 4, and the others 298 each: 298 documents at a second, 149 at two, 74 at four."""
    score = score_of(lrp=0.01, omit_1=1.0, omit_3=2.0)
    score.expect(597.0)  # some three were spent
    assert score.expected == {"lrp": 8, "omit_1": 7, "omit_3": 6}


def test_how_far_a_method_has_come_does_not_matter() -> None:
    """It comes further where others are stopped, which depends on hits."""
    score = score_of(lrp=0.01, omit_1=1.0)
    score.rounds["omit_1"] = 6
    score.expect(50.0)
    assert score.expected == {"lrp": 8, "omit_1": 4}


def test_with_time_for_everything_everybody_comes_to_the_end() -> None:
    score = score_of(lrp=0.01, omit_1=1.0)
    score.expect(405.0)
    assert score.expected == {"lrp": 8, "omit_1": 8}


def test_nothing_is_expected_before_something_can_be_shown() -> None:
    """A method that has hardly played is not timed well, or not at all."""
    score = score_of(lrp=0.01, omit_1=1.0)
    score.rounds["omit_1"] = TELLING - 1
    score.expect(100.0)
    assert set(score.expected) == {"lrp"}
    score.rounds["omit_1"] = TELLING
    score.expect(1e6)  # who gives it more time has seen something of lrp by then: the first start's time counts
    assert score.expected == {"lrp": 8, "omit_1": 5}


@pytest.mark.parametrize("seconds", [1.0, 1e6])
def test_what_was_expected_once_stays(seconds: float) -> None:
    score = score_of(lrp=0.01, omit_1=1.0)
    score.expect(100.0)
    before = dict(score.expected)
    score.costs.add("omit_1", 500.0, 1)
    score.expect(seconds)
    assert score.expected == before
