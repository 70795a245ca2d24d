"""Do judges agree? Rank correlation of their tables over methods, and what the winner of one loses by another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from whichword.errors import InputError
from whichword.statistics.bounds import ALPHA, Outcomes, leads, reach
from whichword.statistics.tests import Interval

RESAMPLES = 1000  # draws of all documents, for intervals

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ballot:
    """What a judge gave each method on each item, [D, M], nan where it is not counted, and the items' sources [D].

    Items of several judges that were made from one source document share its name, and are drawn together.
    """

    judge: str
    methods: tuple[str, ...]
    scores: Floats
    sources: tuple[str, ...]

    @cached_property
    def means(self) -> dict[str, float]:
        """Method -> mean over the items that count."""
        counted = self.scores[~np.isnan(self.scores).any(axis=1)]
        return dict(zip(self.methods, counted.mean(axis=0).tolist(), strict=True)) if len(counted) else {}

    @property
    def winner(self) -> str:
        return max(self.means, key=lambda method: self.means[method])

    def over(self, methods: Sequence[str]) -> "Ballot":
        """Ask the same judge about these methods alone."""
        columns = [self.methods.index(method) for method in methods]
        return Ballot(self.judge, tuple(methods), self.scores[:, columns], self.sources)


@dataclass(frozen=True)
class Correlation:
    """Spearman's rank correlation of two judges over ``methods`` methods; the interval: `correlation_interval`."""

    first: str
    second: str
    methods: int
    value: float
    interval: Interval


@dataclass(frozen=True)
class Loss:
    """What the winner of ``judge`` loses by ``other`` to ``best``, the winner there.

    The interval is that of these two methods. Winners are chosen by the same documents, so what is shown is the
    bound ``least``: it holds for all pairs of methods and all judges at once, by the same reach as a verdict's.
    """

    judge: str
    winner: str
    other: str
    best: str
    loss: float
    interval: Interval
    least: float


@dataclass(frozen=True)
class Concord:
    """All that can be said about whether some judges agree on one model."""

    judges: tuple[str, ...]
    methods: tuple[str, ...]
    correlations: tuple[Correlation, ...]
    losses: tuple[Loss, ...]


def concord(ballots: Sequence[Ballot], resamples: int = RESAMPLES, seed: int = 0) -> Concord:
    """Compare judges over the methods that all of them have; documents are drawn anew ``resamples`` times."""
    methods = _common(ballots)
    comparable = [ballot.over(methods) for ballot in ballots]
    drawn = resampled(comparable, resamples, seed)
    shown = [_shown(ballot, ALPHA / len(comparable)) for ballot in comparable]  # the error is shared by all judges
    pairs = list(combinations(range(len(comparable)), 2))
    return Concord(
        tuple(ballot.judge for ballot in comparable),
        methods,
        tuple(_correlation(comparable[a], comparable[b], drawn[a], drawn[b]) for a, b in pairs),
        tuple(
            _loss(comparable[a], comparable[b], drawn[b], shown[b])
            for a in range(len(comparable))
            for b in range(len(comparable))
            if a != b
        ),
    )


def _common(ballots: Sequence[Ballot]) -> tuple[str, ...]:
    if len(ballots) < 2:
        raise InputError("agreement needs at least two judges")
    for ballot in ballots:
        if not ballot.means:
            raise InputError(f"{ballot.judge}: no document counts, so it judges nothing")
    methods = [name for name in ballots[0].methods if all(name in ballot.methods for ballot in ballots)]
    if len(methods) < 3:  # two methods always correlate by 1 or -1
        raise InputError(f"agreement needs at least 3 methods that all judges have, not {len(methods)}")
    return tuple(methods)


