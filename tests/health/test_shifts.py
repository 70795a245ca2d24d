"""A shift is told where there is one; what merely disagrees with the others, or is bad, is no shift."""

import numpy as np
import pytest

from whichword.health.examination import Examination
from whichword.health.findings import Health
from whichword.health.shifts import CHANGES, LAGS, LEVEL, NO_SHIFT, Displacements, Shift, confirmed, shift_of

DOCUMENTS, WORDS = 12, 20


def told(make: object, documents: int = DOCUMENTS, words: int = WORDS, seed: int = 0) -> dict[str, Health]:
    """Four methods that say nearly the same, and one that ``make`` gives from what they agree on."""
    chance = np.random.default_rng(seed)
    examination = Examination(["a", "b", "c", "d", "suspect"])
    for _ in range(documents):
        truth = chance.standard_normal(words)
        others = [truth + 0.5 * chance.standard_normal(words) for _ in range(4)]
        examination.add(np.array([*others, make(truth, chance)]))  # type: ignore[operator]
    return {health.method: health for health in examination.health()}


@pytest.mark.parametrize("by", [-1, 1])
def test_moved_heat_maps_are_told_and_nothing_else(by: int) -> None:
    healths = told(lambda truth, chance: np.roll(truth + 0.5 * chance.standard_normal(WORDS), by))
    assert {name: health.shift.by for name, health in healths.items() if health.shift.by} == {"suspect": by}
    side = "right" if by > 0 else "left"
    assert f"shifted one word to the {side} of where the other methods point" in healths["suspect"].complaints[0]
    assert healths["suspect"].fits[LAGS.index(by)] == max(healths["suspect"].fits)


BAD = {
    "noise": lambda truth, chance: chance.standard_normal(WORDS),
    "the contrary": lambda truth, chance: -truth + 0.5 * chance.standard_normal(WORDS),
    "two words aside": lambda truth, chance: np.roll(truth, 2),
    "smeared": lambda truth, chance: truth + np.roll(truth, 1) + np.roll(truth, -1),
    "growing": lambda truth, chance: truth * np.exp(np.arange(WORDS) / 3),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_bad_is_not_shifted(name: str) -> None:
    for seed in range(5):
        assert all(not health.shift.by for health in told(BAD[name], documents=40, seed=seed).values())


def test_few_or_short_documents_tell_nothing() -> None:
    """Nine documents of one mind have a chance of 1/512 in a sign test: above 1 % of 5 methods and 2 directions."""
    assert told(lambda truth, chance: np.roll(truth, 1), documents=9)["suspect"].shift == NO_SHIFT
    assert told(lambda truth, chance: np.roll(truth, 1), documents=10)["suspect"].shift.by == 1
    assert told(lambda truth, chance: np.roll(truth, 1)[:7], documents=40, words=7)["suspect"].fits == ()


def test_false_alarms_are_as_rare_as_the_level_says() -> None:
    """The worst case: a lag that is exactly as likely as one other, and likelier than the rest."""
    chance, trials, alarms = np.random.default_rng(1), 2000, 0
    for _ in range(trials):
        places = Displacements(1)
        for _ in range(24):
            values = chance.random(len(LAGS)) * 0.1
            values[LAGS.index(int(chance.choice([0, 1])))] = 1.0
            places.add(0, values)
        alarms += shift_of(places, 0, LEVEL, CHANGES).by != 0
    assert 0 < alarms <= LEVEL * trials


def test_changed_words_are_confirmed_by_the_others() -> None:
    shift = Shift(1, 20, 24, CHANGES)
    assert confirmed(shift, ()) == shift
    assert confirmed(shift, (0.0, 0.0, 0.1, 0.6, 0.0)) == shift
    assert confirmed(shift, (0.0, 0.0, 0.6, 0.1, 0.0)) == NO_SHIFT
    assert confirmed(NO_SHIFT, (0.0, 0.0, 0.6, 0.1, 0.0)) == NO_SHIFT


def alone(by: int, documents: int = 40, words: int = WORDS, seed: int = 0) -> Health:
    """One method: words have their relevances, which differ a little from text to text, and stand ``by`` words off."""
    chance = np.random.default_rng(seed)
    usual = chance.standard_normal(30)
    examination = Examination(["mine"])
    for _ in range(documents):
        text = chance.integers(0, len(usual), words)
        phi = usual[text] + 0.5 * chance.standard_normal(words)
        examination.add(np.roll(phi, by)[None], words=text.tolist())
    return examination.health()[0]


@pytest.mark.parametrize("by", [-1, 0, 1])
def test_a_method_that_is_alone_goes_by_its_words(by: int) -> None:
    assert alone(by).shift.by == by
    told_by_words = {1: "right: its relevances go by the word before", -1: "left: its relevances go by the word behind"}
    assert bool(alone(by).complaints) == (by != 0)
    if by:
        assert f"shifted one word to the {told_by_words[by]}" in alone(by).complaints[0]


def test_alone_two_words_aside_is_no_shift_of_one_and_few_texts_tell_nothing() -> None:
    assert alone(2).shift == alone(-2).shift == NO_SHIFT
    assert alone(1, documents=8).shift == NO_SHIFT
    assert alone(1, words=7).shift == NO_SHIFT


def test_alone_false_alarms_are_rare_where_relevance_is_noise_or_goes_by_position() -> None:
    """Where a place is not foretold by any word, no lag is the likeliest."""
    alarms, trials = 0, 300
    for seed in range(trials):
        chance = np.random.default_rng(seed)
        examination = Examination(["mine"])
        for _ in range(20):
            phi = np.arange(12) / 4 + chance.standard_normal(12)
            examination.add(phi[None], words=chance.integers(0, 9, 12).tolist())
        alarms += examination.health()[0].shift.by != 0
    assert alarms <= LEVEL * trials
