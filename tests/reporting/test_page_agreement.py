"""Agreement between methods, against scipy and plain counting."""

import numpy as np
import pytest
from scipy import stats

from whichword.reporting.page.gather import RankCorrelation, neighbours, same_rmax


def test_the_mean_of_spearmans_correlations():
    dice = np.random.default_rng(0)
    documents = [dice.integers(0, 4, (3, size)).astype(float) for size in (5, 9, 30)]
    total = RankCorrelation(3)
    for phi in documents:
        total.add(phi)
    for a in range(3):
        for b in range(3):
            expected = np.mean([stats.spearmanr(phi[a], phi[b]).statistic for phi in documents])
            assert total.mean()[a, b] == pytest.approx(expected)


def test_constant_and_broken_methods_sit_a_document_out():
    total = RankCorrelation(3)
    total.add(np.array([[1.0, 2.0, 3.0], [5.0, 5.0, 5.0], [1.0, np.nan, 2.0]]))
    total.add(np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, 1.0, np.inf]]))
    assert total.mean()[0, 1] == pytest.approx(-1)
    assert np.isnan(total.mean()[0, 2])


def test_a_document_of_one_word_has_no_ranks():
    total = RankCorrelation(2)
    total.add(np.array([[1.0], [2.0]]))
    assert np.isnan(total.mean()).all()


def test_same_rmax():
    rmax = np.array([[0, 0, 1], [2, 2, -1], [3, 1, 3], [-1, -1, 0]])
    found = same_rmax(rmax)
    assert found[0].tolist() == pytest.approx([1.0, 2 / 3, 1 / 2])
    assert found[1, 2] == found[2, 1] == 0.0
    assert np.isnan(same_rmax(np.array([[-1, 0]]))[0, 1])


def test_neighbours_puts_similar_methods_side_by_side():
    correlation = np.array([[1, 0.1, 0.9, 0], [0.1, 1, 0, 0.8], [0.9, 0, 1, 0.1], [0, 0.8, 0.1, 1]])
    order = neighbours(correlation)
    assert sorted(order) == [0, 1, 2, 3]
    assert abs(order.index(0) - order.index(2)) == abs(order.index(1) - order.index(3)) == 1


def test_neighbours_takes_methods_that_never_met():
    assert sorted(neighbours(np.full((4, 4), np.nan))) == [0, 1, 2, 3]
    assert neighbours(np.eye(2)) == [0, 1]
