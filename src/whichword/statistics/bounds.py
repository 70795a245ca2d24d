"""How far apart columns are for certain: lower limits of leads, after one look at all documents."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from whichword.statistics.leads import Leads, Matrix

ALPHA = 0.05


@dataclass(frozen=True, eq=False)
class Bounds:
    """Lower limits of the true leads mean_i - mean_j, [M, M] each; by antisymmetry they are upper limits too.

    ``rivals[i, b]`` hold for all i together where b is the best column, whichever that is: nobody is overrated against
    it. So whoever is shown to be beaten is not the best, and -rivals[i, j] is the most that j, if it is the best, leads
    i by. ``above[i, a]`` hold for all methods i, whichever of the baselines a is the one that i does not beat.
    ``leads``: if ``pairwise``, all hold together, so who is shown to be worse than anybody is that much worse than the
    best; else those hold together that the best is in.

    ``latest`` is the last that was seen of every pair; ``level`` the error of one comparison with the best.
    """

    rivals: Matrix
    above: Matrix
    leads: Matrix
    latest: Leads
    level: float
    pairwise: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return self.latest.names


def bounds(leads: Leads, alpha: float = ALPHA) -> Bounds:
    """lead - reach, so wide that each kind of statement of a decision is wrong with probability alpha at most.

    Of M columns one is the best, whichever: if none of the M - 1 others is overrated against it by more than its reach
    (union bound, alpha / (M - 1) each), then the best is in the group and all upper bounds of distances to it hold,
    for all columns together: Hsu's multiple comparisons with the best. The same from the other side holds for what is
    to be avoided, and for each baseline for what is above it.
    """
    level = level_of(len(leads.names), alpha)
    low = lower_limits(leads, level)
    return Bounds(low, low, low, leads, level)


def level_of(columns: int, alpha: float = ALPHA) -> float:
    """The error that each of the comparisons with the best is allowed."""
    return alpha / max(1, columns - 1)


def lower_limits(leads: Leads, level: float | Matrix) -> Matrix:
    """What every lead is at least, each at an error of ``level``, or of its own [M, M]; of a column over itself 0."""
    low: Matrix = leads.lead - reach(leads.variance, leads.documents, level)
    np.fill_diagonal(low, 0.0)
    return low


def reach(variance: ArrayLike, documents: ArrayLike, level: ArrayLike) -> Matrix:
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
