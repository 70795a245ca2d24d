"""One pointing game for all: rmax, discards, ties, what is not finite, and chance."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pointing import Outcome, chance, expectation, pointing, tally

from whichword.errors import InputError
from whichword.games import AgreementGame, Game, HybridGame, Part
from whichword.types import Item, Tally

HYBRID = HybridGame()
ITEM = Item("k", ("a", "b", "c"), labels=("x", "y", "x"))
NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("relevances", "hit", "nonfinite", "tie"),
    [
        ([1, 2, 0], 0, False, False),
        ([3, 2, 0], 1, False, False),
        ([-3, -2, -1], 1, False, False),
        ([2, 2, 0], 1, False, True),  # the first maximum counts
        ([1, 2, 2], 0, False, True),
        ([0, 0, 0], 1, False, True),
        ([NAN, 1, 0], 0, True, False),
        ([INF, 1, 0], 0, True, False),  # infinity never takes part
        ([0, -INF, -1], 1, True, False),
        ([NAN, 1, 1], 0, True, True),
        ([INF, INF, 0], 1, True, False),
        ([NAN, INF, -INF], 0, True, False),  # nothing finite: a miss
    ],
)
def test_outcome(relevances, hit, nonfinite, tie):
    outcome = pointing(np.array(relevances, dtype=float), ITEM, "x", HYBRID)
    assert outcome == {"hybrid": Outcome(hit, nonfinite, tie)}
    assert outcome["hybrid"].counted


def test_nothing_finite_is_a_miss_even_where_every_word_is_right():
    assert pointing(np.array([NAN]), Item("k", ("a",), labels=("x",)), "x", HYBRID)["hybrid"].hit == 0


def test_discarded():
    outcome = pointing(np.array([1.0, NAN, 1.0]), ITEM, "z", HYBRID)["hybrid"]
    assert outcome == Outcome(None, True, True)
    assert not outcome.counted
    assert expectation(ITEM, "z", HYBRID)["hybrid"] == Outcome(None)


def test_empty_document_is_a_miss_with_expectation_zero():
    empty = Item("k", (), gold="singular")
    assert pointing(np.zeros(0), empty, "plural", AgreementGame())["hit_feat_wrong"] == Outcome(0.0)
    assert expectation(empty, "plural", AgreementGame())["hit_feat_wrong"] == Outcome(0.0)


def test_parts_are_judged_apart():
    item = Item("k", ("a", "b"), gold="plural", labels=("plural", "plural"), targets=(1,))
    outcome = pointing(np.array([2.0, 1.0]), item, "plural", AgreementGame())
    assert {part: found.hit for part, found in outcome.items()} == {
        "hit_target": 0,
        "hit_feat_correct": 1,
        "hit_feat_wrong": None,
    }


@pytest.mark.parametrize("shape", [(2,), (4,), (3, 1)])
def test_wrong_number_of_relevances(shape):
    with pytest.raises(InputError, match="item k: 3 words, but relevances of shape"):
        pointing(np.zeros(shape), ITEM, "x", HYBRID)


def test_single_precision_is_taken_as_it_is():
    assert pointing(np.array([1, 2, 1], dtype=np.float32), ITEM, "y", HYBRID)["hybrid"].hit == 1


def test_tally_counts_flags_on_counted_items_only():
    outcomes = [
        Outcome(1.0, nonfinite=True),
        Outcome(0.0, tie=True),
        Outcome(0.5, nonfinite=True, tie=True),
        Outcome(None, nonfinite=True, tie=True),
    ]
    assert tally(outcomes) == Tally(hits=1.5, total=3, discarded=1, nonfinite=2, ties=2)
    assert tally(iter(outcomes)) == tally(outcomes)
    assert tally([]) == Tally()


@given(
    st.lists(st.builds(Outcome, st.sampled_from([None, 0.0, 0.25, 1.0]), st.booleans(), st.booleans()), max_size=12),
    st.integers(0, 12),
)
def test_tallies_add_up(outcomes, cut):
    assert tally(outcomes[:cut]) + tally(outcomes[cut:]) == tally(outcomes)


def test_expectation_is_the_share_of_rewarded_words():
    assert expectation(ITEM, "x", HYBRID) == {"hybrid": Outcome(2 / 3)}
    assert expectation(ITEM, "y", HYBRID) == {"hybrid": Outcome(1 / 3)}


def test_chance_is_the_mean_share_over_what_counts():
    turns = [(ITEM, "x"), (ITEM, "y"), (ITEM, "z"), (Item("l", ("a",), labels=("x",)), "x")]
    exact = (Fraction(2, 3) + Fraction(1, 3) + 1) / 3
    assert chance(turns, HYBRID) == {"hybrid": pytest.approx(float(exact), abs=1e-15)}


def test_chance_of_a_part_without_items_is_unknown():
    assert chance([], HYBRID) == {"hybrid": None}
    item = Item("k", ("a", "b"), gold="plural", labels=("plural", ""), targets=(1,))
    assert chance([(item, "plural")], AgreementGame()) == {
        "hit_target": 0.5,
        "hit_feat_correct": 0.5,
        "hit_feat_wrong": None,
    }


def test_random_relevances_reach_the_expectation():
    draw = np.random.default_rng(3)
    item = Item("k", tuple("abcdefgh"), labels=tuple("xxxyyyyy"))
    hits = [pointing(draw.random(8), item, "x", HYBRID)["hybrid"].hit for _ in range(4000)]
    assert abs(np.mean(hits) - 3 / 8) < 4 * math.sqrt(3 / 8 * 5 / 8 / 4000)


@dataclass(frozen=True)
class Everything(Game):
    """A game of one's own needs no more than this."""

    counts = (Part("all"),)

    def rewarded(self, item, predicted):
        return {"all": frozenset(range(len(item.words)))}


def test_a_game_of_ones_own():
    assert pointing(np.array([1.0, 2.0, 3.0]), ITEM, "x", Everything()) == {"all": Outcome(1.0)}
    assert chance([(ITEM, "x")], Everything()) == {"all": 1.0}
