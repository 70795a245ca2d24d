"""Bounds that hold at every look together."""

from itertools import pairwise

import numpy as np
import pytest
from decision_cases import first_hits, random_hits

from whichword.statistics import bounds, leads, sequence
from whichword.statistics.bounds import (
    ABOVE,
    COMPLETE,
    EXPECTED,
    PAIRS,
    RIVALS,
    TELLING,
    Leads,
    Outcomes,
    shares_of_error,
)
from whichword.statistics.decision import decide_by

KINDS = ("rivals", "above", "leads")


def rounds_of(outcomes: Outcomes, sizes: tuple[int, ...]) -> list[Leads]:
    return [leads(outcomes.rows(np.arange(len(outcomes.hits)) < size)) for size in sizes]


@pytest.mark.parametrize("rounds", range(1, 15))
def test_the_error_is_spent_once(rounds):
    """Over all rounds, wherever methods are expected to end, and over the kinds of statements."""
    for expected in (None, *range(rounds + 2)):
        shares = shares_of_error(rounds, expected)
        assert len(shares) == rounds
        assert min(shares) >= 0
        assert sum(shares) == pytest.approx(1.0)
    assert pytest.approx(1.0) == RIVALS + ABOVE + PAIRS


def test_a_handful_of_documents_costs_no_error_and_shows_nothing():
    shares = shares_of_error(8)
    assert shares[: TELLING - 1] == [0.0] * (TELLING - 1)
    assert shares[-1] == EXPECTED + COMPLETE
    few = sequence(rounds_of(first_hits({"a": 8, "b": 0}, 8), (4, 8)), 8)
    assert all((getattr(few, kind)[0, 1:] == -np.inf).all() for kind in KINDS)
    assert few.latest.documents[0, 1] == 8


def test_each_comparison_has_its_part_of_the_error():
    """Three columns, of which one is chance: 2 comparisons with the best, 2 methods, 6 ordered pairs."""
    whole = random_hits({"a": 0.7, "b": 0.6}, 400, 0.2)
    limits = sequence(rounds_of(whole, (4, 8, 16, 32, 400)), 5)
    seen = leads(whole)
    for kind, part in {"rivals": RIVALS / 2, "above": ABOVE / 2, "leads": PAIRS / 6}.items():
        alone = bounds(seen, 2 * 0.05 * (EXPECTED + COMPLETE) * part).rivals  # a look alone halves it for three columns
        assert np.allclose(getattr(limits, kind), alone), kind


def test_what_a_look_has_shown_stays():
    whole = random_hits({"a": 0.7, "b": 0.6, "c": 0.4}, 800, 0.2)
    sizes = (25, 50, 100, 200, 400, 800)
    parts = rounds_of(whole, sizes)
    limits = [sequence(parts[:count], len(parts)) for count in range(1, len(parts) + 1)]
    for before, after in pairwise(limits):
        assert all((getattr(after, kind) >= getattr(before, kind)).all() for kind in KINDS)
    last = set(decide_by(limits[-1], whole, {}).group)
    assert last in ({"a", "b"}, {"a"})


def test_what_an_early_round_has_shown_is_not_forgotten():
    """All of the lead is in the first documents."""
    whole = first_hits({"a": 300, "b": 0}, 2000)
    early, late = rounds_of(whole, (300, 2000))
    both = sequence([early] * TELLING + [late], TELLING + 1)
    assert both.rivals[0, 1] > sequence([late], 1).rivals[0, 1]


def test_one_look_of_many_is_wider_than_the_only_one():
    look = leads(first_hits({"a": 50, "b": 40}))
    assert sequence([look], 1).rivals[0, 1] < bounds(look).rivals[0, 1]
    assert sequence([look] * 5, 5).rivals[0, 1] < sequence([look], 1).rivals[0, 1]


def test_a_comparison_on_all_documents_is_told_more_than_one_on_some():
    look = leads(first_hits({"a": 50, "b": 40}))
    begun, complete = sequence([look] * 7, 8), sequence([look] * 8, 8)
    assert complete.rivals[0, 1] > begun.rivals[0, 1]
    assert begun.level == complete.level  # what is needed is worked out for all documents


def test_a_stopped_method_keeps_its_bounds():
    whole = first_hits({"a": 300, "b": 290, "c": 20}, 400)
    late = Outcomes(whole.names, whole.hits.copy(), whole.sources)
    late.hits[:, 2] = np.nan  # of those that came to the last round
    looks = [*rounds_of(whole, (12, 25, 50, 100)), leads(late)]
    first, second = sequence(looks[:4], 5), sequence(looks, 5)
    assert second.rivals[0, 2] == first.rivals[0, 2] > 0
    assert second.latest.documents[0, 2] == 100
    assert second.latest.documents[0, 1] == 400


def test_most_of_the_error_is_for_the_round_that_is_expected():
    assert shares_of_error(8, 5)[4] > EXPECTED > COMPLETE == shares_of_error(8, 5)[-1]
    assert shares_of_error(8, 1) == shares_of_error(8, TELLING)  # fewer documents can show nothing
    assert shares_of_error(8, 8) == shares_of_error(8, 99) == shares_of_error(8)
    assert shares_of_error(3, 2) == [0.0, 0.0, 1.0]


def test_of_two_methods_the_one_that_comes_less_far_decides():
    """At round 5 of 8: b is expected to end there, so all that is about b is told more, and nothing else."""
    look = leads(first_hits({"a": 50, "b": 40, "c": 30}))
    plain, other = sequence([look] * 5, 8), sequence([look] * 5, 8, expected={"b": 5, "a": 8, "c": 7})
    for kind in KINDS:
        more = getattr(other, kind) > getattr(plain, kind)
        about_b = np.zeros_like(more)
        about_b[1, :] = about_b[:, 1] = True
        np.fill_diagonal(about_b, False)
        assert (more == about_b).all(), kind


def test_what_is_expected_costs_something_on_all_documents():
    look = leads(first_hits({"a": 50, "b": 40}))
    plain, other = sequence([look] * 8, 8), sequence([look] * 8, 8, expected={"b": 5})
    assert other.rivals[0, 1] < plain.rivals[0, 1]
    assert other.level == plain.level
