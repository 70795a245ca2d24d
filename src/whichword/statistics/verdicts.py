"""Which method to use, as data: `reporting` puts it into words."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whichword.errors import InputError
from whichword.statistics.bootstrap import resampled_means, share_interval
from whichword.statistics.groups import tie_group
from whichword.statistics.intervals import Interval
from whichword.statistics.paired import RESAMPLES, Comparison, compare
from whichword.statistics.planning import needed_documents

BASELINES = ("random", "last")


class Played(NamedTuple):
    """One method's results: hits [N] over the same documents (nan: discarded) and seconds per document."""

    hits: ArrayLike
    seconds: float | None = None


@dataclass(frozen=True)
class Verdict:
    """For one model and one game: the best method, what it is tied with, how sure that is, and what it costs."""

    best: str
    accuracy: float
    interval: Interval
    documents: int
    discarded: int
    tied: tuple[str, ...]  # not significantly worse than the best, in order of accuracy
    first_in: float  # the share of resampled document sets on which the best is (or shares) first
    fastest: str  # the cheapest of the best and its ties; the best where costs are unknown
    seconds: Mapping[str, float | None]  # per document, for the best and its ties
    follower: str | None  # the best method outside the group
    over_follower: Comparison | None
    needed: int | None  # documents to tell the best from the nearest of its ties; None: none, or hopeless
    chance: float | None
    baseline: str | None  # the best baseline, and what the best method has over it
    over_baseline: Comparison | None

    @property
    def trusted(self) -> bool:
        """Whether the best method beats chance (its interval lies above it) and every baseline (p < .05)."""
        above = self.chance is None or self.interval.low > self.chance
        beaten = self.over_baseline is None or (self.over_baseline.p < 0.05 and self.over_baseline.difference > 0)
        return above and beaten


def verdict(
    played: Mapping[str, Played],
    chance: float | None = None,
    baselines: Collection[str] = BASELINES,
    alpha: float = 0.05,
    seed: int = 0,
) -> Verdict:
    """The verdict over methods that played the same documents; baselines are compared with, never recommended."""
    hits, discarded = _counted(played)
    methods = {name: values for name, values in hits.items() if name not in baselines}
    if not methods:
        raise InputError("a verdict needs at least one method that is no baseline")
    group = tie_group(methods, alpha, seed)
    best, tied, best_hits = group.best, group.members[1:], methods[group.best]
    follower = _highest(hits, set(methods) - set(group.members))
    baseline = _highest(hits, set(hits) - set(methods))
    return Verdict(
        best=best,
        accuracy=float(best_hits.mean()),
        interval=share_interval(best_hits, seed),
        documents=len(best_hits),
        discarded=discarded,
        tied=tied,
        first_in=_first_in(methods, best, seed),
        fastest=_fastest(played, group.members),
        seconds={name: played[name].seconds for name in group.members},
        follower=follower,
        over_follower=compare(best_hits, hits[follower], seed) if follower else None,
        needed=_needed(best_hits, hits[tied[0]], alpha) if tied else None,
        chance=chance,
        baseline=baseline,
        over_baseline=compare(best_hits, hits[baseline], seed) if baseline else None,
    )


def _counted(played: Mapping[str, Played]) -> tuple[dict[str, NDArray[np.float64]], int]:
    """The hits without discarded documents, which must be the same ones for every method."""
    vectors = {name: np.asarray(result.hits, dtype=np.float64) for name, result in played.items()}
    masks = {name: ~np.isnan(values) for name, values in vectors.items()}
    patterns = {mask.tobytes() for mask in masks.values()}
    if len(patterns) > 1:
        raise InputError("a verdict needs methods that played the same documents")
    if not any(mask.any() for mask in masks.values()):
        raise InputError("a verdict needs at least one document that counts")
    discarded = {int(np.count_nonzero(~mask)) for mask in masks.values()}
    return {name: values[masks[name]] for name, values in vectors.items()}, max(discarded, default=0)


def _highest(hits: Mapping[str, NDArray[np.float64]], among: Collection[str]) -> str | None:
    candidates = [name for name in hits if name in among]
    return max(candidates, key=lambda name: float(hits[name].mean()), default=None)


def _first_in(hits: Mapping[str, NDArray[np.float64]], best: str, seed: int) -> float:
    means = resampled_means(np.stack(list(hits.values()), axis=1), RESAMPLES, seed)
    best_means = means[:, list(hits).index(best)]
    return float(np.mean(best_means >= means.max(axis=1) - 1e-12))  # equal counts may differ in the last bit


def _fastest(played: Mapping[str, Played], members: tuple[str, ...]) -> str:
    costs = {name: seconds for name in members if (seconds := played[name].seconds) is not None}
    return min(costs, key=lambda name: costs[name]) if len(costs) == len(members) else members[0]


def _needed(best: NDArray[np.float64], tied: NDArray[np.float64], alpha: float) -> int | None:
    return needed_documents(float(np.mean(best > tied)), float(np.mean(best < tied)), alpha)
