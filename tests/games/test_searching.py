"""The best order of words: by every subset it is the best of all orders, and the beam comes close."""

from itertools import permutations

import numpy as np
import pytest

from whichword.errors import InputError
from whichword.games import GAMES
from whichword.games.searching import along, beam, copies, exhaustive, sizes
from whichword.types import Item


def made_up(words, seed):
    """A value for every set of words, with interactions: no order is best by single words alone."""
    values = np.random.default_rng(seed).random(2**words)
    weights = 1 << np.arange(words)
    return lambda sets: values[np.asarray(sets) @ weights]


def of_order(order, at, words, ask):
    return float(np.mean(ask(along(order, at, words))))


@pytest.mark.parametrize("words", [2, 3, 5, 7])
def test_exhaustive_search_is_the_best_of_all_orders(words):
    ask, at = made_up(words, words), sizes(words, 8)
    order, value = exhaustive(words, at, ask)
    best = max(of_order(permutation, at, words, ask) for permutation in permutations(range(words)))
    assert value == pytest.approx(best, abs=1e-12)
    assert of_order(order, at, words, ask) == pytest.approx(best, abs=1e-12)


def test_the_beam_is_never_better_and_seldom_much_worse():
    gaps = []
    for seed in range(60):
        ask, at = made_up(7, seed), sizes(7, 8)
        order, value = beam(7, at, ask, 3)
        assert sorted(order) == list(range(7))
        assert of_order(order, at, 7, ask) == pytest.approx(value, abs=1e-12)
        gaps.append(exhaustive(7, at, ask)[1] - value)
    assert min(gaps) >= -1e-12
    assert np.mean(gaps) < 0.02  # of values drawn from 0 to 1, where nothing leads the way


def test_a_wide_enough_beam_is_exhaustive():
    for seed in range(10):
        ask, at = made_up(5, seed), sizes(5, 8)
        assert beam(5, at, ask, 200)[1] == pytest.approx(exhaustive(5, at, ask)[1], abs=1e-12)


def test_sizes_go_up_to_half_of_the_words():
    assert sizes(7, 8) == (1, 2, 3, 4)
    assert sizes(1, 8) == (1,)
    assert sizes(100, 4) == (1, 17, 34, 50)


def test_a_beam_over_sizes_that_leave_words_out():
    weights = np.arange(20.0)
    order, value = beam(20, sizes(20, 3), lambda sets: np.asarray(sets) @ weights, 2)
    assert set(order[:10]) == set(range(10, 20))
    assert value == pytest.approx(np.mean([19, sum(range(14, 20)), sum(range(10, 20))]))


def test_the_cost_is_a_bound():
    asked = 0
    ask = made_up(10, 0)

    def counting(sets):
        nonlocal asked
        asked += len(sets)
        return ask(sets)

    beam(10, sizes(10, 8), counting, 3)
    assert 0 < asked <= copies(10, sizes(10, 8), 3, 7)
    assert copies(7, sizes(7, 8), 3, 7) == 128


def probability(words, seed):
    ask = made_up(words, seed)
    return lambda sets: np.clip(ask(sets), 0.01, 0.99)


def normalised_slowly(words, phi, seed, part):
    """Every order, the definition, nothing else."""
    p, at = probability(words, seed), sizes(words, 8)
    whole = p(np.zeros((1, words), bool))[0]

    def value(order):
        sets = along(order, at, words)
        return float(np.mean(whole - p(sets) if part == "comprehensiveness" else p(~sets) - whole))

    values = [value(order) for order in permutations(range(words))]
    return (value(np.argsort(-phi, kind="stable")) - min(values)) / (max(values) - min(values))


@pytest.mark.parametrize("part", ["comprehensiveness", "sufficiency"])
@pytest.mark.parametrize("words", [2, 4, 6, 7])
def test_normalised_deletion_is_its_definition_over_all_orders(part, words):
    phi = np.random.default_rng(words).normal(size=words)
    item = Item("k", tuple("abcdefg"[:words]))
    rows = GAMES["deletion"].measure(item, {"m": phi}, probability(words, words))
    assert rows["m"].values[part] == pytest.approx(normalised_slowly(words, phi, words, part), abs=1e-12)
    assert rows["best order"].values[part] == pytest.approx(1.0)
    assert 0 <= rows["random order"].values[part] <= 1
    assert len(rows["m"].edited) == 2 * len(sizes(words, 8))


def test_what_no_order_changes_is_not_counted():
    flat = GAMES["deletion"].measure(
        Item("k", ("a", "b")), {"m": np.array([1.0, 0.0])}, lambda sets: np.full(len(sets), 0.7)
    )
    assert np.isnan(flat["m"].values["sufficiency"])
    alone = GAMES["deletion"].measure(Item("k", ("a",)), {"m": np.array([1.0])}, lambda sets: np.full(len(sets), 0.7))
    assert np.isnan(alone["best order"].values["comprehensiveness"])


@pytest.mark.parametrize(("apart", "counts"), [(1e-7, False), (1e-4, True)])
def test_what_only_rounding_changes_is_not_counted(apart, counts):
    """The same single word, once moved by the last places of single precision alone."""
    ask = lambda sets: 0.7 - apart * sets[:, 0]  # noqa: E731
    rows = GAMES["deletion"].measure(Item("k", ("a", "b", "c")), {"m": np.array([2.0, 1.0, 0.0])}, ask)
    assert np.isfinite(rows["m"].values["comprehensiveness"]) == counts


def test_bad_settings():
    for spelling in ("deletion[width=0]", "deletion[exact=13]", "deletion[cut=1]", "deletion[draws=0]"):
        with pytest.raises(InputError, match="game deletion"):
            GAMES[spelling]
