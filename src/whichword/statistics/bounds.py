"""How far apart columns are for certain: bounds of all leads that hold together."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from whichword.statistics.leads import Leads, Matrix
from whichword.statistics.outcomes import BASELINES, CHANCE

ALPHA = 0.05


@dataclass(frozen=True, eq=False)
class Bounds:
    """low[i, j] <= mean_i - mean_j <= high[i, j]; ``latest`` is what was seen when they were last narrowed.

    ``level`` is the error that each single statement was allowed then.
    """

    low: Matrix
    high: Matrix
    latest: Leads
    level: float

    @property
    def names(self) -> tuple[str, ...]:
        return self.latest.names


def bounds(leads: Leads, alpha: float = ALPHA) -> Bounds:
    """lead -+ reach. With probability 1 - alpha all statements of a decision hold together.

    The union bound over what a decision says of M columns: each against the best, whichever that is, from both sides
    (2 (M - 1) statements, multiple comparisons with the best), and each method above each of B baselines.
    """
    baselines = sum(name in (*BASELINES, CHANCE) for name in leads.names)
    return _bounds(leads, alpha / statements(len(leads.names) - baselines, baselines))


def statements(methods: int, baselines: int) -> int:
    """How many things a decision says at once."""
    return max(1, 2 * (methods + baselines - 1) + baselines * methods)


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

    Look r gets alpha / (r (r + 1)) of the error, which adds up to alpha over all looks (the union bound), and what an
    earlier look has shown stays: the bounds are the narrowest so far. They hold for all pairs of columns, so also for
    a decision among those alone that had the time to play.
    """
    steps = (_bounds(look, alpha / (r * (r + 1)) / _pairs(look)) for r, look in enumerate(looks, 1))
    return list(accumulate(steps, _narrowed))


def _pairs(leads: Leads) -> int:
    """Ordered pairs: either of two columns may lead."""
    return max(1, len(leads.names) * (len(leads.names) - 1))


def _narrowed(before: Bounds, now: Bounds) -> Bounds:
    """What either says."""
    return replace(now, low=np.maximum(before.low, now.low), high=np.minimum(before.high, now.high))
