"""`python -m faults`: every fault on purpose, in full, and the page that says what came of it.

The tests are those of `make test`, which tries a sample; here they try all, and the counts go to the page with the date
and the commit. A fault that did not hold is a failing test: the page is then left as it was.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from faults.counting import FULL, LOG, counts

ROOT = Path(__file__).resolve().parents[1]

# kind -> the least that has to be tried, and what is tried
GOALS: Mapping[str, tuple[int, str]] = {
    "kills": (200, "`kill -9` at random moments of training, planning, explaining and judging, also while resuming"),
    "damages": (1000, "files of a run or a training's state cut, flipped, emptied, exchanged or removed"),
    "broken files": (
        20_000,
        "corpus files broken where their format shows it; CSV, TSV, JSON lines, CoNLL-U, Parquet, gzip",
    ),
    "command lines": (400, "values that no option, setting or path can have, on every option of every command"),
    "environments": (60, "full disks, closed pipes, no permission, deleted folders, strange variables"),
}
HELD: Mapping[str, str] = {
    "kills": "digest, weights and judgement equal to the undisturbed run's",
    "damages": "noticed by `verify`, or refused when resumed",
    "broken files": "an error in one line with file and line, or only records that were there",
    "command lines": "one line on standard error, code 2, nothing written",
    "environments": "the expected code, no traceback, nothing half-written left",
}
TESTS = (
    "tests/experiment/test_kill.py",
    "tests/experiment/test_store.py",
    "tests/experiment/test_foreign_plans.py",
    "tests/training/test_training_folder.py",
    "tests/corpora/test_broken_files.py",
    "tests/corpora/test_hostile_files.py",
    "tests/cli/test_hostile_lines.py",
    "tests/cli/test_environments.py",
    "tests/web/test_hostile.py",
    "tests/web/test_serving.py",
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m faults", description=__doc__, formatter_class=_AsWritten)
    parser.add_argument(
        "--page", type=Path, default=ROOT / "docs" / "reliability.md", help="the page whose table is written"
    )
    parser.add_argument("--workers", default="2", help="processes that run tests (pytest -n)")
    parser.add_argument("tests", nargs="*", default=TESTS, help="test files; all if none is named")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log, start = Path(folder) / "log", time.monotonic()
        code = _run(options.tests, log, options.workers)
        tried = counts(log)
    print("\n".join(f"{kind}: {amount:,}" for kind, amount in tried.items()))
    short = [kind for kind, (goal, _) in GOALS.items() if tried[kind] < goal]
    if code or short:
        print(f"not written: {'tests failed' if code else 'too few ' + ', '.join(short)}", file=sys.stderr)
        return code or 1
    minutes = (time.monotonic() - start) / 60
    text = options.page.read_text(encoding="utf8")
    options.page.write_text(with_table(text, table(tried, _commit(), minutes)), encoding="utf8")
    return 0


class _AsWritten(argparse.RawDescriptionHelpFormatter):
    """The description's own line ends."""


def _run(tests: Sequence[str], log: Path, workers: str) -> int:
    environment = os.environ | {FULL: "1", LOG: str(log)}
    command = [sys.executable, "-m", "pytest", "-q", "-n", workers, *tests]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "no commit"


def table(tried: Mapping[str, int], commit: str, minutes: float) -> str:
    """What was tried, how often, and what held."""
    day = datetime.now(UTC).date().isoformat()
    rows = [f"| {GOALS[kind][1]} | {tried[kind]:,} | all: {HELD[kind]} |" for kind in GOALS]
    head = f"Measured on {day} at commit {commit}, in {minutes:.0f} minutes by `make faults`:\n"
    return "\n".join([head, "| tried | times | held |", "|---|---|---|", *rows])


BEGIN, END = "<!-- table: written by make faults -->", "<!-- end of the table -->"


def with_table(page: str, text: str) -> str:
    """The page with this in the place of its table."""
    before, _, after = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{after.partition(END)[2]}"


if __name__ == "__main__":
    sys.exit(main())
