"""One thread that computes, one step of each job in turn, so that a short job need not wait for a long one."""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator, Generator
from contextlib import suppress
from typing import Any

import torch

LINGER = 2.0  # seconds to wait for a step that is under way when the app ends


class BusyError(Exception):
    """As many jobs as may wait are waiting."""


class _End:
    """No result follows."""


class Job:
    """Steps that are made in the worker and listened to in an event loop. Whoever stops listening cancels the rest."""

    def __init__(self, steps: Generator[Any, None, None]) -> None:
        self.steps = steps
        self.cancelled = False
        self._loop = asyncio.get_running_loop()
        self._told: asyncio.Queue[Any] = asyncio.Queue()

    async def results(self) -> AsyncGenerator[Any, None]:
        """Each step's result; an error of a step is raised here."""
        try:
            while not isinstance(told := await self._told.get(), _End):
                if isinstance(told, Exception):
                    raise told
                yield told
        finally:
            self.cancelled = True

    def step(self) -> bool:
        """In the worker: one step, or the end of a job that nobody listens to; whether there may be another."""
        told: Any
        try:
            if self.cancelled:
                self.steps.close()
            told = next(self.steps)  # a closed generator has no next
        except StopIteration:
            told = _End()
        except Exception as error:
            told = error
        with suppress(RuntimeError):  # the loop has ended, and with it whoever listened
            self._loop.call_soon_threadsafe(self._told.put_nowait, told)
        return not isinstance(told, _End | Exception)


class Worker:
    """``waiting`` jobs at a time, the one under way among them; ``threads`` are torch's, None: as it is set."""

    def __init__(self, waiting: int, threads: int | None = None) -> None:
        self.waiting, self.threads = waiting, threads
        self._jobs: deque[Job] = deque()
        self._count = 0
        self._ended = False
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="whichword worker", daemon=True)

    @property
    def idle(self) -> bool:
        """Whether nothing is under way."""
        return self._count == 0

    def submit(self, steps: Generator[Any, None, None]) -> Job:
        """Queue a job, or raise `BusyError`."""
        with self._change:
            if self._count >= self.waiting or self._ended:
                raise BusyError
            job = Job(steps)
            self._count += 1
            self._jobs.append(job)
            if not self._thread.is_alive():
                self._thread.start()
            self._change.notify()
        return job

    def end(self) -> None:
        """Take no more jobs, drop those that wait, let a step that is under way finish if it is short."""
        with self._change:
            self._ended = True
            self._change.notify()
        if self._thread.is_alive():
            self._thread.join(LINGER)

    def _work(self) -> None:
        if self.threads is not None:
            torch.set_num_threads(self.threads)
        while (job := self._next()) is not None:
            more = job.step()
            with self._change:
                if more:
                    self._jobs.append(job)
                else:
                    self._count -= 1

    def _next(self) -> Job | None:
        with self._change:
            self._change.wait_for(lambda: self._ended or self._jobs)
            return None if self._ended else self._jobs.popleft()
