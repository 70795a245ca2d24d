"""Level after level: who plays how many rounds, when everybody looks, who stops; wherever rounds are played."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from whichword.experiment.rounds_score import Score
from whichword.experiment.rounds_stopping import reasons_to_stop

Step = tuple[float, str, str]  # seconds, the method's pairing, shard


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

    @abstractmethod
    def play_shards(self, shards: Sequence[str], seconds: float) -> None:
        """Play them, some ``seconds`` of work, as long as time remains; what each took goes to its score's costs."""

    @abstractmethod
    def rounds_of(self, score: Score, method: str) -> int:
        """How many rounds of a method are there without a gap."""

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
                self.play_shards([shard for _, _, shard in steps], sum(seconds for seconds, _, _ in steps))
                self._count()
                if probing:  # nobody but the cheapest has played: there is nothing to compare yet
                    continue
                self._look()
            level *= 2

    def _first_level(self) -> float:
        """An eighth of what everybody gets where all cost the same; later starts take up what was reached."""
        methods = sum(len(score.contest.single) for score in self.scores)
        spent = [score.costs.spent(method) for score in self.scores for method in score.contest.single]
        return max(self.limit * self.players / (8 * methods), *spent)

    def _fitting(self, level: float) -> list[Step]:
        """Shards, cheapest first, as long as they fit into the time left, and no round before an earlier one."""
        steps = _cheapest_first([step for score in self.scores for step in score.next_steps(level)])
        budget, chosen, skipped = self.remaining * self.players, [], set()
        for seconds, pairing, shard in steps:
            if pairing in skipped or seconds > budget or seconds > self.remaining:
                skipped.add(pairing)
                continue
            budget -= seconds
            chosen.append((seconds, pairing, shard))
        return chosen

    def _count(self) -> None:
        for score in self.scores:
            score.rounds = {method: self.rounds_of(score, method) for method in score.contest.single}

    def _look(self) -> None:
        for score in self.scores:
            score.looks.append(dict(score.rounds))
            self.before_look(score)
        self._decide()
        for score in self.scores:
            score.stopped |= reasons_to_stop(score.contest, score.rounds, score.decision, score.costs, self.limit)
        self.after_look()

    def _decide(self) -> None:
        for score in self.scores:
            if score.looks:
                score.decision = score.looking.decision(score.looks, score.costs.known(), self.margin)


def _cheapest_first(steps: Sequence[Step]) -> list[Step]:
    """By the dearest round of the method so far: its last round, what is left of the documents, may be a small one."""
    dearest: dict[str, float] = {}
    ranks = []
    for seconds, pairing, _ in steps:
        dearest[pairing] = max(seconds, dearest.get(pairing, 0.0))
        ranks.append(dearest[pairing])
    return [steps[number] for number in sorted(range(len(steps)), key=ranks.__getitem__)]
