"""LIMSSE's linear models for many documents at once.

Substrings of at most six words that stay inside their documents make Z^T W Z banded, with no link between documents. So
a batch is one long document: [6, N] arrays hold, at (l, t), the substring of l + 1 words that starts at word t of all
N words in a row (weight 0 where it is not drawn or would leave its document), and one banded solution serves all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded

from whichword import kernels
from whichword.lazy import torch

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
        counts = randomness.multinomial(samples, chances(length))
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


@lru_cache(maxsize=256)
def chances(length: int) -> Numbers:
    """The probability of each substring, [n]."""
    return limit(length).weight / DRAWS


@dataclass(frozen=True)
class Designs:
    """The documents' substrings and where they stand in the row."""

    documents: tuple[Substrings, ...]

    @cached_property
    def offset(self) -> Places:
        """The first word of each document in the row, and the end of the row, [D + 1]."""
        return np.cumsum([0, *(design.length for design in self.documents)])

    @cached_property
    def document(self) -> Places:
        """The document of each substring, [n]."""
        return np.repeat(np.arange(len(self.documents)), [len(design.start) for design in self.documents])

    @cached_property
    def start(self) -> Places:
        """The first word of each substring, counted in its document, [n]."""
        return np.concatenate([design.start for design in self.documents])

    @cached_property
    def size(self) -> Places:
        """Words of each substring, [n]."""
        return np.concatenate([design.stop - design.start for design in self.documents])

    @cached_property
    def weight(self) -> Numbers:
        """[6, N]."""
        return self.grid(np.concatenate([design.weight for design in self.documents]))

    def grid(self, values: NDArray[np.generic]) -> Numbers:
        """One value per substring [n] -> [6, N]."""
        grid = np.zeros(LONGEST * int(self.offset[-1]))
        grid[self._place] = values
        return grid.reshape(LONGEST, -1)

    @cached_property
    def _place(self) -> Places:
        """Where each substring stands in a grid, counted through, [n]."""
        place: Places = (self.size - 1) * self.offset[-1] + self.offset[self.document] + self.start
        return place

    def totals(self, values: Numbers) -> Numbers:
        """Sums over each document's words, [N] -> [D]."""
        result: Numbers = np.add.reduceat(values, self.offset[:-1])
        return result

    def spread(self, values: Numbers) -> Numbers:
        """One value per document [D] -> one per word, [N]."""
        return np.repeat(values, np.diff(self.offset))

    def split(self, values: Numbers) -> list[Numbers]:
        """A document's words each."""
        return list(np.split(values, self.offset[1:-1]))


def applied(v: Numbers) -> Numbers:
    """Z v: the sum over every substring, [N] -> [6, N]."""
    sums = np.zeros((LONGEST, len(v)))
    sums[0] = v
    for size in range(1, min(LONGEST, len(v))):
        sums[size, :-size] = sums[size - 1, :-size] + v[size:]
    return sums


def collected(r: Numbers) -> Numbers:
    """Z^T r: the sum over all substrings that hold a word, [6, N] -> [N]."""
    result: Numbers = gram(r, bands=1)[0]
    return result


def gram(weight: Numbers, bands: int = LONGEST) -> Numbers:
    """Z^T diag(weight) Z as its diagonals in scipy's lower banded form, [bands, N].

    Words t and t + k lie in the substrings that start i words before t and have more than i + k words.
    """
    longer = weight.copy()  # summed over all substrings of at least so many words
    for size in range(LONGEST - 1, 0, -1):
        longer[size - 1] += longer[size]
    N = weight.shape[1]
    diagonals = np.zeros((min(bands, N), N))
    for k in range(len(diagonals)):
        for i in range(min(LONGEST - k, N)):
            diagonals[k, i:] += longer[i + k, : N - i]
    return diagonals


def least_squares_all(designs: Designs, ys: Sequence[Numbers]) -> tuple[list[Numbers], NDArray[np.bool_]]:
    """argmin_v sum_n w_n (z_n . v - y_n)^2 for several y [6, N]: v [N] each, and which documents have full rank [D].

    Documents without it, or too near to lacking it, are solved one by one.
    """
    try:
        factor = cholesky_banded(gram(designs.weight), lower=True)
    except LinAlgError:
        return _one_by_one(
            designs, ys, np.ones(len(designs.documents), dtype=bool), [np.zeros(designs.offset[-1])] * len(ys)
        )
    pivots = factor[0] ** 2
    first = designs.offset[:-1]
    doubtful = np.minimum.reduceat(pivots, first) <= SMALLEST_PIVOT * np.maximum.reduceat(pivots, first)
    sides = np.stack([collected(designs.weight * y) for y in ys], 1)
    return _one_by_one(designs, ys, doubtful, list(cho_solve_banded((factor, True), sides).T))


def _one_by_one(
    designs: Designs, ys: Sequence[Numbers], doubtful: NDArray[np.bool_], solved: list[Numbers]
) -> tuple[list[Numbers], NDArray[np.bool_]]:
    full = np.ones(len(doubtful), dtype=bool)
    if not doubtful.any():
        return solved, full
    from whichword.methods.deficient import least_squares

    solved = [v.copy() for v in solved]
    for document in np.flatnonzero(doubtful):
        design, first = designs.documents[document], designs.offset[document]
        for v, y in zip(solved, ys, strict=True):
            values = y[design.stop - design.start - 1, first + design.start]
            v[first : first + design.length], full[document] = least_squares(design, values)
    return solved, full


def logistic_all(designs: Designs, label: Numbers) -> Numbers:
    """argmin_v sum_n w_n log(1 + exp(-+ z_n . v)) + |v|^2 / 2, label [6, N] of 0 and 1; v [N].

    Newton's method, with a step size for each document; by the compiled kernel where it is usable.
    """
    v = torch.empty(int(designs.offset[-1]), dtype=torch.float64)
    if not kernels.usable(v):
        from whichword.methods.newton import newton

        return newton(designs, label)
    arrays = (torch.from_numpy(np.ascontiguousarray(values)) for values in (designs.offset, designs.weight, label))
    kernels.call("logistic", v, len(designs.documents), len(v), *arrays, v)
    solved: Numbers = v.numpy()
    return solved


def _spread(start: Places, stop: Places, values: Numbers, length: int) -> Numbers:
    """Add values[n] to every place start[n]..stop[n]-1."""
    steps = np.zeros(length + 1)
    np.add.at(steps, start, values)
    np.subtract.at(steps, stop, values)
    return np.cumsum(steps)[:length]
