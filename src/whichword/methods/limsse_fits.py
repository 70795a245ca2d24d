"""LIMSSE's linear models for many documents at once.

Substrings of at most six words that stay inside their documents make Z^T W Z banded, with no link between documents. So
a batch is one long document: [6, N] arrays hold, at (l, t), the substring of l + 1 words that starts at word t of all
N words in a row (weight 0 where it is not drawn or would leave its document), and one banded solution serves all.

The logistic fit goes by Newton's method, in numpy as in the compiled kernel. Least squares of a design without full
rank are solved for each document by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded, solveh_banded

from whichword.base import kernels
from whichword.base.lazy import torch
from whichword.methods.randomness import Keys, multinomials

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

DRAWS = 3000  # N of the paper
LONGEST = 6  # l_n is at most 6 (section 3.6)
SMALLEST_PIVOT = 1e-8  # of the largest: below, the rank is settled by singular values instead


@dataclass(frozen=True)
class Substrings:
    """Substrings start..stop-1 of a document of ``length`` words, each weighted by how often it is drawn."""

    length: int
    start: Places
    stop: Places
    weight: Numbers

    @staticmethod
    def limit(length: int) -> "Substrings":
        """Weight by infinitely many draws: l uniform on 1..min(6, T), the start uniform on all that fit.

        The weights are probabilities scaled to sum to 3,000, so that a penalty keeps its strength against the data.
        """
        longest = min(LONGEST, length)
        sizes = np.repeat(np.arange(1, longest + 1), length - np.arange(longest))
        start = np.concatenate([np.arange(length - size + 1) for size in range(1, longest + 1)])
        return Substrings(length, start, start + sizes, DRAWS / (longest * (length - sizes + 1.0)))


limit = lru_cache(maxsize=256)(Substrings.limit)  # documents of one length have one design


@lru_cache(maxsize=256)
def chances(length: int) -> Numbers:
    """Compute the probability of each substring."""
    return limit(length).weight / DRAWS


@dataclass(frozen=True)
class Designs:
    """The substrings of all documents, those of one after those of the other, and where they stand in the row.

    Document d has ``lengths[d]`` words and ``counts[d]`` substrings, [D]; ``start`` is the first word of a substring,
    counted in its document, ``size`` how many it has, ``times`` its weight, [n].
    """

    lengths: Places
    counts: Places
    start: Places
    size: Places
    times: Numbers

    @staticmethod
    def of(documents: Sequence[Substrings]) -> "Designs":
        start, stop = ([getattr(design, name) for design in documents] for name in ("start", "stop"))
        first, times = _joined(start), _joined([design.weight for design in documents], np.float64)
        lengths = np.array([design.length for design in documents], dtype=np.int64)
        return Designs(lengths, np.array([*map(len, start)], dtype=np.int64), first, _joined(stop) - first, times)

    @staticmethod
    def drawn(lengths: Sequence[int], samples: int, keys: Keys) -> "Designs":
        """Draw ``samples`` with replacement; equal draws are one substring, weighted by their count.

        Only the counts matter, and these are multinomial. Those of all documents are sorted out at once.
        """
        times = multinomials(keys, samples, [chances(length) for length in lengths])
        possible = Designs.of([limit(length) for length in lengths])
        if times.all():
            return replace(possible, times=times.astype(np.float64))
        drawn = times.nonzero()[0]
        counts = np.bincount(possible.document[drawn], minlength=len(lengths))
        arrays = (possible.start[drawn], possible.size[drawn], times[drawn].astype(np.float64))
        return Designs(possible.lengths, counts, *arrays)

    @cached_property
    def offset(self) -> Places:
        """The first word of each document in the row, and the end of the row, [D + 1]."""
        return np.concatenate([[0], np.cumsum(self.lengths)])

    @cached_property
    def document(self) -> Places:
        """The document of each substring, [n]."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    def alone(self, document: int) -> Substrings:
        """Select one document's substrings."""
        end = int(self.counts[: document + 1].sum())
        own = slice(end - int(self.counts[document]), end)
        start, size, times = self.start[own], self.size[own], self.times[own]
        return Substrings(int(self.lengths[document]), start, start + size, times)

    @cached_property
    def weight(self) -> Numbers:
        """``times`` in a grid, [6, N]."""
        return self.grid(self.times)

    def grid(self, values: NDArray[np.generic]) -> Numbers:
        """Spread one value per substring [n] -> [6, N]."""
        grid = np.zeros(LONGEST * int(self.offset[-1]))
        grid[self._place] = values
        return grid.reshape(LONGEST, -1)

    @cached_property
    def _place(self) -> Places:
        """The flat place of each substring in a grid, [n]."""
        place: Places = (self.size - 1) * self.offset[-1] + self.offset[self.document] + self.start
        return place

    def totals(self, values: Numbers) -> Numbers:
        """Sum over each document's words, [N] -> [D]."""
        result: Numbers = np.add.reduceat(values, self.offset[:-1])
        return result

    def spread(self, values: Numbers) -> Numbers:
        """Repeat one value per document [D] for each of its words, [N]."""
        return np.repeat(values, np.diff(self.offset))

    def split(self, values: Numbers) -> list[Numbers]:
        """Split into each document's words."""
        return list(np.split(values, self.offset[1:-1]))


