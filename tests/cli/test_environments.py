"""Machines that refuse: full disks, closed pipes, folders without permission or without a place, strange variables.

Every case is a process of its own, as a shell would start it: it ends with the code that is said here, without a
traceback, and its one line says what was refused. A sample in `make test`, all in `make faults`.
"""

import ctypes
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from faults import count, size

COMMAND = [sys.executable, "-c", "from whichword.cli import main; main()"]
LIBC, DROP = ctypes.CDLL(None), 24  # PR_CAPBSET_DROP
READERS = ("table RUN", "verify RUN", "digest RUN", "data", "methods", "--help", "--version", "report RUN --out OUT")
WRITERS = (
    "report RUN --out {}",
    "figure RUN --document KEY -f svg --out {}",
    "evaluate NUMBER --corpus grammar --out {}",
)
PIPE_CLOSED = (0, 1, 141)


@dataclass(frozen=True)
class Case:
    """A command line in a world that is like this, the codes it may end with, and what it says then."""

    kind: str
    line: str
    codes: tuple[int, ...] = (2,)
    says: str = ""
    world: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.kind}: {self.line}"


def obeying_permissions() -> None:
    """As a user who is not root: root passes over permissions by three capabilities, which it can give away."""
    for capability in (1, 2, 3):
        LIBC.prctl(DROP, capability, 0, 0, 0)


FORBIDDING = {"before": obeying_permissions}


def readable(path: str) -> bool:
    return subprocess.run(["cat", path], preexec_fn=obeying_permissions, capture_output=True).returncode == 0


def limited(kind: int, amount: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(kind, (amount, amount))


def without(*handles: int) -> Callable[[], None]:
    return lambda: [os.close(handle) for handle in handles] and None  # type: ignore[func-returns-value]


def in_a_deleted_folder() -> None:
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)


def cases() -> Iterator[Case]:
    full = {"stdout": "/dev/full"}
    yield from (Case("output to a full disk", line, (2,), "No space left", full) for line in READERS)
    yield from (Case("no output", line, (0,), "", {"before": without(1)}) for line in READERS)
    yield from (Case("nobody reads", line, PIPE_CLOSED, "", {"broken": True}) for line in READERS)
    for line in ("table nowhere", "--nope", "evaluate"):
        yield Case("no error output", line, (2,), "", {"before": without(2), "silent": True})
        yield Case("errors to a full disk", line, (2,), "", {"stderr": "/dev/full", "silent": True})
    yield Case("no input", "explain MODEL -m last", (2,), "no text was given", {"before": without(0)})
    small_disk = {"before": limited(resource.RLIMIT_FSIZE, 1000)}
    yield Case("a full disk", "train reviews.csv --out OUT", (2,), "OUT", small_disk)
    for line in WRITERS:
        yield Case("a full disk", line.format("OUT"), (2,), "OUT", small_disk)
        yield Case("a deleted folder", line.format("out"), (2,), "working directory", {"before": in_a_deleted_folder})
        yield Case("no permission", line.format("LOCKED/out"), (2,), "ermission denied", FORBIDDING)
        yield Case("no permission to read", line.format("OUT").replace("RUN", "SECRET"), (0, 2), "", FORBIDDING)
        yield Case("another's read-only file", line.format("PROTECTED"), (2,), "PROTECTED", FORBIDDING)
    for line in ("table SECRET", "verify SECRET", "evaluate --spec SECRET"):
        yield Case("no permission to read", line, (2,), "SECRET", FORBIDDING)
    for line in ("table RUN", "verify RUN", "data", "train reviews.csv"):
        yield Case("a deleted folder", line, (2,), "working directory", {"before": in_a_deleted_folder})
    yield Case("a deleted folder", "--help", (0,), "", {"before": in_a_deleted_folder})
    yield from variables()


