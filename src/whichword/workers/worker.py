"""A worker process: opens a job once and then does one named task after another, with one thread."""

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection
from typing import Any

from whichword.base.runtime import keep_memory
from whichword.errors import InputError, one_line
from whichword.workers.workload import OpenedJob, Opening, Workload

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
GONE = (EOFError, BrokenPipeError, ConnectionResetError)  # what a pipe says when nobody is at its other end


class WorkerGoneError(Exception):
    """The process has ended; the text says how."""


class WorkerProcess:
    """A process and this end of its pipe. ``task`` is what it has in work, "" if nothing."""

    def __init__(self) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=_work, args=(theirs,), daemon=True)
        with _environment(dict.fromkeys(THREADS, "1")), _deaf():
            self.process.start()
        theirs.close()  # so that the death of the worker is the end of the pipe
        self.task = ""
        self._opening: Opening | None = None  # the job that it was sent last

    def give(self, load: Workload[Any, Any], task: str) -> None:
        """Hand a task over, with its job where that is a new one; if the worker is gone, `take` will say so."""
        self.task = task
        opening = None if self._opening == load.opening else load.opening
        try:
            self.pipe.send((opening, task, *load.arguments(task)))
        except GONE:
            return
        self._opening = load.opening

    def take(self) -> Any:
        """What came of the task in work; raises the error that the worker met, or `WorkerGoneError`."""
        try:
            answer = self.pipe.recv()
        except GONE:
            self.process.join()
            raise WorkerGoneError(f"a worker {self._fate()}") from None
        self.task = ""
        if isinstance(answer, WorkerFailure):
            raise answer.error()
        return answer

    def _fate(self) -> str:
        code = self.process.exitcode or 0
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    def end(self) -> None:
        self.pipe.close()
        self.process.kill()
        self.process.join()


@dataclass(frozen=True)
class WorkerFailure:
    """What went wrong in a worker: what input or machine can cause as one line, anything else with its traceback."""

    text: str
    by_input: bool

    @staticmethod
    def of(error: Exception) -> "WorkerFailure":
        line = one_line(error)
        return WorkerFailure(traceback.format_exc() if line is None else line, line is not None)

    def error(self) -> Exception:
        return InputError(self.text) if self.by_input else RuntimeError(f"in a worker:\n{self.text}")


def _work(pipe: Any) -> None:
    """A worker's life: tasks in, answers out, until the pipe or the parent ends; then it goes without a word."""
    threading.Thread(target=_die_with_parent, daemon=True).start()
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
