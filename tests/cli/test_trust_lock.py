"""A game in rounds holds its folder from the first file to the last: a second start says so, and harms nothing."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from command_runner import Done, Runner

ROUNDS = "rounds"  # the folder of the rounds, in that of the run
REPORT = "report.html"  # what comes after the run, which is all there by then


@dataclass
class PausedStart:
    """A command in a process of its own, which stops before each file that it puts into a folder."""

    folder: Path
    arguments: list[str]
    written: list[str] = field(default_factory=list)
    free_after: int | None = None  # so many files were written when somebody else could have the folder

    def __enter__(self) -> PausedStart:
        pauses, far_end = os.pipe()
        script = [str(Path(__file__).with_name("pausing.py")), str(self.folder), str(far_end)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        command = [sys.executable, *script, *self.arguments]
        self.process = subprocess.Popen(command, pass_fds=[far_end], **pipes)  # type: ignore[call-overload]
        os.close(far_end)
        self.lines = os.fdopen(pauses)
        return self

    def __exit__(self, *exception: object) -> None:
        self.lines.close()
        self.process.kill()
        self.process.communicate()

    def pauses(self) -> Iterator[str]:
        """What it is about to write; it goes on when the next one is asked for."""
        for line in self.lines:
            if not self.written:
                threading.Thread(target=self._wait_for_the_folder, daemon=True).start()
            self.written.append(line.strip())
            yield self.written[-1]
            self.process.stdin.write("go on\n")
            self.process.stdin.flush()

    def _wait_for_the_folder(self) -> None:
        """Whoever waits for a lock has it as soon as it is let go, however soon it is taken again."""
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT)
        fcntl.flock(handle, fcntl.LOCK_EX)
        self.free_after = len(self.written)
        os.close(handle)

    def end(self) -> Done:
        output, errors = self.process.communicate(timeout=60)
        return Done(self.process.returncode, output, errors)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What is not done by then is broken off, and fails."""
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail(f"not done within {seconds} seconds"))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """Sixty reviews, quickly read."""
    words = (("good", "yes") if n % 2 else ("bad", "no") for n in range(60))
    rows = ({"text": f"A {word} film, {n}. It is so.", "label": label} for n, (word, label) in enumerate(words))
    path = tmp_path / "reviews.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf8")
    return f"{path}[train=10,heldout=10,test=80]"


def command(model: Path, corpus: str, folder: Path) -> list[str]:
    game = ["--corpus", corpus, "-m", "lrp,omit_1,limsse_ms_s,random"]
    return ["trust", str(model), *game, "--time", "120s", "--workers", "1", "--json", "--out", str(folder)]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two for rounds: who finds them there plays in rounds, whatever everything would take."""
    made = tmp_path / "disturbed", tmp_path / "alone"
    for folder in made:
        (folder / ROUNDS).mkdir(parents=True)
    return made


def test_a_second_start_is_told_at_any_time(model: Path, corpus: str, folders: tuple[Path, Path], run: Runner) -> None:
    """Beside the first one's rounds, between them, and while it puts the run together from them."""
    folder, other = folders
    alone, arguments = run(*command(model, corpus, other)), command(model, corpus, folder)
    with PausedStart(folder, arguments) as first:
        for path in first.pauses():
            if path != REPORT:
                assert_told(run, arguments, f"{folder}: another process ({first.process.pid}) is at work on it")
        ended = first.end()
    assert {path.startswith(f"{ROUNDS}/") for path in first.written[:-1]} == {True, False}
    assert first.free_after is not None
    assert set(first.written[first.free_after :]) <= {REPORT}
    assert (ended.returncode, ended.stdout) == (0, alone.stdout), ended.stderr
    assert run("verify", str(folder)).returncode == 0
    assert run("digest", str(folder)).stdout == run("digest", str(other)).stdout


def assert_told(run: Runner, arguments: list[str], words: str) -> None:
    """By a start that ends at once, in one line."""
    with within(2.0):
        done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    (line,) = done.stderr.splitlines()
    assert line.endswith(words), line