def resampled(ballots: Sequence[Ballot], resamples: int, seed: int) -> list[Floats]:
    """Draw mean scores [R, M] of every judge, all by the same draws of source documents."""
    names = {name: i for i, name in enumerate(sorted({name for ballot in ballots for name in ballot.sources}))}
    dice = np.random.default_rng(seed)  # one for all judges: they share the draws
    weights = dice.multinomial(len(names), np.full(len(names), 1 / len(names)), size=resamples).astype(np.float64)
    return [_weighted(ballot, weights, names) for ballot in ballots]


def _weighted(ballot: Ballot, weights: Floats, names: Mapping[str, int]) -> Floats:
    counted = ~np.isnan(ballot.scores).any(axis=1)
    source = np.array([names[name] for name in ballot.sources])[counted]
    sums = np.zeros((len(names), len(ballot.methods)))
    np.add.at(sums, source, ballot.scores[counted])  # += would keep one item per source
    totals = weights @ np.bincount(source, minlength=len(names))  # items per draw, [R]
    drawn = totals > 0  # a draw without any document of this judge says nothing
    means = (weights[drawn] @ sums) / totals[drawn, None]
    return np.concatenate([means, np.repeat(means.mean(0)[None], len(weights) - len(means), axis=0)])


def rank_correlations(first: Floats, second: Floats) -> Floats:
    """Correlate ranks (Spearman), row by row, [R, M] twice -> [R]; 0 where a judge finds all methods equal."""
    x, y = (stats.rankdata(values, axis=1) for values in (first, second))  # ties share their mean rank
    x, y = (ranks - ranks.mean(1, keepdims=True) for ranks in (x, y))
    size = np.sqrt((x * x).sum(1) * (y * y).sum(1))
    return np.asarray(np.divide((x * y).sum(1), size, out=np.zeros(len(x)), where=size > 0))


def _correlation(first: Ballot, second: Ballot, drawn_first: Floats, drawn_second: Floats) -> Correlation:
    values = [np.array([list(ballot.means.values())]) for ballot in (first, second)]
    value = float(rank_correlations(values[0], values[1])[0])
    interval = correlation_interval(value, rank_correlations(drawn_first, drawn_second))
    return Correlation(first.judge, second.judge, len(first.methods), value, interval)


def correlation_interval(value: float, drawn: Floats) -> Interval:
    """Reach as far to both sides as draws of documents move the value to one: value +- max |quantile - value|.

    Noise pulls a rank correlation towards 0, from the truth to the tables and once more from the tables to draws of
    their documents. So the truth lies about as far beyond the value as the draws fall short of it, and the draws' own
    quantiles, often wholly on one side of the value, would not hold it (`python -m experiments.correlations`).
    """
    spread = _interval(drawn)
    moved = max(abs(spread.low - value), abs(spread.high - value))
    return Interval(max(-1.0, value - moved), min(1.0, value + moved))


def _loss(judge: Ballot, other: Ballot, drawn: Floats, shown: Floats) -> Loss:
    """Compare with the best by the other judge, one method in all draws: a maximum over draws would be too high."""
    best, winner = other.methods.index(other.winner), other.methods.index(judge.winner)
    loss = other.means[other.winner] - other.means[judge.winner]
    interval = _interval(drawn[:, best] - drawn[:, winner])
    return Loss(judge.judge, judge.winner, other.judge, other.winner, loss, interval, float(shown[best, winner]))


def _shown(ballot: Ballot, alpha: float) -> Floats:
    """Bound [M, M] from below by how much each method is better than each other, for all pairs together."""
    counted = ~np.isnan(ballot.scores).any(axis=1)
    _, numbers = np.unique(np.array(ballot.sources)[counted], return_inverse=True)
    seen = leads(Outcomes(ballot.methods, ballot.scores[counted], [(number,) for number in numbers.tolist()]))
    pairs = len(ballot.methods) * (len(ballot.methods) - 1)  # ordered: each bounds one side
    lowest: Floats = seen.lead - reach(seen.variance, seen.documents, alpha / pairs)
    return lowest


def _interval(values: Floats) -> Interval:
    low, high = np.quantile(values, [0.025, 0.975])  # 95 %
    return Interval(float(low), float(high))
