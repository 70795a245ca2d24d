"""The scorers against definitions read aloud, and their chance against every order of a short document."""

from itertools import permutations

import numpy as np
import pytest

from whichword.errors import InputError
from whichword.games import scorers
from whichword.games.columns import hits, point
from whichword.games.scorers import SCORERS, Gold, Layout, Ranking


def slowly(name, phi, gold, excluded):
    """One document, straight from the sentences in the module's docstring."""
    words = [t for t in range(len(phi)) if t not in excluded]
    right = set(gold) - set(excluded)
    finite = [t for t in words if np.isfinite(phi[t])]
    order = sorted(finite, key=lambda t: (-phi[t], t)) + [t for t in words if t not in finite]
    positive = {t: max(0.0, float(phi[t])) for t in finite}
    return {
        "hit": lambda: float(bool(finite) and order[0] in right),
        "mass": lambda: sum(positive[t] for t in positive if t in right) / (sum(positive.values()) or 1.0),
        "reciprocal_rank": lambda: max((1 / (order.index(t) + 1) for t in right), default=0.0),
        "precision": lambda: len(set(order[: len(right)]) & right) / max(1, len(right)),
    }[name]()


def scored(name, documents, positions, excluded=()):
    layout = Layout.of([len(phi) for phi in documents], excluded)
    gold = Gold.of(layout, positions)
    values = np.concatenate([np.zeros(0), *documents])
    return SCORERS[name].scores(Ranking.of(layout, values), gold), SCORERS[name].chances(layout, gold)


@pytest.mark.parametrize("name", SCORERS)
def test_every_scorer_is_its_definition(name):
    dice = np.random.default_rng(3)
    documents = [np.round(dice.normal(size=dice.integers(0, 8)), 1) for _ in range(300)]
    for phi in documents[::7]:
        phi[: min(len(phi), 2)] = (np.nan, np.inf)[: min(len(phi), 2)]
    positions = [frozenset(np.flatnonzero(dice.random(len(phi)) < 0.3).tolist()) for phi in documents]
    excluded = [tuple(np.flatnonzero(dice.random(len(phi)) < 0.15).tolist()) for phi in documents]
    values, _ = scored(name, documents, positions, excluded)
    expected = [slowly(name, *triple) for triple in zip(documents, positions, excluded, strict=True)]
    np.testing.assert_allclose(values, expected, atol=1e-12)


@pytest.mark.parametrize("name", SCORERS)
@pytest.mark.parametrize("right", [0, 1, 2, 4, 5])
def test_chance_is_the_mean_over_all_orders(name, right):
    phi = np.array([0.3, -1.0, 2.0, 0.7, 0.1])
    orders = [np.array(order) for order in permutations(phi)]
    values, chances = scored(name, orders, [frozenset(range(right))] * len(orders))
    assert chances[0] == pytest.approx(values.mean(), abs=1e-12)


def test_ranks_are_those_of_one_sort_of_all_words():
    """By document, by what may be ranked at all, by relevance: documents of all lengths, ties, what is not finite."""
    dice = np.random.default_rng(11)
    lengths = dice.permutation([0, 0, 1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 100, 130])
    excluded = [tuple(np.flatnonzero(dice.random(n) < 0.2).tolist()) for n in lengths]
    layout = Layout.of(lengths, excluded)
    values = np.round(dice.normal(size=lengths.sum()), 1).astype(np.float32)
    values[dice.random(len(values)) < 0.1] = np.nan
    values[dice.random(len(values)) < 0.1] = -np.inf
    values[dice.random(len(values)) < 0.1] = -0.0
    finite = np.isfinite(values) & layout.counted
    order = np.lexsort((np.where(finite, -values, 0.0), np.where(layout.counted, 1, 2) - finite, layout.owner))
    expected = np.concatenate([np.empty(0), *(np.arange(1, n + 1) for n in lengths)])
    ranking = Ranking.of(layout, values)
    np.testing.assert_array_equal(ranking.rank[order], expected)
    assert all(2 * inside.sum() >= inside.size for _, inside in layout.sheets)


def plainly(words, right):
    """E[1/R], rank by rank and factor by factor."""
    beyond = []
    for rank in range(words - right + 2):
        factors = [max(0, words - rank - j) / (words - j) for j in range(right)]
        beyond.append(float(np.prod(factors)))
    return sum((beyond[r - 1] - beyond[r]) / r for r in range(1, len(beyond)))


@pytest.mark.parametrize("factors", [7, scorers.FACTORS])
def test_the_chance_of_the_first_rank_is_the_plain_sum_to_the_last_bit(factors, monkeypatch):
    monkeypatch.setattr(scorers, "FACTORS", factors)
    scorers._mean_reciprocal_rank.cache_clear()
    pairs = [(words, right) for words in (1, 2, 3, 8, 19, 64, 150) for right in range(1, words + 1)]
    for words, right in pairs:
        assert SCORERS["reciprocal_rank"].expected(words, right) == plainly(words, right), (words, right)


def test_the_hit_is_the_one_of_the_pointing_game():
    dice = np.random.default_rng(5)
    documents = [np.round(dice.normal(size=dice.integers(1, 9)), 1) for _ in range(200)]
    positions = [None if i % 9 == 0 else frozenset({0, i % 4}) for i in range(len(documents))]
    positions = [
        p if p is None else frozenset(t for t in p if t < len(d)) for p, d in zip(positions, documents, strict=True)
    ]
    values, _ = scored("hit", documents, positions)
    lengths = [len(phi) for phi in documents]
    np.testing.assert_array_equal(values, hits(point(np.concatenate(documents), lengths), positions))


def test_discarded_documents_have_no_score():
    values, chances = scored("precision", [np.ones(3), np.ones(2)], [None, frozenset({0})])
    assert np.isnan(values[0])
    assert np.isnan(chances[0])
    assert values[1] == 1.0


def test_an_excluded_word_is_never_pointed_at():
    layout = Layout.of([3], [(1,)])
    points = point(np.array([1.0, 9.0, np.nan]), [3], layout.counted)
    assert points.rmax.tolist() == [0]
    assert points.nonfinite.tolist() == [True]
    assert not point(np.array([1.0, np.nan, 0.0]), [3], layout.counted).nonfinite[0]


def test_an_unknown_scorer_is_named():
    with pytest.raises(InputError, match=r"no scorer is called 'hits'; did you mean hit\?"):
        SCORERS["hits"]
    with pytest.raises(InputError, match="scorer mass has no setting 'title'; it has: none"):
        SCORERS["mass[title=x]"]
