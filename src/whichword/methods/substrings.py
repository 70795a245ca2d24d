"""Substrings of a document as a linear design Z, where z_(n,t) = 1 if word t lies in substring n.

A substring has at most six words, so Z^T W Z is banded: products and solutions cost O(T), and Z is never written out.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky_banded, solveh_banded

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

DRAWS = 3000  # N of the paper
LONGEST = 6  # l_n is at most 6 (section 3.6)
SMALLEST_PIVOT = 1e-8  # of the largest: below, the rank is settled by singular values instead


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

    @staticmethod
    def drawn(length: int, samples: int, randomness: np.random.Generator) -> "Substrings":
        """``samples`` draws with replacement; equal draws are one substring, weighted by their count.

        Only the counts matter, and these are multinomial.
        """
        possible = limit(length)
        counts = randomness.multinomial(samples, possible.weight / DRAWS)
        drawn = counts.nonzero()[0]
        return Substrings(length, possible.start[drawn], possible.stop[drawn], counts[drawn].astype(np.float64))

    def apply(self, v: Numbers) -> Numbers:
        """Z v, [n]."""
        sums = np.concatenate([[0.0], np.cumsum(v)])
        result: Numbers = sums[self.stop] - sums[self.start]
        return result

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


def least_squares(design: Substrings, y: Numbers) -> tuple[Numbers, bool]:
    """argmin_v sum_n w_n (z_n . v - y_n)^2, and whether the design has full rank (else: the minimum-norm answer)."""
    bands = design.gram(design.weight)
    side = design.collect(design.weight * y)
    try:
        pivots = cholesky_banded(bands, lower=True)[0]
    except LinAlgError:  # not positive definite: the design has not full rank
        return _part_by_part(design, y, bands)
    if pivots.min() ** 2 <= SMALLEST_PIVOT * pivots.max() ** 2:
        return _part_by_part(design, y, bands)
    solved: Numbers = solveh_banded(bands, side, lower=True)
    return solved, True


def _part_by_part(design: Substrings, y: Numbers, bands: Numbers) -> tuple[Numbers, bool]:
    """Words that no substring links are independent problems: each is solved densely by singular values."""
    linked = bands[1, :-1] > 0.5 * design.weight.min() if len(bands) > 1 else np.zeros(0, dtype=bool)
    edges = np.concatenate([[0], np.flatnonzero(~linked) + 1, [design.length]])
    order = np.argsort(design.start, kind="stable")
    bounds = np.searchsorted(design.start[order], edges)
    v = np.zeros(design.length)
    rank = 0
    for number in np.diff(bounds).nonzero()[0]:  # where no substring lies, there is nothing to solve
        first, end = edges[number], edges[number + 1]
        inside = order[bounds[number] : bounds[number + 1]]
        part = Substrings(end - first, design.start[inside] - first, design.stop[inside] - first, design.weight[inside])
        root = np.sqrt(part.weight)
        v[first:end], _, part_rank, _ = np.linalg.lstsq(root[:, None] * part.dense(), root * y[inside], rcond=None)
        rank += int(part_rank)
    return v, rank == design.length


def _spread(start: Places, stop: Places, values: Numbers, length: int) -> Numbers:
    """Add values[n] to every place start[n]..stop[n]-1."""
    steps = np.zeros(length + 1)
    np.add.at(steps, start, values)
    np.subtract.at(steps, stop, values)
    return np.cumsum(steps)[:length]
