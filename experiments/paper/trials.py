"""The kinds of tests that claims are put to. Each gives an outcome for every column or pair it looks at."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from experiments.paper.evidence import Difference, Evidence, unpaired
from experiments.paper.outcomes import Outcome, State
from whichword.statistics import holm, resampled_means

ALPHA = 0.05
FIVE_POINTS = 0.05  # the paper's measure of what is close to the top
FEWEST = 5  # columns without which nothing is said about consistency


class Trial(Protocol):
    """A test that knows what it looks at."""

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        """One for each thing looked at; "missing" where the evidence has no such column."""


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("0.", ".", 1)


def _numbers(found: Difference) -> str:
    return f"{_signed(found.value)} [{_signed(found.low)} {_signed(found.high)}]"


def _above(found: Difference, margin: float) -> State:
    """Whether the difference is above the margin, by its interval."""
    return "yes" if found.low >= margin - 1e-9 else "no" if found.high < margin - 1e-9 else "open"


@dataclass(frozen=True)
class Better:
    """In each pair the first is better than the second: exact McNemar tests, Holm-corrected together."""

    pairs: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        found = dict(_differences(evidence, self.pairs, self.columns))
        p = holm({key: difference.p for key, difference in found.items() if difference})
        return [_better(_where(*key), found[key], p.get(key, 1.0)) for key in found]


def _better(where: str, found: Difference | None, p: float) -> Outcome:
    if found is None:
        return Outcome(where, "missing")
    state: State = "open" if p >= ALPHA else "yes" if found.value > 0 else "no"
    return Outcome(where, state, _numbers(found))


@dataclass(frozen=True)
class NotWorse:
    """In each pair the first is better or similar: not more than ``margin`` behind, by the difference's interval."""

    pairs: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    margin: float = FIVE_POINTS

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        return [
            Outcome(_where(*key), _above(found, -self.margin), _numbers(found)) if found else _missing(*key)
            for key, found in _differences(evidence, self.pairs, self.columns)
        ]


@dataclass(frozen=True)
class Alike:
    """In each pair the two differ by less than ``margin`` either way, by the difference's interval."""

    pairs: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    margin: float = 0.02

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        return [
            Outcome(_where(*key), self._state(found), _numbers(found)) if found else _missing(*key)
            for key, found in _differences(evidence, self.pairs, self.columns)
        ]

    def _state(self, found: Difference) -> State:
        sides = {
            _above(found, -self.margin),
            _above(Difference(-found.value, -found.high, -found.low, 1), -self.margin),
        }
        return "no" if "no" in sides else "open" if "open" in sides else "yes"


@dataclass(frozen=True)
class NearTop:
    """In each column the best of ``methods`` is at most ``margin`` behind the best of the others.

    ``far``: the other way round, it is further behind.
    """

    methods: tuple[str, ...]
    columns: tuple[str, ...]
    margin: float = FIVE_POINTS
    far: bool = False

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        return [self._outcome(evidence, column) for column in self.columns]

    def _outcome(self, evidence: Evidence, column: str) -> Outcome:
        pair = _best_and_rival(evidence, column, self.methods)
        if pair is None:
            return Outcome(column, "missing")
        found = evidence.between(column, *pair)
        near = _above(found, -self.margin)
        turned: dict[State, State] = {"yes": "no", "no": "yes", "open": "open"}
        return Outcome(f"{column} {pair[0]} - {pair[1]}", turned[near] if self.far else near, _numbers(found))


@dataclass(frozen=True)
class Top:
    """In each column the best of ``methods`` is the best of all, or not significantly worse than it (McNemar)."""

    methods: tuple[str, ...]
    columns: tuple[str, ...]

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        pairs = {column: _best_and_rival(evidence, column, self.methods) for column in self.columns}
        found = {column: evidence.between(column, *pair) for column, pair in pairs.items() if pair}
        p = holm({column: difference.p for column, difference in found.items()})
        return [
            Outcome(f"{column} {pair[0]} - {pair[1]}", _top(found[column], p[column]), _numbers(found[column]))
            if pair
            else Outcome(column, "missing")
            for column, pair in pairs.items()
        ]


def _top(found: Difference, p: float) -> State:
    return "yes" if found.value >= 0 or p >= ALPHA else "no"


@dataclass(frozen=True)
class Drop:
    """A method loses over ``margin`` from the first column of a pair to the second: other documents, so unpaired."""

    method: str
    columns: tuple[tuple[str, str], ...]
    margin: float = 0.1

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        return [self._outcome(evidence, *pair) for pair in self.columns]

    def _outcome(self, evidence: Evidence, first: str, second: str) -> Outcome:
        one, two = evidence.methods(first).get(self.method), evidence.methods(second).get(self.method)
        if one is None or two is None:
            return Outcome(f"{first} to {second}", "missing")
        intervals = [evidence.interval(column, self.method) for column in (first, second)]
        found = unpaired(one, intervals[0], two, intervals[1])
        return Outcome(f"{first} to {second}", _above(found, self.margin), _numbers(found))


@dataclass(frozen=True)
class Steadier:
    """The mean distance to the column's best is smaller for each of ``methods`` than for each of ``rivals``.

    No rivals named: all others. Columns are resampled, both methods together; a rival is compared where it is defined.
    """

    methods: tuple[str, ...]
    columns: tuple[str, ...]
    rivals: tuple[str, ...] = ()

    def outcomes(self, evidence: Evidence) -> list[Outcome]:
        known = [figures for column in self.columns if (figures := evidence.methods(column))]
        if len(known) < max(FEWEST, len(self.columns)):
            return [Outcome(f"{len(known)} of {len(self.columns)} columns", "missing")]
        rivals = self.rivals or tuple(dict.fromkeys(name for figures in known for name in figures))
        return [
            _steadier(known, method, rival) for method in self.methods for rival in rivals if rival not in self.methods
        ]


def _steadier(known: Sequence[Mapping[str, float]], method: str, rival: str) -> Outcome:
    """A distance minus a distance to the same best is an accuracy minus an accuracy."""
    ahead = np.array([figures[method] - figures[rival] for figures in known if rival in figures])
    change = resampled_means(ahead[:, None], 2000, 0)[:, 0]
    low, high = np.quantile(change, [0.025, 0.975])
    state: State = "yes" if low > 0 else "no" if high < 0 else "open"
    numbers = _numbers(Difference(float(ahead.mean()), float(low), float(high), 1.0))
    return Outcome(f"{method} against {rival}", state, numbers)


# ---------------------------------------------------------------------------------------------------------------------

Key = tuple[str, str, str]  # column, first, second


def _differences(
    evidence: Evidence, pairs: Iterable[tuple[str, str]], columns: Iterable[str]
) -> Iterator[tuple[Key, Difference | None]]:
    """Every pair in every column; None where the column or one of the two is not there."""
    kept = list(pairs)
    for column in columns:
        there = evidence.methods(column)
        for first, second in kept:
            found = evidence.between(column, first, second) if {first, second} <= there.keys() else None
            yield (column, first, second), found


def _where(column: str, first: str, second: str) -> str:
    return f"{column} {first} - {second}"


def _missing(column: str, first: str, second: str) -> Outcome:
    return Outcome(_where(column, first, second), "missing")


def _best_and_rival(evidence: Evidence, column: str, methods: Sequence[str]) -> tuple[str, str] | None:
    """The best of these methods and the best of the others; None where there are not both."""
    figures = evidence.methods(column)
    ours = [name for name in methods if name in figures]
    others = [name for name in figures if name not in methods]
    if not ours or not others:
        return None
    return max(ours, key=figures.__getitem__), max(others, key=figures.__getitem__)
