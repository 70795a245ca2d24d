"""One shard after another, in this process."""

from collections.abc import Iterator, Sequence

from whichword.experiment.bench import Assignment, Bench
from whichword.experiment.store import Receipt
from whichword.experiment.threads import one_thread


def serial(job: Assignment, shards: Sequence[str], workers: int = 1) -> Iterator[Receipt]:
    """``workers`` plays no part."""
    bench = Bench(job)
    for shard in shards:
        with one_thread():
            receipt = bench.make(shard)
        yield receipt
