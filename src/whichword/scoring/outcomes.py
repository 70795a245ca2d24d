"""What judging a pairing gives: the outcomes of every method on every item, and what a decision is made from.

Whether a game can judge this model at all is asked of noise: a method that is mixed with it has to lose, steadily.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.games.columns import count
from whichword.games.scorers import Points
from whichword.statistics.bounds import CHANCE, Outcomes
from whichword.statistics.tests import compare, holm
from whichword.types import Item, Tally


@dataclass(frozen=True)
class Degraded:
    """What the best method gets at every level of noise, and whether that falls as it should."""

    method: str
    levels: tuple[float, ...]
    scores: tuple[float, ...]
    falls: bool
    why: str  # what is wrong, in words; "": nothing


def degraded_of(stored: Mapping[str, Any]) -> Degraded:
    """Read a curve from its JSON."""
    return Degraded(**{**stored, "levels": tuple(stored["levels"]), "scores": tuple(stored["scores"])})


def degraded(
    method: str, levels: Sequence[float], scores: NDArray[np.float64], counts: NDArray[np.int64] | None = None
) -> Degraded | None:
    """Test ``scores`` [D, levels] (NaN: not counted), seen ``counts`` [D] times each. None: nothing counts."""
    counted = ~np.isnan(scores).any(axis=1)
    if not counted.any():
        return None
    times = np.ones(len(scores), np.int64) if counts is None else counts
    columns, times = list(scores[counted].T), times[counted]
    why = _trouble(columns, levels, times)
    means = tuple(round(float(np.average(values, weights=times)), 6) for values in columns)  # sums may differ in bits
    return Degraded(method, tuple(levels), means, not why, why)


def _trouble(vectors: Sequence[NDArray[np.float64]], levels: Sequence[float], counts: NDArray[np.int64]) -> str:
    """Say what is wrong: scores may stand still from step to step, but not rise, and at last they must have fallen."""
    loss = compare(vectors[0], vectors[-1], counts=counts)
    if not (loss.difference > 0 and loss.p < 0.05):  # so written that a NaN is no loss
        return "noise alone does as well as the method"
    steps = [compare(after, before, counts=counts) for before, after in pairwise(vectors)]
    rising = holm({number: step.p for number, step in enumerate(steps) if step.difference > 0})  # several tests at once
    rises = [number for number, p in rising.items() if p < 0.05]
    return f"with {100 * levels[rises[0] + 1]:.0f} % noise the method does better than with less" if rises else ""


@dataclass(frozen=True, eq=False)
class Judged:
    """The outcomes of a pairing: rows are the set's items in order, columns the methods. Items that failed have no row.

    ``hits[part]`` is 1 or 0, the exact expectation for a uniform method, NaN where the item is not counted; by other
    scorers, under ``part.scorer``, anything from 0 to 1. ``rmax`` is -1 where no relevance is finite. ``chance`` is
    what a random word gets, None where nothing counts. ``degraded[part]``: what noise does to the best method.

    Of games that ask about edited copies: ``ceiling``, what the best order gets, and ``unfamiliar``, the share of
    copies of whose class the model is less or more sure than of any text as it was written.
    """

    methods: tuple[str, ...]
    parts: tuple[str, ...]
    keys: tuple[str, ...]
    predicted: tuple[str, ...]
    rmax: NDArray[np.int64]
    ties: NDArray[np.bool_]
    nonfinite: NDArray[np.bool_]
    hits: Mapping[str, NDArray[np.float64]]
    chance: Mapping[str, float | None]
    degraded: Mapping[str, Degraded] = field(default_factory=dict)
    ceiling: Mapping[str, float | None] = field(default_factory=dict)
    unfamiliar: float | None = None

    def tally(self, part: str, method: str) -> Tally:
        """Count one cell of the table."""
        column = self.methods.index(method)
        points = Points(self.rmax[:, column], self.nonfinite[:, column], self.ties[:, column])
        return count(self.hits[part][:, column], points)

    def vectors(self, part: str) -> dict[str, NDArray[np.float64]]:
        """Map methods to hits [D], NaN where the item is not counted, for paired comparisons."""
        return {method: self.hits[part][:, column] for column, method in enumerate(self.methods)}


RANDOM = "random"  # the baseline whose hits are what a random word gets


def outcomes_of(judged: Judged, items: Sequence[Item]) -> Outcomes:
    """Return the outcomes of a judged pairing; items that failed have no row."""
    by_key = {item.key: item for item in items}
    hits = {part: judged.hits[part] for part in judged.parts}
    return outcomes(judged.methods, hits, judged.chance, [by_key[key] for key in judged.keys])


def outcomes(
    methods: tuple[str, ...],
    hits: Mapping[str, NDArray[np.float64]],
    chance: Mapping[str, float | None],
    items: Sequence[Item],
) -> Outcomes:
    """Return the rows of all parts that count, one part after the other; ``hits`` [D, M] by part, of these items.

    With a column for chance unless `random` played.
    """
    texts, played = _texts(items), RANDOM in methods
    blocks, sources = [], []
    for part, rows in hits.items():
        counted = np.flatnonzero(~np.isnan(rows).all(axis=1))
        drawn = [] if played else [np.full(len(counted), chance[part] or 0.0)]
        blocks.append(np.column_stack([rows[counted], *drawn]))
        sources += [texts[items[row].key] for row in counted.tolist()]
    return Outcomes(methods if played else (*methods, CHANCE), np.concatenate(blocks), sources)


def _texts(items: Sequence[Item]) -> dict[str, tuple[int, ...]]:
    """Number each item's text, or the texts it was made from: items that share one are no independent draws."""
    numbers: dict[str, int] = {}
    keys = {item.key: item.sources or (item.key,) for item in items}
    return {key: tuple({numbers.setdefault(text, len(numbers)): None for text in texts}) for key, texts in keys.items()}
