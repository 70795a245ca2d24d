"""Noise: more of it exchanges more, all of it leaves nothing of the method, and what rises is noticed."""

import numpy as np
import pytest

from whichword.games.noise import LEVELS, Noise, exchanged, generator
from whichword.scoring.outcomes import degraded


def test_no_noise_is_the_method_and_all_noise_is_an_order_of_its_own():
    values = np.arange(50.0)
    assert exchanged(values, "a", 0.0).tolist() == values.tolist()
    everything = exchanged(values, "a", 1.0)
    assert sorted(everything) == values.tolist()
    assert (everything != values).mean() > 0.8


def test_more_noise_exchanges_the_same_words_and_more():
    values = np.arange(200.0)
    moved = [exchanged(values, "a", level) != values for level in LEVELS]
    assert [m.mean() for m in moved] == sorted(m.mean() for m in moved)
    chosen_at_half = np.flatnonzero(moved[2])
    assert moved[3][chosen_at_half].mean() > 0.9  # but for words that happen to get their own again


def test_a_documents_draws_depend_on_its_key_alone():
    a, b = np.arange(5.0), np.arange(7.0)
    both = Noise.of([5, 7], ["x", "y"]).mixed(np.concatenate([a, b]), 0.5)
    assert both[5:].tolist() == exchanged(b, "y", 0.5).tolist()
    assert Noise.of([], []).mixed(np.zeros(0), 0.5).tolist() == []


@pytest.mark.parametrize("level", LEVELS)
def test_documents_end_to_end_are_mixed_as_the_definition_says(level):
    lengths, keys = [4, 0, 9, 1, 30], ["a", "b", "c", "d", "e"]
    documents = [np.arange(float(length)) for length in lengths]
    together = Noise.of(lengths, keys).mixed(np.concatenate(documents), level)
    assert together.tolist() == [value for one in map(by_definition, documents, keys, [level] * 5) for value in one]


def by_definition(values, key, level):
    """The words whose first draw is below the level get each other's relevances, in the order of their second draw."""
    dice = generator(0, "degrade", key)
    first, second = dice.random(len(values)), dice.random(len(values))
    chosen = [t for t in range(len(values)) if first[t] < level]
    given = sorted(chosen, key=lambda t: second[t])
    changed = list(values)
    for place, source in zip(chosen, given, strict=True):
        changed[place] = values[source]
    return changed


def curve(*means, documents=400):
    dice = np.random.default_rng(0)
    thresholds = dice.random(documents)
    return np.column_stack([(thresholds < mean).astype(float) for mean in means])


def test_a_falling_curve_is_sound_also_where_it_stands_still():
    noise = degraded("lrp", LEVELS, curve(0.9, 0.9, 0.7, 0.4, 0.3))
    assert noise.falls
    assert noise.why == ""
    assert noise.scores[0] == pytest.approx(0.9, abs=0.05)


def test_a_curve_that_rises_or_does_not_fall_is_named():
    assert (
        degraded("lrp", LEVELS, curve(0.9, 0.5, 0.8, 0.4, 0.3)).why
        == "with 50 % noise the method does better than with less"
    )
    assert degraded("lrp", LEVELS, curve(0.3, 0.3, 0.3, 0.3, 0.3)).why == "noise alone does as well as the method"
    assert degraded("lrp", LEVELS, np.full((1, len(LEVELS)), np.nan)) is None


def test_equal_outcomes_may_be_counted_instead_of_repeated():
    scores = curve(0.9, 0.5, 0.8, 0.4, 0.3)
    rows, counts = np.unique(scores, axis=0, return_counts=True)
    assert len(rows) < 10
    assert degraded("lrp", LEVELS, rows, counts) == degraded("lrp", LEVELS, scores)
    assert degraded("lrp", LEVELS, rows) != degraded("lrp", LEVELS, scores)
