"""Named tasks that an executor hands out to workers, what comes of each, and how many workers there are to be.

An executor whose workers can stay (`StayingExecutor`) starts them, and lets them open their job, once for many calls.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from whichword.errors import InputError, SettingError
from whichword.registry import fixed

J = TypeVar("J")  # the job
R = TypeVar("R")  # what a task returns

RETRIES = 3  # how often a task is tried again after the death of its worker
STILL = 60.0  # seconds after which a worker that does not move is named


def _nothing(task: str) -> tuple[Any, ...]:
    return ()


@dataclass(frozen=True)
class Workload(Generic[J, R]):
    """A job and its tasks: a worker calls ``opener(job)`` once, and for each task ``do(task, *arguments(task))``.

    ``opener`` is a function of a module, so that any process finds it; ``arguments`` are made when a task is handed
    out. ``packed`` gives the job for workers that do not share this disk; None: there are none.
    """

    opener: Callable[[J], Callable[..., R]]
    job: J
    arguments: Callable[[str], tuple[Any, ...]] = _nothing
    packed: Callable[[], J] | None = None

    @property
    def opening(self) -> "Opening":
        """The opener and the job, for a worker that shares this disk."""
        return self.opener, self.job


Opening = tuple[Callable[[Any], Callable[..., Any]], Any]  # an opener and its job


class OpenedJob:
    """Keep a worker's job open until another one is asked for."""

    def __init__(self) -> None:
        self._open: tuple[Opening, Callable[..., Any]] | None = None

    def of(self, opening: Opening) -> Callable[..., Any]:
        """Return the function that does the tasks of this job."""
        if self._open is None or self._open[0] != opening:
            self._open = None  # the one before may hold a model
            self._open = opening, opening[0](opening[1])
        return self._open[1]


@dataclass(frozen=True)
class Site:
    """Number of ``workers``, and the ``address`` of a cluster where an executor needs one."""

    workers: int = 1
    address: str | None = None
    still: float = STILL


@dataclass(frozen=True)
class Done:
    """What a task returned."""

    task: str
    result: Any


@dataclass(frozen=True)
class Failed:
    """A task that is given up, and why."""

    task: str
    reason: str


