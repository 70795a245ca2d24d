"""Worker processes side by side, with one thread each."""

from collections.abc import Iterator
from contextlib import contextmanager

from whichword.experiment.crew import Foreman
from whichword.experiment.executors.sessions import Session, StayingExecutor
from whichword.experiment.workload import Site


@contextmanager
def crew_session(site: Site) -> Iterator[Session]:
    """Every process opens the job for itself. Who reads outcomes only in part has to end the session."""
    foreman = Foreman(site)
    try:
        yield foreman.outcomes
    finally:
        foreman.end()


processes = StayingExecutor(crew_session)
