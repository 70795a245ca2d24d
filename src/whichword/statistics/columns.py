"""Comparing one column of a table with another."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import stats


def spearman(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> float | None:
    """Rank correlation over the methods that both columns have: Pearson's r of the ranks, ties sharing their mean rank.

    None where fewer than two methods are left or a column is constant.
    """
    one, two = (stats.rankdata(column) for column in _common(first, second))
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(two) == 0:
        return None
    one, two = one - one.mean(), two - two.mean()
    return float(one @ two / np.sqrt((one @ one) * (two @ two)))


def mean_absolute_difference(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> float | None:
    """The mean of |first - second| over the methods that both columns have; None where there is none."""
    one, two = _common(first, second)
    return float(np.mean(np.abs(one - two))) if len(one) else None


def _common(
    first: Mapping[str, float | None], second: Mapping[str, float | None]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    pairs = [(value, second[name]) for name, value in first.items() if name in second]
    known = np.array([pair for pair in pairs if None not in pair], dtype=np.float64).reshape(-1, 2)
    return known[:, 0], known[:, 1]
