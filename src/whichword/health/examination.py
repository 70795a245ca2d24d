"""Relevances alone, document by document: everything that needs no model to be seen."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whichword.errors import CRASHED, UNDEFINED
from whichword.health.findings import GRADIENT, INTEGRAL, Health, is_blamed, is_ours
from whichword.health.shifts import Shifts
from whichword.method_names import BASELINES

SAME = 1e-5  # of the largest relevance: heat maps nearer than that are the same
NEARLY = 1e-2  # so near our own rules come to ordinary gradients where a theorem says that they do, up to epsilon
SHORTEST = 3  # words: shorter documents have too few heat maps to be the same by anything but chance
EDGES_FROM = 4  # words: below, first and last are too much of a document to say anything

Matrix = NDArray[np.float64]


class Examination:
    """Adds up documents; `health` gives the result. Methods are rows, as in the matrices."""

    def __init__(self, methods: Sequence[str]) -> None:
        self.methods = tuple(methods)
        size = len(methods)
        self.documents = 0
        self.nonfinite, self.constant, self.unread = (np.zeros(size, np.int64) for _ in range(3))
        self.edges, self.if_even, self.spread = np.zeros(size), np.zeros(size), np.zeros(size, np.int64)
        self.crashes: list[list[str]] = [[] for _ in methods]
        self.undefined: list[list[str]] = [[] for _ in methods]
        self.compared = 0
        self.alike, self.nearly = (~np.eye(size, dtype=bool) for _ in range(2))
        self._positions = _Positions(size)
        voters = [row for row, name in enumerate(self.methods) if name not in BASELINES]
        self._shifts = Shifts(voters, size)

    def add(self, phi: Matrix, notes: Sequence[str | None] = (), seen: int | None = None) -> None:
        """Add a document: phi [M, T], the methods' remarks on it, how many words the model read (None: all)."""
        self.documents += 1
        self.nonfinite += ~np.isfinite(phi).all(axis=1)
        self._notes(notes)
        if seen is not None:
            beyond = phi[:, seen:]
            self.unread += (np.isfinite(beyond) & (beyond != 0)).any(axis=1)
        self._read(phi[:, :seen])

    def _read(self, phi: Matrix) -> None:
        """Examine what is on the words that the model read."""
        finite = np.isfinite(phi)
        numbers = scaled(np.where(finite, phi, 0.0))
        if phi.shape[1] > 1:
            self.constant += finite.all(axis=1) & (phi == phi[:, :1]).all(axis=1)
        if phi.shape[1] >= EDGES_FROM:
            self._edges(np.abs(numbers))
        self._compare(numbers, finite)
        self._positions.add(phi)
        self._shifts.add(numbers)

    def health(self) -> tuple[Health, ...]:
        return tuple(self._health(row) for row in range(len(self.methods)))

    def _notes(self, notes: Sequence[str | None]) -> None:
        for row, note in enumerate(notes):
            for begins, remarks in ((CRASHED, self.crashes), (UNDEFINED, self.undefined)):
                if note and note.startswith(begins):
                    remarks[row].append(note.removeprefix(begins))

    def _edges(self, mass: Matrix) -> None:
        total = mass.sum(axis=1)
        counts = total > 0
        outside = mass[:, 0] + mass[:, -1]
        self.edges += np.divide(outside, total, out=np.zeros_like(total), where=counts)
        self.if_even += np.where(counts, 2 / mass.shape[1], 0.0)
        self.spread += counts

    def _compare(self, numbers: Matrix, finite: NDArray[np.bool_]) -> None:
        """Compare pairs that were the same so far; few are left after the first documents."""
        if numbers.shape[1] < SHORTEST:
            return
        self.compared += 1
        first, second = np.nonzero(np.triu(self.nearly))
        if not len(first):
            return
        distance = np.abs(numbers[first] - numbers[second]).max(axis=1)
        alike = (finite[first] == finite[second]).all(axis=1) & finite[first].any(axis=1)
        for pairs, limit in ((self.nearly, NEARLY), (self.alike, SAME)):
            pairs[first, second] &= alike & (distance <= limit)
            pairs[second, first] = pairs[first, second]
        self.alike &= self.nearly

    def _health(self, row: int) -> Health:
        count, twins = int(self.spread[row]), self._twins(row)
        return Health(
            method=self.methods[row],
            documents=self.documents,
            nonfinite=int(self.nonfinite[row]),
            constant=int(self.constant[row]),
            crashed=len(self.crashes[row]),
            crash=next(iter(self.crashes[row]), ""),
            undefined=len(self.undefined[row]),
            why_undefined=next(iter(self.undefined[row]), ""),
            edges=float(self.edges[row]) / count if count else None,
            if_even=float(self.if_even[row]) / count if count else None,
            if_usual=self._usual_edges(row),
            same_as=twins,
            blamed_for=self._blamed(row, twins),
            by_position=self._positions.pairs(row),
            shift=self._shifts.of(row),
            fits=self._shifts.fits(row),
            linear={GRADIENT, INTEGRAL} <= set(self.methods) and self._same(GRADIENT, INTEGRAL),
            unread=int(self.unread[row]),
        )

    def _twins(self, row: int) -> tuple[str, ...]:
        return tuple(self.methods[other] for other in np.flatnonzero(self.alike[row] & (self.compared > 0)))

    def _blamed(self, row: int, twins: Sequence[str]) -> tuple[str, ...]:
        """Name twins that stand before the method, ours first: it should be something else than they are."""
        order = sorted(self.methods, key=lambda name: not is_ours(name))
        before = [name for name in twins if order.index(name) < order.index(self.methods[row])]
        return tuple(
            name for name in before if is_blamed(self.methods[row], name, self.methods, self._same, self._nearly)
        )

    def _same(self, first: str, second: str) -> bool:
        return bool(self.alike[self.methods.index(first), self.methods.index(second)])

    def _nearly(self, first: str, second: str) -> bool:
        return bool(self.nearly[self.methods.index(first), self.methods.index(second)])

    def _usual_edges(self, row: int) -> float | None:
        rows = [i for i, name in enumerate(self.methods) if i != row and name not in BASELINES and self.spread[i]]
        return float(np.median(self.edges[rows] / self.spread[rows])) if rows else None


def scaled(numbers: Matrix) -> Matrix:
    """Scale the largest |phi| of every method to 1, so that no sum overflows."""
    largest = np.abs(numbers).max(axis=1, initial=0.0)
    return np.asarray(numbers / np.where(largest > 0, largest, 1.0)[:, None])


class _Positions:
    """Neighbouring documents that have the same relevances, counted from the first word or from the last."""

    def __init__(self, size: int) -> None:
        self._before: Matrix | None = None
        self._pairs = 0
        self._same = {side: np.ones(size, bool) for side in ("first", "last")}

    def add(self, phi: Matrix) -> None:
        before, self._before = self._before, phi
        count = 0 if before is None else min(before.shape[1], phi.shape[1])
        if before is None or count < 2:
            return
        self._pairs += 1
        self._same["first"] &= _equal(before[:, :count], phi[:, :count])
        self._same["last"] &= _equal(before[:, -count:], phi[:, -count:])

    def pairs(self, row: int) -> int:
        """Count the pairs that were compared, if all of them were the same."""
        return self._pairs if any(same[row] for same in self._same.values()) else 0


def _equal(first: Matrix, second: Matrix) -> NDArray[np.bool_]:
    """Compare row by row; where nothing is relevant in both, rows tell nothing and are not called equal."""
    near = np.isclose(first, second, rtol=SAME, atol=0.0).all(axis=1)
    return np.asarray(near & (first != 0).any(axis=1))
