"""Worker processes: each opens a job once and then does one named task after another, with one thread."""

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection
from typing import Any, TypeVar

from whichword.allocation import keep_memory
from whichword.errors import InputError

J = TypeVar("J")
R = TypeVar("R")
Opener = Callable[[J], Callable[[str], R]]

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def together(opener: Opener[J, R], job: J, tasks: Sequence[str], workers: int) -> Iterator[R]:
    """What ``opener(job)(task)`` returns for every task, as it comes, from at most ``workers`` processes.

    A worker may be stopped at any moment, so a task must leave things whole or absent.
    """
    waiting = list(reversed(tasks))
    crew = [_Worker(opener, job) for _ in range(min(workers, len(tasks)))]
    try:
        busy = {worker.pipe: worker for worker in crew if worker.give(waiting)}
        while busy:
            for pipe in connection.wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                yield worker.take()
                if not worker.give(waiting):
                    del busy[worker.pipe]
    finally:
        for worker in crew:
            worker.end()


@dataclass(frozen=True)
class _Failure:
    """What went wrong in a worker; an `InputError` goes on as one, anything else with its traceback."""

    text: str
    by_input: bool

    @staticmethod
    def of(error: Exception) -> "_Failure":
        by_input = isinstance(error, InputError)
        return _Failure(str(error) if by_input else traceback.format_exc(), by_input)

    def error(self) -> Exception:
        return InputError(self.text) if self.by_input else RuntimeError(f"in a worker:\n{self.text}")


class _Worker:
    """A process and this end of its pipe."""

    def __init__(self, opener: Opener[Any, Any], job: object) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=_work, args=(opener, job, theirs), daemon=True)
        with _environment(dict.fromkeys(THREADS, "1")), _deaf():
            self.process.start()
        theirs.close()  # so that the death of the worker is the end of the pipe
        self.task = ""

    def give(self, waiting: list[str]) -> bool:
        """Hand over the next task, if there is one."""
        if not waiting:
            return False
        self.task = waiting.pop()
        self.pipe.send(self.task)
        return True

    def take(self) -> Any:
        """What came of the task in work; raises the error that the worker met."""
        try:
            answer = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self.process.join()
            raise InputError(f"a worker {self._fate()} at {self.task}; run the same command again to resume") from None
        if isinstance(answer, _Failure):
            raise answer.error()
        return answer

    def _fate(self) -> str:
        code = self.process.exitcode or 0
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    def end(self) -> None:
        self.pipe.close()
        self.process.kill()
        self.process.join()


def _work(opener: Opener[Any, Any], job: object, pipe: Any) -> None:
    """A worker's life: tasks in, answers out, until the pipe or the parent ends."""
    threading.Thread(target=_die_with_parent, daemon=True).start()
    keep_memory()
    do: Callable[[str], Any] | None = None
    for task in _received(pipe):
        try:
            do = do or opener(job)
            answer = do(task)
        except Exception as error:
            answer = _Failure.of(error)  # told to the parent, which raises it
        pipe.send(answer)


def _received(pipe: Any) -> Iterator[str]:
    while True:
        try:
            yield pipe.recv()
        except EOFError:
            return


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _deaf() -> Iterator[None]:
    """A child started in here ignores Ctrl-C, from its first instruction on: the parent decides."""
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
    """Variables for the child: numeric libraries read them when they are loaded."""
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
