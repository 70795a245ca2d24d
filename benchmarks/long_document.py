"""One long document through one family of methods, in a process of its own: ``python -m benchmarks.long_document``.

The arguments are a network, a family, what to do, and lengths; what was found is printed as JSON.
"""

import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from benchmarks.workloads import LONG, Workload, workload
from whichword.allocation import keep_memory
from whichword.edits import Edits
from whichword.methods.scoring import score_edits

APART = 100  # words between the windows of a sample
ENOUGH = 6.0  # seconds of all turns


def peak() -> float:
    """Megabytes of this process at the most, so far.

    What the system reports as ru_maxrss begins with the parent's size, where there is a better source.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [each for each in status.read_text().splitlines() if each.startswith("VmHWM")]
        return int(line.split()[1]) / 1024.0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def whole(given: Workload, methods: list[str]) -> Callable[[], object]:
    """The methods, as a user asks for them."""
    return given.ours(*methods)


def sample(given: Workload, methods: list[str]) -> Callable[[], object]:
    """Every hundredth of the windows that omission and occlusion ask about, of all sizes, from end to end."""
    x, T = given.network.embed(given.questions.ids), given.words
    sizes = torch.tensor([1, 3, 7])
    start = torch.arange(0, T - 6, APART).repeat_interleave(len(sizes))
    edits = [(start, start + sizes.repeat(len(start) // len(sizes)))]
    return lambda: [
        score_edits(given.folded, x, Edits(kind, torch.zeros_like(a), a, b))
        for kind in ("cut", "blank")
        for a, b in edits
    ]


def rounds(work: Sequence[Callable[[], object]], turns: int) -> list[list[float]]:
    """CPU seconds, all lengths in turns; short work gets more of them, and a first one that does not count."""
    found: list[list[float]] = []
    while len(found) < turns or (turns > 1 and sum(map(sum, found)) < ENOUGH):
        found.append([once(each) for each in work])
    return found[1:] or found


def once(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


WORK = {"whole": whole, "sample": sample}


def main(network: str, methods: str, how: str, turns: str, *lengths: str) -> None:
    torch.set_num_threads(1)
    keep_memory()  # as the commands do
    baseline = peak()
    given = [workload(network, LONG[network](int(length))) for length in lengths]
    found = rounds([WORK[how](each, methods.split(",")) for each in given], int(turns))
    print(json.dumps({"baseline": baseline, "peak": peak(), "rounds": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
