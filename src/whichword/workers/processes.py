"""Worker processes side by side, with one thread each."""

from collections.abc import Iterator
from contextlib import contextmanager

from whichword.workers.crew import Foreman
from whichword.workers.sessions import Session, StayingExecutor
from whichword.workers.workload import Site


@contextmanager
def crew_session(site: Site) -> Iterator[Session]:
    """Every process opens the job for itself. Who reads outcomes only in part has to end the session."""
    foreman = Foreman(site)
    try:
        yield foreman.outcomes
    finally:
        foreman.end()


processes = StayingExecutor(crew_session)
