"""Which method to use, as far as the data show it; `reporting` puts it into words."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.statistics.bounds import Bounds, bounds
from whichword.statistics.intervals import Interval
from whichword.statistics.leads import leads
from whichword.statistics.needed import documents_to_choose, documents_to_single_out
from whichword.statistics.outcomes import BASELINES, CHANCE, Outcomes

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
    accuracy: Mapping[str, float] = field(default_factory=dict)  # of every column, on the rows it played
    open: tuple[str, ...] = ()  # methods that played too little, or not at all: the decision does not speak for them


def decide(outcomes: Outcomes, seconds: Costs, margin: float = MARGIN, ahead: bool = True) -> Decision:
    """The decision after one look at all documents."""
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
    """The decision by bounds that hold together, from one look or from many, about the columns that played.

    ``ahead``: work out ``needed`` too. ``contenders``: the methods among which a choice is made, where others played
    too little. Who is in the group, who is unproven and who is to be avoided does not depend on them.
    """
    played = {name: hits for name, hits in zip(limits.names, outcomes.hits.T, strict=True) if not np.isnan(hits).all()}
    accuracy = {name: _mean(hits) for name, hits in played.items()}
    standing = _Standing(limits, margin, accuracy, accuracy if contenders is None else contenders)
    group = tuple(name for name in standing.order if name in standing.plausible and name in standing.above)
    good = tuple(sorted(filter(standing.within_margin, group), key=cheapness(seconds)))
    single = group if group == tuple(standing.plausible) and len(group) == 1 else ()
    status: Status = "decided" if single else "tied" if good else "undecided"
    choice = (single or good or (None,))[0]
    avoid = tuple(filter(standing.to_avoid, standing.order))
    beaten = {name for name in accuracy if name not in standing.plausible}
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
        unproven=tuple(name for name in outcomes.methods if name not in beaten and name not in (*group, *avoid)),
        accuracy=accuracy,
        open=tuple(name for name in outcomes.methods if not standing.settles(name, choice)),
    )


class _Standing:
    """Where every method stands, read off the bounds."""

    def __init__(
        self, limits: Bounds, margin: float, accuracy: Mapping[str, float], contenders: Collection[str]
    ) -> None:
        self.limits, self.margin = limits, margin
        self.number = {name: i for i, name in enumerate(limits.names)}
        names = sorted(accuracy, key=lambda name: -accuracy[name])
        self.baselines = [name for name in names if name in (*BASELINES, CHANCE)]
        methods = self.order = [name for name in names if name not in self.baselines]
        self.compared = [name for name in names if name in contenders or name in self.baselines]
        self.plausible = self._plausible(names)
        self.behind = {name: self._behind(name) for name in self.order}
        self.over = {name: self._over(name) for name in methods if self.baselines}
        self.above = {name for name in methods if name not in self.over or self.over[name].low > 0}

    @property
    def documents(self) -> int:
        """The most that a method which is compared has played; baselines, which cost nothing, may have played more."""
        methods = [self.number[name] for name in self.compared if name not in self.baselines]
        return int(max((self.limits.latest.documents[i, i] for i in methods), default=0))

    def within_margin(self, name: str) -> bool:
        """Whether a contender is shown to be within the margin of all others."""
        return name in self.compared and self.behind[name].high <= self.margin

    def to_avoid(self, name: str) -> bool:
        hardly = any(self._high(name, base) < self.margin for base in self.baselines)
        return self.behind[name].low > self.margin or (name not in self.above and hardly)

    def settles(self, name: str, choice: str | None) -> bool:
        """Whether a method was compared, is shown to be worse than the best, or within the margin of ``choice``."""
        if name in self.compared or name not in self.behind:
            return name in self.compared
        return self.behind[name].low > 0 or (choice is not None and self._high(name, choice) <= self.margin)

    def _plausible(self, names: list[str]) -> list[str]:
        """Columns that no other is shown to beat: the best is among them. Never none, also if looks contradict."""
        unbeaten = [name for name in names if max(self._low(other, name) for other in names) <= 0]
        return unbeaten or names[:1]

    def _behind(self, name: str) -> Interval:
        """The distance to the best.

        It is at most the largest upper bound of a contender's lead, and at least the lower bound of the best one's:
        the smallest of those that may be the best, or the largest of all where all bounds hold together, since the
        best is no worse than whoever that is.
        """
        surest, rivals = (max, self.number) if self.limits.pairwise else (min, self.plausible)
        low = 0.0 if name in self.plausible else surest(self._low(other, name) for other in rivals)
        high = max((self._high(other, name) for other in self.compared), default=1.0)
        return Interval(max(0.0, low), min(1.0, max(0.0, high)))

    def _over(self, name: str) -> Interval:
        """The lead over the best of chance and the baselines, whichever that is."""
        low, high = ([bound(name, base) for base in self.baselines] for bound in (self._low, self._high))
        return Interval(max(-1.0, min(low)), min(1.0, min(high)))

    def _low(self, name: str, other: str) -> float:
        return float(self.limits.low[self.number[name], self.number[other]])

    def _high(self, name: str, other: str) -> float:
        return float(self.limits.high[self.number[name], self.number[other]])


def _needed(status: Status, limits: Bounds, standing: _Standing, group: Sequence[str]) -> int | None:
    if status == "undecided":
        hopeful = [name for name in standing.order if name in standing.plausible and name in standing.compared]
        return documents_to_choose(limits, hopeful, standing.compared, standing.baselines, standing.margin)
    rivals = [name for name in group if name in standing.compared]
    return documents_to_single_out(limits, rivals) if status == "tied" else None


def cheapness(seconds: Costs) -> Callable[[str], float]:
    """To sort names by: the cheapest first."""
    return lambda name: _seconds(seconds, name)


def _seconds(seconds: Costs, name: str) -> float:
    """Unknown costs come last; where none is known the order of accuracy stays."""
    cost = seconds.get(name)
    return float("inf") if cost is None else cost


def _mean(hits: NDArray[np.float64]) -> float:
    played = hits[~np.isnan(hits)]
    return float(played.mean()) if len(played) else 0.0
