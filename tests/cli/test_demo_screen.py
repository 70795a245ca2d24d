"""What the demo prints at its end, and when it looks at nothing again. Its parts; all of it runs in the slow tests."""

from pathlib import Path

import pytest
from synthetic_run import Recipe, make_run

from whichword.cli import demo
from whichword.cli.demo import stamp


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """As the demo leaves it: networks, a run, a report, a stamp."""
    (tmp_path / "models" / "net").mkdir(parents=True)
    (tmp_path / "models" / "net" / "weights").write_bytes(b"123")
    make_run(tmp_path / "run", Recipe(documents=40, methods=("lrp", "omit_1")))
    demo._report(tmp_path)
    (tmp_path / demo.STAMP).write_text(stamp(tmp_path), "utf8")
    return tmp_path


def test_the_end_fits_on_a_screen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo._print_results(folder / "run", tables=False)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= demo.SCREEN + 3
    assert any("lstm on dice: " in line for line in lines)
    demo._print_results(folder / "run", tables=True)
    assert "documents per second" in capsys.readouterr().out


def test_nothing_is_looked_at_again_where_nothing_changed(folder: Path) -> None:
    assert demo._unchanged(folder)


@pytest.mark.parametrize("name", ["models/net/weights", "run/run.json", "stamp"])
def test_a_changed_file_is_seen(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(path.read_bytes() + b"\n")
    assert not demo._unchanged(folder)


def test_a_missing_report_is_made_again(folder: Path) -> None:
    (folder / demo.REPORT).unlink()
    assert not demo._unchanged(folder)
