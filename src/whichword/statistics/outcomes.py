"""What methods did on the same documents: all that a verdict is made from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.method_names import BASELINES

__all__ = ["BASELINES", "CHANCE", "Outcomes"]

CHANCE = "chance"  # the column of what a random word gets


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Hits [N, M] of M columns (methods, baselines, chance); nan: the method did not play that row.

    A row is a document in a part of the game that counts it: parts of one game on the same documents are one family,
    and a part weighs what it counts. ``sources[n]`` are the numbers of the texts that row n was made from; rows with
    a text in common are not independent.
    """

    names: tuple[str, ...]
    hits: NDArray[np.float64]
    sources: Sequence[tuple[int, ...]]

    def __post_init__(self) -> None:
        if self.hits.shape != (len(self.sources), len(self.names)):
            raise InputError(f"{len(self.sources)} rows of {len(self.names)} columns, but hits {self.hits.shape}")

    @property
    def methods(self) -> tuple[str, ...]:
        """The columns that can be chosen."""
        return tuple(name for name in self.names if name not in (*BASELINES, CHANCE))

    @property
    def baselines(self) -> tuple[str, ...]:
        """The columns that a method has to beat."""
        return tuple(name for name in self.names if name in (*BASELINES, CHANCE))

    def rows(self, mask: NDArray[np.bool_]) -> "Outcomes":
        """These rows alone."""
        return Outcomes(self.names, self.hits[mask], [self.sources[n] for n in np.flatnonzero(mask).tolist()])
