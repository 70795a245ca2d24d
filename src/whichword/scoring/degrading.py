"""Can a game judge this model at all? A method that is mixed with noise has to lose, and to lose steadily."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.statistics.multiple import holm
from whichword.statistics.paired import compare


@dataclass(frozen=True)
class Degraded:
    """What the best method gets at every level of noise, and whether that falls as it should."""

    method: str
    levels: tuple[float, ...]
    scores: tuple[float, ...]
    falls: bool
    why: str  # what is wrong, in words; "": nothing


def degraded_of(stored: Mapping[str, Any]) -> Degraded:
    """From its JSON."""
    return Degraded(**{**stored, "levels": tuple(stored["levels"]), "scores": tuple(stored["scores"])})


def degraded(
    method: str, levels: Sequence[float], scores: NDArray[np.float64], counts: NDArray[np.int64] | None = None
) -> Degraded | None:
    """``scores`` [D, levels] (nan: the row does not count), seen ``counts`` [D] times each. None: nothing counts."""
    counted = ~np.isnan(scores).any(axis=1)
    if not counted.any():
        return None
    times = np.ones(len(scores), np.int64) if counts is None else counts
    columns, times = list(scores[counted].T), times[counted]
    why = _trouble(columns, levels, times)
    means = tuple(round(float(np.average(values, weights=times)), 6) for values in columns)
    return Degraded(method, tuple(levels), means, not why, why)


def _trouble(vectors: Sequence[NDArray[np.float64]], levels: Sequence[float], counts: NDArray[np.int64]) -> str:
    """It may stand still from step to step, but not rise, and in the end it must have lost."""
    loss = compare(vectors[0], vectors[-1], counts=counts)
    if not (loss.difference > 0 and loss.p < 0.05):
        return "noise alone does as well as the method"
    steps = [compare(after, before, counts=counts) for before, after in pairwise(vectors)]
    rising = holm({number: step.p for number, step in enumerate(steps) if step.difference > 0})
    rises = [number for number, p in rising.items() if p < 0.05]
    return f"with {100 * levels[rises[0] + 1]:.0f} % noise the method does better than with less" if rises else ""
