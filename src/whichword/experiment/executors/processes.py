"""Worker processes side by side, with one thread each."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from whichword.experiment.crew import Foreman
from whichword.experiment.executors.sessions import Session, StayingExecutor
from whichword.experiment.workload import Outcome, Site, TaskQueue, Workload


@contextmanager
def crew_session(load: Workload[Any, Any], site: Site) -> Iterator[Session]:
    """Every process opens the job for itself. Who reads outcomes only in part has to end the session."""
    foreman = Foreman(load, TaskQueue.of(()), site)

    def outcomes(tasks: Sequence[str]) -> Iterator[Outcome]:
        foreman.queue.waiting.extend(tasks)
        yield from foreman.outcomes()

    try:
        yield outcomes
    finally:
        foreman.end()


processes = StayingExecutor(crew_session)
