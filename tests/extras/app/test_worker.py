"""The one thread that computes: in turn, bounded, and no longer than somebody listens."""

import asyncio
import threading
import time
from collections.abc import Generator, Iterator

import pytest
import torch

from whichword.extras.app.jobs import BusyError, Worker


async def all_of(worker: Worker, steps: Generator[object, None, None]) -> list[object]:
    return [told async for told in worker.submit(steps).results()]


def only(value: object) -> Generator[object, None, None]:
    yield value


def until_idle(worker: Worker) -> None:
    end = time.monotonic() + 10
    while not worker.idle:
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(waiting=3)
    yield made
    made.end()


def test_results_come_in_order_from_another_thread(worker: Worker) -> None:
    def steps() -> Generator[object, None, None]:
        yield threading.current_thread().name
        yield 2
        yield None

    assert asyncio.run(all_of(worker, steps())) == ["whichword worker", 2, None]
    until_idle(worker)


def test_a_short_job_does_not_wait_for_a_long_one(worker: Worker) -> None:
    made: list[str] = []

    def steps(name: str, count: int) -> Generator[object, None, None]:
        for number in range(count):
            if number == 0 and name == "long":
                assert both.wait(10)
            made.append(name)
            yield name

    both = threading.Event()

    async def ask() -> None:
        long = worker.submit(steps("long", 5))
        short = worker.submit(steps("short", 1))
        both.set()
        for job in (long, short):
            _ = [told async for told in job.results()]

    asyncio.run(ask())
    assert made == ["long", "short", *["long"] * 4]


def test_whoever_stops_listening_cancels_the_rest(worker: Worker) -> None:
    made: list[int] = []
    closed = threading.Event()

    def steps() -> Generator[int, None, None]:
        try:
            for number in range(1000):
                made.append(number)
                time.sleep(0.01)
                yield number
        finally:
            closed.set()

    async def ask() -> None:
        results = worker.submit(steps()).results()
        assert await anext(results) == 0
        await results.aclose()

    asyncio.run(ask())
    assert closed.wait(10)
    until_idle(worker)
    assert len(made) < 10


def test_an_error_of_a_step_is_raised_where_one_listens(worker: Worker) -> None:
    def steps() -> Generator[int, None, None]:
        yield 1
        raise KeyError("broken")

    async def ask() -> None:
        results = worker.submit(steps()).results()
        assert await anext(results) == 1
        with pytest.raises(KeyError, match="broken"):
            await anext(results)

    asyncio.run(ask())
    assert asyncio.run(all_of(worker, only(5))) == [5]  # and the worker goes on


def test_more_than_may_wait_is_refused(worker: Worker) -> None:
    gate = threading.Event()

    def held() -> Generator[bool, None, None]:
        yield gate.wait(10)

    async def ask() -> None:
        jobs = [worker.submit(held()) for _ in range(3)]
        with pytest.raises(BusyError):
            worker.submit(held())
        gate.set()
        for job in jobs:
            assert [told async for told in job.results()] == [True]

    asyncio.run(ask())
    until_idle(worker)
    assert asyncio.run(all_of(worker, only(1))) == [1]


def test_an_ended_worker_takes_nothing() -> None:
    ended = Worker(waiting=3)
    ended.end()

    async def ask() -> None:
        with pytest.raises(BusyError):
            ended.submit(only(1))

    asyncio.run(ask())


def test_torch_computes_with_the_threads_asked_for() -> None:
    """The number of threads belongs to a thread; others keep theirs."""
    mine = torch.get_num_threads()
    other = Worker(waiting=1, threads=mine + 1)
    steps = (torch.get_num_threads() for _ in range(1))
    assert asyncio.run(all_of(other, steps)) == [mine + 1]
    other.end()
    torch.set_num_threads(mine)
