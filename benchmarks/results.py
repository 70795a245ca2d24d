"""What was measured, as JSON; `page` makes it readable."""

import json
import platform
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import captum
import lime
import numpy as np
import shap
import sklearn
import torch

import whichword
from benchmarks.growth import Growth
from benchmarks.sharing import Sharing
from whichword.base.kernels import library
from whichword.text.places import content_key

FOLDER = Path(__file__).parent
RUNS = FOLDER / "results"
FORWARD = "our own forward pass"
PARTS = "the methods alone and a forward pass"
EXPLAIN, ALONE = "explain", "the methods alone"  # what the rows of a run have timed

NETWORKS, TRANSFORMERS = "networks", "transformers"  # the two parts of the benchmarks, each a run of its own
PREFIXES = {NETWORKS: "", TRANSFORMERS: "transformers-"}  # of the names of their files

InnerTimes = dict[str, dict[str, float]]  # network -> methods -> milliseconds per document


@dataclass(frozen=True)
class Line:
    """A row of the table, measured. ``ratio`` is the peer's time over ours; ``at_most``: our time over the other."""

    workload: str
    what: str
    against: str
    bar: float | None
    at_most: bool
    ratio: float
    ratios: list[float]
    milliseconds: float  # ours, per document
    check: str = ""
    expected: bool = True

    @property
    def passed(self) -> bool:
        if self.bar is None:
            return True
        return self.ratio <= self.bar if self.at_most else self.ratio >= self.bar

    @property
    def name(self) -> tuple[str, str, str]:
        return self.workload, self.what, self.against

    @property
    def limit(self) -> str:
        """The bar, in words."""
        return "" if self.bar is None else f"{'at most' if self.at_most else 'at least'} {self.bar:g}"

    @property
    def spread(self) -> str:
        """The median, and the smallest and largest ratio."""
        return f"**{number(self.ratio)}** ({number(min(self.ratios))} to {number(max(self.ratios))})"

    def told(self) -> str:
        """For whoever watches."""
        outcome = "" if self.bar is None else "passed" if self.passed else "MISSED"
        return " | ".join((*self.name, self.limit, self.spread, outcome, f"{self.milliseconds:.3g} ms", self.check))


@dataclass
class Results:
    """Everything that a run of the benchmarks has measured.

    Runs from before ``timed`` was noted had rows of inner calls, on folded networks, the class given.
    """

    quick: bool
    began: str = field(default_factory=lambda: time.strftime("%Y-%m-%d %H:%M", time.gmtime()))
    timed: str = ALONE
    machine: dict[str, str] = field(default_factory=lambda: machine())
    workloads: dict[str, str] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    inner: InnerTimes = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    sharing: Sharing = field(default_factory=dict)
    memory: list[dict[str, object]] = field(default_factory=list)
    growth: Growth = field(default_factory=dict)
    transformers: list[Line] = field(default_factory=list)
    trust: list[list[str]] = field(default_factory=list)
    pretrained: dict[str, str] = field(default_factory=dict)  # the models of these rows, in words
    training: list[list[str]] = field(default_factory=list)
    finished: bool = True  # False: it was broken off, and the same command resumes it
    code: str = ""  # a hash of what was timed
    part: str = NETWORKS  # runs from before parts were apart have both

    @staticmethod
    def begin(quick: bool, part: str, folder: Path = RUNS) -> "Results":
        """A new run, or the last one where it was broken off and both machine and code are still the same."""
        fresh = Results(quick, timed=EXPLAIN, finished=False, code=code(), part=part)
        stored = [Results.load(path) for path in files(part, quick, folder)]
        same = [run for run in stored if (run.finished, run.machine, run.code) == (False, fresh.machine, fresh.code)]
        return same[-1] if same else fresh

    def has(self, *name: str) -> bool:
        """Whether the row of this name was measured."""
        return any(line.name == name for line in self.lines)

    def inner_times(self) -> InnerTimes:
        """Milliseconds per document of the methods alone, whenever the run was made."""
        if self.timed != ALONE:
            return self.inner
        times: InnerTimes = {}
        for line in self.lines:
            times.setdefault(line.workload, {})[line.what] = line.milliseconds
        return times

    def save(self, folder: Path = RUNS) -> None:
        """Full runs are kept, each under its part and time; of quick ones the last."""
        folder.mkdir(exist_ok=True)
        name = "quick" if self.quick else self.began.replace(" ", "-").replace(":", "")
        (folder / f"{PREFIXES[self.part]}{name}.json").write_text(
            json.dumps(asdict(self), indent=1) + "\n", encoding="utf8"
        )

    @staticmethod
    def load(path: Path) -> "Results":
        stored = json.loads(path.read_text(encoding="utf8"))
        lines = {name: [Line(**line) for line in stored.get(name, [])] for name in ("lines", "transformers")}
        return Results(**(stored | lines))


@dataclass(frozen=True)
class Stored:
    """The runs that a page shows: ``latest``, one or two, and those of ``before`` `explain` was timed.

    Of a run that was broken off, what it has is shown. ``transformers``: the runs that have rows of these.
    """

    before: list[Results]
    latest: list[Results]
    transformers: list[Results]

    @staticmethod
    def load(folder: Path = RUNS) -> "Stored":
        """The last two full runs, the earlier one first; the quick one where there is no full one."""
        full = [Results.load(path) for path in files(NETWORKS, False, folder)]
        apart = [Results.load(path) for path in files(TRANSFORMERS, False, folder)]
        latest = [run for run in full if run.timed == EXPLAIN][-2:] or [Results.load(folder / "quick.json")]
        having = [run for run in (*full, *apart) if run.transformers or run.trust]
        return Stored([run for run in full if run.timed == ALONE], latest, having)

    def having(self, part: str) -> list[Results]:
        """The latest runs that have this part, or where none has it, those from before."""
        having = [[run for run in runs if getattr(run, part)] for runs in (self.latest, self.before)]
        return having[0] or having[1]

    def last(self, part: str) -> Results:
        """The last of them."""
        return [self.latest[-1], *self.having(part)][-1]


def files(part: str, quick: bool, folder: Path = RUNS) -> list[Path]:
    """The runs of a part that are stored, the earliest first."""
    return sorted(folder.glob(f"{PREFIXES[part]}{'quick' if quick else '2*'}.json"))


def number(value: float) -> str:
    """Two or three digits that mean something."""
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 2 else f"{value:.2f}"


def code() -> str:
    """A hash of the package and of the benchmarks: rows of different code are no run."""
    files = [*Path(whichword.__file__).parent.rglob("*.py"), *FOLDER.glob("*.py"), *FOLDER.parent.glob("csrc/*")]
    return content_key(*(path.read_text(encoding="utf8") for path in sorted(files)))


def machine() -> dict[str, str]:
    libraries = {library.__name__: library.__version__ for library in (torch, np, captum, shap, sklearn)}
    loaded = library()
    facts = {
        "processor": processor(),
        "Python": platform.python_version(),
        "lime": getattr(lime, "__version__", "0.2"),
        "compiled kernels": "no" if loaded is None else Path(loaded._name).name,
    }
    return facts | {name: str(version) for name, version in libraries.items()}


def processor() -> str:
    info = Path("/proc/cpuinfo")
    names = (
        [line.partition(": ")[2] for line in info.read_text().splitlines() if line.startswith("model name")]
        if info.exists()
        else []
    )
    return names[0] if names else platform.processor() or platform.machine()
