"""Level after level: who plays how many rounds, when everybody looks, who stops; wherever rounds are played."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapreplace

from whichword.rounds.rounds_score import Score
from whichword.rounds.rounds_stopping import reasons_to_stop
from whichword.runs.plan import Pairing

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
        """Seconds of the clock until those can begin who are to play these steps and are not there yet."""
        return 0.0

    @abstractmethod
    def play_shards(self, shards: Sequence[str], seconds: float) -> None:
        """Play them, some ``seconds`` of work, as long as time remains; what each took goes to its score's costs."""

    @abstractmethod
    def rounds_of(self, score: Score, team: Pairing) -> int:
        """How many rounds of a team are there without a gap."""

    @abstractmethod
    def before_look(self, score: Score) -> None:
        """A look takes a moment: here it can be announced."""

    @abstractmethod
    def after_look(self) -> None:
        """What was seen, and who was stopped, can be stored here."""

    def play(self) -> None:
        """Level after level; a level is the seconds that every method may have taken in all."""
        self._decide()
        level = self._first_level()
        while self.remaining > 0 and any(score.left() for score in self.scores):
            level = max(level, min(total for score in self.scores for total in score.left()))
            steps = self._fitting(level)
            if not steps and level > self.limit * self.players:
                break
            if steps:
                probing = not any(score.costs.measured for score in self.scores)
                self._play_steps(steps)
                self._count()
                if probing:  # nobody but the cheapest has played: there is nothing to compare yet
                    continue
                self._look()
            level *= 2

    def _first_level(self) -> float:
        """An eighth of what everybody gets where all cost the same; later starts take up what was reached."""
        spent = [score.costs.spent(method) for score in self.scores for method in score.rounds]
        return max(self.limit * self.players / (8 * len(spent)), *spent)

    def _fitting(self, level: float) -> list[Step]:
        """Shards, cheapest first, that end in time, and no round before an earlier one."""
        steps = _cheapest_first([step for score in self.scores for step in score.next_steps(level)])
        return [step for step, _ in self._in_time(steps)]

    def _play_steps(self, steps: Sequence[Step]) -> None:
        """What begins soon is played; what would begin later, if it still ends in time by the pace seen until then."""
        while planned := self._in_time(steps):
            until = max(AT_ONCE * self.remaining, planned[0][1])
            soon = max(1, sum(begin <= until for _, begin in planned))
            now, steps = [step for step, _ in planned[:soon]], [step for step, _ in planned[soon:]]
            self.play_shards([shard for _, _, shard in now], sum(seconds for seconds, _, _ in now))

    def _in_time(self, steps: Sequence[Step]) -> list[tuple[Step, float]]:
        """Steps that end in time, with when each of them begins; whoever is free takes the next."""
        free, planned, skipped = [self.delay(steps)] * self.players, [], set[str]()
        for step in steps:
            seconds, pairing, _ = step
            end = free[0] + seconds * self.pace
            if pairing in skipped or end > self.remaining:
                skipped.add(pairing)
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
            score.looks.append(dict(score.rounds))
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
    """By the dearest round of the team so far: its last round, what is left of the documents, may be a small one."""
    dearest: dict[str, float] = {}
    ranks = []
    for seconds, pairing, _ in steps:
        dearest[pairing] = max(seconds, dearest.get(pairing, 0.0))
        ranks.append(dearest[pairing])
    return [steps[number] for number in sorted(range(len(steps)), key=ranks.__getitem__)]
