"""Two ways to the same thing, timed in turns.

CPU seconds of this process count. On an idle machine they are seconds, since everything runs on one thread; on a busy
one they leave out what others take.
"""

import gc
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

Work = Callable[[], object]
WARM = 1.0  # seconds: what a first run spends on warming up is nothing beside that
SHORTEST = 0.05  # seconds of a measurement: shorter work is repeated


@dataclass(frozen=True)
class Times:
    """Seconds a document in each turn, and the ratios of neighbours."""

    ours: list[float]
    theirs: list[float]

    @property
    def ratios(self) -> list[float]:
        return [peer / own for own, peer in zip(self.ours, self.theirs, strict=True)]

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)


def seconds(work: Work, at_least: float = SHORTEST) -> float:
    """CPU seconds of one run of the work."""
    runs, start = 0, time.process_time()
    while (spent := time.process_time() - start) < at_least or not runs:
        work()
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

    A first run of theirs that is long is warm enough to count. Short work gets more turns, until ``enough`` seconds
    have passed; after ``patience`` seconds no other turn begins.
    """
    ours()
    start = time.process_time()
    first = seconds(theirs, 0.0)
    found = Times([seconds(ours) / documents[0]], [first / documents[1]]) if first > WARM else Times([], [])
    while not found.ours or (
        (spent := time.process_time() - start) <= patience and (len(found.ours) < turns or spent < enough)
    ):
        gc.collect()
        found.ours.append(seconds(ours) / documents[0])
        found.theirs.append(seconds(theirs) / documents[1])
    return found
