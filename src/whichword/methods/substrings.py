"""The substrings of one document that LIMSSE fits a linear model to (section 3.6)."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

DRAWS = 3000  # N of the paper
LONGEST = 6  # l_n is at most 6 (section 3.6)


@dataclass(frozen=True)
class Substrings:
    """Words start..stop-1 of a document of ``length`` words, each weighted by how often it is drawn."""

    length: int
    start: Places
    stop: Places
    weight: Numbers

    @staticmethod
    def limit(length: int) -> "Substrings":
        """Infinitely many draws: l uniform on 1..min(6, T), the start uniform on all that fit.

        The weights are probabilities scaled to sum to 3,000, so that a penalty keeps its strength against the data.
        """
        longest = min(LONGEST, length)
        sizes = np.repeat(np.arange(1, longest + 1), length - np.arange(longest))
        start = np.concatenate([np.arange(length - size + 1) for size in range(1, longest + 1)])
        return Substrings(length, start, start + sizes, DRAWS / (longest * (length - sizes + 1.0)))

    def collect(self, r: Numbers) -> Numbers:
        """Z^T r, [T]."""
        return _spread(self.start, self.stop, r, self.length)

    def gram(self, weight: Numbers) -> Numbers:
        """Z^T diag(weight) Z as its diagonals, [min(6, T), T], in scipy's lower banded form."""
        return np.stack(
            [
                _spread(self.start[fits], self.stop[fits] - offset, weight[fits], self.length)
                for offset in range(min(LONGEST, self.length))
                if (fits := self.stop - self.start > offset) is not None
            ]
        )

    def dense(self) -> Numbers:
        """Z itself, [n, T]."""
        t = np.arange(self.length)
        inside = (t >= self.start[:, None]) & (t < self.stop[:, None])
        return inside.astype(np.float64)


limit = lru_cache(maxsize=256)(Substrings.limit)  # documents of one length have one design


@lru_cache(maxsize=256)
def chances(length: int) -> Numbers:
    """The probability of each substring, [n]."""
    return limit(length).weight / DRAWS


def _spread(start: Places, stop: Places, values: Numbers, length: int) -> Numbers:
    """Add values[n] to every place start[n]..stop[n]-1."""
    steps = np.zeros(length + 1)
    np.add.at(steps, start, values)
    np.subtract.at(steps, stop, values)
    return np.cumsum(steps)[:length]
