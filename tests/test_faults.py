"""The page of `make faults`: counts are added up, and only its table is replaced."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from faults.__main__ import BEGIN, END, GOALS, HELD, ROOT, TESTS, table, with_table
from faults.counting import FULL, LOG, SIZES, added_up, count, read_counted, size
from faults.keeping import FOLDER, IN_WORKER, KeptTests


def test_counts_are_added_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOG, str(tmp_path / "log"))
    for kind, tried in (("kills", 3), ("damages", 1), ("kills", 4)):
        count(kind, tried)
    assert added_up(read_counted(tmp_path / "log")) == {"kills": 7, "damages": 1}
    monkeypatch.delenv(LOG)
    count("kills", 100)
    assert added_up(read_counted(tmp_path / "log"))["kills"] == 7


def test_a_sample_unless_all_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FULL, raising=False)
    assert [size(kind) for kind in SIZES] == [sample for sample, _ in SIZES.values()]
    monkeypatch.setenv(FULL, "1")
    assert [size(kind) for kind in SIZES] == [full for _, full in SIZES.values()]


def test_only_the_table_of_the_page_is_replaced() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text(encoding="utf8")
    text = table({kind: goal for kind, (goal, _) in GOALS.items()}, "abc123", 12.4)
    written = with_table(page, text)
    assert "at commit abc123, in 12 minutes of tests" in written
    assert "| 20,000 | all: " in written
    assert written.partition(BEGIN)[0] == page.partition(BEGIN)[0]
    assert written.partition(END)[2] == page.partition(END)[2]
    assert with_table(written, text) == written


def test_what_is_run_is_there() -> None:
    assert GOALS.keys() == HELD.keys()
    assert all((ROOT / name).is_file() for name in TESTS)


TRYING = """
import os
from faults import count

def test_first():
    count("kills", 20)

def test_second():
    count("kills", 20)
    if os.environ.get("STOP"):
        os._exit(9)  # as if somebody had stopped it here
"""


def test_what_passed_is_kept_when_it_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "test_trying.py").write_text(TRYING)
    kept = KeptTests(tmp_path / "kept")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "faults.keeping", "-p", "no:cacheprovider", "test_trying.py"]

    def start(**more: str) -> str:
        settings = {FOLDER: str(kept.folder), LOG: str(kept.log), "PYTHONPATH": str(ROOT)}
        environment = os.environ | settings | more
        environment.pop(IN_WORKER, None)  # the tests themselves may run in such a process
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout

    assert kept.begin("a commit") == 0
    start(STOP="1")
    assert added_up(kept.counted()) == {"kills": 20}
    assert kept.begin("a commit") == 1
    assert "1 passed, 1 deselected" in start()
    assert added_up(kept.counted()) == {"kills": 40}
    assert kept.begin("a commit") == 2
    assert "2 deselected" in start()
    assert kept.begin("another commit") == 0
    assert kept.counted() == []
