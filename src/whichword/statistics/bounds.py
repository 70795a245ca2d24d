"""How far apart columns are for certain: bounds of all leads that hold together."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from whichword.statistics.leads import Leads, Matrix

ALPHA = 0.05
EQUAL_LOOKS = 16


@dataclass(frozen=True, eq=False)
class Bounds:
    """low[i, j] <= mean_i - mean_j <= high[i, j]; ``latest`` is what was seen when they were last narrowed.

    ``level`` is the error that each single statement was allowed then. ``pairwise``: all bounds hold together, so who
    is shown to be worse than anybody is that much worse than the best; else those hold together that the best is in.
    """

    low: Matrix
    high: Matrix
    latest: Leads
    level: float
    pairwise: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return self.latest.names


def bounds(leads: Leads, alpha: float = ALPHA) -> Bounds:
    """lead -+ reach, so wide that each kind of statement of a decision is wrong with probability alpha at most.

    Of M columns one is the best, whichever: if none of the M - 1 others is overrated against it by more than its reach
    (union bound, alpha / (M - 1) each), then the best is in the group and all upper bounds of distances to it hold,
    for all columns together: Hsu's multiple comparisons with the best. The same from the other side holds for what is
    to be avoided, and for each baseline for what is above it.
    """
    return _bounds(leads, level_of(len(leads.names), alpha))


def level_of(columns: int, alpha: float = ALPHA) -> float:
    """The error that each of the comparisons with the best is allowed."""
    return alpha / max(1, columns - 1)


def _bounds(leads: Leads, level: float) -> Bounds:
    apart = reach(leads.variance, leads.documents, level)
    np.fill_diagonal(apart, 0.0)
    return Bounds(leads.lead - apart, leads.lead + apart, leads, level)


def reach(variance: ArrayLike, documents: ArrayLike, level: float) -> Matrix:
    """How far the true difference may lie from the seen one, on one side, at an error of ``level``.

    With k = D^2 variance (for hits of 0 and 1: the documents on which two methods differ, roughly) it is
    (q - k) / D, where q is the exact upper limit of a Poisson count k, the quantile of a gamma distribution with
    k + 1 degrees of freedom. For large k that is z sqrt(k) / D, the normal limit. For small k it is right in the worst
    case, where one method wins all documents on which the two differ: there a normal limit errs far too often, and
    two methods that were never seen to differ (k = 0) would look certain to be equal.
    """
    size = np.asarray(documents, dtype=np.float64)
    k = np.asarray(variance, dtype=np.float64) * size**2
    with np.errstate(divide="ignore"):
        apart: Matrix = (special.gammainccinv(k + 1, level) - k) / size
    return apart


def sequence(looks: Iterable[Leads], alpha: float = ALPHA) -> list[Bounds]:
    """After each look, bounds that hold at every look together: whoever stops after any look may believe them.

    The union bound over all looks, and what an earlier look has shown stays: the bounds are the narrowest so far. They
    hold for all pairs of columns, so also for a decision among those alone that had the time to play.
    """
    steps = (_bounds(look, share_of_error(r) * alpha / _pairs(look)) for r, look in enumerate(looks, 1))
    return [replace(limits, pairwise=True) for limits in accumulate(steps, _narrowed)]


def share_of_error(look: int) -> float:
    """1 over all looks: nine tenths for the first sixteen in equal parts, the rest for however many come after.

    Looks are taken when the documents have doubled, so there are seldom more; and the first ones, at a handful of
    documents, get no more than those that can show something.
    """
    late = look - EQUAL_LOOKS
    return 0.9 / EQUAL_LOOKS if late <= 0 else 0.1 / (late * (late + 1))


def _pairs(leads: Leads) -> int:
    """Ordered pairs: either of two columns may lead."""
    return max(1, len(leads.names) * (len(leads.names) - 1))


def _narrowed(before: Bounds, now: Bounds) -> Bounds:
    """What either says."""
    return replace(now, low=np.maximum(before.low, now.low), high=np.minimum(before.high, now.high))
