"""Who judges shards: workers of any executor, or this process."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from whichword.workers.executors import Executor, serial
from whichword.workers.workload import Done, OpenedJob, Site, Workload, completed

WINDOW = 64  # shards that are handed out at once: what waits for one that takes long has to fit in memory


@dataclass(frozen=True)
class Declined:
    """A worker that is not able to judge as the process that asks it would, and why."""

    reason: str


def _unheard(text: str) -> None:
    """A notice that nobody wants to know."""


@dataclass(frozen=True)
class Judges:
    """Who judges shards. ``execute`` is called again and again, so its workers should stay (`StandingWorkers`)."""

    execute: Executor = serial
    site: Site = Site()  # noqa: RUF009 - frozen
    notice: Callable[[str], None] = _unheard

    def in_turn(self, load: Workload[Any, Any], tasks: Sequence[str]) -> Iterator[Done]:
        """What comes of each task, in their order; what workers decline is done in this process."""
        own, reasons = OpenedJob(), set[str]()
        for start in range(0, len(tasks), WINDOW):
            window = tasks[start : start + WINDOW]
            outcomes = completed(self.execute(load, window, self.site), self.notice, "judgements")
            for done in _turns(window, outcomes):
                if isinstance(done.result, Declined):
                    self._tell(done.result.reason, reasons)
                    done = Done(done.task, own.of(load.opening)(done.task, *load.arguments(done.task)))
                yield done

    def _tell(self, reason: str, told: set[str]) -> None:
        if reason not in told:
            told.add(reason)
            self.notice(f"this process judges, since a worker cannot: {reason}")


def _turns(names: Sequence[str], outcomes: Iterable[Done]) -> Iterator[Done]:
    waiting, turn = dict[str, Done](), 0
    for outcome in outcomes:
        waiting[outcome.task] = outcome
        while turn < len(names) and names[turn] in waiting:
            yield waiting.pop(names[turn])
            turn += 1