def _joined(arrays: Sequence[NDArray[Any]], dtype: type = np.int64) -> NDArray[Any]:
    """Join arrays, of which there may be none."""
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype)


def applied(v: Numbers) -> Numbers:
    """Compute Z v, the sum over every substring, [N] -> [6, N]."""
    sums = np.zeros((LONGEST, len(v)))
    sums[0] = v
    for size in range(1, min(LONGEST, len(v))):
        sums[size, :-size] = sums[size - 1, :-size] + v[size:]
    return sums


def collected(r: Numbers) -> Numbers:
    """Compute Z^T r, the sum over all substrings that hold a word, [6, N] -> [N]."""
    result: Numbers = gram(r, bands=1)[0]
    return result


def gram(weight: Numbers, bands: int = LONGEST) -> Numbers:
    """Compute Z^T diag(weight) Z as its diagonals in scipy's lower banded form, [bands, N].

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
    """Solve argmin_v sum_n w_n (z_n . v - y_n)^2 for several y [6, N]: v [N] each, and which have full rank, [D].

    Documents without it, or too near to lacking it, are solved one by one.
    """
    try:
        factor = cholesky_banded(gram(designs.weight), lower=True)
    except LinAlgError:  # one document without full rank fails the factor of all
        return _one_by_one(
            designs, ys, np.ones(len(designs.lengths), dtype=bool), [np.zeros(designs.offset[-1])] * len(ys)
        )
    pivots = factor[0] ** 2  # the factor's diagonal holds their roots
    first = designs.offset[:-1]
    doubtful = np.minimum.reduceat(pivots, first) <= SMALLEST_PIVOT * np.maximum.reduceat(pivots, first)
    sides = np.stack([collected(designs.weight * y) for y in ys], 1)  # one factor serves every y
    return _one_by_one(designs, ys, doubtful, list(cho_solve_banded((factor, True), sides).T))


def _one_by_one(
    designs: Designs, ys: Sequence[Numbers], doubtful: NDArray[np.bool_], solved: list[Numbers]
) -> tuple[list[Numbers], NDArray[np.bool_]]:
    full = np.ones(len(doubtful), dtype=bool)
    if not doubtful.any():
        return solved, full

    solved = [v.copy() for v in solved]
    for document in np.flatnonzero(doubtful).tolist():
        design, first = designs.alone(document), designs.offset[document]
        for v, y in zip(solved, ys, strict=True):
            values = y[design.stop - design.start - 1, first + design.start]
            v[first : first + design.length], full[document] = least_squares(design, values)
    return solved, full


def logistic_all(designs: Designs, label: Numbers) -> Numbers:
    """Solve argmin_v sum_n w_n log(1 + exp(-+ z_n . v)) + |v|^2 / 2, label [6, N] of 0 and 1; v [N].

    Newton's method, with a step size for each document; by the compiled kernel where it is usable.
    """
    v = torch.empty(int(designs.offset[-1]), dtype=torch.float64)
    if not kernels.usable(v):
        return newton(designs, label)
    arrays = (torch.from_numpy(np.ascontiguousarray(values)) for values in (designs.offset, designs.weight, label))
    kernels.call("logistic", v, len(designs.lengths), len(v), *arrays, v)
    solved: Numbers = v.numpy()
    return solved


NEWTON = 100  # steps at most, in case rounding keeps the loss from settling
CALM = 1e-9  # of the loss: below, its decrease drowns in rounding, and Newton's full step is taken unseen
DONE = 1e-14  # of the loss: nothing left to gain after such a step


def newton(designs: Designs, label: Numbers) -> Numbers:
    """Solve `logistic_all` without the kernel."""
    point = _Point.at(designs, label, np.zeros(int(designs.offset[-1])))
    for _ in range(NEWTON):
        slope, step = point.newton(designs.weight, label)
        gain = designs.totals(slope * step)  # twice the loss's decrease that Newton's quadratic model promises
        point = _descent(designs, label, point.v, step, np.where(gain > CALM * point.loss, point.loss, np.inf))
        if (gain <= DONE * point.loss).all():
            break
    return point.v


@dataclass(frozen=True)
class _Point:
    """A point of the descent: v [N], sigma(z_n . v) [6, N] and the penalised loss of each document [D]."""

    v: Numbers
    sigma: Numbers
    loss: Numbers

    @staticmethod
    def at(designs: Designs, label: Numbers, v: Numbers) -> "_Point":
        z = applied(v)
        small = np.exp(-np.abs(z))  # never overflows, whatever the sign
        sigma = np.where(z < 0, small, 1.0) / (1.0 + small)
        # -log sigma(+-z) = log(1 + exp(-|z|)) + |z| where z has the wrong sign
        losses = np.log1p(small) + np.maximum(z, 0.0) - label * z
        return _Point(v, sigma, designs.totals((designs.weight * losses).sum(0) + 0.5 * v * v))

    def newton(self, weight: Numbers, label: Numbers) -> tuple[Numbers, Numbers]:
        """Compute the gradient and Newton's step, [N] each; the Hessian is banded and at least the identity."""
        slope = collected(weight * (self.sigma - label)) + self.v
        hessian = gram(weight * self.sigma * (1.0 - self.sigma))
        hessian[0] += 1.0  # of the penalty |v|^2 / 2
        return slope, solveh_banded(hessian, slope, lower=True, overwrite_ab=True, check_finite=False)


