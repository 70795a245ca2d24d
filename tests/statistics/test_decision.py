"""What is decided, and what is not."""

from dataclasses import replace

import numpy as np
import pytest
from decision_cases import first_hits, random_hits

from whichword.errors import InputError
from whichword.statistics import leads, sequence
from whichword.statistics.bounds import CHANCE, Outcomes, bounds
from whichword.statistics.decision import decide, decide_by

SPEEDS = {"quick": 0.01, "slow": 0.4}


def test_nineteen_methods_that_nobody_can_tell_apart_from_chance():
    outcomes = random_hits({f"m{i:02d}": 0.56 for i in range(19)}, 200, chance=0.54)
    decision = decide(outcomes, {})
    assert decision.status == "undecided"
    assert (decision.choice, decision.group, decision.avoid) == (None, (), ())


def test_one_document_s_lead_at_a_fortieth_of_the_speed_is_no_reason():
    decision = decide(first_hits({"slow": 901, "quick": 900, "weak": 500}, 1000), SPEEDS)
    assert decision.status == "tied"
    assert decision.group == ("slow", "quick")
    assert decision.choice == "quick"
    assert decision.avoid == ("weak",)


def test_a_part_of_39_documents_weighs_as_39_documents():
    """As in the demo: lrp and deeplift beat limsse on 2,283 sentences, limsse beats them on 39."""
    dice = np.random.default_rng(0)
    large = {"lrp": 0.95, "deeplift": 0.95, "limsse": 0.85}
    small = {"lrp": 0.3, "deeplift": 0.3, "limsse": 0.8}
    parts = [(large, 2283, 0), (large, 2283, 0), (small, 39, 2283)]
    rows = [np.column_stack([dice.random(n) < share for share in shares.values()]) for shares, n, _ in parts]
    sources = [(first + i,) for _, n, first in parts for i in range(n)]
    hits = np.concatenate([part.astype(float) for part in rows])
    outcomes = Outcomes((*large, CHANCE), np.column_stack([hits, np.full(len(hits), 0.15)]), sources)
    decision = decide(outcomes, dict.fromkeys(large, 0.01))
    assert decision.choice in ("lrp", "deeplift")
    assert "limsse" in decision.avoid
    assert decision.documents == 2322


def test_a_method_that_wins_everywhere_is_decided():
    decision = decide(first_hits({"best": 180, "next": 140, "weak": 60}, 200), {"best": 9.0, "next": 0.1})
    assert (decision.status, decision.choice, decision.group) == ("decided", "best", ("best",))
    assert decision.behind["best"].high == 0
    assert decision.behind["next"].low > 0.05
    assert decision.needed is None


