"""What was tried stays tried: a pytest plug-in that notes tests as they pass, and leaves out those that did before."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults.counting import Counted, read_counted, read_lines

FOLDER = "WHICHWORD_FAULTS_KEPT"  # the folder of what is kept, for the plug-in
IN_WORKER = "PYTEST_XDIST_WORKER"  # set in the processes that pytest-xdist starts


@dataclass(frozen=True)
class KeptTests:
    """A folder: whose results these are (``key``), tests that passed in earlier starts and in this one, the log."""

    folder: Path

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def begin(self, key: str) -> int:
        """Take up what was kept of the same code, else begin anew; returns how many tests are done."""
        self.folder.mkdir(parents=True, exist_ok=True)
        stored = self.folder / "key"
        if not stored.exists() or stored.read_text() != key:
            for name in ("log", "passed", "earlier"):
                (self.folder / name).unlink(missing_ok=True)
            stored.write_text(key)
        passed = self.passed()
        # what a process counts before it is stopped in the middle of a test is counted again with that test
        _write(self.log, [[kind, tried, test] for kind, tried, test in read_counted(self.log) if test in passed])
        _write(self.folder / "earlier", sorted(passed))  # fixed for this start: all workers leave out the same
        return len(passed)

    def passed(self) -> dict[str, float]:
        """Test -> its seconds."""
        return {str(test): float(seconds) for test, seconds in read_lines(self.folder / "passed")}

    def note(self, test: str, seconds: float) -> None:
        with (self.folder / "passed").open("a", encoding="utf8") as file:
            file.write(json.dumps([test, seconds]) + "\n")

    def counted(self) -> list[Counted]:
        """Of the tests that passed."""
        passed = self.passed()
        return [entry for entry in read_counted(self.log) if entry[2] in passed]


def _write(path: Path, lines: Sequence[Any]) -> None:
    part = path.with_suffix(".part")
    part.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf8")
    part.replace(path)


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leave out what passed before."""
    earlier = set(read_lines(Path(os.environ[FOLDER]) / "earlier"))
    gone = [item for item in items if item.nodeid in earlier]
    if gone:
        config.hook.pytest_deselected(items=gone)
        items[:] = [item for item in items if item.nodeid not in earlier]


def pytest_runtest_logreport(report: Any) -> None:
    """In the process that started it all; workers tell it."""
    if report.when == "call" and report.passed and IN_WORKER not in os.environ:
        KeptTests(Path(os.environ[FOLDER])).note(report.nodeid, report.duration)
