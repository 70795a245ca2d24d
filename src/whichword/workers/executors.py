"""Who makes the shards. An executor takes a workload and task names and yields outcomes as they come, in any order.

A shard's bytes depend on the plan alone, workers get bytes and return bytes, and the process that reads the outcomes
verifies and commits them: executors need no agreement and no shared folder.

Workers that stay over many calls, of as many executors as were used.
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
        self._stack = ExitStack()
        self._sessions: dict[str, Session] = {}

    def executor(self, name: str) -> Executor:
        """As ``EXECUTORS[name]``; who reads its outcomes only in part has to `end` it all."""

        def execute(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
            if name not in self._sessions:
                self._sessions[name] = self._stack.enter_context(session_of(EXECUTORS[name], site))
            yield from self._sessions[name](load, tasks)

        return execute

    def at_work(self, name: str) -> bool:
        """Whether this executor's workers are there already."""
        return name in self._sessions

    def end(self) -> None:
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()
