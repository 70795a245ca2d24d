"""The example that plays a column again: its default is a column that is kept, and what is not kept is said."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "table" / "recompute_a_column.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, timeout=600)


def test_a_column_that_is_not_kept_is_an_error_of_one_line() -> None:
    done = run("M99")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: M99: no such column is kept")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_column_is_trained_played_and_compared() -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn")
    done = run()
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("M34: ")]
    assert "digest" in line
