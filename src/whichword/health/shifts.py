"""Is a heat map right but for its place? Correlations with the other methods' heat maps, one word to either side."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LAGS = (-1, 0, 1)
ENOUGH = 3  # documents
SHORTEST = 6  # words: below, a shift is hard to tell from chance


class Shifts:
    """Adds up documents, phi [M, T] scaled to a largest entry of 1; ``voters`` are the rows that count for others.

    What is correlated are the steps from word to word: where relevance grows to one end of a text, as it does in
    recurrent networks, heat maps a word apart are alike, their steps are not. Norms have no sign, and no vote.
    """

    def __init__(self, voters: Sequence[int], size: int) -> None:
        self._voters = np.zeros(size, bool)
        self._voters[list(voters)] = True
        self._sums, self._counts = np.zeros((len(LAGS), size)), np.zeros(size, np.int64)
        self._better = np.zeros((len(LAGS), size), np.int64)  # documents that a lag fits better than none

    def add(self, phi: NDArray[np.float64]) -> None:
        if phi.shape[1] < SHORTEST or self._voters.sum() < 2:
            return
        signed = (phi < 0).any(axis=1)
        votes = np.where((self._voters & signed)[:, None], phi, 0.0)
        consensus = votes.sum(axis=0) - votes  # [M, T]: without the method's own
        steps, consensus = np.diff(phi, axis=1), np.diff(consensus, axis=1)
        fits = np.stack([_fit(steps, consensus, lag) for lag in LAGS])
        tells = np.isfinite(fits).all(axis=0) & signed
        self._sums += np.where(tells, fits, 0.0)
        self._counts += tells
        self._better += tells & (fits > fits[LAGS.index(0)])

    def of(self, row: int) -> tuple[int, float, float, float]:
        """The best lag, how much better it fits than none, how well, and in which share of the documents better."""
        if self._counts[row] < ENOUGH:
            return 0, 0.0, 0.0, 0.0
        means = self._sums[:, row] / self._counts[row]
        best = int(means.argmax())
        gain, share = means[best] - means[LAGS.index(0)], self._better[best, row] / self._counts[row]
        return LAGS[best], float(gain), float(means[best]), float(share)


def _fit(steps: NDArray[np.float64], consensus: NDArray[np.float64], lag: int) -> NDArray[np.float64]:
    """Correlation of each row at t + lag with the consensus at t, over the places that all lags have."""
    inner = slice(1, steps.shape[1] - 1)
    x, y = np.roll(steps, -lag, axis=1)[:, inner], consensus[:, inner]
    x, y = (values - values.mean(axis=1, keepdims=True) for values in (x, y))
    scale = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return np.asarray(np.divide((x * y).sum(axis=1), scale, out=np.full(len(x), np.nan), where=scale > 0))
