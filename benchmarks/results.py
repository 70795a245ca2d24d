"""What was measured, as a table to read and as JSON."""

import json
import platform
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import captum
import lime
import numpy as np
import shap
import sklearn
import torch

from whichword.networks.kernels import usable

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Line:
    """A row of the table, measured. ``ratio`` is the peer's time over ours, or our cost in forward passes."""

    workload: str
    what: str
    against: str
    bar: float | None
    at_most: bool
    ratio: float
    ratios: list[float]
    milliseconds: float  # ours, a document
    check: str = ""
    expected: bool = True

    @property
    def passed(self) -> bool:
        if self.bar is None:
            return True
        return self.ratio <= self.bar if self.at_most else self.ratio >= self.bar

    def row(self) -> str:
        low, high = min(self.ratios), max(self.ratios)
        bar = "" if self.bar is None else f"{'at most' if self.at_most else 'at least'} {self.bar:g}"
        outcome = "" if self.bar is None else "yes" if self.passed else "**no**"
        ratio = f"**{number(self.ratio)}** ({number(low)} to {number(high)})"
        cells = (self.workload, self.what, self.against, bar, ratio, outcome, f"{self.milliseconds:.3g}", self.check)
        return f"| {' | '.join(cells)} |"


@dataclass
class Results:
    """Everything that a run of the benchmarks found."""

    quick: bool
    lines: list[Line] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    memory: list[dict[str, float | str]] = field(default_factory=list)
    growth: dict[str, dict[str, dict[int, float]]] = field(default_factory=dict)

    def write(self, folder: Path = FOLDER) -> None:
        found = asdict(self) | {"machine": machine()}
        (folder / "results.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf8")
        (folder / "RESULTS.md").write_text(self.text(), encoding="utf8")

    def text(self) -> str:
        said = ", ".join(f"{name} {value}" for name, value in machine().items())
        parts = [
            "# Side by side with the peers",
            f"Written by `make bench{' QUICK=1' if self.quick else ''}`. {said}. One thread, CPU seconds, ours and the "
            "peer in turns in one process, on the same network and documents; medians, and the smallest and largest "
            "ratio in brackets. Machines differ: only ratios count, and one under 1.5 is a tie.",
            table([line for line in self.lines if not line.at_most], "the peer's time over ours"),
            "Our own cost in forward passes of the same network, the forward pass being our fastest:",
            table([line for line in self.lines if line.at_most], "forward passes"),
            *self.remarks,
            *self._memory(),
            *(["![cost by length](growth.svg)"] if self.growth else []),
        ]
        return "\n\n".join(parts) + "\n"

    def _memory(self) -> list[str]:
        if not self.memory:
            return []
        names = list(self.memory[0])
        rows = [f"| {' | '.join(str(each[name]) for name in names)} |" for each in self.memory]
        head = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
        return ["## One long document", "\n".join([*head, *rows])]


def table(lines: Sequence[Line], ratio: str) -> str:
    head = ("network", "what", "against", "bar", ratio, "passed", "ms a document (ours)", "the same?")
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(line.row() for line in lines)])


def number(value: float) -> str:
    """Two or three digits that mean something."""
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 2 else f"{value:.2f}"


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def machine() -> dict[str, str]:
    libraries = {each.__name__: each.__version__ for each in (torch, np, captum, shap, sklearn)}
    kernels = "yes" if usable(torch.zeros(1)) else "no"
    known = {
        "Python": platform.python_version(),
        "lime": getattr(lime, "__version__", "0.2"),
        "compiled kernels": kernels,
    }
    return {"processor": processor()} | known | {name: str(version) for name, version in libraries.items()}


def processor() -> str:
    info = Path("/proc/cpuinfo")
    names = (
        [line.partition(": ")[2] for line in info.read_text().splitlines() if line.startswith("model name")]
        if info.exists()
        else []
    )
    return names[0] if names else platform.processor() or platform.machine()
