"""How far each contest of a run in rounds is, level after level: who plays how many rounds, and who stops.

A level is the seconds that every method may have taken in all. After a level comes a look, and then methods that need
not play on stop; what is said of them is here too.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapreplace

from whichword.method_names import BASELINES
from whichword.planning.costs import CostModel
from whichword.rounds.looks import Contest, Looking
from whichword.runs.records import Pairing
from whichword.statistics.bounds import TELLING
from whichword.statistics.decision import Decision


@dataclass
class Score:
    """How far a contest is: rounds played by method, the looks so far, and why methods were stopped."""

    contest: Contest
    looking: Looking
    costs: CostModel
    rounds: dict[str, int]
    looks: list[dict[str, int]] = field(default_factory=list)
    stopped: dict[str, str] = field(default_factory=dict)
    decision: Decision | None = None
    expected: dict[str, int] = field(default_factory=dict)  # rounds that a method has time for, by cost
    budget: float = 0.0  # seconds of a core that the first start had for the contest

    def next_steps(self, level: float) -> Iterator[tuple[float, str, str]]:
        """Yield (seconds, pairing, shard) of rounds that keep a method under ``level`` seconds in all, in order.

        What counts for a method is its share of what its team takes: to play together is to come further.
        """
        for team in self._playing():
            first, size = team.labels[0], len(team.labels)
            each, most = self.costs.seconds(first), self.costs.most_rounds(first)
            for number in range(len(team.shards))[self.rounds[first] : most]:
                if each * self.contest.documents(first, number + 1) > level:  # nor does any after it
                    break
                yield size * each * len(team.shards[number].items), team.id, team.shards[number].name

    def _playing(self) -> list[Pairing]:
        """List teams that were not stopped; those at the end of all rounds are among them."""
        return [team for team in self.contest.teams if not self.stopped.keys() >= {*team.labels}]

    def unplayed_rounds(self) -> list[str]:
        """Name all shards that are not there, of teams that were not stopped."""
        return [shard.name for team in self._playing() for shard in team.shards[self.rounds[team.labels[0]] :]]

    def left(self) -> list[float]:
        """List the total at which each team that plays on reaches its next round, per method."""
        firsts = [team.labels[0] for team in self._playing() if self.rounds[team.labels[0]] < len(team.shards)]
        return [self.costs.seconds(first) * self.contest.documents(first, self.rounds[first] + 1) for first in firsts]

    def expect(self, seconds: float) -> None:
        """Expect, by ``seconds`` of a core for the contest, the rounds that methods come to if all share them evenly.

        A method that takes less than its share leaves the rest to the others. Said of a method when it comes to the
        first round that can show something, where its cost is known and nothing else is, and never changed: most of
        the error of each comparison is spent on these rounds. The seconds are those of the first look, and it does not
        matter how far a method has come: to run a command again, or to be stopped, may depend on hits.
        """
        self.budget = self.budget or sum(map(self.costs.spent, self.rounds)) + seconds
        level = fair_level([self._until(method) for method in self.rounds], self.budget)
        for method, played in self.rounds.items():
            if played >= TELLING and method not in self.expected:  # never changed: it may not depend on hits
                numbers = range(1, len(self.contest.team[method].shards) + 1)
                self.expected[method] = sum(self._until(method, number) <= level for number in numbers)

    def _until(self, method: str, rounds: int | None = None) -> float:
        """Sum the seconds that a method's first rounds take; None: all of them."""
        every = len(self.contest.team[method].shards)
        return self.costs.seconds(method) * self.contest.documents(method, every if rounds is None else rounds)

    def seconds_left(self) -> float:
        """Sum seconds of a core for all rounds of the teams that play on."""
        return sum(
            self.costs.seconds(label) * len(shard.items)
            for team in self._playing()
            for label in team.labels
            for shard in team.shards[self.rounds[label] :]
        )


def fair_level(totals: Sequence[float], seconds: float) -> float:
    """Find what each may take if ``seconds`` are shared evenly, and none takes more than its total."""
    remaining = seconds
    for place, total in enumerate(sorted(totals)):
        share = remaining / (len(totals) - place)
        if total > share:
            return share
        remaining -= total  # it takes all that it needs, the rest share what is left
    return math.inf  # enough for all of them


