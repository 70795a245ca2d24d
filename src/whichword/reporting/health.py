"""The health of a method, whatever game it plays: what is suspicious about its relevances themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.reporting.numbers import percent

SAME = 1e-5  # of the largest relevance: heat maps nearer than that are the same
EDGES_FROM = 4  # words: below, first and last are too much of a document to say anything
SUSPICIOUS = 2.0  # times the even share on the edges


@dataclass(frozen=True)
class Health:
    """Counts are documents.

    ``edges`` is the mean share of |phi| on the first and the last word, ``if_even`` the mean of 2/T, both over
    documents of four words and more with any relevance; None where there is none.
    """

    method: str
    documents: int
    nonfinite: int  # some relevance is not finite
    constant: int  # two words or more, all with the same relevance
    edges: float | None
    if_even: float | None
    same_as: tuple[str, ...]  # methods with the same heat map, up to a factor, for every document

    @property
    def complaints(self) -> tuple[str, ...]:
        """What is wrong, in words; empty for a healthy method."""
        return tuple(self._complaints())

    def _complaints(self) -> Iterator[str]:
        if self.nonfinite:
            yield f"not finite in {self.nonfinite} of {self.documents} documents"
        if self.constant:
            yield f"every word the same in {self.constant} of {self.documents} documents"
        if self.same_as:
            yield f"the same heat maps as {', '.join(self.same_as)}"
        if self.edges is not None and self.if_even is not None and self.edges > SUSPICIOUS * self.if_even:
            share = f"{percent(self.edges)} of the relevance on the first and last word"
            yield f"{share} (evenly spread: {percent(self.if_even)})"


class Examination:
    """Adds up documents; `health` gives the result. Methods are rows, as in the matrices."""

    def __init__(self, methods: Sequence[str]) -> None:
        self.methods = tuple(methods)
        size = len(methods)
        self.documents = 0
        self.nonfinite, self.constant = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.edges, self.if_even, self.spread = np.zeros(size), np.zeros(size), np.zeros(size, np.int64)
        self.alike = ~np.eye(size, dtype=bool)

    def add(self, phi: NDArray[np.float64]) -> None:
        """One document, phi [M, T]."""
        self.documents += 1
        finite = np.isfinite(phi)
        self.nonfinite += ~finite.all(axis=1)
        numbers = np.where(finite, phi, 0.0)
        if phi.shape[1] > 1:
            self.constant += finite.all(axis=1) & (phi == phi[:, :1]).all(axis=1)
        if phi.shape[1] >= EDGES_FROM:
            self._edges(np.abs(numbers))
        self._compare(numbers, finite)

    def health(self) -> tuple[Health, ...]:
        return tuple(self._health(row) for row in range(len(self.methods)))

    def _edges(self, mass: NDArray[np.float64]) -> None:
        largest = mass.max(axis=1)
        scaled = mass / np.where(largest > 0, largest, 1.0)[:, None]  # so that no sum overflows
        total, counts = scaled.sum(axis=1), largest > 0
        outside = scaled[:, 0] + scaled[:, -1]
        self.edges += np.divide(outside, total, out=np.zeros_like(total), where=counts)
        self.if_even += np.where(counts, 2 / mass.shape[1], 0.0)
        self.spread += counts

    def _compare(self, numbers: NDArray[np.float64], finite: NDArray[np.bool_]) -> None:
        """Pairs that were the same so far and still are; few are left after the first documents."""
        first, second = np.nonzero(np.triu(self.alike))
        if not len(first) or not numbers.shape[1]:
            return
        largest = np.abs(numbers).max(axis=1)
        scaled = numbers / np.where(largest > 0, largest, 1.0)[:, None]
        near = (np.abs(scaled[first] - scaled[second]) <= SAME).all(axis=1)
        same = near & (finite[first] == finite[second]).all(axis=1)
        self.alike[first, second] = self.alike[second, first] = same

    def _health(self, row: int) -> Health:
        count = int(self.spread[row])
        twins = np.flatnonzero(self.alike[row] & (self.documents > 0))
        return Health(
            method=self.methods[row],
            documents=self.documents,
            nonfinite=int(self.nonfinite[row]),
            constant=int(self.constant[row]),
            edges=float(self.edges[row]) / count if count else None,
            if_even=float(self.if_even[row]) / count if count else None,
            same_as=tuple(self.methods[other] for other in twins),
        )