class GivenUpError(InputError):
    """A task that is given up, where the run cannot go on without it."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(f"{failed.task}: {failed.reason}; run the same command again to resume")


@dataclass(frozen=True)
class Notice:
    """A message that a person should see, and that stops nothing."""

    text: str


Outcome = Done | Failed | Notice


@dataclass
class TaskQueue:
    """Tasks in order; one whose worker died goes to the front again, `RETRIES` times."""

    waiting: deque[str] = field(default_factory=deque)
    deaths: Counter[str] = field(default_factory=Counter)
    done: int = 0

    def begin(self, tasks: Iterable[str]) -> None:
        """Add tasks; deaths of earlier tasks with the same names are forgotten."""
        self.waiting.extend(tasks)
        self.deaths.clear()

    def finished(self, task: str, result: Any) -> Done:
        self.done += 1
        return Done(task, result)

    def lost(self, task: str, reason: str) -> Notice | Failed:
        """Try the task of a worker that is gone again, or give it up."""
        self.deaths[task] += 1
        if self.deaths[task] > RETRIES:
            failed = Failed(task, f"{reason}; failed on {RETRIES} retries as well")
            if not self.done:  # no task ever succeeded (the model does not fit in memory, say), so others would not
                raise GivenUpError(failed)
            return failed
        self.waiting.appendleft(task)  # to the front: a shard that kills workers is found early
        return Notice(f"{reason} at {task}; it is tried again ({self.deaths[task]} of {RETRIES})")


def completed(outcomes: Iterable[Any], notice: Callable[[str], None], what: str) -> Iterator[Any]:
    """Yield what is done and pass on notices; tasks that were given up are named when the others are done."""
    failures = []
    for outcome in outcomes:
        if isinstance(outcome, Failed):
            failures.append(outcome)
        elif isinstance(outcome, Notice):
            notice(outcome.text)
        else:
            yield outcome
    if failures:
        reasons = "; ".join(f"{failure.task} ({failure.reason})" for failure in failures)
        raise InputError(f"{len(failures)} {what} were not made: {reasons}; run the same command again to resume")


Executor = Callable[[Workload[Any, Any], Sequence[str], Site], Iterator[Outcome]]
Session = Callable[[Workload[Any, Any], Sequence[str]], Iterator[Outcome]]  # by workers that have been started


@dataclass(frozen=True)
class StayingExecutor:
    """``session(site)``: workers that open a job at its first task and keep it until they are given another one.

    Called like any executor, it is a session of one call.
    """

    session: Callable[[Site], AbstractContextManager[Session]] = fixed()  # noqa: RUF009 - as dataclasses.field

    def __call__(self, load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
        with self.session(site) as outcomes:
            yield from outcomes(load, tasks)


def session_of(execute: Executor, site: Site) -> AbstractContextManager[Session]:
    """Return workers that stay, where the executor has such; else it begins anew at every call."""
    return execute.session(site) if isinstance(execute, StayingExecutor) else _anew(execute, site)


@contextmanager
def _anew(execute: Executor, site: Site) -> Iterator[Session]:
    yield lambda load, tasks: execute(load, tasks, site)


@contextmanager
def serial_session(site: Site) -> Iterator[Session]:
    """Do one task after another in this process; ``site`` is not used."""
    opened = OpenedJob()

    def outcomes(load: Workload[Any, Any], tasks: Sequence[str]) -> Iterator[Outcome]:
        do = opened.of(load.opening)
        for task in tasks:
            yield Done(task, do(task, *load.arguments(task)))

    yield outcomes


serial = StayingExecutor(serial_session)


SERIAL = "serial"  # the executor that is this process


@dataclass(frozen=True)
class Hands:
    """Compute options. ``executor`` None: processes, or this process where one is enough."""

    workers: int = 1
    executor: str | None = None
    address: str | None = None

    def __post_init__(self) -> None:
        if self.address is not None and self.executor != "ray":
            raise SettingError("--address is for --executor ray")
        if self.executor is not None:
            from whichword.workers.executors import EXECUTORS  # executors imports this module

            EXECUTORS.resolve(self.executor)  # a wrong name is refused before any work

    @staticmethod
    def of(workers: int | None = None, executor: str | None = None, address: str | None = None) -> "Hands":
        """Build from command-line options; no number means all cores of this machine."""
        from whichword.workers.processes import cores  # processes imports this module

        return Hands(workers or cores(), executor, address)

    @property
    def site(self) -> Site:
        return Site(self.workers, self.address)

    def executor_for(self, tasks: int) -> str:
        """Return the executor that was named, or the one that suits so many tasks: a process takes seconds to start."""
        return self.executor or (SERIAL if min(self.workers, tasks) <= 1 else "processes")


# each of n machines that know nothing of each other does every n-th shard; `playing.merge` unites them
_SPELLING = re.compile("([0-9]{1,9})/([0-9]{1,9})")  # not isdigit: "²" is a digit, and a number of 5,000 is none


@dataclass(frozen=True)
class RunPart:
    """Part ``number`` of ``count``, counted from 1."""

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise SettingError(f"--shard {self.number}/{self.count}: parts are counted from 1 to {self.count}")

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def of(self, shards: Sequence[str]) -> list[str]:
        """Take every n-th shard, so that those of the long documents are spread over all parts."""
        return list(shards[self.number - 1 :: self.count])


def read_part(spelling: str) -> RunPart:
    """Parse ``2/5``, the second of five."""
    match = _SPELLING.fullmatch(spelling.strip())
    if match is None:
        raise SettingError(f"--shard is i/n (2/5: the second of five), not {spelling!r}")
    return RunPart(int(match[1]), int(match[2]))