CHEAP = 0.01  # of the time limit: a next round that costs less is played although only the place is open


def reasons_to_stop(
    contest: Contest, rounds: Mapping[str, int], decision: Decision | None, costs: CostModel, limit: float
) -> dict[str, str]:
    """Say which methods can no longer win, or why their place no longer matters. Baselines play on: they cost nothing.

    A team stops when none of it has to play on; until then those that need not come along for next to nothing.
    """
    reasons: dict[str, str] = {}
    for team in contest.teams:
        played = rounds[team.labels[0]]
        if decision is None or played in (0, len(team.shards)) or team.labels[0] in BASELINES:
            continue
        next_round = sum(costs.seconds(method) for method in team.labels) * len(team.shards[played].items)
        cheap = next_round < CHEAP * limit  # a place for next to nothing is worth having
        words = {m: _settled(m, decision) or (None if cheap else _idle(m, decision, costs)) for m in team.labels}
        if all(words.values()):
            after = f"stopped after {contest.documents(team.labels[0], played)} documents"
            reasons |= {method: f"{after}: {reason}" for method, reason in words.items()}
    return reasons


def _settled(method: str, decision: Decision) -> str | None:
    behind = decision.behind.get(method)
    if behind is not None and behind.low > decision.margin:
        return f"shown to be at least {100 * behind.low:.0f} points behind the best"
    spoken_for = method != decision.choice and method not in decision.open
    return "another method is shown to be the best" if decision.status == "decided" and spoken_for else None


def _idle(method: str, decision: Decision, costs: CostModel) -> str | None:
    if method in decision.beaten:
        return "shown to be worse than the best"
    choice = decision.choice
    if choice is None or choice == method or method in decision.open:
        return None
    if costs.alone(method) >= costs.alone(choice):  # a cheaper one may still become the choice
        return f"its place no longer matters: {choice} is cheaper and shown to be within the margin"
    return None


def unplayed(
    contest: Contest, rounds: Mapping[str, int], stopped: Mapping[str, str], costs: CostModel
) -> dict[str, str]:
    """Give every method that did not play all documents its reason."""
    words: dict[str, str] = {}
    for method, played in rounds.items():
        total, done = len(contest.team[method].shards), contest.documents(method, played)
        if played == total:
            continue
        no_time = f"no time for more than {done} documents" if done else "never played, no time for a first round"
        words[method] = stopped.get(method, f"{no_time} ({_magnitude(costs.alone(method))} per document)")
    return words


def _magnitude(seconds: float) -> str:
    """Say about how long, so that methods of the same cost read the same."""
    return next((f"under {unit}" for most, unit in _MAGNITUDES if seconds < most), "over ten minutes")


_MAGNITUDES = (
    (0.1, "a tenth of a second"),
    (1.0, "a second"),
    (10.0, "ten seconds"),
    (60.0, "a minute"),
    (600.0, "ten minutes"),
)


Step = tuple[float, str, str]  # seconds of a core, the team's pairing, shard
AT_ONCE = 0.5  # of the time that is left: what begins later is planned again, by the pace that was kept until then


