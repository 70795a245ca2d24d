"""Two methods on the same documents."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from whichword.errors import InputError
from whichword.statistics.bootstrap import RESAMPLES, resampled_means
from whichword.statistics.intervals import Interval


@dataclass(frozen=True)
class Comparison:
    """The first method against the second; ``difference`` is accuracy minus accuracy."""

    difference: float
    interval: Interval  # of the difference: 95 %, bootstrap by document
    p: float  # two-sided: exact McNemar where every hit is 0 or 1, else bootstrap
    only_first: int  # documents where the first gets more than the second
    only_second: int


def compare(
    first: ArrayLike,
    second: ArrayLike,
    seed: int = 0,
    resamples: int = RESAMPLES,
    counts: NDArray[np.int64] | None = None,
) -> Comparison:
    """Hits [N] of two methods over the same documents, none of them discarded, N >= 1.

    ``counts`` [N]: how many documents have these hits, so that equal ones need be there but once; None: each is one.
    """
    x, y = _vectors(first, second)
    change = resampled_means((x - y)[:, None], resamples, seed, counts)[:, 0]
    low, high = np.quantile(change, [0.025, 0.975])
    b, c = discordant(x, y, counts)
    whole = bool(np.isin(x, (0, 1)).all() and np.isin(y, (0, 1)).all())
    return Comparison(
        difference=float(np.average(x - y, weights=counts)),
        interval=Interval(float(low), float(high)),
        p=mcnemar(b, c) if whole else _bootstrap_p(change),
        only_first=b,
        only_second=c,
    )


def discordant(first: ArrayLike, second: ArrayLike, counts: NDArray[np.int64] | None = None) -> tuple[int, int]:
    """How many documents favour the first method, and how many the second."""
    x, y = _vectors(first, second)
    times = np.ones(len(x), np.int64) if counts is None else counts
    return int(times[x > y].sum()), int(times[x < y].sum())


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided McNemar test: p = min(1, 2 P[X <= min(b, c)]) with X ~ Binomial(b + c, 1/2).

    b and c count the documents that only one of the two methods gets right; the others say nothing about which method
    is better.
    """
    fewer = min(only_first, only_second)
    return min(1.0, 2 * float(stats.binom.cdf(fewer, only_first + only_second, 0.5)))


def _bootstrap_p(change: NDArray[np.float64]) -> float:
    """Two-sided: twice the smaller share of resampled differences on one side of 0, the observed sample included."""
    sides = min(np.count_nonzero(change <= 0), np.count_nonzero(change >= 0))
    return min(1.0, 2 * (int(sides) + 1) / (len(change) + 1))


def _vectors(first: ArrayLike, second: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x, y = _vector(first), _vector(second)
    if x.shape != y.shape:
        raise InputError(f"paired tests need the same documents, not {len(x)} and {len(y)}")
    return x, y


def _vector(hits: Any) -> NDArray[np.float64]:
    vector = np.asarray(hits, dtype=np.float64)
    if vector.ndim != 1 or not len(vector) or not np.isfinite(vector).all():
        raise InputError("paired tests need at least one document, and a hit value for each")
    return vector
