"""One task after another, in this process."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from whichword.experiment.executors.sessions import Session, StayingExecutor
from whichword.experiment.workload import Done, Outcome, Site, Workload


@contextmanager
def serial_session(load: Workload[Any, Any], site: Site) -> Iterator[Session]:
    """The ``site`` plays no part."""
    opened = cache(lambda: load.opener(load.job))

    def outcomes(tasks: Sequence[str]) -> Iterator[Outcome]:
        do = opened()
        for task in tasks:
            yield Done(task, do(task, *load.arguments(task)))

    yield outcomes


serial = StayingExecutor(serial_session)
