"""A shift is told where there is one; what merely disagrees with the others, or is bad, is no shift."""

import numpy as np
import pytest

from whichword.health.examination import Examination
from whichword.health.findings import Health
from whichword.health.shifts import LAGS, LEVEL, NO_SHIFT

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
    assert told(lambda truth, chance: np.roll(truth, 1), documents=1)["suspect"].shift == NO_SHIFT
    assert told(lambda truth, chance: np.roll(truth, 1), documents=6)["suspect"].shift.by == 1
    assert told(lambda truth, chance: np.roll(truth, 1)[:7], documents=40, words=7)["suspect"].fits == ()


def test_false_alarms_are_rare_where_no_place_is_likelier() -> None:
    """Half of a method's relevance stands in place, half on the next word."""
    alarms, trials = 0, 300
    for seed in range(trials):
        healths = told(lambda truth, chance: truth + np.roll(truth, 1), documents=24, seed=seed)
        alarms += any(health.shift.by for health in healths.values())
    assert alarms <= LEVEL * trials


def test_a_method_alone_is_not_compared() -> None:
    chance, examination = np.random.default_rng(0), Examination(["mine"])
    for _ in range(40):
        examination.add(np.roll(chance.standard_normal(WORDS), 1)[None])
    assert examination.health()[0].shift == NO_SHIFT
    assert examination.health()[0].fits == ()
