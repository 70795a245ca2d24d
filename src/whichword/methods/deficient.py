"""LIMSSE's least squares for one document, whatever the rank of its design."""

import numpy as np
from scipy.linalg import LinAlgError, cholesky_banded, solveh_banded

from whichword.methods.designs import LONGEST, SMALLEST_PIVOT, Numbers, Places, Substrings


def least_squares(design: Substrings, y: Numbers) -> tuple[Numbers, bool]:
    """argmin_v sum_n w_n (z_n . v - y_n)^2, and whether the design has full rank (else: the minimum-norm answer)."""
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
        v[first:end], _, part_rank, _ = np.linalg.lstsq(root[:, None] * dense(part), root * y[inside], rcond=None)
        rank += int(part_rank)
    return v, rank == design.length


def collect(design: Substrings, r: Numbers) -> Numbers:
    """Z^T r, [T]."""
    return _spread(design.start, design.stop, r, design.length)


def banded(design: Substrings, weight: Numbers) -> Numbers:
    """Z^T diag(weight) Z as its diagonals, [min(6, T), T], in scipy's lower banded form."""
    return np.stack(
        [
            _spread(design.start[fits], design.stop[fits] - offset, weight[fits], design.length)
            for offset in range(min(LONGEST, design.length))
            if (fits := design.stop - design.start > offset) is not None
        ]
    )


def dense(design: Substrings) -> Numbers:
    """Z itself, [n, T]."""
    t = np.arange(design.length)
    inside = (t >= design.start[:, None]) & (t < design.stop[:, None])
    return inside.astype(np.float64)


def _spread(start: Places, stop: Places, values: Numbers, length: int) -> Numbers:
    """Add values[n] to every place start[n]..stop[n]-1."""
    steps = np.zeros(length + 1)
    np.add.at(steps, start, values)
    np.subtract.at(steps, stop, values)
    return np.cumsum(steps)[:length]
