"""Peak memory of one document of 20,000 words, and time from 10,000 to 20,000: each family in a process of its own."""

import json
import os
import statistics
import subprocess
import sys
from dataclasses import asdict, dataclass

from benchmarks.workloads import DRAWN, FAMILIES, LONG, WORDS

BAR, DOUBLING = 1500.0, 2.2  # megabytes; time from 10,000 words to 20,000
SHORT, LENGTH, FEWER = 10_000, 20_000, 2_000
QUADRATIC = ("biLSTM", "biGRU")  # where omission and occlusion run every window to the end of the document
QUICK = ("CNN LIMSSE",)


@dataclass(frozen=True)
class Case:
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
        return {"whole": f"T = {self.lengths[-1]:,}", "sample": f"T = {self.lengths[-1]:,}, every 100th window"}[
            self.how
        ]


@dataclass(frozen=True)
class Found:
    """What one process found; ``doubling`` is None where the work is quadratic and one length was run."""

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

    def row(self) -> str:
        doubling = "" if self.doubling is None else f"{self.doubling:.2f}"
        numbers = (f"{self.imported:.0f}", f"{self.peak:.0f}", f"{self.seconds:.3g}", doubling)
        return f"| {' | '.join((self.network, self.family, self.done, *numbers, 'yes' if self.passed else '**no**'))} |"


def cases() -> list[Case]:
    found = []
    for network in LONG:
        for family, methods in (FAMILIES | {"LIMSSE, 3,000 draws": DRAWN, "random, last": ("random", "last")}).items():
            if network in QUADRATIC and family == "perturbation":
                found.append(Case(network, family, methods, "whole", (FEWER,), 1))
                found.append(Case(network, family, methods, "sample", (LENGTH,), 1))
            elif network != "CNN" or family != "decomp":
                found.append(Case(network, family, methods, "whole", (SHORT, LENGTH), 4))
    return found


def run(case: Case) -> Found:
    """In a process of its own, whose peak is nobody else's."""
    command = [sys.executable, "-m", "benchmarks.long_document", case.network, ",".join(case.methods), case.how]
    given = [*command, str(case.turns), *map(str, case.lengths)]
    told = subprocess.run(given, check=True, capture_output=True, text=True, env=dict(os.environ)).stdout
    said = json.loads(told.splitlines()[-1])
    rounds = said["rounds"]
    seconds = statistics.median(last for *_, last in rounds)
    doubling = statistics.median(long / short for short, long in rounds) if len(case.lengths) > 1 else None
    return Found(case.network, case.family, case.done, said["baseline"], said["peak"], seconds, doubling)


def measure(quick: bool) -> list[dict[str, object]]:
    found = []
    for case in cases():
        if not quick or f"{case.network} {case.family}" in QUICK:
            found.append(run(case))
            print(found[-1].row(), flush=True)
    return [asdict(each) for each in found]


def missed(rows: list[dict[str, object]]) -> int:
    """How many do not pass."""
    return sum(not Found(**each).passed for each in rows)  # type: ignore[arg-type]


def table(rows: list[dict[str, object]]) -> str:
    head = (
        "network",
        "family",
        "what was run",
        "MB after import",
        "MB at most",
        "seconds",
        "10,000 to 20,000",
        "passed",
    )
    lines = [Found(**each).row() for each in rows]  # type: ignore[arg-type]
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *lines])


TEXT = (
    f"Every method of a family together, each family in a process of its own, on one document of {LENGTH:,} words "
    f"({WORDS:,} different ones); bars: {BAR:,.0f} MB at the most, and at most {DOUBLING} times the time for twice the "
    "words (both lengths in turns, the median of the ratios). Omission and occlusion on biLSTM and biGRU are "
    "quadratic in T (estimated first, and refused above `--time-limit`): they were run wholly for "
    f"{FEWER:,} words, and for {LENGTH:,} words on every 100th window from end to end, of 1, 3 and 7 words, cut "
    "and blanked."
)
