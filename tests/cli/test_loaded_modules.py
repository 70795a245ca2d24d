"""What a command loads, asked of real processes when they end: torch takes two seconds, and half of them need none."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from whichword.cli.commands import PANELS

ENTRY = "import sys; sys.argv[0] = 'whichword'; from whichword.cli import main; main()"
HOOK = """
import atexit, json, pathlib, sys
path = pathlib.Path(sys.argv.pop(1))
atexit.register(lambda: path.write_text(json.dumps(sorted(sys.modules))))
"""
HELP = ["--help", *(f"{command.__name__} --help" for panel in PANELS.values() for command in panel)]
WITHOUT_TORCH = [
    "methods",
    "data",
    "table RUN",
    "report RUN --out OUT",
    "verify RUN",
    "digest RUN",
    "figure RUN --document KEY --format svg",
]


def loaded(words: str, run_folder: Path, tmp_path: Path) -> set[str]:
    """The modules that the command has loaded when it ends."""
    from whichword import open_run

    key = open_run(run_folder).items("s00")[0].key
    places = {"RUN": str(run_folder), "OUT": str(tmp_path / "report.html"), "KEY": key}
    arguments = [places.get(word, word) for word in words.split()]
    names = tmp_path / "modules.json"
    command = [sys.executable, "-c", HOOK + ENTRY, str(names), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return set(json.loads(names.read_text()))


@pytest.mark.parametrize("words", WITHOUT_TORCH)
def test_commands_that_only_read_load_no_torch(words: str, run_folder: Path, tmp_path: Path) -> None:
    assert "torch" not in loaded(words, run_folder, tmp_path)


@pytest.mark.parametrize("words", HELP)
def test_help_loads_nothing_slow(words: str, run_folder: Path, tmp_path: Path) -> None:
    assert not {"torch", "numpy", "scipy", "pyarrow", "nltk", "msgspec"} & loaded(words, run_folder, tmp_path)


def test_a_command_that_computes_is_seen_to_load_torch(model: Path, run_folder: Path, tmp_path: Path) -> None:
    assert "torch" in loaded(f"explain {model} film -m lrp", run_folder, tmp_path)


def test_help_takes_little_time() -> None:
    """CPU seconds of the process as the kernel counts them, the best of three: other processes do not matter."""
    assert min(_cpu_seconds("--help") for _ in range(3)) < 0.6


def _cpu_seconds(*arguments: str) -> float:
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", ENTRY, *arguments], os.environ, file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return usage.ru_utime + usage.ru_stime
