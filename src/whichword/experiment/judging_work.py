"""The shards of a pairing as they are judged: by workers of any executor, or in this process."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from whichword.errors import InputError
from whichword.experiment.executors import Executor, serial
from whichword.experiment.item_files import packed
from whichword.experiment.item_rows import table_of
from whichword.experiment.judging_rows import Lost, ScoredRows, in_order, united
from whichword.experiment.judging_sent import SENT_TROUBLES, Expected
from whichword.experiment.judging_shards import Declined, JudgingJob, Mixed, bases_of, open_judge
from whichword.experiment.plan import Pairing, Shard
from whichword.experiment.reading import Run
from whichword.experiment.receipts import Receipt
from whichword.experiment.seal import AGAIN, DamagedError
from whichword.experiment.shard_bytes import ShardBytes
from whichword.experiment.shard_files import KINDS
from whichword.experiment.workload import Done, OpenedJob, Site, Workload, completed
from whichword.games import Game

WINDOW = 64  # shards that are handed out at once: what waits for one that takes long has to fit in memory


def _unheard(text: str) -> None:
    """A notice that nobody wants to know."""


@dataclass(frozen=True)
class Judges:
    """Who judges shards. ``execute`` is called again and again, so its workers should stay (`StandingWorkers`)."""

    execute: Executor = serial
    site: Site = Site()  # noqa: RUF009 - frozen
    notice: Callable[[str], None] = _unheard

    def in_turn(self, load: Workload[Any, Any], tasks: Sequence[str]) -> Iterator[Done]:
        """What comes of each task, in their order; what workers decline is done in this process."""
        own, reasons = OpenedJob(), set[str]()
        for start in range(0, len(tasks), WINDOW):
            window = tasks[start : start + WINDOW]
            outcomes = completed(self.execute(load, window, self.site), self.notice, "judgements")
            for done in _turns(window, outcomes):
                if isinstance(done.result, Declined):
                    self._tell(done.result.reason, reasons)
                    done = Done(done.task, own.of(load.opening)(done.task, *load.arguments(done.task)))
                yield done

    def _tell(self, reason: str, told: set[str]) -> None:
        if reason not in told:
            told.add(reason)
            self.notice(f"this process judges, since a worker cannot: {reason}")


def _turns(names: Sequence[str], outcomes: Iterable[Done]) -> Iterator[Done]:
    waiting, turn = dict[str, Done](), 0
    for outcome in outcomes:
        waiting[outcome.task] = outcome
        while turn < len(names) and names[turn] in waiting:
            yield waiting.pop(names[turn])
            turn += 1


@dataclass(frozen=True)
class JudgedShards:
    """The shards of a pairing."""

    run: Run
    pairing: Pairing
    game: Game
    judges: Judges

    @cached_property
    def _receipt(self) -> Callable[[str], Receipt]:
        """Asked for when a shard is handed out and when it comes back."""
        return lru_cache(2 * WINDOW)(self.run.store.receipt)

    def lost(self) -> Lost:
        """A pass of its own, for games whose items count together."""
        return united(lost for _, lost in self._each("lose")) if self.game.together else {}

    def blocks(self, lost: Lost) -> Iterator[ScoredRows]:
        """All items that were answered, some ten thousand at a time, in the set's own order."""
        yield from in_order((self.run.places(self.pairing, shard), rows) for shard, rows in self._each("score", lost))

    def mixed(self, lost: Lost, best: Mapping[str, int]) -> Iterator[Mixed]:
        """What noise does to the best methods, shard by shard."""
        return (mixed for _, mixed in self._each("mix", lost, best))

    def _each(self, act: str, lost: Lost | None = None, best: Mapping[str, int] | None = None) -> Iterator[Any]:
        """(shard, what came of it), in the order of the plan."""
        names = (str(self.run.folder), self.run.plan, self.pairing.id, act)
        job = JudgingJob(*names, bases_of(self.game), lost or {}, best or {})
        load = Workload(open_judge, job, lambda name: (self._sent(self.run.plan.shards[name][1]),))
        results = self.judges.in_turn(load, [shard.name for shard in self.pairing.shards])
        for shard, done in zip(self.pairing.shards, results, strict=True):
            if trouble := SENT_TROUBLES[act](done.result, self._expected(job, shard)):
                raise InputError(f"{shard.name}: what a worker sent is not the judged shard: {trouble}")
            yield shard, done.result

    def _sent(self, shard: Shard) -> ShardBytes:
        try:
            files = {kind: self.run.store.vouched(self._receipt(shard.name), kind) for kind in KINDS}
        except DamagedError as damage:
            raise InputError(f"{self.run.folder}: {damage}; {AGAIN}") from None
        return ShardBytes(packed(self._rows(shard)), self.run.places(self.pairing, shard), files)

    def _rows(self, shard: Shard) -> Any:
        if isinstance(shard.items, range):
            return self.run.item_file(self.pairing.set).table(shard.items.start, shard.items.stop)
        return table_of(list(enumerate(self.run.shard_items(self.pairing, shard))))  # before format 3 they lay anywhere

    def _expected(self, job: JudgingJob, shard: Shard) -> Expected:
        failed = self._receipt(shard.name).shortfall["failed"]
        keys = dict(zip(self.run.places(self.pairing, shard).tolist(), self.run.keys(shard), strict=True))
        return Expected(self.game, len(self.pairing.methods), job.best, keys, len(keys) - failed)
