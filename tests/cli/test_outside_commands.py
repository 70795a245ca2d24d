"""Commands of installed packages: listed where they say, run by the house's manners, and never in the place of ours."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from plug_in import plug_in

from whichword.cli.app import COMMANDS

SOURCE = """
import typer
from whichword.cli.app import SESSION, listed
from whichword.errors import InputError

@listed(65, SESSION)
def between(count: int = 1) -> None:
    \"\"\"Stand behind table.\"\"\"
    raise InputError(f"{count} is not enough")

def plain() -> None:
    \"\"\"Say nothing of a place.\"\"\"

group = typer.Typer(help="Two words.")

@group.command()
def inner() -> None:
    \"\"\"Print a word, in [brackets].\"\"\"
    print("in")

@group.command()
def outer() -> None:
    \"\"\"Print another.\"\"\"
"""
POINTS = "between = my_commands:between\nplain = my_commands:plain\npair = my_commands:group"


def whichword(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    places = [str(Path(sys.modules["whichword"].__file__ or "").parents[1]), str(site)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places), "COLUMNS": "100", "TERM": "dumb"}
    command = [sys.executable, "-W", "error", "-m", "whichword", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return plug_in(tmp_path, "my_commands", SOURCE, commands=POINTS)


def test_commands_from_outside_are_listed_and_run(site: Path) -> None:
    listed = [line.split()[1] for line in whichword(site, "--help").stdout.splitlines() if line.startswith("│ ")]
    assert listed.index("between") == listed.index("table") + 1 == listed.index("report") - 1
    assert listed[-2:] == ["league", "pair"]  # groups are listed behind single commands
    assert listed.index("plain") == listed.index("methods") + 1
    failed = whichword(site, "between", "--count", "3")
    assert (failed.returncode, failed.stdout, failed.stderr) == (2, "", "whichword: 3 is not enough\n")
    assert whichword(site, "pair", "inner").stdout == "in\n"
    assert "in [brackets]." in whichword(site, "pair", "--help").stdout


@pytest.mark.parametrize("name", ["table", "serve"])
def test_a_command_of_ours_keeps_its_name(name: str, tmp_path: Path) -> None:
    """Which of two packages comes second is decided by the path: either way the clash is told."""
    done = whichword(plug_in(tmp_path, "my_commands", SOURCE, commands=f"{name} = my_commands:plain"), "--help")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"whichword: command '{name}' is taken: ")
    assert done.stderr.count("\n") == 1
    assert "my_commands" in done.stderr


def test_a_command_that_does_not_load_is_one_line(tmp_path: Path) -> None:
    done = whichword(plug_in(tmp_path, "my_commands", "import nothing_here", commands="x = my_commands:x"), "data")
    reason = "ModuleNotFoundError: No module named 'nothing_here'"
    assert done.stderr == f"whichword: plug-in x of my_commands does not load: {reason}\n"


def test_the_extras_come_in_as_a_stranger_does() -> None:
    extras = {name for name in COMMANDS if COMMANDS._origins[name].module.startswith("whichword.extras.")}
    assert extras == {"serve", "gate", "card", "league", "judge", "shortcut"}
