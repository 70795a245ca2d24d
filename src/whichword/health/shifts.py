"""Is a heat map right but for its place? Correlations with the other methods' heat maps, up to two words aside.

For relevances that are all there is: of a run, or from a file. Where the model is at hand, `responses` asks the method;
where there is no other method, `wordwise` goes by the words.

Which of five neighbouring places is it? A test that a method is one word off, with a bound on false alarms.

Does a heat map go by the words that it stands on, or by their neighbours? For relevances that are all there is.

A word has much the same relevance in one text as in another. So the relevance of a method that is in its place is
foretold best by the word there, and that of a method that is a word off by the word before or behind.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy import special

LAGS = (-2, -1, 0, 1, 2)
LEVEL = 0.01  # the chance of any false alarm, over all methods that are examined together on a model
DIRECTIONS = 2  # a shift to the left, and one to the right


def correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pearson's r along the second axis; NaN where something is constant."""
    x, y = (values - values.mean(axis=1, keepdims=True) for values in (x, y))
    scale = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return np.asarray(np.divide((x * y).sum(axis=1), scale, out=np.full(scale.shape, np.nan), where=scale > 0))


class Displacements:
    """Counts, method by method, at which of two lags something was larger; units are documents, or changed words.

    A method is displaced by a lag if the value there is the larger one more often than at every other lag, each by a
    sign test: P[X >= wins], X ~ Binomial(wins + losses, 1/2). Where the lag is not the likeliest place, one of these
    comparisons is at best a fair coin, so that all of them reject with a chance of the level at most, whatever the
    others do (an intersection-union test). The lags beyond +-1 tell a method that is shifted from one that points to
    one side of a text, or anywhere.
    """

    def __init__(self, size: int) -> None:
        self._wins = np.zeros((size, len(LAGS), len(LAGS)), np.int64)
        self.units = np.zeros(size, np.int64)

    def add(self, row: int, values: NDArray[np.float64]) -> None:
        """One unit: a value per lag; one that is not finite says nothing."""
        if np.isfinite(values).all():
            self._wins[row] += values[:, None] > values
            self.units[row] += 1

    def chance(self, row: int, lag: int) -> float:
        """p of the hypothesis that this lag is not the likeliest."""
        won, lost = self._against(row, lag)
        return float(special.bdtrc(won - 1, won + lost, 0.5).max())

    def leads(self, row: int, lag: int) -> bool:
        """Whether the lag is ahead of every other, by chance or not."""
        won, lost = self._against(row, lag)
        return bool((won > lost).all())

    def fewest_wins(self, row: int, lag: int) -> tuple[int, int]:
        """Over the lag that it beats least often: how often, of how many units that tell the two apart."""
        won, lost = self._against(row, lag)
        hardest = int((won - lost).argmin())
        return int(won[hardest]), int(won[hardest] + lost[hardest])

    def _against(self, row: int, lag: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        place = LAGS.index(lag)
        others = [i for i in range(len(LAGS)) if i != place]
        return self._wins[row, place, others], self._wins[row, others, place]


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


WIDE = LAGS[-1]
FAMILIAR = 3  # words of a text that were met before: fewer have no correlation that tells anything

Matrix = NDArray[np.float64]


class Wordwise:
    """Adds up documents, phi [M, T] scaled to a largest entry of 1, with the word (and class) of every place.

    Per lag l, phi at t + l is correlated, over the words t of a document, with its mean for that word in the documents
    before. Nothing is foretold from itself: whatever was read, where the lag is not the likeliest to fit best, one of
    the signs is at best a fair coin at every document, so that the level holds although documents have one past.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._places = Displacements(size)
        self._sums: dict[Hashable, Matrix] = {}
        self._counts: Counter[Hashable] = Counter()

    def add(self, phi: Matrix, words: Sequence[Hashable]) -> None:
        if not SHORTEST <= phi.shape[1] == len(words):
            return
        inner, around = words[WIDE:-WIDE], sliding_window_view(phi, len(LAGS), axis=1)  # [M, T - 4, lags]
        familiar = [t for t, word in enumerate(inner) if word in self._counts]
        if len(familiar) >= FAMILIAR:
            usual = np.stack([self._sums[inner[t]] / self._counts[inner[t]] for t in familiar], axis=1)
            for row, fits in enumerate(correlation(around[:, familiar], usual)):
                self._places.add(row, fits)
        for t, word in enumerate(inner):
            self._sums[word] = self._sums.get(word, 0.0) + around[:, t]
        self._counts.update(inner)

    def of(self, row: int) -> Shift:
        return shift_of(self._places, row, LEVEL / self._size, WORDS)

    def fits(self, row: int) -> tuple[float, ...]:
        """To the other methods: there are none."""
        return ()
