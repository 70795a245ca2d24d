"""Resampling documents: exact moments, whole rows, seeds."""

from itertools import product

import numpy as np
import pytest

from whichword.statistics import resampled_means, tests


def test_distribution_equals_full_enumeration():
    values = np.array([0.0, 0.0, 1.0, 3.0])
    exact = np.array([np.mean(sample) for sample in product(values, repeat=4)])
    drawn = resampled_means(values[:, None], 40_000, seed=1)[:, 0]
    for mean in np.unique(exact):
        share = np.mean(exact == mean)
        assert np.mean(np.isclose(drawn, mean)) == pytest.approx(share, abs=5 * np.sqrt(share / 40_000))


def test_rows_stay_together():
    values = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    means = resampled_means(values, 200, seed=0)
    assert means.shape == (200, 2)
    assert np.allclose(means.sum(axis=1), 1)
    assert means.std(axis=0).min() > 0.1


def test_seed_decides():
    values = np.random.default_rng(0).random((30, 2))
    assert np.array_equal(resampled_means(values, 50, 3), resampled_means(values, 50, 3))
    assert not np.array_equal(resampled_means(values, 50, 3), resampled_means(values, 50, 4))


@pytest.mark.parametrize(("at_once", "resamples"), [(1, 7), (20, 7), (40, 8), (10**6, 7)])
def test_blocks_change_nothing(monkeypatch, at_once, resamples):
    values = np.arange(10.0)[:, None]
    whole = resampled_means(values, resamples, 5)
    monkeypatch.setattr(tests, "_NUMBERS_AT_ONCE", at_once)
    assert np.array_equal(resampled_means(values, resamples, 5), whole)
    assert whole.shape == (resamples, 1)


def test_one_document():
    assert resampled_means(np.array([[0.25]]), 3, 0).tolist() == [[0.25]] * 3
