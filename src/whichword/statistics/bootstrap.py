"""Resampling documents."""

import numpy as np
from numpy.typing import NDArray

_NUMBERS_AT_ONCE = 4_000_000


def resampled_means(values: NDArray[np.float64], resamples: int, seed: int) -> NDArray[np.float64]:
    """Column means of ``resamples`` samples of N rows drawn with replacement from ``values`` [N, M] -> [resamples, M].

    Whole rows (documents) are drawn, so what belongs to one document stays together. Equal rows are united: how often
    each distinct row is drawn is multinomial, which is the same distribution at the cost of the distinct rows alone.
    """
    rows, counts = np.unique(values, axis=0, return_counts=True)
    total = len(values)
    generator = np.random.default_rng(seed)
    step = max(1, _NUMBERS_AT_ONCE // len(rows))
    blocks = [
        generator.multinomial(total, counts / total, size=min(step, resamples - start)) @ rows / total
        for start in range(0, resamples, step)
    ]
    return np.concatenate(blocks)
