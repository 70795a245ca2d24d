"""Executors: each takes a workload and names of tasks, and yields outcomes as they come, in any order.

A shard's bytes depend on the plan alone, workers get bytes and return bytes, and the process that reads the outcomes
verifies and commits them: executors need no agreement and no shared folder.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Self

from whichword.registry import Registry
from whichword.workers.processes import processes
from whichword.workers.ray import ray_tasks
from whichword.workers.tasks import Executor, Outcome, Session, Site, StayingExecutor, Workload, serial, session_of

__all__ = ["EXECUTORS", "Executor", "Session", "StayingExecutor", "processes", "ray_tasks", "serial", "session_of"]

EXECUTORS: Registry[Executor] = Registry("executor", "whichword.executors")
EXECUTORS.register("serial", serial)
EXECUTORS.register("processes", processes)
EXECUTORS.register("ray", ray_tasks)


class StandingWorkers:
    """Executors whose workers start at the first call and stay until `end`; they do the tasks of any workload."""

    def __init__(self) -> None:
        self._stack = ExitStack()  # ends every session, also where ending one of them fails
        self._sessions: dict[str, Session] = {}

    def executor(self, name: str) -> Executor:
        """Return ``EXECUTORS[name]`` with workers that stay; who stops reading outcomes has to `end` it all."""

        def execute(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
            if name not in self._sessions:  # at the first call: a run that is complete starts no worker
                self._sessions[name] = self._stack.enter_context(session_of(EXECUTORS[name], site))
            yield from self._sessions[name](load, tasks)

        return execute

    def at_work(self, name: str) -> bool:
        """Tell whether this executor's workers have been started."""
        return name in self._sessions

    def end(self) -> None:
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()
