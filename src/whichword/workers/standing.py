"""Workers that stay over many calls, of as many executors as were used."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Self

from whichword.workers.executors import EXECUTORS, Executor, Session, session_of
from whichword.workers.workload import Outcome, Site, Workload


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
