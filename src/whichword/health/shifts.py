"""Is a heat map right but for its place? Correlations with the other methods' heat maps, up to two words aside.

For relevances that are all there is: of a run, or from a file. Where the model is at hand, `responses` asks the method;
where there is no other method, `wordwise` goes by the words.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.health.displacement import DIRECTIONS, LAGS, LEVEL, Displacements, correlation

SHORTEST = 8  # words: three steps that have all five lags
FITS, CHANGES, WORDS = "fits", "changes", "words"  # what tells a shift


@dataclass(frozen=True)
class Shift:
    """A method that is off by ``by`` words, and in how many of the ``units`` that tell so; 0: none is proven."""

    by: int = 0
    wins: int = 0
    units: int = 0
    told_by: str = ""  # `FITS` to other methods, `CHANGES` of words, or the `WORDS` that relevances go by


NO_SHIFT = Shift()


def shift_of(places: Displacements, row: int, level: float, told_by: str) -> Shift:
    """What is proven at this level, which is shared by both directions."""
    for lag in (-1, 1):
        if places.chance(row, lag) <= level / DIRECTIONS:
            return Shift(lag, *places.fewest_wins(row, lag), told_by)
    return NO_SHIFT


def confirmed(shift: Shift, fits: Sequence[float]) -> Shift:
    """A shift told by changed words, unless the method fits the others no better where it would be moved back to.

    Omission may answer a changed word at its neighbour, and be in its place: where words act in pairs, a word that
    goes makes a pair of its neighbours.
    """
    if not fits or fits[LAGS.index(shift.by)] > fits[LAGS.index(0)]:
        return shift
    return NO_SHIFT


class Shifts:
    """Adds up documents, phi [M, T] scaled to a largest entry of 1; ``voters`` are the rows that count for others.

    What is correlated are the steps from word to word: where relevance grows to one end of a text, as it does in
    recurrent networks, heat maps a word apart are alike, their steps are not. Norms have no sign, and no vote.
    A method that disagrees with the others fits them better on both sides; one that is shifted fits on one side, and
    there as well as a method that is in its place.
    """

    def __init__(self, voters: Sequence[int], size: int) -> None:
        self._voters = np.zeros(size, bool)
        self._voters[list(voters)] = True
        self._places = Displacements(size)
        self._sums = np.zeros((size, len(LAGS)))

    def add(self, phi: NDArray[np.float64], words: Sequence[Hashable]) -> None:
        """Which ``words`` they are plays no part."""
        if phi.shape[1] < SHORTEST:
            return
        signed = (phi < 0).any(axis=1)
        votes = np.where((self._voters & signed)[:, None], phi, 0.0)
        consensus = votes.sum(axis=0) - votes  # [M, T]: without the method's own
        steps, consensus = np.diff(phi, axis=1), np.diff(consensus, axis=1)
        fits = np.stack([_fit(steps, consensus, lag) for lag in LAGS], axis=1)
        for row in np.flatnonzero(np.isfinite(fits).all(axis=1) & signed).tolist():
            self._places.add(row, fits[row])
            self._sums[row] += fits[row]

    def of(self, row: int) -> Shift:
        shift = shift_of(self._places, row, LEVEL / max(1, self._voters.sum()), FITS)
        fits_in_place = [self._mean(other, 0) for other in self._in_place() if other != row]
        as_good = bool(fits_in_place) and self._mean(row, shift.by) >= min(fits_in_place)
        return shift if shift.by and as_good else NO_SHIFT

    def fits(self, row: int) -> tuple[float, ...]:
        """The mean correlation with the others, lag by lag; (): nothing that could be compared."""
        return tuple(self._mean(row, lag) for lag in LAGS) if self._places.units[row] else ()

    def _in_place(self) -> list[int]:
        """Voters that are proven to stand where the others do."""
        return [row for row in np.flatnonzero(self._voters).tolist() if self._places.chance(row, 0) <= LEVEL]

    def _mean(self, row: int, lag: int) -> float:
        return float(self._sums[row, LAGS.index(lag)] / max(1, self._places.units[row]))


def _fit(steps: NDArray[np.float64], consensus: NDArray[np.float64], lag: int) -> NDArray[np.float64]:
    """Correlation of each row at t + lag with the consensus at t, over the places that all lags have."""
    inner = slice(LAGS[-1], steps.shape[1] - LAGS[-1])
    return correlation(np.roll(steps, -lag, axis=1)[:, inner], consensus[:, inner])
