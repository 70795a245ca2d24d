"""`python -m faults`: every fault on purpose, in full, and the page that says what came of it.

The tests are those of `make test`, which tries a sample; here they try all, and the counts go to the page with the date
and the commit. A fault that did not hold is a failing test: the page is then left as it was.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from faults.counting import FULL, LOG, added_up
from faults.keeping import FOLDER, KeptTests

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reliability.md"
NO_TESTS = 5  # what pytest returns where none is left
STOPPED = {2: "it was stopped", -2: "it was stopped", -9: "it was killed", -15: "it was stopped"}
AGAIN = "tests that passed are kept: run the same command again to resume"

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
    "tests/playing/test_kill.py",
    "tests/runs/test_store.py",
    "tests/runs/test_foreign_plans.py",
    "tests/training/test_training_folder.py",
    "tests/corpora/test_broken_files.py",
    "tests/corpora/test_hostile_files.py",
    "tests/cli/test_hostile_lines.py",
    "tests/cli/test_environments.py",
    "tests/extras/app/test_hostile.py",
    "tests/extras/app/test_serving.py",
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m faults", description=__doc__, formatter_class=_AsWritten)
    parser.add_argument("--page", type=Path, default=PAGE, help="the page whose table is written")
    parser.add_argument("--workers", default="2", help="processes that run tests (pytest -n)")
    parser.add_argument(
        "--kept", type=Path, default=ROOT / ".faults", help="where results are kept until all are there"
    )
    parser.add_argument("--sample", action="store_true", help="as little as make test tries; the page is not written")
    parser.add_argument("tests", nargs="*", default=TESTS, help="test files; all if none is named")
    options = parser.parse_args()
    kept, commit = KeptTests(options.kept.absolute()), _commit()
    if before := kept.begin(f"{commit} {_changes()}{' sample' if options.sample else ''}"):
        print(f"{before} tests passed before and are kept")
    code = _run(options.tests, kept, options.workers, options.sample)
    tried = added_up(kept.counted())
    print("\n".join(f"{kind}: {tried[kind]:,} of {goal:,}" for kind, (goal, _) in GOALS.items()))
    short = [kind for kind, (goal, _) in GOALS.items() if tried[kind] < goal]
    if code or short:
        why = STOPPED.get(code, "tests failed") if code else f"too few {', '.join(short)}"
        print(f"{options.page.name} is not written: {why}; {AGAIN}", file=sys.stderr)
        return code or 1
    text = options.page.read_text(encoding="utf8")
    written = with_table(text, table(tried, commit, sum(kept.passed().values()) / 60))
    options.page.write_text(written, encoding="utf8")
    return 0


class _AsWritten(argparse.RawDescriptionHelpFormatter):
    """The description's own line ends."""


def _run(tests: Sequence[str], kept: KeptTests, workers: str, sample: bool) -> int:
    """The code of pytest; none where all tests passed before."""
    full = {} if sample else {FULL: "1"}
    environment = os.environ | full | {LOG: str(kept.log), FOLDER: str(kept.folder)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "faults.keeping", "-n", workers, *tests]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    while True:
        try:
            return {NO_TESTS: 0}.get(process.wait(), process.returncode)
        except KeyboardInterrupt:  # pytest hears it too, and ends by itself
            continue


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout


def _changes() -> str:
    """A hash over what differs from the commit, apart from the page; empty where nothing does."""
    difference = _git("diff", "HEAD", "--", ".", f":!{PAGE.relative_to(ROOT)}")
    return hashlib.sha256(difference.encode("utf8", "surrogateescape")).hexdigest()[:12] if difference else ""


def _commit() -> str:
    commit = _git("rev-parse", "--short=12", "HEAD").strip() or "no commit"
    return f"{commit}-dirty" if _changes() else commit


def table(tried: Mapping[str, int], commit: str, minutes: float) -> str:
    """What was tried, how often, and what held."""
    day = datetime.now(UTC).date().isoformat()
    rows = [f"| {GOALS[kind][1]} | {tried[kind]:,} | all: {HELD[kind]} |" for kind in GOALS]
    head = f"Measured on {day} at commit {commit}, in {minutes:.0f} minutes of tests by `make faults`:\n"
    return "\n".join([head, "| tried | times | held |", "|---|---|---|", *rows])


BEGIN, END = "<!-- table: written by make faults -->", "<!-- end of the table -->"


def with_table(page: str, text: str) -> str:
    """The page with this in the place of its table."""
    before, _, after = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{after.partition(END)[2]}"


if __name__ == "__main__":
    sys.exit(main())
