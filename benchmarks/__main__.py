"""``python -m benchmarks``: all rows, the growth with T, the memory of one long document. QUICK=1: in two minutes."""

import math
import os
import sys
import time
from dataclasses import dataclass

import torch

from benchmarks import growth, memory, page, sharing
from benchmarks.checks import silent_deep_lift
from benchmarks.results import Line, Results, median
from benchmarks.rows import FORWARDS, PEERS, TOGETHER, Row
from benchmarks.timing import alternate
from benchmarks.workloads import WORKLOADS, Workload
from whichword.allocation import keep_memory


@dataclass(frozen=True)
class Bench:
    """How thorough."""

    quick: bool
    only: str  # part of a row's name; empty: all rows

    @property
    def turns(self) -> int:
        return 2 if self.quick else 5

    @property
    def patience(self) -> float:
        """Seconds after which a row gets no other turn."""
        return 2.0 if self.quick else math.inf

    @property
    def enough(self) -> float:
        """Seconds for which a row of short turns goes on."""
        return 0.0 if self.quick else 8.0

    def measure(self, workload: Workload, row: Row) -> Line:
        """Time one row, and compare what both compute."""
        some = workload.first(row.documents[self.quick])
        peer = row.peer(some)
        verdict = row.check(some, peer) if row.check else None
        documents = (len(workload.questions), len(some.questions))
        times = alternate(row.ours(workload), peer, self.turns, documents, self.patience, self.enough)
        at_most = row in FORWARDS
        ratios = [1.0 / ratio for ratio in times.ratios] if at_most else times.ratios
        said = (verdict.text, verdict.expected) if verdict else ("", True)
        milliseconds = 1000.0 * median(times.ours)
        return Line(some.name, row.what, row.against, row.bar, at_most, median(ratios), ratios, milliseconds, *said)

    def rows(self, results: Results) -> None:
        made: dict[str, Workload] = {}
        for row in [*PEERS, *TOGETHER, *FORWARDS]:
            if self.only not in f"{row.workload} {row.what}" or not row.documents[self.quick]:
                continue
            workload = made.setdefault(row.workload, WORKLOADS[row.workload]())
            start = time.perf_counter()
            results.lines.append(self.measure(workload, row))
            print(f"{results.lines[-1].said()} | measured in {time.perf_counter() - start:.0f} s", flush=True)
            if row in TOGETHER and not self.quick:
                results.sharing[workload.name] = sharing.measure(workload, self.turns)
        verdict = silent_deep_lift(WORKLOADS["agreement"]().first(9))
        results.remarks.append(f"{verdict.text}: it is not compared with ours. Its LRP has no rule for an LSTM.")

    def run(self) -> Results:
        results = Results(self.quick)
        self.rows(results)
        if not self.only:
            results.growth = growth.measure(self.quick)
            results.memory = memory.measure(self.quick)
        return results


def main() -> int:
    torch.set_num_threads(1)
    keep_memory()
    bench = Bench(bool(os.environ.get("QUICK")), os.environ.get("ONLY", ""))
    results = bench.run()
    if not bench.only:
        results.save()
        page.write()
    failed = [line for line in results.lines if not (line.passed and line.expected)]
    large = memory.missed(results.memory)
    print(f"{len(results.lines)} rows, {len(failed)} below their bars or not as expected")
    print(f"{len(results.memory)} long documents, {large} above their bars")
    return 1 if failed or large else 0


if __name__ == "__main__":
    sys.exit(main())
