"""One long document through one family of methods, in a process of its own: ``python -m benchmarks.long_document``.

The arguments are a network, a family, what to do, and lengths; what was measured is printed as JSON.
"""

import json
import resource
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from benchmarks.timing import Work, once
from benchmarks.workloads import LONG, Workload, workload
from whichword.base.runtime import keep_memory
from whichword.model import Batch
from whichword.reading import Edits
from whichword.types import Text

APART = 100  # words between the windows of a sample
ENOUGH = 6.0  # seconds of all turns


def peak() -> float:
    """Megabytes of this process at the most, so far.

    What the system reports as ru_maxrss begins with the parent's size, where there is a better source.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (highest,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(highest.split()[1]) / 1024.0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def whole(document: Workload, methods: Sequence[str]) -> Work:
    """The methods, as a user asks for them."""
    return document.ours(*methods)


def sample(document: Workload, methods: Sequence[str]) -> Work:
    """Every hundredth of the windows that omission and occlusion ask about, of all sizes, from end to end.

    Past `explain`, which asks about all of them; the network is made ready for the document as there.
    """
    (text,), sizes = document.texts, torch.tensor([1, 3, 7])
    network = document.network.prepared(document.words)
    batch = Batch.of([network.read(Text(text, " ".join(text)))])
    start = torch.arange(0, document.words - 6, APART).repeat_interleave(len(sizes))
    stop = start + sizes.repeat(len(start) // len(sizes))
    edits = [Edits(kind, torch.zeros_like(start), start, stop) for kind in ("cut", "blank")]
    return lambda: network.score_edits(batch, *edits)


def rounds(works: Sequence[Work], turns: int) -> list[list[float]]:
    """CPU seconds, all lengths in turns; short work gets more of them, and a first one that does not count."""
    times: list[list[float]] = []
    while len(times) < turns or (turns > 1 and sum(map(sum, times)) < ENOUGH):
        times.append([once(work) for work in works])
    return times[1:] or times


WORK = {"whole": whole, "sample": sample}


def main(network: str, methods: str, how: str, turns: str, *lengths: str) -> None:
    torch.set_num_threads(1)
    keep_memory()  # as the commands do
    baseline = peak()
    documents = [workload(network, LONG[network](int(length))) for length in lengths]
    times = rounds([WORK[how](document, methods.split(",")) for document in documents], int(turns))
    print(json.dumps({"baseline": baseline, "peak": peak(), "rounds": times}))


if __name__ == "__main__":
    main(*sys.argv[1:])