def test_never_seen_to_differ_is_not_known_to_be_equal():
    few, many = (decide(first_hits({"a": n // 2, "b": n // 2}, n), {}) for n in (50, 500))
    assert (few.status, few.choice) == ("undecided", None)
    assert few.behind["a"].high > 0.05
    assert (many.status, many.behind["a"].high < 0.05) == ("tied", True)


def test_what_does_not_beat_a_baseline_is_in_no_group():
    decision = decide(first_hits({"lrp": 700, "last": 710}, 1000), {})
    assert (decision.status, decision.group) == ("undecided", ())
    assert decision.avoid == ("lrp",)  # shown to have less than five points over the baseline
    assert "last" not in decision.behind


def test_at_chance_is_to_be_avoided_only_where_it_is_shown():
    shown = decide(random_hits({"good": 0.8, "idle": 0.2}, 2000, chance=0.2), {})
    unclear = decide(first_hits({"idle": 6}, 25, chance=0.2), {})
    assert shown.avoid == ("idle",)
    assert unclear.avoid == ()


def test_no_method_is_in_the_group_and_to_be_avoided():
    """All safely above chance, but by less than the margin."""
    decision = decide(random_hits({"a": 0.535, "b": 0.535}, 60_000, chance=0.5), {})
    assert set(decision.group) == {"a", "b"}
    assert decision.avoid == ()


def test_the_margin_can_be_set():
    outcomes = first_hits({"slow": 920, "quick": 900}, 1000)
    assert decide(outcomes, SPEEDS, margin=0.06).choice == "quick" or "quick" not in decide(outcomes, SPEEDS).group
    assert decide(first_hits({"slow": 905, "quick": 900}, 1000), SPEEDS, margin=0.001).status == "undecided"


def test_costs_that_nobody_knows_leave_the_order_of_accuracy():
    decision = decide(first_hits({"b": 900, "a": 902}, 1000), {"a": None, "b": None})
    assert decision.choice == "a"


def test_a_method_that_has_not_played_is_not_decided_about():
    outcomes = first_hits({"best": 180, "next": 100, "absent": 0}, 200)
    outcomes.hits[:, 2] = np.nan
    decision = decide(outcomes, {})
    assert "absent" not in decision.avoid
    assert "absent" not in decision.behind
    assert (decision.status, decision.choice) == ("decided", "best")
    assert decision.open == ("absent",)


def test_a_method_that_played_little_may_be_left_out_of_the_choice():
    whole = first_hits({"a": 950, "b": 600, "few": 900, "bad": 0}, 1000)
    whole.hits[40:, 2:4] = np.nan
    limits = sequence([leads(whole)], 1)
    everyone, contenders = (decide_by(limits, whole, {}, contenders=names) for names in (None, ("a", "b")))
    assert everyone.choice is None  # of the method with 40 documents nothing is known
    assert (contenders.status, contenders.choice) == ("tied", "a")  # few is not shown to be worse
    assert (everyone.open, contenders.open) == ((), ("few",))
    assert everyone.avoid == contenders.avoid == ("b", "bad")  # whoever else is compared
    assert everyone.group == contenders.group
    assert everyone.unproven == contenders.unproven


def test_worse_than_anybody_is_worse_than_the_best():
    """By bounds that hold for all pairs together; those of one look hold for pairs that the best is in."""
    whole = first_hits({"a": 950, "few": 900, "bad": 500}, 1000)
    whole.hits[40:, 1] = np.nan
    seen = leads(whole)
    assert decide_by(sequence([seen], 1), whole, {}).avoid == ("bad",)
    assert decide_by(bounds(seen), whole, {}).avoid == ()  # few may be the best, and by that bad may be near to it


def test_every_method_is_in_the_group_unproven_or_worse():
    whole = first_hits({"a": 180, "b": 175, "few": 8, "bad": 90, "never": 0}, 200)
    whole.hits[10:, 2] = np.nan
    whole.hits[:, 4] = np.nan
    decision = decide(whole, {})
    assert (decision.group, decision.unproven) == (("a", "b"), ("few", "never"))


def test_the_choice_speaks_for_what_it_is_shown_to_be_near_to():
    """A tie is a claim about a margin: who is shown to be within it is no open matter."""
    whole = first_hits({"a": 900, "b": 895, "near": 900, "few": 900}, 1000)
    whole.hits[800:, 2] = np.nan
    whole.hits[40:, 3] = np.nan
    limits = sequence([leads(whole)], 1)
    decision = decide_by(limits, whole, {}, contenders=("a", "b"))
    assert (decision.status, decision.open) == ("tied", ("few",))


def test_needed_documents_are_enough():
    small = random_hits({"a": 0.8, "b": 0.8}, 100, chance=0.2, seed=3)
    decision = decide(small, {})
    assert decision.status == "undecided"
    assert decision.needed is not None
    copies = -(-decision.needed // 100)
    large = Outcomes(small.names, np.tile(small.hits, (copies, 1)), [(n,) for n in range(100 * copies)])
    assert decide(large, {}).choice is not None


def test_nothing_to_judge():
    with pytest.raises(InputError, match="a verdict needs"):
        decide(first_hits({"last": 3}), {})
    with pytest.raises(InputError, match="a verdict needs"):
        decide(first_hits({"lrp": 0}, 0), {})


def test_each_kind_of_limit_has_its_say():
    """Who may be the best by ``rivals``, who beats chance by ``above``, what to avoid by ``leads``."""
    whole = first_hits({"a": 90, "b": 50}, 100)
    limits = sequence([leads(whole)], 1)
    unknown = np.where(np.eye(3, dtype=bool), 0.0, -1.0)
    decisions = {
        kind: decide_by(replace(limits, **{kind: unknown}), whole, {}) for kind in ("rivals", "above", "leads")
    }
    known = decide_by(limits, whole, {})
    assert (known.group, known.beaten, known.avoid) == (("a",), ("b",), ("b",))
    assert decisions["rivals"].beaten == ()
    assert (decisions["above"].group, decisions["above"].beaten) == ((), ("b",))
    assert (decisions["leads"].group, decisions["leads"].avoid) == (("a",), ())
    assert decide_by(replace(limits, leads=unknown), whole, {}, contenders=("a",)).open == ()  # b is beaten


def test_a_choice_among_all_rests_on_comparisons_with_the_best():
    """One among some rests on all pairs: any of them may be the best of those."""
    whole = first_hits({"a": 950, "b": 949}, 1000)
    limits = sequence([leads(whole)], 1)
    few = replace(limits, leads=np.where(np.eye(3, dtype=bool), 0.0, -1.0))
    assert decide_by(few, whole, {}).choice == "a"
    assert decide_by(limits, whole, {}, contenders=("a", "b")).choice == "a"
    assert decide_by(few, whole, {}, contenders=("a", "b")).choice is None
