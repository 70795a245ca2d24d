"""kill -9 at random moments of training, explaining, judging and resuming: the digest is that of the quiet run."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults import count, size
from plug_in import HERE

from whichword.playing.verify import digest, verify
from whichword.runs.run import open_run

SERIES = min(60, size("kills"))  # kills of a test: fewer would not hit every stage


class Forker:
    """The process that forks (see forking.py)."""

    def __init__(self) -> None:
        source = Path(sys.modules["whichword"].__file__ or "").parents[1]
        settings = {"PYTHONPATH": f"{source}:{HERE}", "OMP_NUM_THREADS": "1"}
        command = [sys.executable, str(HERE / "forking.py")]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, **pipes, text=True, env=os.environ | settings)  # type: ignore[call-overload]
        assert self.read() == "ready"

    def read(self) -> str:
        assert self.process.stdout is not None
        return str(self.process.stdout.readline().strip())

    def start(self, folder: Path, workers: int = 1) -> int:
        """The child's process id."""
        self.write(json.dumps({"folder": str(folder), "workers": workers}))
        return int(self.read())

    def write(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def status(self) -> int:
        """How the child ended."""
        self.write("and?")
        return int(self.read())

    def finish(self, folder: Path) -> None:
        self.start(folder)
        assert self.status() == 0

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def forker() -> Iterator[Forker]:
    made = Forker()
    yield made
    made.end()


@pytest.fixture(scope="module")
def quiet(forker: Forker, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """An uninterrupted run, and how long it took."""
    folder = tmp_path_factory.mktemp("quiet")
    start = time.monotonic()
    forker.finish(folder)
    return folder, time.monotonic() - start


def results(folder: Path) -> tuple[str, bytes, bytes]:
    """The digest, the weights and the judgement."""
    judged = (folder / "run/judged/p00.parquet").read_bytes()
    return digest(open_run(folder / "run")), (folder / "model/weights.safetensors").read_bytes(), judged


def stage(folder: Path) -> str:
    """What a kill interrupted."""
    if not (folder / "model/training/record.json").exists():
        return "train"
    if not (folder / "run/run.json").exists():
        return "plan"
    findings = verify(folder / "run")
    return "explain" if findings.missing_shards or findings.damaged_shards else "judge"


def reached(folder: Path, wanted: str, shards: int) -> bool:
    """Whether the child has come as far as this stage, seen from outside."""
    receipts = len(list((folder / "run/shards/p00").glob("*.json")))
    signs = {
        "train": folder.exists(),
        "plan": (folder / "model/training/record.json").exists(),
        "explain": (folder / "run/run.json").exists(),
        "judge": receipts == shards,
    }
    return signs[wanted]


@pytest.mark.parametrize("series", range(size("kills") // SERIES))
def test_kills_at_random_moments_change_nothing(
    forker: Forker, quiet: tuple[Path, float], tmp_path: Path, series: int
) -> None:
    """Every run is killed in each of four stages, so all but the first kill of each hit a resumed process."""
    dice, (reference, seconds) = random.Random(5 + series), quiet
    shards = len(open_run(reference / "run").plan.shards)
    spread = {"train": 0.2, "plan": 0.02, "explain": 0.3, "judge": 0.01}  # of the whole run's time
    kills = Counter[str]()
    for number in range(SERIES // 4):
        folder = tmp_path / f"run{number}"
        folder.mkdir()
        for wanted in spread:
            child = forker.start(folder)
            while not reached(folder, wanted, shards) and alive(child):
                time.sleep(0.001)
            time.sleep(dice.uniform(0, spread[wanted] * seconds))
            os.kill(child, signal.SIGKILL)
            kills[stage(folder) if forker.status() == -9 else "too late"] += 1
        forker.finish(folder)
        assert results(folder) == results(reference)
        assert verify(folder / "run").sound
    assert kills.total() == SERIES
    assert kills["too late"] <= SERIES // 4
    assert min(kills["train"], kills["explain"], kills["judge"]) >= 1, kills
    count("kills", SERIES - kills["too late"])


def test_a_kill_redoes_only_what_was_in_work(forker: Forker, quiet: tuple[Path, float], tmp_path: Path) -> None:
    """Shards that were committed before the kill keep their bytes and their times."""
    child = forker.start(tmp_path)
    shards = tmp_path / "run/shards/p00"
    while len(list(shards.glob("*.json"))) < 3:
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    assert forker.status() == -9
    before = {path.name: path.read_bytes() for path in shards.glob("*.json")}
    forker.finish(tmp_path)
    assert before.items() <= {path.name: path.read_bytes() for path in shards.glob("*.json")}.items()
    assert results(tmp_path) == results(quiet[0])


def test_a_killed_parent_takes_its_workers_along(forker: Forker, quiet: tuple[Path, float], tmp_path: Path) -> None:
    child = forker.start(tmp_path, workers=2)
    while not list((tmp_path / "run/shards").glob("p00/*.json")):
        time.sleep(0.01)
    workers = [int(pid) for pid in Path(f"/proc/{child}/task/{child}/children").read_text().split()]
    assert len(workers) >= 2
    os.kill(child, signal.SIGKILL)
    assert forker.status() == -9
    end = time.monotonic() + 10
    while time.monotonic() < end and any(alive(pid) for pid in workers):
        time.sleep(0.05)
    assert not any(alive(pid) for pid in workers)
    forker.finish(tmp_path)
    assert results(tmp_path) == results(quiet[0])


def test_killed_workers_are_replaced_and_the_run_is_finished(
    forker: Forker, quiet: tuple[Path, float], tmp_path: Path
) -> None:
    child = forker.start(tmp_path, workers=2)
    while not list((tmp_path / "run/shards").glob("p00/*.json")):
        time.sleep(0.01)
    for pid in Path(f"/proc/{child}/task/{child}/children").read_text().split():
        if "multiprocessing.spawn" in Path(f"/proc/{pid}/cmdline").read_text():
            os.kill(int(pid), signal.SIGKILL)
    assert forker.status() == 0
    assert results(tmp_path) == results(quiet[0])


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
