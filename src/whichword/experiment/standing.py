"""Workers that stay: whoever asks again and again for a few shards would else load the model every time anew."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from whichword.experiment.crew import Foreman
from whichword.experiment.workload import Done, Outcome, Site, TaskQueue, Workload


class StandingWorkers:
    """Two executors of one workload, this process and a crew; both open the job at the first call and keep it."""

    def __init__(self) -> None:
        self._do: Callable[..., Any] | None = None
        self._foreman: Foreman | None = None

    def serial(self, load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
        """As `executors.serial`."""
        self._do = self._do or load.opener(load.job)
        for task in tasks:
            yield Done(task, self._do(task, *load.arguments(task)))

    def processes(self, load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
        """As `executors.processes`; who reads it only in part has to `end` it all."""
        self._foreman = self._foreman or Foreman(load, TaskQueue.of(()), site)
        self._foreman.queue.waiting.extend(tasks)
        yield from self._foreman.outcomes()

    def end(self) -> None:
        if self._foreman is not None:
            self._foreman.end()
