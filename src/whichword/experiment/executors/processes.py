"""Worker processes side by side, with one thread each."""

from collections.abc import Callable, Iterator, Sequence

from whichword.experiment.assignment import Assignment
from whichword.experiment.crew import together
from whichword.experiment.store import Receipt


def processes(job: Assignment, shards: Sequence[str], workers: int) -> Iterator[Receipt]:
    """Every process loads the models by their spellings."""
    yield from together(_open, job, shards, workers)


def _open(job: Assignment) -> Callable[[str], Receipt]:
    from whichword.experiment.bench import Bench  # in the worker alone
    from whichword.experiment.threads import one_thread

    one_thread().__enter__()  # as long as the worker lives
    return Bench(job).make
