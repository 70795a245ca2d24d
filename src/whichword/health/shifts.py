"""Is a heat map right but for its place? Its correlation with the other methods' heat maps, up to a word aside."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

LAGS = (-1, 0, 1)
LEVEL = 0.01  # of t tests in both directions, for each method: measured alarms are fewer (docs/league.md)
CLEAR = 0.3  # of a correlation: what smears over neighbours fits a little better at one of them
SHORTEST = 8  # words: five steps that have all lags

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Shift:
    """A method that is off by ``by`` words; ``fit``: its correlation with the others there, and ``in_place``."""

    by: int = 0
    fit: float = 0.0
    in_place: float = 0.0
    documents: int = 0


NO_SHIFT = Shift()


class Shifts:
    """Adds up documents, phi [M, T] scaled to a largest entry of 1; ``voters`` are the rows that count for others.

    What is correlated are the steps from word to word: where relevance grows to one end of a text, as it does in
    recurrent networks, heat maps a word apart are alike, their steps are not. Norms have no sign, and no vote.
    """

    def __init__(self, voters: Sequence[int], size: int) -> None:
        self._voters = list(voters)
        self._sums, self._units = np.zeros((size, len(LAGS))), np.zeros(size, np.int64)
        self._squares = np.zeros((size, len(LAGS), len(LAGS)))  # of by how much a lag fits better than another

    def add(self, phi: Matrix) -> None:
        """Compare each method with the sum of the others."""
        if phi.shape[1] < SHORTEST:
            return
        signed: NDArray[np.bool_] = np.asarray((phi < 0).any(axis=1))
        votes = np.zeros_like(phi)
        votes[self._voters] = np.where(signed[:, None], phi, 0.0)[self._voters]
        steps, others = np.diff(phi, axis=1), np.diff(votes.sum(axis=0) - votes, axis=1)
        fits = np.stack([_fit(steps, others, lag) for lag in LAGS], axis=1)
        told = np.isfinite(fits).all(axis=1) & signed
        self._sums[told] += fits[told]
        self._squares[told] += (fits[:, :, None] - fits[:, None, :])[told] ** 2
        self._units += told

    def of(self, row: int) -> Shift:
        """Call a method shifted that fits clearly better a word aside, and as well as those that are in place."""
        # a method that disagrees may fit the others better aside, but not as well as they fit each other
        good = [self._mean(other, 0) for other in self._voters if other != row and self._shown(other, 0)]
        for lag in (-1, 1):
            fit, rest = self._mean(row, lag), max(self._mean(row, other) for other in LAGS if other != lag)
            if good and fit >= min(good) and fit - rest >= CLEAR and self._shown(row, lag):
                return Shift(lag, fit, self._mean(row, 0), int(self._units[row]))
        return NO_SHIFT

    def fits(self, row: int) -> tuple[float, ...]:
        """Return the mean correlation with the others, lag by lag; (): nothing that could be compared."""
        return tuple(self._mean(row, lag) for lag in LAGS) if self._units[row] else ()

    def _shown(self, row: int, lag: int) -> bool:
        """Whether the lag fits better than both others, each by a t test over documents."""
        count, place = int(self._units[row]), LAGS.index(lag)
        if count < 2:
            return False
        others = [i for i in range(len(LAGS)) if i != place]
        ahead = (self._sums[row, place] - self._sums[row, others]) / count
        spread = np.sqrt(np.maximum(self._squares[row, place, others] / count - ahead**2, 0.0) / (count - 1))
        return bool((ahead > spread * special.stdtrit(count - 1, 1 - LEVEL / 2)).all())

    def _mean(self, row: int, lag: int) -> float:
        return float(self._sums[row, LAGS.index(lag)] / max(1, self._units[row]))


def _fit(steps: Matrix, others: Matrix, lag: int) -> Matrix:
    """Compute Pearson's r of each row at t + lag with the others at t, over places that all lags have; NaN: flat."""
    x, y = np.roll(steps, -lag, axis=1)[:, 1:-1], others[:, 1:-1]
    x, y = (values - values.mean(axis=1, keepdims=True) for values in (x, y))
    scale = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return np.asarray(np.divide((x * y).sum(axis=1), scale, out=np.full(scale.shape, np.nan), where=scale > 0))
