"""Decide which method to use, as far as the data show it; `reporting` puts it into words.

Also: how many documents would decide more, if what was seen so far goes on, and one answer for several decisions.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.statistics.bounds import BASELINES, CHANCE, Bounds, Outcomes, bounds, leads
from whichword.statistics.tests import Interval

MOST = 10_000_000  # documents: to ask for more would be no advice
POWER = NormalDist().inv_cdf(0.8)  # a forecast comes true eight times in ten


def documents_to_choose(
    limits: Bounds, candidates: Sequence[str], columns: Sequence[str], baselines: Sequence[str], margin: float
) -> int | None:
    """Forecast when the first candidate is shown to be within the margin of all columns, and above the baselines."""
    least = {name: 0.0 if name in baselines else -margin for name in columns}
    until = (
        max((_between(limits, name, other, least[other]) for other in columns if other != name), default=0.0)
        for name in candidates
    )
    return _count(min(until, default=math.inf))


def documents_to_single_out(limits: Bounds, group: Sequence[str]) -> int | None:
    """Forecast when the first of a group is shown to beat the others of it."""
    return _count(max((_between(limits, group[0], other, 0.0) for other in group[1:]), default=math.inf))


def documents_to_show(distance: float, spread: float, level: float) -> float:
    """Compute the N at which a lead that is ``distance`` from what is to be shown does show it, eight times in ten.

    ``spread`` is the variance of one document's difference. reach + p sqrt(spread / N) <= distance, where the gamma
    quantile is about k + z (sqrt(k) + 1) + 1 + (z^2 - 1) / 3 with k = spread N (Cornish and Fisher's expansion), and
    -log(level) at k = 0: a quadratic equation for sqrt(N), from the safe side.
    """
    if distance <= 0:
        return math.inf
    slope, constant = _terms(spread, level)
    return ((slope + math.sqrt(slope * slope + 4 * distance * constant)) / (2 * distance)) ** 2


def distance_shown(documents: int, spread: float, level: float) -> float:
    """Compute, the other way round, how far a lead must lie from what N documents are to show, eight times in ten."""
    slope, constant = _terms(spread, level)
    return slope / math.sqrt(documents) + constant / documents


def _terms(spread: float, level: float) -> tuple[float, float]:
    """Compute (a, b) of the reach a / sqrt(N) + b / N."""
    z = NormalDist().inv_cdf(1 - level)
    return (z + POWER) * math.sqrt(spread), max(z + 1 + (z * z - 1) / 3, -math.log(level))


def _between(limits: Bounds, name: str, other: str, least: float) -> float:
    """Forecast the documents until a lead over another column is shown to be more than ``least``."""
    i, j = limits.names.index(name), limits.names.index(other)
    seen = limits.latest
    if not seen.documents[i, j]:  # no common document: there is nothing to forecast from
        return math.inf
    spread = float(seen.variance[i, j] * seen.documents[i, j])  # of one document's difference
    return documents_to_show(float(seen.lead[i, j]) - least, spread, limits.level)


def _count(documents: float) -> int | None:
    return math.ceil(documents) if documents <= MOST else None


MARGIN = 0.05  # of accuracy: what a method may be worse than the best and still be called good

Status = Literal["decided", "tied", "undecided"]
Costs = Mapping[str, float | None]  # seconds per document, the method asked alone


@dataclass(frozen=True)
class Decision:
    """The answer for one model in one game. Every method is in the group, unproven, or shown to be worse than another.

    ``group``: not shown to be worse than the best, and shown to beat chance and the baselines; best accuracy first.
    ``unproven``: not shown to be worse than the best either, nor to beat chance and the baselines, nor to be avoided.
    More documents move methods from unproven to the group, and from both to what is shown to be worse.
    ``choice``: decided, the one method shown best; tied, the cheapest of the group that is shown to be within the
    margin of the best; undecided, None. ``avoid``: shown to be worse than the best by more than the margin, or shown
    to have less than the margin over chance or a baseline (and not shown to beat it). ``needed``: documents, all in
    all, that would probably lead to a choice, or single out one method of a tie; None: none would, or none is needed.
    """

    status: Status
    group: tuple[str, ...]
    choice: str | None
    avoid: tuple[str, ...]
    needed: int | None
    margin: float
    documents: int
    behind: Mapping[str, Interval] = field(default_factory=dict)  # distance to the best, of every method
    over: Mapping[str, Interval] = field(default_factory=dict)  # lead over the hardest of chance and the baselines
    above: tuple[str, ...] = ()  # shown to beat chance and the baselines
    good: tuple[str, ...] = ()  # of the group, shown to be within the margin, cheapest first
    unproven: tuple[str, ...] = ()
    beaten: tuple[str, ...] = ()  # shown not to be the best
    accuracy: Mapping[str, float] = field(default_factory=dict)  # of every column, on the rows it played
    open: tuple[str, ...] = ()  # methods that played too little, or not at all: the decision does not speak for them


def decide(outcomes: Outcomes, seconds: Costs, margin: float = MARGIN, ahead: bool = True) -> Decision:
    """Decide after one look at all documents."""
    if not outcomes.methods or not len(outcomes.hits):
        raise InputError("a verdict needs a method that is no baseline, and a document that counts")
    return decide_by(bounds(leads(outcomes)), outcomes, seconds, margin, ahead)


def decide_by(
    limits: Bounds,
    outcomes: Outcomes,
    seconds: Costs,
    margin: float = MARGIN,
    ahead: bool = True,
    contenders: Collection[str] | None = None,
) -> Decision:
    """Decide by bounds that hold together, from one look or from many, about the columns that played.

    ``ahead``: work out ``needed`` too. ``contenders``: speak of the best of these alone, where others played too
    little. Who is in the group, who is unproven and who is to be avoided does not depend on them.
    """
    played = {name: hits for name, hits in zip(limits.names, outcomes.hits.T, strict=True) if not np.isnan(hits).all()}
    accuracy = {name: _mean(hits) for name, hits in played.items()}
    standing = _Standing(limits, margin, accuracy, contenders)
    group = tuple(name for name in standing.order if name in standing.plausible and name in standing.above)
    good = tuple(sorted(filter(standing.within_margin, group), key=cheapness(seconds)))
    single = group if group == tuple(standing.plausible) and len(group) == 1 else ()
    status: Status = "decided" if single else "tied" if good else "undecided"
    choice = (single or good or (None,))[0]
    avoid = tuple(filter(standing.to_avoid, standing.order))
    beaten = tuple(name for name in standing.order if name not in standing.plausible)
    return Decision(
        status=status,
        group=group,
        choice=choice,
        avoid=avoid,
        needed=_needed(status, limits, standing, group) if ahead else None,
        margin=margin,
        documents=standing.documents,
        behind=standing.behind,
        over=standing.over,
        above=tuple(name for name in standing.order if name in standing.above),
        good=good,
        unproven=tuple(name for name in outcomes.methods if name not in (*beaten, *group, *avoid)),
        beaten=beaten,
        accuracy=accuracy,
        open=tuple(name for name in outcomes.methods if not standing.settles(name, choice)),
    )


class _Standing:
    """The standing of every method, read off the bounds."""

    def __init__(
        self, limits: Bounds, margin: float, accuracy: Mapping[str, float], contenders: Collection[str] | None
    ) -> None:
        self.limits, self.margin = limits, margin
        self.number = {name: i for i, name in enumerate(limits.names)}
        names = sorted(accuracy, key=lambda name: -accuracy[name])  # ties keep the order of the table
        self.baselines = [name for name in names if name in (*BASELINES, CHANCE)]
        methods = self.order = [name for name in names if name not in self.baselines]
        self.partial = contenders is not None
        self.compared = [name for name in names if contenders is None or name in (*contenders, *self.baselines)]
        self.plausible = self._plausible(names)
        self.behind = {name: self._behind(name) for name in self.order}
        self.over = {name: self._over(name) for name in methods if self.baselines}
        self.above = {name for name in methods if name not in self.over or self.over[name].low > 0}

    @property
    def documents(self) -> int:
        """The most documents that a compared method has played; baselines, which cost nothing, may have played more."""
        methods = [self.number[name] for name in self.compared if name not in self.baselines]
        return int(max((self.limits.latest.documents[i, i] for i in methods), default=0))

    def within_margin(self, name: str) -> bool:
        """Tell whether a contender is shown to be within the margin of all others."""
        return name in self.compared and self.behind[name].high <= self.margin

    def to_avoid(self, name: str) -> bool:
        hardly = any(-self._at(self.limits.leads, base, name) < self.margin for base in self.baselines)
        return self.behind[name].low > self.margin or (name not in self.above and hardly)

    def settles(self, name: str, choice: str | None) -> bool:
        """Tell whether a method was compared, is shown not to be the best, or to be within the margin of ``choice``."""
        if name in self.compared or name not in self.behind:
            return name in self.compared
        near = choice is not None and -self._at(self.limits.leads, choice, name) <= self.margin
        return near or name not in self.plausible

    def _plausible(self, names: list[str]) -> list[str]:
        """List the columns that no other is shown to beat, the best among them. Never none, if looks contradict."""
        rivals = self.limits.rivals
        unbeaten = [name for name in names if max(self._at(rivals, other, name) for other in names) <= 0]
        return unbeaten or names[:1]

    def _behind(self, name: str) -> Interval:
        """Bound the distance to the best.

        It is at least the lower limit of the best one's lead: the smallest of those that may be the best, or the
        largest of all where all limits hold together, since the best is no worse than any column. It is at most
        the largest upper limit of those that may be the best; of contenders any may be the best among them.
        """
        surest, others = (max, self.number) if self.limits.pairwise else (min, self.plausible)
        low = 0.0 if name in self.plausible else surest(self._at(self.limits.leads, other, name) for other in others)
        limits, rivals = (self.limits.leads, self.compared) if self.partial else (self.limits.rivals, self.plausible)
        high = max((-self._at(limits, name, rival) for rival in rivals), default=1.0)
        return Interval(max(0.0, low), min(1.0, max(0.0, high)))  # a distance of accuracies is within 0 and 1

    def _over(self, name: str) -> Interval:
        """Bound the lead over the best of chance and the baselines, whichever that is."""
        low = min(self._at(self.limits.above, name, base) for base in self.baselines)
        high = min(-self._at(self.limits.leads, base, name) for base in self.baselines)
        return Interval(max(-1.0, low), min(1.0, high))

    def _at(self, limits: NDArray[np.float64], name: str, other: str) -> float:
        """Look up what the one is shown to lead the other by."""
        return float(limits[self.number[name], self.number[other]])


def _needed(status: Status, limits: Bounds, standing: _Standing, group: Sequence[str]) -> int | None:
    if status == "undecided":
        hopeful = [name for name in standing.order if name in standing.plausible and name in standing.compared]
        return documents_to_choose(limits, hopeful, standing.compared, standing.baselines, standing.margin)
    rivals = [name for name in group if name in standing.compared]
    return documents_to_single_out(limits, rivals) if status == "tied" else None


def cheapness(seconds: Costs) -> Callable[[str], float]:
    """Make a key that sorts names, the cheapest first."""
    return lambda name: _seconds(seconds, name)


def _seconds(seconds: Costs, name: str) -> float:
    """Look up a cost; unknown ones come last, and where none is known the order of accuracy stays."""
    cost = seconds.get(name)
    return float("inf") if cost is None else cost


def _mean(hits: NDArray[np.float64]) -> float:
    played = hits[~np.isnan(hits)]
    return float(played.mean()) if len(played) else 0.0


def for_all(decisions: Sequence[Decision], seconds: Costs) -> Decision:
    """Unite decisions on several games or models: a method is good where it is shown to be good in all of them.

    ``group``: in every group; ``unproven``: shown to be worse nowhere, but not in every group; ``avoid``: to be
    avoided somewhere, and in no group. It is decided where all are and for the same method; a choice that holds in
    some only is none. ``needed`` is what the slowest of them needs.
    """
    if len(decisions) == 1:  # its baselines and accuracies are kept, which several have none in common of
        return decisions[0]
    group = tuple(name for name in decisions[0].group if all(name in decision.group for decision in decisions))
    good = tuple(sorted((name for name in group if all(map(_good(name), decisions))), key=cheapness(seconds)))
    decided = bool(good) and all(decision.status == "decided" for decision in decisions)
    status: Status = "decided" if decided else "tied" if good else "undecided"
    return Decision(
        status=status,
        group=group,
        choice=good[0] if good else None,
        avoid=_avoid(decisions),
        needed=_needed_by_all(decisions),
        margin=max(decision.margin for decision in decisions),
        documents=sum(decision.documents for decision in decisions),
        behind=_behind(decisions),
        above=tuple(name for name in decisions[0].above if all(name in decision.above for decision in decisions)),
        good=good,
        unproven=tuple(name for name in _unbeaten(decisions) if name not in group),
        open=tuple(dict.fromkeys(name for decision in decisions for name in decision.open)),
    )


def _unbeaten(decisions: Sequence[Decision]) -> list[str]:
    """List the methods that no decision shows to be worse than the best."""
    unbeaten = [(*decision.group, *decision.unproven) for decision in decisions]
    return [name for name in unbeaten[0] if all(name in names for names in unbeaten)]


def _good(name: str) -> Callable[[Decision], bool]:
    return lambda decision: decision.choice is not None and name in (decision.choice, *decision.good)


def _avoid(decisions: Sequence[Decision]) -> tuple[str, ...]:
    names = dict.fromkeys(name for decision in decisions for name in decision.avoid)
    return tuple(name for name in names if not any(name in decision.group for decision in decisions))


def _needed_by_all(decisions: Sequence[Decision]) -> int | None:
    counts = [decision.needed for decision in decisions if decision.status == "undecided"]
    return max((count for count in counts if count is not None), default=None) if None not in counts else None


def _behind(decisions: Sequence[Decision]) -> dict[str, Interval]:
    """Take the worst of each method's distances to the best."""
    names = [name for name in decisions[0].behind if all(name in decision.behind for decision in decisions)]
    return {
        name: Interval(
            max(decision.behind[name].low for decision in decisions),
            max(decision.behind[name].high for decision in decisions),
        )
        for name in names
    }