def variables() -> Iterator[Case]:
    """Variables that libraries compute with."""
    for value in ("0", "-1", "1", "99999999", "x", "²", ""):
        yield Case(f"COLUMNS={value}", "methods", (0,), "", {"env": {"COLUMNS": value}})
        yield Case(f"COLUMNS={value}", "train --help", (0,), "", {"env": {"COLUMNS": value}})
    for name, value in {
        "LINES": "0",
        "TERM": "no-such-terminal",
        "HOME": "/nonexistent",
        "TMPDIR": "/nonexistent",
        "TZ": "Nowhere/Atall",
        "LC_ALL": "C",
        "LANG": "xx_YY.UTF-99",
        "FORCE_COLOR": "1",
        "WHICHWORD_DATA": "/nonexistent",
        "PYTHONWARNINGS": "error",
    }.items():
        yield Case(f"{name}={value}", "data", (0,), "", {"env": {name: value}})
    for data in ("~nosuchuser", "/dev/null/x", "x" * 5000):
        yield Case(f"WHICHWORD_DATA={data[:20]}", "data yelp", (2,), "", {"env": {"WHICHWORD_DATA": data}})
    for encoding in ("ascii", "latin-1", "utf-16"):
        yield Case(f"output in {encoding}", "table RUN", (0, 2), "", {"env": {"PYTHONIOENCODING": encoding}})


CASES = list(cases())
CHOSEN = CASES[:: max(1, len(CASES) // size("environments"))]


@pytest.fixture(scope="module")
def places(model: Path, agreement_model: Path, run_folder: Path) -> Iterator[dict[str, str]]:
    """What the words in capitals stand for, in a folder that everybody may enter."""
    from whichword import open_run

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        paths = {word: folder / word for word in ("MODEL", "NUMBER", "RUN", "SECRET", "LOCKED", "PROTECTED", "OUT")}
        for source, word in (
            (model, "MODEL"),
            (agreement_model, "NUMBER"),
            (run_folder, "RUN"),
            (run_folder, "SECRET"),
        ):
            shutil.copytree(source, paths[word])
        (folder / "reviews.csv").write_text(
            "text,label\n" + "".join(f"a good film {n},yes\na film {n},no\n" for n in range(40))
        )
        paths["LOCKED"].mkdir(mode=0o555)
        paths["PROTECTED"].write_text("precious")
        paths["PROTECTED"].chmod(0o444)
        paths["SECRET"].chmod(0)
        key = open_run(run_folder).items("s00")[0].key
        yield {word: str(path) for word, path in paths.items()} | {"KEY": key, "FOLDER": name}
        paths["SECRET"].chmod(0o755)


def words(case: Case, places: dict[str, str]) -> list[str]:
    """``LOCKED/out`` -> the folder that LOCKED stands for, and so on."""
    parts = (word.partition("/") for word in case.line.split())
    return [places.get(first, first) + slash + below for first, slash, below in parts]


def start(case: Case, places: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    world = case.world
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    for stream in streams.keys() & world.keys():
        streams[stream] = os.open(world[stream], os.O_RDONLY if stream == "stdin" else os.O_WRONLY)
    if world.get("broken"):
        reading, streams["stdout"] = os.pipe()
        os.close(reading)
    env = os.environ | {"PYTHONUNBUFFERED": "", "HOME": places["FOLDER"]} | world.get("env", {})
    options = {**streams, "env": env, "preexec_fn": world.get("before"), "timeout": 300}
    try:
        return subprocess.run([*COMMAND, *words(case, places)], cwd=places["FOLDER"], **options)
    finally:
        for handle in (handle for handle in streams.values() if isinstance(handle, int) and handle >= 0):
            os.close(handle)


@pytest.mark.parametrize("case", CHOSEN, ids=lambda case: case.name)
def test_a_machine_that_refuses(case: Case, places: dict[str, str]) -> None:
    if case.world is FORBIDDING and readable(f"{places['SECRET']}/run.json"):
        pytest.skip("this user may read and write everything")
    done = start(case, places)
    errors = (done.stderr or b"").decode("utf8", "replace")
    assert done.returncode in case.codes, (done.returncode, errors)
    assert "Traceback" not in errors
    assert "Exception ignored" not in errors
    said = [line for line in errors.splitlines() if line.startswith("whichword: ")]
    if done.returncode == 2 and not case.world.get("silent"):
        assert len(said) == 1, errors
        assert places.get(case.says, case.says) in said[0]
    assert Path(places["PROTECTED"]).read_text() == "precious"
    assert not list(Path(places["FOLDER"]).glob(".whichword-*")), "something half-written is left"
    shutil.rmtree(places["OUT"], ignore_errors=True)
    Path(places["OUT"]).unlink(missing_ok=True)
    count("environments", 1)
