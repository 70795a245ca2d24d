"""Who makes the shards. An executor takes a job and shard names and yields receipts as they come, in any order.

A shard's bytes depend on the plan alone and its commit is atomic, so executors need no agreement: one that runs on
other machines (Ray, say) is one more entry in `EXECUTORS`, over a folder that they share.
"""

from collections.abc import Callable, Iterator, Sequence

from whichword.experiment.bench import Assignment, Bench, one_thread
from whichword.experiment.crew import together
from whichword.experiment.store import Receipt
from whichword.registry import Registry

Executor = Callable[[Assignment, Sequence[str], int], Iterator[Receipt]]

EXECUTORS: Registry[Executor] = Registry("executor", "whichword.executors")


@EXECUTORS.register("serial")
def serial(job: Assignment, shards: Sequence[str], workers: int = 1) -> Iterator[Receipt]:
    """In this process, one after another."""
    bench = Bench(job)
    for shard in shards:
        with one_thread():
            receipt = bench.make(shard)
        yield receipt


@EXECUTORS.register("processes")
def processes(job: Assignment, shards: Sequence[str], workers: int) -> Iterator[Receipt]:
    """Worker processes with one thread each; every one loads the models from their folders."""
    yield from together(_open, job, shards, workers)


def _open(job: Assignment) -> Callable[[str], Receipt]:
    one_thread().__enter__()  # for the rest of the worker's life
    return Bench(job).make
