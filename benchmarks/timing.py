"""Two ways to the same thing, timed in turns.

CPU seconds of this process count. On an idle machine they are seconds, since everything runs on one thread; on a busy
one they leave out what others take.
"""

import gc
import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WARM = 1.0  # seconds: what a first run spends on warming up is nothing beside that
SHORTEST = 0.05  # seconds of a measurement: shorter work is repeated


Run = Callable[[], object]


@dataclass(frozen=True)
class Anew:
    """Work that uses its material up: ``make`` gives both again before every run, and its own time does not count."""

    make: Callable[[], Run]


class Elsewhere:
    """Work of another process, which tells its CPU seconds."""

    def seconds(self) -> float:
        raise NotImplementedError


Work = Run | Anew | Elsewhere


@dataclass(frozen=True)
class Times:
    """Seconds per document in each turn, and the ratios of neighbours."""

    ours: list[float]
    theirs: list[float]

    @property
    def ratios(self) -> list[float]:
        return [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]

    @property
    def median(self) -> float:
        return median(self.ratios)


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def once(work: Work) -> float:
    """CPU seconds of one run."""
    if isinstance(work, Elsewhere):
        return work.seconds()
    run = work.make() if isinstance(work, Anew) else work
    start = time.process_time()
    run()
    return time.process_time() - start


def seconds(work: Work, at_least: float = SHORTEST) -> float:
    """CPU seconds per run; short work is repeated."""
    spent, runs = once(work), 1
    while spent < at_least:
        spent += once(work)
        runs += 1
    return spent / runs


def alternate(
    ours: Work,
    theirs: Work,
    turns: int,
    documents: tuple[int, int] = (1, 1),
    patience: float = math.inf,
    enough: float = 0.0,
) -> Times:
    """One run each to warm up, then turn by turn; ``documents``: how many ours and theirs go through.

    A first run that is long is warm enough to count. Short work gets more turns, until ``enough`` seconds
    have passed; after ``patience`` seconds no other turn begins.
    """
    own = once(ours)
    start = time.process_time()
    first = once(theirs)
    times = Times([], [])
    if first > WARM:
        times = Times([(own if own > WARM else seconds(ours)) / documents[0]], [first / documents[1]])
    while not times.ours or (
        (spent := time.process_time() - start) <= patience and (len(times.ours) < turns or spent < enough)
    ):
        gc.collect()
        times.ours.append(seconds(ours) / documents[0])
        times.theirs.append(seconds(theirs) / documents[1])
    return times
