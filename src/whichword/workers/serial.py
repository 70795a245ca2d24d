"""One task after another, in this process."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from whichword.workers.sessions import Session, StayingExecutor
from whichword.workers.workload import Done, OpenedJob, Outcome, Site, Workload


@contextmanager
def serial_session(site: Site) -> Iterator[Session]:
    """The ``site`` plays no part."""
    opened = OpenedJob()

    def outcomes(load: Workload[Any, Any], tasks: Sequence[str]) -> Iterator[Outcome]:
        do = opened.of(load.opening)
        for task in tasks:
            yield Done(task, do(task, *load.arguments(task)))

    yield outcomes


serial = StayingExecutor(serial_session)
