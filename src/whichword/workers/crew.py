"""Worker processes side by side. Why no process pool: a pool gives up when one of its processes is killed."""

import os
from collections.abc import Iterator, Sequence
from multiprocessing import connection
from typing import Any

from whichword.workers.stillness import Stillness
from whichword.workers.worker import WorkerGoneError, WorkerProcess
from whichword.workers.workload import Outcome, Site, TaskQueue, Workload

GLANCE = 2.0  # seconds between looks at workers that say nothing


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def crew(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
    """Outcomes as they come, from at most ``site.workers`` processes.

    A worker may be stopped at any moment, so a task must leave things whole or absent. Who was killed is replaced.
    """
    foreman = Foreman(site)
    try:
        yield from foreman.outcomes(load, tasks)
    finally:
        foreman.end()


class Foreman:
    """Gives idle workers the next task, and replaces the dead."""

    def __init__(self, site: Site) -> None:
        self.site, self.queue = site, TaskQueue()
        self.crew: list[WorkerProcess] = []

    def outcomes(self, load: Workload[Any, Any], tasks: Sequence[str]) -> Iterator[Outcome]:
        """Of these tasks, one call after the other; workers stay."""
        self.queue.begin(tasks)
        stillness = Stillness(self.site.still)
        while busy := self._busy(load):
            for pipe in connection.wait(list(busy), timeout=min(GLANCE, self.site.still / 2)):
                yield self._outcome(busy[pipe])
            yield from stillness.notices((worker.process.pid or 0, worker.task) for worker in self._at_work())

    def _busy(self, load: Workload[Any, Any]) -> dict[Any, WorkerProcess]:
        """Everybody who has something to do, after the waiting tasks were handed out."""
        while self.queue.waiting and len(self._at_work()) < self.site.workers:
            self._idle().give(load, self.queue.waiting.popleft())
        return {worker.pipe: worker for worker in self._at_work()}

    def _at_work(self) -> list[WorkerProcess]:
        return [worker for worker in self.crew if worker.task]

    def _idle(self) -> WorkerProcess:
        """A worker who has nothing to do; a new one, if all have."""
        for worker in self.crew:
            if not worker.task:
                return worker
        self.crew.append(WorkerProcess())
        return self.crew[-1]

    def _outcome(self, worker: WorkerProcess) -> Outcome:
        task = worker.task
        try:
            result = worker.take()
        except WorkerGoneError as gone:
            self.crew.remove(worker)
            worker.end()
            return self.queue.lost(task, str(gone))
        return self.queue.finished(task, result)

    def end(self) -> None:
        for worker in self.crew:
            worker.end()
