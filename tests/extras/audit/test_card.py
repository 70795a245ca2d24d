"""A card says what the table says, limits first, with intervals and commands."""

import shlex
from pathlib import Path

import pytest
from command_runner import Runner

from whichword.playing.verify import digest
from whichword.reporting import recommend, table
from whichword.reporting.table import interval, points
from whichword.runs.run import open_run


@pytest.mark.parametrize(
    ("kind", "first"), [("model", "## Model Examination"), ("audit", "# Explanations: audit card")]
)
def test_limits_first_then_figures_with_intervals(run: Runner, folder: Path, kind: str, first: str) -> None:
    done = run("card", str(folder), "--kind", kind)
    assert done.returncode == 0, done.stderr
    text = done.stdout
    assert text.startswith(first)
    results = table([folder])
    for limit in recommend(results).limits:
        assert limit.split(":")[0].replace("*", "") in text.replace("\\", "")
    (column,) = results.columns
    cell = column.cells["lrp"]
    row = next(line for line in text.splitlines() if line.startswith("| lrp |"))
    assert points(cell.accuracy) in row
    assert interval(cell.interval) in row
    limits, figures = text.lower().index("limits"), text.index("| lrp |")
    assert limits < figures
    assert digest(open_run(folder)) in text


def test_an_audit_has_its_four_questions(run: Runner, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "audit.md"
    assert run("card", str(folder), "--kind", "audit", "--out", str(path)).returncode == 0
    titles = [line for line in path.read_text().splitlines() if line.startswith("## ")]
    assert titles == [
        "## Knowledge limits",
        "## Explanation",
        "## Meaning",
        "## Explanation accuracy",
        "## To recompute",
    ]


def test_the_commands_name_what_was_played(run: Runner, folder: Path) -> None:
    lines = run("card", str(folder)).stdout.splitlines()
    (command,) = [line for line in lines if line.startswith("whichword evaluate")]
    words = shlex.split(command)
    assert words[words.index("--corpus") + 1] == "dice"
    assert words[words.index("-m") + 1] == "omit_1,lrp,random,last,nothing"


def test_a_wrong_kind_is_one_line(run: Runner, folder: Path) -> None:
    done = run("card", str(folder), "--kind", "modl")
    assert (done.returncode, "did you mean model" in done.stderr) == (2, True)


def test_health_in_the_table(run: Runner, folder: Path) -> None:
    assert "health" not in run("table", str(folder)).stdout
    assert "health" in run("table", str(folder), "--health").stdout
    assert "health" in run("table", str(folder), "--health", "--format", "json").stdout


def test_a_card_never_replaces_what_is_no_file(run: Runner, folder: Path, tmp_path: Path) -> None:
    for target, kind in ((Path("/dev/full"), "a device"), (tmp_path, "a folder")):
        done = run("card", str(folder), "--out", str(target))
        assert done.returncode == 2
        assert done.stderr == f"whichword: {target}: cannot be written: it is {kind}, not a file\n"