@dataclass
class Levels(ABC):
    """``scores`` are played by ``players`` for ``limit`` seconds; a choice may be ``margin`` behind the best."""

    scores: list[Score]
    players: int
    limit: float
    margin: float

    @property
    @abstractmethod
    def remaining(self) -> float:
        """Seconds to play."""

    @property
    def pace(self) -> float:
        """Seconds of the clock per second of a core."""
        return 1.0

    def delay(self, steps: Sequence[Step]) -> float:
        """Estimate seconds of the clock until processes can begin that these steps need and that are not there yet."""
        return 0.0

    @abstractmethod
    def play_shards(self, shards: Sequence[str], seconds: float) -> None:
        """Play them, some ``seconds`` of work, as long as time remains; what each took goes to its score's costs."""

    @abstractmethod
    def rounds_of(self, score: Score, team: Pairing) -> int:
        """Count the rounds of a team that are there without a gap."""

    @abstractmethod
    def before_look(self, score: Score) -> None:
        """Announce a look, which takes a moment."""

    @abstractmethod
    def after_look(self) -> None:
        """Store what was seen, and which methods were stopped."""

    def play(self) -> None:
        """Play level after level; a level is the seconds that every method may have taken in all."""
        self._decide()
        level = self._first_level()
        while self.remaining > 0 and any(score.left() for score in self.scores):
            level = max(level, min(total for score in self.scores for total in score.left()))  # no empty level
            steps = self._fitting(level)
            if not steps and level > self.limit * self.players:  # not even one method alone could fill it
                break
            if steps:
                probing = not any(score.costs.measured for score in self.scores)
                self._play_steps(steps)
                self._count()
                if probing:  # only the cheapest have played: there is nothing to compare yet
                    continue
                self._look()
            level *= 2  # few looks: each has twice as much to see
        if any(any(score.rounds.values()) for score in self.scores) and not any(score.looks for score in self.scores):
            self._look()  # the time was over before there was more to compare: what was played is told all the same

    def _first_level(self) -> float:
        """Begin with an eighth of what each gets where all cost the same; later starts take up what was reached."""
        spent = [score.costs.spent(method) for score in self.scores for method in score.rounds]
        return max(self.limit * self.players / (8 * len(spent)), *spent)

    def _fitting(self, level: float) -> list[Step]:
        """Choose shards, cheapest first, that end in time, and no round before an earlier one."""
        steps = _cheapest_first([step for score in self.scores for step in score.next_steps(level)])
        return [step for step, _ in self._in_time(steps)]

    def _play_steps(self, steps: Sequence[Step]) -> None:
        """Play what begins soon; then what would begin later, if it still ends in time by the pace seen until then."""
        while planned := self._in_time(steps):
            until = max(AT_ONCE * self.remaining, planned[0][1])  # at least the first step, however late it begins
            soon = max(1, sum(begin <= until for _, begin in planned))
            now, steps = [step for step, _ in planned[:soon]], [step for step, _ in planned[soon:]]
            self.play_shards([shard for _, _, shard in now], sum(seconds for seconds, _, _ in now))

    def _in_time(self, steps: Sequence[Step]) -> list[tuple[Step, float]]:
        """Choose steps that end in time, with when each of them begins; the first free player takes the next."""
        free, planned, skipped = [self.delay(steps)] * self.players, [], set[str]()  # free: a heap
        for step in steps:
            seconds, pairing, _ = step
            end = free[0] + seconds * self.pace
            if pairing in skipped or end > self.remaining:
                skipped.add(pairing)  # its later rounds would leave a gap
            else:
                planned.append((step, heapreplace(free, end)))
        return planned

    def _count(self) -> None:
        for score in self.scores:
            counts = {team.id: self.rounds_of(score, team) for team in score.contest.teams}
            score.rounds = {method: counts[score.contest.team[method].id] for method in score.rounds}

    def _look(self) -> None:
        for score in self.scores:
            score.expect(self.remaining * self.players / self.pace / len(self.scores))
            score.looks.append(dict(score.rounds))  # a copy: rounds go on
            self.before_look(score)
        self._decide()
        for score in self.scores:
            score.stopped |= reasons_to_stop(score.contest, score.rounds, score.decision, score.costs, self.limit)
        self.after_look()

    def _decide(self) -> None:
        for score in self.scores:
            if score.looks:
                score.decision = score.looking.decision(
                    score.looks[-1], score.costs.known(), self.margin, score.expected
                )


def _cheapest_first(steps: Sequence[Step]) -> list[Step]:
    """Sort by the dearest round of the team so far: its last round, the rest of the documents, may be a small one."""
    dearest: dict[str, float] = {}
    ranks = []
    for seconds, pairing, _ in steps:
        dearest[pairing] = max(seconds, dearest.get(pairing, 0.0))
        ranks.append(dearest[pairing])
    return [steps[number] for number in sorted(range(len(steps)), key=ranks.__getitem__)]  # stable, by team
