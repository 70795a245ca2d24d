"""Does a heat map go by the words that it stands on, or by their neighbours? For relevances that are all there is.

A word has much the same relevance in one text as in another. So the relevance of a method that is in its place is
foretold best by the word there, and that of a method that is a word off by the word before or behind.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from whichword.health.displacement import LAGS, LEVEL, Displacements, correlation
from whichword.health.shifts import SHORTEST, WORDS, Shift, shift_of

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
