"""LIMSSE's least squares for one document, whatever the rank of its design."""

import numpy as np
from scipy.linalg import LinAlgError, cholesky_banded, solveh_banded

from whichword.methods.designs import SMALLEST_PIVOT
from whichword.methods.substrings import Numbers, Substrings


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
