"""Comparing one column of a table with another."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import stats


def spearman(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> float | None:
    """Rank correlation over the methods that both columns have: Pearson's r of the ranks, ties sharing their mean rank.

    None where fewer than two methods are left or a column is constant.
    """
    x, y = (stats.rankdata(column) for column in _common(first, second))
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def mean_absolute_difference(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> float | None:
    """The mean of |first - second| over the methods that both columns have; None where there is none."""
    x, y = _common(first, second)
    return float(np.mean(np.abs(x - y))) if len(x) else None


def _common(
    first: Mapping[str, float | None], second: Mapping[str, float | None]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    pairs = [(value, second[name]) for name, value in first.items() if name in second]
    values = np.array([pair for pair in pairs if None not in pair], dtype=np.float64).reshape(-1, 2)
    return values[:, 0], values[:, 1]
