"""Workers that do not move: a process that is stopped or waits for ever spends no processor time."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from whichword.workers.workload import Notice


def processor_time(pid: int) -> int | None:
    """Clock ticks that a process has spent; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    except (OSError, IndexError, ValueError):
        return None


@dataclass
class Stillness:
    """Names a process once when it has spent no processor time for ``patience`` seconds."""

    patience: float
    spent: Callable[[int], int | None] = processor_time
    clock: Callable[[], float] = time.monotonic
    _seen: dict[int, tuple[int | None, float]] = field(default_factory=dict)
    _named: set[int] = field(default_factory=set)

    def notices(self, at_work: Iterable[tuple[int, str]]) -> Iterator[Notice]:
        """For processes that have a task in work: (process id, task)."""
        for pid, task in at_work:
            now, ticks = self.clock(), self.spent(pid)
            before, since = self._seen.get(pid, (None, now))
            if ticks is None or ticks != before:
                self._seen[pid] = (ticks, now)
                self._named.discard(pid)
            elif now - since >= self.patience and pid not in self._named:
                self._named.add(pid)
                yield Notice(f"worker {pid} has not moved for {now - since:.0f} seconds at {task}: is it stopped?")
