"""Executors whose workers can stay: whoever asks again and again would else start them and open the job each time."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from whichword.registry import fixed
from whichword.workers.workload import Outcome, Site, Workload

Executor = Callable[[Workload[Any, Any], Sequence[str], Site], Iterator[Outcome]]
Session = Callable[[Workload[Any, Any], Sequence[str]], Iterator[Outcome]]  # by workers that are there


@dataclass(frozen=True)
class StayingExecutor:
    """``session(site)``: workers who open a job at its first task and keep it until they are given another one.

    Called as any executor it is a session of one call.
    """

    session: Callable[[Site], AbstractContextManager[Session]] = fixed()  # noqa: RUF009 - as dataclasses.field

    def __call__(self, load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
        with self.session(site) as outcomes:
            yield from outcomes(load, tasks)


def session_of(execute: Executor, site: Site) -> AbstractContextManager[Session]:
    """Workers that stay, where the executor has such; else it begins anew at every call."""
    return execute.session(site) if isinstance(execute, StayingExecutor) else _anew(execute, site)


@contextmanager
def _anew(execute: Executor, site: Site) -> Iterator[Session]:
    yield lambda load, tasks: execute(load, tasks, site)
