"""The shards of a pairing as they are judged, by whoever judges."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from whichword.errors import InputError
from whichword.games import Game
from whichword.runs.items import packed
from whichword.runs.plan import Pairing, Shard
from whichword.runs.run import Run
from whichword.runs.sealed import AGAIN, DamagedError
from whichword.runs.shards import KINDS, Receipt
from whichword.scoring.judging_crew import WINDOW, Judges
from whichword.scoring.judging_rows import Lost, ScoredRows, in_order, united
from whichword.scoring.judging_sent import SENT_TROUBLES, Expected
from whichword.scoring.judging_shards import JudgingJob, Mixed, bases_of, open_judge
from whichword.scoring.shard_bytes import ShardBytes
from whichword.workers.workload import Workload


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
        return self.run.item_file(self.pairing.set).table(shard.items.start, shard.items.stop)

    def _expected(self, job: JudgingJob, shard: Shard) -> Expected:
        failed = self._receipt(shard.name).shortfall["failed"]
        keys = dict(zip(self.run.places(self.pairing, shard).tolist(), self.run.keys(shard), strict=True))
        return Expected(self.game, len(self.pairing.methods), job.best, keys, len(keys) - failed)
