"""Executors whose workers can stay: whoever asks again and again for a few tasks would else open the job every time."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from whichword.experiment.workload import Outcome, Site, Workload
from whichword.registry import fixed

Executor = Callable[[Workload[Any, Any], Sequence[str], Site], Iterator[Outcome]]
Session = Callable[[Sequence[str]], Iterator[Outcome]]  # outcomes of these tasks, by workers that are there


@dataclass(frozen=True)
class StayingExecutor:
    """``session(load, site)``: workers who open the job at their first task and keep it until the session ends.

    Called as any executor it is a session of one call.
    """

    session: Callable[[Workload[Any, Any], Site], AbstractContextManager[Session]] = fixed()  # noqa: RUF009 - as dataclasses.field

    def __call__(self, load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
        with self.session(load, site) as outcomes:
            yield from outcomes(tasks)


def session_of(execute: Executor, load: Workload[Any, Any], site: Site) -> AbstractContextManager[Session]:
    """Workers that stay, where the executor has such; else it begins anew at every call."""
    if isinstance(execute, StayingExecutor):
        return execute.session(load, site)
    return _anew(execute, load, site)


@contextmanager
def _anew(execute: Executor, load: Workload[Any, Any], site: Site) -> Iterator[Session]:
    yield lambda tasks: execute(load, tasks, site)
