"""In a worker: a few slices of a pairing are explained, as long as the time lasts, to learn what all will take."""

import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whichword.model import stopwatch
from whichword.workers.assignment import Assignment

if TYPE_CHECKING:
    from whichword.workers.bench import Bench

LEAST = 3  # slices that are tried even where the time is over


@dataclass(frozen=True)
class Tried:
    """One slice: its ``cost`` by the work formula, seconds by method and in all, bytes that it would store."""

    cost: int
    documents: int
    together: dict[str, float]
    seconds: float
    stored: int


@dataclass(frozen=True)
class Trial:
    """What a worker took to get ready, the slices it tried, each method alone on a document, its peak of memory."""

    opening: float
    tried: tuple[Tried, ...]
    alone: float
    memory: int


Slice = tuple[int, bytes]  # cost by the work formula, rows for the wire


def open_trial(job: Assignment) -> Callable[[str, Sequence[Slice], float], Trial]:
    """``do(pairing, slices, seconds)``: the first slice warms up, and is then timed method by method."""
    started = time.process_time()
    from whichword.workers.bench import Bench

    bench = Bench(job)
    ready = time.process_time() - started

    def do(pairing: str, slices: Sequence[Slice], seconds: float) -> Trial:
        begin = time.process_time()
        bench.model(bench.plan.pairing(pairing).model)
        opening = ready + time.process_time() - begin
        _, warm, alone = (_slice_tried(bench, pairing, slices[0], timed) for timed in ([0], [], [0]))
        tried: list[Tried] = []
        end = time.perf_counter() + seconds
        for number, part in enumerate(slices[1:]):
            if number >= LEAST and time.perf_counter() > end:
                break
            tried.append(_slice_tried(bench, pairing, part, []))
        return Trial(opening, tuple(tried), max(0.0, alone.seconds - warm.seconds), peak_memory())

    return do


def _slice_tried(bench: "Bench", pairing: str, part: Slice, timed: Sequence[int]) -> Tried:
    cost, rows = part
    planned = bench.plan.pairing(pairing)
    clock = stopwatch(bench.model(planned.model))
    start = clock()
    explained = bench.explained(pairing, rows, timed)
    stored = sum(len(data) for data in bench.tables(planned, explained).values())
    return Tried(cost, len(explained.items), dict(explained.timing.together), clock() - start, stored)


def peak_memory() -> int:
    """Bytes; Linux counts in units of 1,024 of them."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
