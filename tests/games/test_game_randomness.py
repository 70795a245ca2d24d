"""A random state belongs to its seed and names."""

from collections import Counter

import numpy as np

from whichword.games.noise import generator, shuffled


def test_the_same_names_give_the_same_numbers():
    assert (
        generator(3, "a", "b").integers(1 << 40, size=4).tolist()
        == generator(3, "a", "b").integers(1 << 40, size=4).tolist()
    )


def test_seed_and_every_name_matter():
    states = [(0,), (1,), (0, "a"), (0, "b"), (0, "a", "b"), (0, "ab"), (10, "a"), (1, "0a")]
    draws = {int(generator(*state).integers(1 << 62)) for state in states}
    assert len(draws) == len(states)


def test_negative_and_large_seeds():
    assert generator(-1, "a").random() != generator(1, "a").random()
    assert 0 <= generator(10**30, "a").random() < 1


def test_uniform():
    draws = np.array([generator(seed, "x").random() for seed in range(2000)])
    assert abs(draws.mean() - 0.5) < 0.03


def test_shuffled_is_a_permutation_that_stays_for_ever():
    assert shuffled("abcdefgh", 0, "x") == list("cafehbdg")
    assert shuffled("abcdefgh", 1, "x") != shuffled("abcdefgh", 0, "x")
    assert shuffled("abcdefgh", 0, "y") != shuffled("abcdefgh", 0, "x")
    assert shuffled([], 0) == []


def test_every_order_is_equally_likely():
    orders = Counter("".join(shuffled("abc", seed)) for seed in range(3000))
    assert len(orders) == 6
    assert max(abs(count - 500) for count in orders.values()) < 5 * np.sqrt(500)
