"""``python -m benchmarks``: all rows, the growth with T, the memory of one long document. QUICK=1: in two minutes.

PART=networks or PART=transformers: one of the two parts, each of which is stored and resumed by itself.
"""

import math
import os
import sys
import time
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

import torch

from benchmarks import growth, memory, page, sharing, training, trust_cost
from benchmarks.checks import Verdict, silent_deep_lift
from benchmarks.inner import Inner
from benchmarks.results import EXPLAIN, NETWORKS, TRANSFORMERS, Line, Results
from benchmarks.rows import ROWS, TOGETHER, Row
from benchmarks.timing import Times, alternate, median, seconds
from benchmarks.workloads import WORKLOADS, Workload


@dataclass(frozen=True)
class Bench:
    """How thorough."""

    quick: bool
    only: str  # part of a row's name; empty: all rows
    half: str = NETWORKS

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

    def rows(self) -> list[Row]:
        return [row for row in ROWS if self.only in f"{row.workload} {row.what}" and row.documents[self.quick]]

    def measure(self, workload: Workload, row: Row) -> Line:
        """Time one row, and compare what both compute."""
        workload = self.part(workload, row)
        fewer = workload.first(row.documents[self.quick])
        peer = row.peer(fewer)
        verdict = row.check(fewer, peer) if row.check else Verdict("", True)
        documents = (len(workload.texts), len(fewer.texts))
        ours = workload.ours(*workload.defined(row.methods))
        times = alternate(ours, peer, self.turns, documents, self.patience, self.enough)
        return _line(workload, row, times, verdict)

    def part(self, workload: Workload, row: Row) -> Workload:
        """What ours is timed on: all documents where the methods are cheap, else a part of the long ones.

        Even the part of a quick run has enough words that `explain` folds the networks.
        """
        if row.cheap:
            return workload
        dear = workload.first(len(workload.texts) // (1 if row.workload == "agreement" else 6))
        return dear.first(max(6, len(dear.texts) // 4)) if self.quick else dear

    def inner(self, workload: Workload, row: Row) -> float:
        """Milliseconds per document of the row's methods alone."""
        workload = self.part(workload, row)
        work = Inner.of(workload).methods(*workload.defined(row.methods))
        return 1000.0 * median([seconds(work) for _ in range(self.turns)]) / len(workload.texts)

    def fill(self, results: Results) -> None:
        """All rows; what is timed of a workload beside them, once."""
        workloads = cache(lambda name: WORKLOADS[name]())
        for row in self.rows():
            workload, start = workloads(row.workload), time.perf_counter()
            if results.has(workload.name, row.what, row.against):
                continue
            results.workloads[workload.name] = workload.told()
            results.lines.append(self.measure(workload, row))
            inner = results.inner.setdefault(workload.name, {})
            if row.what not in inner:
                inner[row.what] = self.inner(workload, row)
            if row in TOGETHER and not self.quick:
                results.sharing[workload.name] = sharing.measure(workload, self.turns)
            print(f"{results.lines[-1].told()} | measured in {time.perf_counter() - start:.0f} s", flush=True)
            self.keep(results)

    def fill_transformers(self, results: Results) -> None:
        """The rows for transformers, where the library is there."""
        if find_spec("transformers") is None:
            results.remarks.append("transformers is not installed: its rows were left out.")
            return
        from benchmarks import pretrained_rows

        measured = {(line.what, line.against) for line in results.transformers}
        for line in pretrained_rows.measure(self.quick, self.only, measured):
            results.transformers.append(line)
            results.pretrained = results.pretrained or pretrained_rows.told()
            print(line.told(), flush=True)
            self.keep(results)

    def keep(self, results: Results) -> None:
        """What was measured so far: a run that is broken off is resumed by the same command."""
        if not self.only:
            results.save()

    def run(self) -> Results:
        if self.only:
            results = Results(self.quick, timed=EXPLAIN, part=self.half)
        else:
            results = Results.begin(self.quick, self.half)
        results.remarks.clear()
        {NETWORKS: self.fill_networks, TRANSFORMERS: self.fill_pretrained}[self.half](results)
        return results

    def fill_networks(self, results: Results) -> None:
        self.fill(results)
        verdict = silent_deep_lift(WORKLOADS["agreement"]().first(9))
        results.remarks.append(f"{verdict.text}: it is not compared with ours. Its LRP has no rule for an LSTM.")
        if not self.only:
            self.fill_whole(results)

    def fill_pretrained(self, results: Results) -> None:
        self.fill_transformers(results)
        results.trust = trust_cost.measure() or results.trust
        results.finished = True
        self.keep(results)

    def fill_whole(self, results: Results) -> None:
        """What only a whole run has."""
        results.growth = results.growth or growth.measure(self.quick)
        for row in memory.measure(self.quick, results.memory):
            results.memory.append(row)
            self.keep(results)
        results.training = [] if self.quick else list(training.measure(self.turns))
        results.finished = True
        self.keep(results)


def _line(workload: Workload, row: Row, times: Times, verdict: Verdict) -> Line:
    ratios = [1.0 / ratio for ratio in times.ratios] if row.at_most else times.ratios
    names = (workload.name, row.what, row.against)
    milliseconds = 1000.0 * median(times.ours)
    return Line(*names, row.bar, row.at_most, median(ratios), ratios, milliseconds, verdict.text, verdict.expected)


def main() -> int:
    torch.set_num_threads(1)
    quick, only, part = (os.environ.get(name, "") for name in ("QUICK", "ONLY", "PART"))
    if part not in ("", NETWORKS, TRANSFORMERS):
        print(f"PART must be {NETWORKS} or {TRANSFORMERS}, not {part!r}", file=sys.stderr)
        return 2
    halves = [part] if part else [NETWORKS, TRANSFORMERS]
    runs = [Bench(bool(quick), only, name).run() for name in halves]
    if not only:
        page.write()
    rows = [line for results in runs for line in (*results.lines, *results.transformers)]
    failed = [line for line in rows if not (line.passed and line.expected)]
    documents = [document for results in runs for document in results.memory]
    large = memory.missed(documents)
    print(f"{len(rows)} rows, {len(failed)} on the wrong side of their bars or not as expected")
    print(f"{len(documents)} long documents, {large} above their bars")
    return 1 if failed or large else 0


if __name__ == "__main__":
    sys.exit(main())
