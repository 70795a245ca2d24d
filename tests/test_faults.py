"""The page of `make faults`: counts are added up, and only its table is replaced."""

from pathlib import Path

import pytest
from faults.__main__ import BEGIN, END, GOALS, HELD, ROOT, TESTS, table, with_table
from faults.counting import FULL, LOG, SIZES, count, counts, size


def test_counts_are_added_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOG, str(tmp_path / "log"))
    for kind, tried in (("kills", 3), ("damages", 1), ("kills", 4)):
        count(kind, tried)
    assert counts(tmp_path / "log") == {"kills": 7, "damages": 1}
    monkeypatch.delenv(LOG)
    count("kills", 100)
    assert counts(tmp_path / "log")["kills"] == 7


def test_a_sample_unless_all_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FULL, raising=False)
    assert [size(kind) for kind in SIZES] == [sample for sample, _ in SIZES.values()]
    monkeypatch.setenv(FULL, "1")
    assert [size(kind) for kind in SIZES] == [full for _, full in SIZES.values()]


def test_only_the_table_of_the_page_is_replaced() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text(encoding="utf8")
    text = table({kind: goal for kind, (goal, _) in GOALS.items()}, "abc123", 12.4)
    written = with_table(page, text)
    assert "at commit abc123, in 12 minutes" in written
    assert "| 20,000 | all: " in written
    assert written.partition(BEGIN)[0] == page.partition(BEGIN)[0]
    assert written.partition(END)[2] == page.partition(END)[2]
    assert with_table(written, text) == written


def test_what_is_run_is_there() -> None:
    assert GOALS.keys() == HELD.keys()
    assert all((ROOT / name).is_file() for name in TESTS)
