"""Looking at what has been played: outcomes after any number of rounds of each method, and the decision."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from whichword.rounds.rounds_plan import Contest, fullest, played_plan
from whichword.runs.run import Run
from whichword.runs.store import Store
from whichword.scoring.judged import Judged
from whichword.scoring.judging import judge
from whichword.scoring.outcomes import outcomes_of
from whichword.statistics import Leads, leads, sequence
from whichword.statistics.decision import Costs, Decision, decide_by
from whichword.statistics.outcomes import Outcomes
from whichword.types import Item

Rounds = Mapping[str, int]  # method -> rounds played


@dataclass(frozen=True)
class BegunRun(Run):
    """A run of which the first ``documents`` of the set are there."""

    documents: int = 0

    def items(self, set_id: str) -> tuple[Item, ...]:
        return super().items(set_id)[: self.documents]


@dataclass(frozen=True, eq=False)
class Looking(ABC):
    """What a contest has shown. Leads are kept, so that a look costs no more than what is new."""

    contest: Contest
    seen: dict[tuple[int, frozenset[str]], Leads] = field(default_factory=dict, kw_only=True)

    @abstractmethod
    def outcomes(self, rounds: Rounds) -> Outcomes | None:
        """Hits of every method of the contest, nan where it has not played; None where nobody has."""

    def decision(
        self, rounds: Rounds, seconds: Costs, margin: float, expected: Rounds | None = None
    ) -> Decision | None:
        """After so many rounds of each method: a choice among all, else what is shown of those that had the time.

        ``expected``: the rounds that each method was expected to have time for, before anybody looked.

        It does not depend on when anybody looked before. Methods that played few documents for want of time would leave
        everything open; some limits hold for all pairs, so they hold for what is said of the others. Who is in the
        group and what is to be avoided is the same whoever is compared.
        """
        outcomes = self.outcomes(rounds)
        if outcomes is None or not len(outcomes.hits):
            return None
        every = max(len(team.shards) for team in self.contest.teams)
        limits = sequence(self._leads(rounds), every, expected=expected)
        whole = decide_by(limits, outcomes, seconds, margin)
        if whole.choice is not None and not whole.open:
            return whole
        sizes = {method: self.contest.documents(method, count) for method, count in rounds.items() if count}
        decisions = {
            n: decide_by(limits, outcomes, seconds, margin, contenders=[name for name in sizes if sizes[name] >= n])
            for n in sorted(set(sizes.values()))
        }
        return _unnamed(_most_telling(list(decisions.values())) or decisions.get(fullest(sizes), whole))

    def _leads(self, rounds: Rounds) -> Iterator[Leads]:
        """On the documents of the first round, of the first two, ..., of the methods that came so far."""
        for number in range(1, max(rounds.values()) + 1):
            came = frozenset(method for method, count in rounds.items() if count >= number)
            if (number, came) not in self.seen:
                outcomes = self.outcomes({method: number if method in came else 0 for method in rounds})
                self.seen[number, came] = leads(cast("Outcomes", outcomes))
            yield self.seen[number, came]


@dataclass(frozen=True, eq=False)
class StoredLooks(Looking):
    """By the rounds in a run's folder. Judgements are kept too, by team."""

    store: Store
    judged: dict[tuple[str, int], Judged] = field(default_factory=dict)

    def outcomes(self, rounds: Rounds) -> Outcomes | None:
        played = {method: self._judged(method, count) for method, count in rounds.items() if count}
        if not played:
            return None
        view = self._run(*max(rounds.items(), key=lambda entry: self.contest.documents(*entry)))
        items = view.items(self.contest.whole.set)
        keys = {item.key: row for row, item in enumerate(items)}
        methods, sample = self.contest.whole.labels, next(iter(played.values()))
        hits = {
            part: np.column_stack([_column(played.get(method), method, part, keys) for method in methods])
            for part in sample.parts
        }
        return outcomes_of(replace(sample, methods=methods, keys=tuple(keys), hits=hits), items)

    def _judged(self, method: str, rounds: int) -> Judged:
        team = self.contest.team[method].id
        if (team, rounds) not in self.judged:
            self.judged[team, rounds] = judge(self._run(method, rounds), team)
        return self.judged[team, rounds]

    def _run(self, method: str, rounds: int) -> BegunRun:
        plan = played_plan(self.store.plan, self.contest.team[method], rounds)
        return BegunRun(Store(self.store.folder, plan), self.contest.documents(method, rounds))


def _most_telling(decisions: Sequence[Decision]) -> Decision | None:
    """The first that names the best of most methods.

    The best of a few is nobody's choice: the cheapest method would be the best of itself.
    """
    named = [decision for decision in decisions if decision.choice is not None]
    return next((decision for decision in named if len(decision.open) < len(decision.behind) / 2), None)


def _unnamed(decision: Decision) -> Decision:
    """No choice while too little is known of a method; what is good among the others is kept."""
    if decision.choice is None or not decision.open:
        return decision
    good = decision.good or (decision.choice,)
    return replace(decision, status="undecided", choice=None, good=good, needed=None)


def _column(judged: Judged | None, method: str, part: str, rows: Mapping[str, int]) -> NDArray[np.float64]:
    """One method's hits in the rows of their items; nan where it has not played, or the model failed."""
    column = np.full(len(rows), np.nan)
    if judged is not None:
        column[[rows[key] for key in judged.keys]] = judged.hits[part][:, judged.methods.index(method)]
    return column
