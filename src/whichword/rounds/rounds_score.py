"""How far one model is in one game that is played in rounds."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from whichword.planning.costs import CostEstimate
from whichword.rounds.rounds_looks import Looking
from whichword.rounds.rounds_plan import Contest
from whichword.runs.plan import Pairing
from whichword.statistics.decision import Decision
from whichword.statistics.repeated import TELLING


@dataclass
class Score:
    """How far a contest is: rounds played by method, the looks so far, and why methods were stopped."""

    contest: Contest
    looking: Looking
    costs: CostEstimate
    rounds: dict[str, int]
    looks: list[dict[str, int]] = field(default_factory=list)
    stopped: dict[str, str] = field(default_factory=dict)
    decision: Decision | None = None
    expected: dict[str, int] = field(default_factory=dict)  # rounds that a method has time for, by cost
    budget: float = 0.0  # seconds of a core that the first start had for the contest

    def next_steps(self, level: float) -> Iterator[tuple[float, str, str]]:
        """(seconds, pairing, shard) of all rounds that keep a method under ``level`` seconds in all, in their order.

        What counts for a method is its share of what its team takes: to play together is to come further.
        """
        for team in self._playing():
            first, size = team.labels[0], len(team.labels)
            each, most = self.costs.seconds(first), self.costs.most_rounds(first)
            for number in range(len(team.shards))[self.rounds[first] : most]:
                if each * self.contest.documents(first, number + 1) > level:
                    break
                yield size * each * len(team.shards[number].items), team.id, team.shards[number].name

    def _playing(self) -> list[Pairing]:
        """Teams that were not stopped; those at the end of all rounds are among them."""
        return [team for team in self.contest.teams if not self.stopped.keys() >= {*team.labels}]

    def unplayed_rounds(self) -> list[str]:
        """All shards that are not there, of teams that were not stopped."""
        return [shard.name for team in self._playing() for shard in team.shards[self.rounds[team.labels[0]] :]]

    def left(self) -> list[float]:
        """The total at which each team that plays on reaches its next round, per method."""
        firsts = [team.labels[0] for team in self._playing() if self.rounds[team.labels[0]] < len(team.shards)]
        return [self.costs.seconds(first) * self.contest.documents(first, self.rounds[first] + 1) for first in firsts]

    def expect(self, seconds: float) -> None:
        """By ``seconds`` of a core for the contest: how many rounds each method will come to if all share them evenly.

        A method that takes less than its share leaves the rest to the others. Said of a method when it comes to the
        first round that can show something, where its cost is known and nothing else is, and never changed: most of
        the error of each comparison is spent on these rounds. The seconds are those of the first look, and it does not
        matter how far a method has come: who runs a command again, or who was stopped, may depend on hits.
        """
        self.budget = self.budget or sum(map(self.costs.spent, self.rounds)) + seconds
        level = fair_level([self._until(method) for method in self.rounds], self.budget)
        for method, played in self.rounds.items():
            if played >= TELLING and method not in self.expected:
                numbers = range(1, len(self.contest.team[method].shards) + 1)
                self.expected[method] = sum(self._until(method, number) <= level for number in numbers)

    def _until(self, method: str, rounds: int | None = None) -> float:
        """The seconds that a method's first rounds take in all; None: all of them."""
        every = len(self.contest.team[method].shards)
        return self.costs.seconds(method) * self.contest.documents(method, every if rounds is None else rounds)

    def seconds_left(self) -> float:
        """Of a core, for all rounds of the teams that play on."""
        return sum(
            self.costs.seconds(label) * len(shard.items)
            for team in self._playing()
            for label in team.labels
            for shard in team.shards[self.rounds[label] :]
        )


def fair_level(totals: Sequence[float], seconds: float) -> float:
    """What everybody may take if ``seconds`` are shared evenly, and nobody takes more than its total."""
    remaining = seconds
    for place, total in enumerate(sorted(totals)):
        share = remaining / (len(totals) - place)
        if total > share:
            return share
        remaining -= total
    return math.inf
