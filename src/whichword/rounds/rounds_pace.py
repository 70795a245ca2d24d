"""How long work takes on the clock: seconds of a core are not seconds of a day where others use the machine too."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapreplace

SAMPLE = 0.2  # seconds of the clock
WEIGHT = 5.0  # seconds of a core: what a first guess counts for, so that a little work with much around it does not
MOST_GUESSED = 4.0  # a sample as short as that may have met a bad moment


@dataclass
class Pace:
    """Seconds of the clock per second of a core, as ``clock`` and ``planned`` were seen; never below 1."""

    clock: float
    planned: float

    @staticmethod
    def sampled() -> "Pace":
        """A first guess: what this process gets of a core, while it does nothing but look at the clock."""
        start, used = time.perf_counter(), time.process_time()
        while time.perf_counter() - start < SAMPLE:
            pass
        clock = time.perf_counter() - start
        factor = clock / max(time.process_time() - used, clock / MOST_GUESSED)
        return Pace(WEIGHT * factor, WEIGHT)

    @property
    def factor(self) -> float:
        return max(1.0, self.clock / self.planned)

    def add(self, clock: float, seconds: Sequence[float], players: int) -> None:
        """These pieces of work, in seconds of a core and in this order, took so long on the clock."""
        self.clock += clock
        self.planned += makespan(seconds, players)


def makespan(seconds: Sequence[float], players: int) -> float:
    """How long pieces of work take together, each given to whoever is free first."""
    free = [0.0] * players
    for amount in seconds:
        heapreplace(free, free[0] + amount)
    return max(free)
