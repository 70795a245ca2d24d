"""The shards of a run as a workload: rows of items go out as bytes, computed shards come back as bytes."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from whichword.runs.item_files import ItemFile, packed
from whichword.runs.plan import RunPlan
from whichword.runs.receipts import Made
from whichword.workers.assignment import Assignment
from whichword.workers.workload import Workload


def open_bench(job: Assignment) -> Callable[[str, bytes], Made]:
    """In a worker."""
    from whichword.workers.bench import Bench

    return Bench(job).compute


class ShardItems:
    """The items of a run's shards, read from the sets' files a few rows at a time."""

    def __init__(self, folder: Path, plan: RunPlan) -> None:
        self.plan = plan
        self._file = cache(lambda set_id: ItemFile(folder / plan.set(set_id).file))

    def rows(self, shard: str) -> bytes:
        """All that is known of them, for the wire."""
        return packed(self._table(shard))

    def keys(self, shard: str) -> list[str]:
        keys: list[str] = self._table(shard, ["key"]).column("key").to_pylist()
        return keys

    def _table(self, shard: str, columns: list[str] | None = None) -> Any:
        pairing, part = self.plan.shards[shard]
        return self._file(pairing.set).table(part.items[0], part.items[-1] + 1, columns)


def workload(job: Assignment, items: ShardItems) -> Workload[Assignment, Made]:
    """What executors are given."""
    return Workload(open_bench, job, lambda shard: (items.rows(shard),), job.packed)
