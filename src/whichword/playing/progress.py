"""Count how far a run is and how long it will take, by method; showing it is the command line's business."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from whichword.games import GAMES, Measured
from whichword.runs.records import Pairing, Receipt, RunPlan
from whichword.runs.run import Run
from whichword.workers.tasks import RunPart


class Watch(Protocol):
    """Callbacks that a run reports its progress to."""

    def planned(self, plan: RunPlan, todo: Sequence[str], damaged: Sequence[str]) -> None:
        """Hear that ``todo`` shards are to be made; ``damaged`` says why some of them are to be made again."""

    def made(self, receipt: Receipt) -> None:
        """Hear that a shard was committed."""

    def notice(self, text: str) -> None:
        """Hear what stops nothing: a worker was killed and replaced, or does not move."""

    def judging(self, title: str) -> None:
        """Hear that the shards are done, and that the hits of this pairing are being counted."""


@dataclass(frozen=True)
class Evaluated:
    """A run; so many shards were ``computed`` by this call, so many ``reused``: there and sound.

    It is finished unless it is a ``part`` of one, which `playing.merge` unites with the others.
    """

    run: Run
    computed: int
    reused: int
    part: RunPart | None = None


def asked_copies(plan: RunPlan, pairing: Pairing) -> int:
    """Estimate how many edited copies a game asks about at most, as if all documents had the mean length."""
    played = plan.set(pairing.set)
    game = GAMES[played.game]
    mean = round(played.words / max(1, played.items))
    return played.items * game.cost(mean, len(pairing.methods)) if isinstance(game, Measured) else 0


class Silent:
    """A watch that ignores everything."""

    def planned(self, plan: RunPlan, todo: Sequence[str], damaged: Sequence[str]) -> None:
        pass

    def made(self, receipt: Receipt) -> None:
        pass

    def notice(self, text: str) -> None:
        pass

    def judging(self, title: str) -> None:
        pass


@dataclass(frozen=True)
class Line:
    """One method: documents done and to do, documents per second of one core, seconds left (None: not yet known)."""

    method: str
    done: int
    total: int
    rate: float | None
    left: float | None


class Estimate:
    """Forecast of a run: shards of a pairing are cut to equal work, so those to come take what the finished ones took.

    It counts what methods take together, since that is how they are asked, and what a shard takes beside them.
    """

    def __init__(self, plan: RunPlan, todo: Sequence[str], workers: int) -> None:
        self.plan, self.workers = plan, max(1, workers)  # 0 where nothing is to be done
        self.waiting = Counter(plan.shards[name][0].id for name in todo)  # shards by pairing
        self.finished: Counter[str] = Counter()
        self.total: Counter[str] = Counter()  # documents by method
        self.done: Counter[str] = Counter()
        self.seconds: dict[tuple[str, str], float] = {}  # by pairing and method
        self.beside: dict[str, float] = {}  # by pairing
        for name in todo:
            pairing, shard = plan.shards[name]
            for method in pairing.labels:
                self.total[method] += len(shard.items)

    def add(self, receipt: Receipt) -> None:
        pairing, _ = self.plan.shards[receipt.shard]
        self.waiting[pairing.id] -= 1
        self.finished[pairing.id] += 1
        self.beside[pairing.id] = self.beside.get(pairing.id, 0.0) + receipt.beside
        for method, seconds in receipt.together.items():  # not `alone`: in a run methods share their passes
            self.done[method] += receipt.documents
            self.seconds[pairing.id, method] = self.seconds.get((pairing.id, method), 0.0) + seconds

    @property
    def shards(self) -> tuple[int, int]:
        """Shards done and all, in this start."""
        done = sum(self.finished.values())
        return done, done + sum(self.waiting.values())

    def lines(self) -> list[Line]:
        return [self._line(method) for method in self.total]

    def left(self) -> float | None:
        """Estimate seconds until all is done, by all workers together."""
        estimates = [seconds for method in self.total if (seconds := self._left(method)) is not None]
        return sum(estimates) + self._beside() if estimates else None

    def _beside(self) -> float:
        """Estimate seconds beside methods: a game that asks about edited copies takes most of its time here."""
        return sum(self.waiting[p] * seconds / self.finished[p] for p, seconds in self.beside.items()) / self.workers

    def _line(self, method: str) -> Line:
        spent = sum(seconds for (_, name), seconds in self.seconds.items() if name == method)
        rate = self.done[method] / spent if spent else None
        return Line(method, self.done[method], self.total[method], rate, self._left(method))

    def _left(self, method: str) -> float | None:
        """Estimate a method's seconds: pairings that have begun are measured, others cost the average of those."""
        measured = {p: self.seconds[p, method] / n for p, n in self.finished.items() if (p, method) in self.seconds}
        if not measured:
            return None
        average = sum(measured.values()) / len(measured)
        having = [pairing.id for pairing in self.plan.pairings if method in pairing.labels]
        return sum(self.waiting[p] * measured.get(p, average) for p in having) / self.workers
