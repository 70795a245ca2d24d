"""Peak memory of one document of 20,000 words, and time from 10,000 to 20,000: each family in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from benchmarks.tables import row_of, table_of
from benchmarks.timing import median
from benchmarks.workloads import DRAWN, FAMILIES, LONG, WORDS

BAR, DOUBLING = 1500.0, 2.2  # megabytes; time from 10,000 words to 20,000
SHORT, LENGTH, FEWER = 10_000, 20_000, 2_000
QUADRATIC = ("biLSTM", "biGRU")  # where omission and occlusion run every window to the end of the document
QUICK = ("CNN LIMSSE",)
HEAD = ("network", "family", "what was run", "MB after import", "MB at most", "seconds", "10,000 to 20,000", "passed")
ASKED = FAMILIES | {"LIMSSE, 3,000 draws": DRAWN, "random, last": ("random", "last")}


@dataclass(frozen=True)
class LongCase:
    """A network, a family's methods, and what is done: see `long_document`."""

    network: str
    family: str
    methods: tuple[str, ...]
    how: str
    lengths: tuple[int, ...]
    turns: int

    @property
    def done(self) -> str:
        """In words."""
        return f"T = {self.lengths[-1]:,}" + (", every 100th window" if self.how == "sample" else "")


@dataclass(frozen=True)
class LongRun:
    """What one process measured; ``doubling`` is None where the work is quadratic and one length was run."""

    network: str
    family: str
    done: str
    imported: float  # megabytes before there is a network
    peak: float
    seconds: float
    doubling: float | None

    @property
    def passed(self) -> bool:
        return self.peak <= BAR and (self.doubling is None or self.doubling <= DOUBLING)

    def cells(self) -> tuple[str, ...]:
        doubling = "" if self.doubling is None else f"{self.doubling:.2f}"
        numbers = (f"{self.imported:.0f}", f"{self.peak:.0f}", f"{self.seconds:.3g}", doubling)
        return (self.network, self.family, self.done, *numbers, "yes" if self.passed else "**no**")


def cases() -> Iterator[LongCase]:
    for network in LONG:
        for family, methods in ASKED.items():
            if network in QUADRATIC and family == "perturbation":
                yield LongCase(network, family, methods, "whole", (FEWER,), 1)
                yield LongCase(network, family, methods, "sample", (LENGTH,), 1)
            elif network != "CNN" or family != "decomp":
                yield LongCase(network, family, methods, "whole", (SHORT, LENGTH), 4)


def run(case: LongCase) -> LongRun:
    """In a process of its own, whose peak is nobody else's."""
    command = [sys.executable, "-m", "benchmarks.long_document", case.network, ",".join(case.methods), case.how]
    command += [str(case.turns), *map(str, case.lengths)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=dict(os.environ)).stdout
    measured = json.loads(printed.splitlines()[-1])
    rounds = measured["rounds"]
    doubling = median([long / short for short, long in rounds]) if len(case.lengths) > 1 else None
    seconds = median([last for *_, last in rounds])
    return LongRun(case.network, case.family, case.done, measured["baseline"], measured["peak"], seconds, doubling)


def measure(quick: bool, measured: Sequence[Mapping[str, object]]) -> Iterator[dict[str, object]]:
    """Those that are not ``measured`` yet."""
    known = {(row["network"], row["family"], row["done"]) for row in measured}
    for case in cases():
        wanted = not quick or f"{case.network} {case.family}" in QUICK
        if wanted and (case.network, case.family, case.done) not in known:
            long = run(case)
            print(row_of(long.cells()), flush=True)
            yield asdict(long)


def missed(rows: Sequence[Mapping[str, object]]) -> int:
    """How many do not pass."""
    return sum(not LongRun(**row).passed for row in rows)  # type: ignore[arg-type]


def table(rows: Sequence[Mapping[str, object]]) -> str:
    return table_of(HEAD, [LongRun(**row).cells() for row in rows])  # type: ignore[arg-type]


TEXT = (
    f"`explain` with every method of a family together, each family in a process of its own, on one document of "
    f"{LENGTH:,} words ({WORDS:,} different ones); bars: {BAR:,.0f} MB at the most, and at most {DOUBLING} times the "
    "time for twice the words (both lengths in turns, the median of the ratios). Omission and occlusion on biLSTM and "
    f"biGRU are quadratic in T: they were run wholly for {FEWER:,} words, and for {LENGTH:,} words on every 100th "
    "window from end to end, of 1, 3 and 7 words, cut and blanked. Freed memory stays with the process, as in the "
    "commands."
)
