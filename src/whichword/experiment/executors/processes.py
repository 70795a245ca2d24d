"""Worker processes side by side, with one thread each."""

from collections.abc import Callable, Iterator, Sequence

from whichword.experiment.bench import Assignment, Bench
from whichword.experiment.crew import together
from whichword.experiment.store import Receipt
from whichword.experiment.threads import one_thread


def processes(job: Assignment, shards: Sequence[str], workers: int) -> Iterator[Receipt]:
    """Every process loads the models by their spellings."""
    yield from together(_open, job, shards, workers)


def _open(job: Assignment) -> Callable[[str], Receipt]:
    one_thread().__enter__()  # as long as the worker lives
    return Bench(job).make