def _descent(designs: Designs, label: Numbers, v: Numbers, step: Numbers, bound: Numbers) -> _Point:
    """Go the step back from v, halved in each document until its loss is not above its ``bound``."""
    size = np.ones(len(bound))
    while True:
        lower = _Point.at(designs, label, v - designs.spread(size) * step)
        if not (high := lower.loss > bound).any():
            return lower
        size[high] /= 2.0


def least_squares(design: Substrings, y: Numbers) -> tuple[Numbers, bool]:
    """Solve argmin_v sum_n w_n (z_n . v - y_n)^2, and say if the design has full rank (else: minimum-norm answer)."""
    bands = banded(design, design.weight)
    side = collect(design, design.weight * y)
    try:
        pivots = cholesky_banded(bands, lower=True)[0]
    except LinAlgError:  # not positive definite: the design has not full rank
        return _part_by_part(design, y, bands)
    if pivots.min() ** 2 <= SMALLEST_PIVOT * pivots.max() ** 2:
        return _part_by_part(design, y, bands)
    solved: Numbers = solveh_banded(bands, side, lower=True)
    return solved, True


def _part_by_part(design: Substrings, y: Numbers, bands: Numbers) -> tuple[Numbers, bool]:
    """Solve words that no substring links as independent problems, each densely by singular values."""
    linked = bands[1, :-1] > 0.5 * design.weight.min() if len(bands) > 1 else np.zeros(0, dtype=bool)
    edges = np.concatenate([[0], np.flatnonzero(~linked) + 1, [design.length]])
    order = np.argsort(design.start, kind="stable")
    bounds = np.searchsorted(design.start[order], edges)
    v = np.zeros(design.length)
    rank = 0  # of the whole design: the parts' ranks add up
    for number in np.diff(bounds).nonzero()[0]:  # where no substring lies, there is nothing to solve
        first, end = edges[number], edges[number + 1]
        inside = order[bounds[number] : bounds[number + 1]]
        part = Substrings(end - first, design.start[inside] - first, design.stop[inside] - first, design.weight[inside])
        root = np.sqrt(part.weight)
        v[first:end], _, part_rank, _ = np.linalg.lstsq(root[:, None] * dense(part), root * y[inside], rcond=None)
        rank += int(part_rank)
    return v, rank == design.length


def collect(design: Substrings, r: Numbers) -> Numbers:
    """Compute Z^T r, [T]."""
    return _spread(design.start, design.stop, r, design.length)


def banded(design: Substrings, weight: Numbers) -> Numbers:
    """Compute Z^T diag(weight) Z as its diagonals, [min(6, T), T], in scipy's lower banded form."""
    return np.stack(
        [
            _spread(design.start[fits], design.stop[fits] - offset, weight[fits], design.length)
            for offset in range(min(LONGEST, design.length))
            if (fits := design.stop - design.start > offset) is not None
        ]
    )


def dense(design: Substrings) -> Numbers:
    """Build Z itself, [n, T]."""
    t = np.arange(design.length)
    inside = (t >= design.start[:, None]) & (t < design.stop[:, None])
    return inside.astype(np.float64)


def _spread(start: Places, stop: Places, values: Numbers, length: int) -> Numbers:
    """Add values[n] to every place start[n]..stop[n]-1."""
    steps = np.zeros(length + 1)  # differences: one pass of sums instead of a loop over every span
    np.add.at(steps, start, values)
    np.subtract.at(steps, stop, values)
    return np.cumsum(steps)[:length]
