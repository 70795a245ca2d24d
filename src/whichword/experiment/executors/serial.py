"""One shard after another, in this process."""

from collections.abc import Iterator, Sequence

from whichword.experiment.assignment import Assignment
from whichword.experiment.store import Receipt


def serial(job: Assignment, shards: Sequence[str], workers: int = 1) -> Iterator[Receipt]:
    """``workers`` plays no part."""
    from whichword.experiment.bench import Bench  # torch, for which who only looks an executor up need not wait
    from whichword.experiment.threads import one_thread

    bench = Bench(job)
    for shard in shards:
        with one_thread():
            receipt = bench.make(shard)
        yield receipt
