"""Worker processes side by side, one thread each; one that is killed is replaced, one that stands still is named.

Not a process pool: a pool gives up when one of its processes is killed.
"""

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import connection
from pathlib import Path
from typing import Any

from whichword.base.runtime import keep_memory
from whichword.errors import InputError, one_line
from whichword.workers.tasks import (
    Notice,
    OpenedJob,
    Opening,
    Outcome,
    Session,
    Site,
    StayingExecutor,
    TaskQueue,
    Workload,
)

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
GONE = (EOFError, BrokenPipeError, ConnectionResetError)  # what a pipe raises once its other end is closed


class WorkerGoneError(Exception):
    """A worker process has ended; the text says how."""


class WorkerProcess:
    """A process and this end of its pipe. ``task`` is what it is computing, "" while it is idle."""

    def __init__(self) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")  # a forked child could hang on locks that torch's threads held
        self.process = context.Process(target=_work, args=(theirs,), daemon=True)
        with _environment(dict.fromkeys(THREADS, "1")), _deaf():  # more threads would only fight over the same cores
            self.process.start()
        theirs.close()  # so that the death of the worker is the end of the pipe
        self.task = ""
        self._opening: Opening | None = None  # the job that it was sent last

    def give(self, load: Workload[Any, Any], task: str) -> None:
        """Send a task, with its job where that is a new one; if the worker is gone, `take` will say so."""
        self.task = task
        opening = None if self._opening == load.opening else load.opening
        try:
            self.pipe.send((opening, task, *load.arguments(task)))
        except GONE:
            return
        self._opening = load.opening  # only after the sending: a worker that got no job has none

    def take(self) -> Any:
        """Return the result of the task; raise the error that the worker met, or `WorkerGoneError`."""
        try:
            answer = self.pipe.recv()
        except GONE:
            self.process.join()  # the exit code is known only afterwards
            raise WorkerGoneError(f"a worker {self._fate()}") from None
        self.task = ""
        if isinstance(answer, WorkerFailure):
            raise answer.error()
        return answer

    def _fate(self) -> str:
        code = self.process.exitcode or 0  # below 0: the signal that killed it
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    def end(self) -> None:
        self.pipe.close()
        self.process.kill()  # not terminate: a stopped process heeds no other signal
        self.process.join()


@dataclass(frozen=True)
class WorkerFailure:
    """An error of a worker as text, as not every exception can be pickled: a line, or a traceback if it is our bug."""

    text: str
    by_input: bool

    @staticmethod
    def of(error: Exception) -> "WorkerFailure":
        line = one_line(error)
        return WorkerFailure(traceback.format_exc() if line is None else line, line is not None)

    def error(self) -> Exception:
        return InputError(self.text) if self.by_input else RuntimeError(f"in a worker:\n{self.text}")


def _work(pipe: Any) -> None:
    """Serve tasks until the pipe closes or the parent ends."""
    threading.Thread(target=_die_with_parent, daemon=True).start()  # a parent killed by SIGKILL cannot tell its workers
    keep_memory()
    opened = OpenedJob()
    current: Any = None
    for opening, *task in _received(pipe):
        current = opening or current
        try:
            answer = opened.of(current)(*task)
        except Exception as error:
            answer = WorkerFailure.of(error)  # told to the parent, which raises it
        try:
            pipe.send(answer)
        except GONE:
            return


def _received(pipe: Any) -> Iterator[tuple[Any, ...]]:
    while True:
        try:
            yield pipe.recv()
        except GONE:
            return


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)  # sys.exit would end this thread alone


@contextmanager
def _deaf() -> Iterator[None]:
    """Let a child that is started in here ignore Ctrl-C from its first instruction on: the parent decides."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set signals, and only it hears Ctrl-C
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set variables for the child: numeric libraries read them when they are loaded."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def processor_time(pid: int) -> int | None:
    """Count the clock ticks that a process has spent; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()  # the name before it may hold spaces
        return int(fields[11]) + int(fields[12])  # utime and stime, proc(5)
    except (OSError, IndexError, ValueError):
        return None


@dataclass
class Stillness:
    """Name a process once when it has spent no processor time for ``patience`` seconds."""

    patience: float
    spent: Callable[[int], int | None] = processor_time
    clock: Callable[[], float] = time.monotonic
    _seen: dict[int, tuple[int | None, float]] = field(default_factory=dict)
    _named: set[int] = field(default_factory=set)

    def notices(self, at_work: Iterable[tuple[int, str]]) -> Iterator[Notice]:
        """Look at the processes that have a task, (process id, task), and name those that stand still."""
        for pid, task in at_work:
            now, ticks = self.clock(), self.spent(pid)
            before, since = self._seen.get(pid, (None, now))
            if ticks is None or ticks != before:  # None: where nothing is known, no worker is suspected
                self._seen[pid] = (ticks, now)
                self._named.discard(pid)  # it moves again, so a second stop is news
            elif now - since >= self.patience and pid not in self._named:
                self._named.add(pid)
                yield Notice(f"worker {pid} has not moved for {now - since:.0f} seconds at {task}: is it stopped?")


GLANCE = 2.0  # seconds between looks at workers that say nothing


def cores() -> int:
    """Count the cores this process may use: taskset and batch systems may allow fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def crew(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
    """Yield outcomes as they come, from at most ``site.workers`` processes.

    A worker may be stopped at any moment, so a task must leave things whole or absent. One that was killed is replaced.
    """
    foreman = Foreman(site)
    try:
        yield from foreman.outcomes(load, tasks)
    finally:
        foreman.end()


class Foreman:
    """Give idle workers the next task, and replace the dead."""

    def __init__(self, site: Site) -> None:
        self.site, self.queue = site, TaskQueue()
        self.crew: list[WorkerProcess] = []

    def outcomes(self, load: Workload[Any, Any], tasks: Sequence[str]) -> Iterator[Outcome]:
        """Yield the outcomes of these tasks; the workers stay for the next call."""
        self.queue.begin(tasks)
        stillness = Stillness(self.site.still)
        while busy := self._busy(load):
            for pipe in connection.wait(list(busy), timeout=min(GLANCE, self.site.still / 2)):
                yield self._outcome(busy[pipe])
            yield from stillness.notices((worker.process.pid or 0, worker.task) for worker in self._at_work())

    def _busy(self, load: Workload[Any, Any]) -> dict[Any, WorkerProcess]:
        """Hand out waiting tasks, then map pipes to the workers that have one."""
        while self.queue.waiting and len(self._at_work()) < self.site.workers:
            self._idle().give(load, self.queue.waiting.popleft())
        return {worker.pipe: worker for worker in self._at_work()}

    def _at_work(self) -> list[WorkerProcess]:
        return [worker for worker in self.crew if worker.task]

    def _idle(self) -> WorkerProcess:
        """Return a worker without a task, a new one if all have one."""
        for worker in self.crew:
            if not worker.task:
                return worker
        self.crew.append(WorkerProcess())  # only now: two tasks never start more than two processes
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


@contextmanager
def crew_session(site: Site) -> Iterator[Session]:
    """Keep processes over several calls; each opens the job for itself."""
    foreman = Foreman(site)
    try:
        yield foreman.outcomes
    finally:
        foreman.end()


processes = StayingExecutor(crew_session)
