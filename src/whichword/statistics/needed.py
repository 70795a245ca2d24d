"""How many documents would decide more, if what was seen so far goes on."""

import math
from collections.abc import Sequence
from statistics import NormalDist

from whichword.statistics.bounds import Bounds

MOST = 10_000_000
POWER = NormalDist().inv_cdf(0.8)  # eight times in ten


def documents_to_choose(
    limits: Bounds, candidates: Sequence[str], columns: Sequence[str], baselines: Sequence[str], margin: float
) -> int | None:
    """So many that the first candidate to get there is shown within the margin of all columns, above the baselines."""
    least = {name: 0.0 if name in baselines else -margin for name in columns}
    until = (
        max((_between(limits, name, other, least[other]) for other in columns if other != name), default=0.0)
        for name in candidates
    )
    return _count(min(until, default=math.inf))


def documents_to_single_out(limits: Bounds, group: Sequence[str]) -> int | None:
    """So many that the first of a group is shown to beat the others of it."""
    return _count(max((_between(limits, group[0], other, 0.0) for other in group[1:]), default=math.inf))


def documents_to_show(distance: float, spread: float, level: float) -> float:
    """The N at which a lead that is ``distance`` from what is to be shown does show it, eight times in ten.

    ``spread`` is the variance of one document's difference. reach + p sqrt(spread / N) <= distance, where the gamma
    quantile is about k + z (sqrt(k) + 1) + 1 + (z^2 - 1) / 3 with k = spread N (Cornish and Fisher's expansion), and
    -log(level) at k = 0: a quadratic equation for sqrt(N), from the safe side.
    """
    if distance <= 0:
        return math.inf
    slope, constant = _terms(spread, level)
    return ((slope + math.sqrt(slope * slope + 4 * distance * constant)) / (2 * distance)) ** 2


def distance_shown(documents: int, spread: float, level: float) -> float:
    """The other way round: how far a lead must lie from what so many documents are to show, eight times in ten."""
    slope, constant = _terms(spread, level)
    return slope / math.sqrt(documents) + constant / documents


def _terms(spread: float, level: float) -> tuple[float, float]:
    """(a, b) of a / sqrt(N) + b / N."""
    z = NormalDist().inv_cdf(1 - level)
    return (z + POWER) * math.sqrt(spread), max(z + 1 + (z * z - 1) / 3, -math.log(level))


def _between(limits: Bounds, name: str, other: str, least: float) -> float:
    """The documents until a lead over another column is shown to be more than ``least``."""
    i, j = limits.names.index(name), limits.names.index(other)
    seen = limits.latest
    if not seen.documents[i, j]:
        return math.inf
    spread = float(seen.variance[i, j] * seen.documents[i, j])
    return documents_to_show(float(seen.lead[i, j]) - least, spread, limits.level)


def _count(documents: float) -> int | None:
    return math.ceil(documents) if documents <= MOST else None
