"""Which of five neighbouring places is it? A test that a method is one word off, with a bound on false alarms."""

import numpy as np
from numpy.typing import NDArray
from scipy import special

LAGS = (-2, -1, 0, 1, 2)
LEVEL = 0.01  # the chance of any false alarm, over all methods that are examined together on a model
DIRECTIONS = 2  # a shift to the left, and one to the right


def correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pearson's r along the second axis; NaN where something is constant."""
    x, y = (values - values.mean(axis=1, keepdims=True) for values in (x, y))
    scale = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return np.asarray(np.divide((x * y).sum(axis=1), scale, out=np.full(scale.shape, np.nan), where=scale > 0))


class Displacements:
    """Counts, method by method, at which of two lags something was larger; units are documents, or changed words.

    A method is displaced by a lag if the value there is the larger one more often than at every other lag, each by a
    sign test: P[X >= wins], X ~ Binomial(wins + losses, 1/2). Where the lag is not the likeliest place, one of these
    comparisons is at best a fair coin, so that all of them reject with a chance of the level at most, whatever the
    others do (an intersection-union test). The lags beyond +-1 tell a method that is shifted from one that points to
    one side of a text, or anywhere.
    """

    def __init__(self, size: int) -> None:
        self._wins = np.zeros((size, len(LAGS), len(LAGS)), np.int64)
        self.units = np.zeros(size, np.int64)

    def add(self, row: int, values: NDArray[np.float64]) -> None:
        """One unit: a value per lag; one that is not finite says nothing."""
        if np.isfinite(values).all():
            self._wins[row] += values[:, None] > values
            self.units[row] += 1

    def chance(self, row: int, lag: int) -> float:
        """p of the hypothesis that this lag is not the likeliest."""
        won, lost = self._against(row, lag)
        return float(special.bdtrc(won - 1, won + lost, 0.5).max())

    def leads(self, row: int, lag: int) -> bool:
        """Whether the lag is ahead of every other, by chance or not."""
        won, lost = self._against(row, lag)
        return bool((won > lost).all())

    def fewest_wins(self, row: int, lag: int) -> tuple[int, int]:
        """Over the lag that it beats least often: how often, of how many units that tell the two apart."""
        won, lost = self._against(row, lag)
        hardest = int((won - lost).argmin())
        return int(won[hardest]), int(won[hardest] + lost[hardest])

    def _against(self, row: int, lag: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        place = LAGS.index(lag)
        others = [i for i in range(len(LAGS)) if i != place]
        return self._wins[row, place, others], self._wins[row, others, place]
