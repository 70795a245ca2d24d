"""Classical tests and intervals: shares of hits, resampled documents, two methods, many tests at once, tie groups."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from whichword.errors import InputError


@dataclass(frozen=True)
class Interval:
    """An interval from ``low`` to ``high``, both included."""

    low: float
    high: float


def wilson(hits: float, total: int, level: float = 0.95) -> Interval:
    """Compute Wilson's score interval: all p with |hits/n - p| <= z sqrt(p(1 - p)/n), z the (1 + level)/2 quantile.

    That is (p + z^2/2n -+ z sqrt(p(1 - p)/n + z^2/4n^2)) / (1 + z^2/n) with p = hits/n. Fractional hits are allowed
    (rows of exact expectations); without documents the interval is everything, 0 to 1.
    """
    if not 0 <= hits <= total:
        raise InputError(f"{hits} hits in {total} documents: hits must be between 0 and the number of documents")
    if total == 0:
        return Interval(0.0, 1.0)
    share, z = hits / total, NormalDist().inv_cdf((1 + level) / 2)
    shrink = 1 + z * z / total
    centre = (share + z * z / (2 * total)) / shrink
    half = z / shrink * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    # at the ends the formula gives exactly 0 or 1, but for rounding
    return Interval(0.0 if hits == 0 else centre - half, 1.0 if hits == total else centre + half)


RESAMPLES = 2000  # some 50 beyond each end of a 95 % interval
_NUMBERS_AT_ONCE = 4_000_000  # counts of rows in memory: 32 MB


def resampled_means(
    values: NDArray[np.float64], resamples: int, seed: int, counts: NDArray[np.int64] | None = None
) -> NDArray[np.float64]:
    """Average ``resamples`` samples of N rows drawn with replacement from ``values`` [N, M] -> [resamples, M].

    Whole rows (documents) are drawn, so what belongs to one document stays together. Equal rows are united: how often
    each distinct row is drawn is multinomial, which is the same distribution at the cost of the distinct rows alone.
    ``counts`` [N]: how often each row is there; None: once.
    """
    rows, inverse = np.unique(values, axis=0, return_inverse=True)
    times = np.bincount(inverse.ravel(), weights=counts)
    total = int(times.sum())
    generator = np.random.default_rng(seed)
    step = max(1, _NUMBERS_AT_ONCE // len(rows))
    blocks = [
        generator.multinomial(total, times / total, size=min(step, resamples - start)) @ rows / total
        for start in range(0, resamples, step)
    ]
    return np.concatenate(blocks)


def share_interval(values: NDArray[np.float64], seed: int = 0) -> Interval:
    """Bound a mean of scores from 0 to 1, [N], at 95 %: by Wilson where each is 0 or 1, else by bootstrap."""
    if np.isin(values, (0, 1)).all():
        return wilson(float(values.sum()), len(values))
    low, high = np.quantile(resampled_means(values[:, None], RESAMPLES, seed), [0.025, 0.975])
    return Interval(float(low), float(high))


@dataclass(frozen=True)
class Comparison:
    """A comparison of two methods; ``difference`` is the first one's accuracy minus the second one's."""

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
    """Compare hits [N] of two methods over the same documents, none of them discarded, N >= 1.

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
    """Count the documents that favour the first method, and those that favour the second."""
    x, y = _vectors(first, second)
    times = np.ones(len(x), np.int64) if counts is None else counts
    return int(times[x > y].sum()), int(times[x < y].sum())


def mcnemar(only_first: int, only_second: int) -> float:
    """Test two-sided by McNemar's exact test: p = min(1, 2 P[X <= min(b, c)]) with X ~ Binomial(b + c, 1/2).

    b and c count the documents that only one of the two methods gets right; the others say nothing about which method
    is better.
    """
    fewer = min(only_first, only_second)
    return min(1.0, 2 * float(stats.binom.cdf(fewer, only_first + only_second, 0.5)))


def _bootstrap_p(change: NDArray[np.float64]) -> float:
    """Double the smaller share of resampled differences on one side of 0, the observed sample included."""
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


Name = TypeVar("Name")


def holm(p: Mapping[Name, float]) -> dict[Name, float]:
    """Adjust p by Holm's step-down: with p_(1) <= ... <= p_(m), p'_(i) = max over j <= i of min(1, (m - j + 1) p_(j)).

    Rejecting where p' < alpha keeps the chance of any false rejection below alpha, whatever the dependence.
    """
    adjusted: dict[Name, float] = {}
    largest = 0.0
    for rank, name in enumerate(sorted(p, key=lambda name: p[name])):
        largest = max(largest, min(1.0, (len(p) - rank) * p[name]))
        adjusted[name] = largest  # never below one that came before
    return {name: adjusted[name] for name in p}


Mark = Literal["best", "within five points", ""]


@dataclass(frozen=True)
class TieGroup:
    """``members`` are not significantly worse than ``best``, which is the first of them; best accuracy first."""

    best: str
    members: tuple[str, ...]
    p: Mapping[str, float]  # every other method against the best, Holm-corrected


def tie_group(hits: Mapping[str, ArrayLike], alpha: float = 0.05, seed: int = 0) -> TieGroup:
    """Group the best method and all that p' >= alpha cannot tell from it, by hits [N] on the same documents.

    The best is the first with the largest accuracy; each other method is tested against it, the p-values
    Holm-corrected together. The best is picked from the same data, so a group is rather too small than too large.
    """
    if not hits:
        raise InputError("a tie group needs at least one method")
    order = sorted(hits, key=lambda name: -float(np.mean(np.asarray(hits[name], dtype=np.float64))))  # ties: as given
    best, *rivals = order
    p = holm({name: compare(hits[best], hits[name], seed).p for name in rivals})
    return TieGroup(best, (best, *(name for name in rivals if p[name] >= alpha)), p)


def paper_marks(accuracy: Mapping[str, float | None]) -> dict[str, Mark]:
    """Mark one column as the paper does: the top methods, and those within five points of them.

    As in its table, both are decided on figures rounded to two digits, and five points still count as within.
    """
    points = {name: round(100 * round(value, 2)) for name, value in accuracy.items() if value is not None}
    top = max(points.values(), default=0)
    return {name: _mark(top - points[name]) if name in points else "" for name in accuracy}


def _mark(behind: int) -> Mark:
    if behind == 0:
        return "best"
    return "within five points" if behind <= 5 else ""
