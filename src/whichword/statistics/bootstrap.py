"""Resampling documents."""

import numpy as np
from numpy.typing import NDArray

from whichword.statistics.intervals import Interval, wilson

RESAMPLES = 2000
_NUMBERS_AT_ONCE = 4_000_000


def resampled_means(
    values: NDArray[np.float64], resamples: int, seed: int, counts: NDArray[np.int64] | None = None
) -> NDArray[np.float64]:
    """Column means of ``resamples`` samples of N rows drawn with replacement from ``values`` [N, M] -> [resamples, M].

    Whole rows (documents) are drawn, so what belongs to one document stays together. Equal rows are united: how often
    each distinct row is drawn is multinomial, which is the same distribution at the cost of the distinct rows alone.
    ``counts`` [N]: how often each row is there; None: once.
    """
    rows, inverse = np.unique(values, axis=0, return_inverse=True)
    times = np.bincount(inverse.ravel(), weights=counts)
    total = int(times.sum())
    generator = np.random.default_rng(seed)
    step = max(1, _NUMBERS_AT_ONCE // len(rows))
    blocks = [
        generator.multinomial(total, times / total, size=min(step, resamples - start)) @ rows / total
        for start in range(0, resamples, step)
    ]
    return np.concatenate(blocks)


def share_interval(values: NDArray[np.float64], seed: int = 0) -> Interval:
    """Of a mean of scores from 0 to 1, [N], 95 %: Wilson's where each is 0 or 1, else a bootstrap by document."""
    if np.isin(values, (0, 1)).all():
        return wilson(float(values.sum()), len(values))
    low, high = np.quantile(resampled_means(values[:, None], RESAMPLES, seed), [0.025, 0.975])
    return Interval(float(low), float(high))
