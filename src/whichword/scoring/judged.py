"""What judging gives: the outcomes of every method on every item of a pairing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from whichword.games.columns import Points, count
from whichword.scoring.degrading import Degraded
from whichword.types import Tally


@dataclass(frozen=True)
class JudgedFacts:
    """What is told of all items of a pairing together: see `Judged`."""

    chance: Mapping[str, float | None]
    degraded: Mapping[str, Degraded] = field(default_factory=dict)
    ceiling: Mapping[str, float | None] = field(default_factory=dict)
    unfamiliar: float | None = None


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
        """The counts of one cell of the table."""
        column = self.methods.index(method)
        points = Points(self.rmax[:, column], self.nonfinite[:, column], self.ties[:, column])
        return count(self.hits[part][:, column], points)

    def vectors(self, part: str) -> dict[str, NDArray[np.float64]]:
        """Method -> hits [D], NaN where the item is not counted: what paired comparisons take."""
        return {method: self.hits[part][:, column] for column, method in enumerate(self.methods)}
