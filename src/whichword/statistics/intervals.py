"""Intervals for a share of hits."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from whichword.errors import InputError


@dataclass(frozen=True)
class Interval:
    """From ``low`` to ``high``, both included."""

    low: float
    high: float


def wilson(hits: float, total: int, level: float = 0.95) -> Interval:
    """Wilson's score interval: all p with |hits/n - p| <= z sqrt(p(1 - p)/n), z the (1 + level)/2 normal quantile.

    That is (p + z^2/2n -+ z sqrt(p(1 - p)/n + z^2/4n^2)) / (1 + z^2/n) with p = hits/n. Fractional hits are allowed
    (rows of exact expectations); without documents the interval is everything, 0 to 1.
    """
    if not 0 <= hits <= total:
        raise InputError(f"{hits} hits in {total} documents is no share")
    if total == 0:
        return Interval(0.0, 1.0)
    share, z = hits / total, NormalDist().inv_cdf((1 + level) / 2)
    shrink = 1 + z * z / total
    centre = (share + z * z / (2 * total)) / shrink
    half = z / shrink * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    # at the ends the formula gives exactly 0 or 1, but for rounding
    return Interval(0.0 if hits == 0 else centre - half, 1.0 if hits == total else centre + half)
