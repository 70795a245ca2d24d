"""How far one call goes through the source: python -m benchmarks.walk [--act NAME]... [--json] [--files].

Each act is a command as a user types it, in a process of its own whose work is all done there. A file is crossed when a
function of it is called; what is called while modules are imported does not count. A hop is a pair of files of which
one calls into the other. Tables: how often a Parquet file of a run's folder but the items is decoded, and how many
different ones; items: how often a file of items is opened.
"""

import argparse
import csv
import hashlib
import io
import json
import multiprocessing
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
FIXTURE = ROOT / "tests" / "fixture"  # its models, and words for texts
DOCUMENTS = 60
SLOW = (400, 500)  # embedding and hidden numbers of an LSTM that all methods take more than half of 20 seconds for
READS = ("read", "read_row_group", "read_row_groups", "iter_batches")


@dataclass(frozen=True)
class Walked:
    """What an act crossed and decoded: ``files`` in the order of their first call, ``stored`` those of the run."""

    act: str
    files: list[str]
    hops: int
    tables: int
    stored: list[str]
    items: int

    @property
    def row(self) -> tuple[str, ...]:
        figures = (len(self.files), self.hops, self.tables, len(self.stored), self.items)
        return (self.act, *map(str, figures))


class Walk:
    """Notes which files of a folder are called, and from which."""

    def __init__(self, base: Path) -> None:
        self.base = f"{base}/"
        self.files: dict[str, None] = {}
        self.hops: set[tuple[str, str]] = set()
        self.importing = threading.local()  # module bodies that are being executed in this thread

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        if code.co_name == "<module>":
            self.importing.depth = getattr(self.importing, "depth", 0) + (1 if event == "call" else -1)
        elif event == "call" and code.co_filename.startswith(self.base) and not getattr(self.importing, "depth", 0):
            self._note(frame, code.co_filename)

    def _note(self, frame: FrameType, file: str) -> None:
        self.files.setdefault(file)
        caller = frame.f_back.f_code.co_filename if frame.f_back else ""
        if caller != file and caller.startswith(self.base):
            self.hops.add((caller, file))

    @contextmanager
    def noting(self) -> Iterator[None]:
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]


@dataclass
class Decodes:
    """Counts what Parquet files are opened and read; bytes in memory go by their hash."""

    opened: list[str] = field(default_factory=list)
    read: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def counting(self) -> Iterator[None]:
        import pyarrow.parquet

        kind, before = pyarrow.parquet.ParquetFile, {}
        for name in ("__init__", *READS):
            before[name] = getattr(kind, name)
            setattr(kind, name, self._wrapped(name, before[name]))
        whole, pyarrow.parquet.read_table = pyarrow.parquet.read_table, self._whole(pyarrow.parquet.read_table)
        try:
            yield
        finally:
            pyarrow.parquet.read_table = whole
            for name, method in before.items():
                setattr(kind, name, method)

    def _wrapped(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def opening(file: Any, source: Any, *more: Any, **options: Any) -> None:
            file.walked = _source(source)
            self.opened.append(file.walked)
            method(file, source, *more, **options)

        def reading(file: Any, *more: Any, **options: Any) -> Any:
            self.read[file.walked] += 1
            return method(file, *more, **options)

        return opening if name == "__init__" else reading

    def _whole(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def reading(source: Any, *more: Any, **options: Any) -> Any:
            self.opened.append(_source(source))
            self.read[_source(source)] += 1
            return method(source, *more, **options)

        return reading

    def of(self, folder: Path) -> tuple[int, list[str], int]:
        """How often tables were read, of which files of a folder, and how often items were opened.

        Files with equal bytes, which teams of methods have, are all counted where one of them was read from memory.
        """
        paths = sorted(folder.rglob("*.parquet"))
        hashes = {str(path): _hash(path.read_bytes()) for path in paths}
        items = {source for path in paths if _holds_items(str(path)) for source in (str(path), hashes[str(path)])}
        tables = {
            source: count
            for source, count in self.read.items()
            if source not in items and source in {*hashes, *hashes.values()}
        }
        stored = [path for path, content in hashes.items() if path in tables or content in tables]
        names = [path.removeprefix(f"{folder}/") for path in stored]
        return sum(tables.values()), names, sum(source in items for source in self.opened)


def _source(source: Any) -> str:
    """A path, or the hash of what is in memory."""
    if not hasattr(source, "seek"):
        return str(Path(source).resolve())
    data = source.read()
    source.seek(0)
    return _hash(data)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _holds_items(source: str) -> bool:
    return "items" in Path(source).parts


# ---------------------------------------------------------------------------------------------------------------------


def _command(*arguments: str) -> None:
    """A command line in this process; what it prints is kept back."""
    from whichword.cli import main

    said, sys.argv = io.StringIO(), ["whichword", *arguments]
    with redirect_stdout(said), redirect_stderr(said):
        try:
            main()
        except SystemExit as ended:
            if ended.code:
                raise RuntimeError(f"whichword {' '.join(arguments)}: {said.getvalue()}") from None


TEXT = "it was quiet and lonely ."
EVALUATE = "evaluate linear --corpus one.csv[part=part] --workers 1 --out"
TRUST = f"trust slow --corpus many.csv[part=part] --limit {DOCUMENTS} --time 20s --workers 1 --out trust"
ACTS: dict[str, list[str]] = {
    "evaluate": f"{EVALUATE} new".split(),
    "table": ["table", "run"],
    "report": ["report", "run", "--out", "report.html"],
    "trust": TRUST.split(),
    "explain": ["explain", "lstm", TEXT],
    "explain-hf": ["explain", "hf:encoder", TEXT],
}


def workshop(folder: Path, acts: Sequence[str]) -> None:
    """What these acts need, in a folder: networks, a transformer (which takes seconds to load), corpora and a run."""
    sys.path.append(str(FIXTURE))
    from fixture_models import encoder, network
    from fixture_texts import labels, texts

    network("linear").save(folder / "linear")
    _lstm(folder / "lstm", 6, 5)
    _lstm(folder / "slow", *SLOW)
    if "explain-hf" in acts:
        with redirect_stderr(io.StringIO()):  # a bar
            for part in encoder():
                part.save_pretrained(folder / "encoder")
    pairs = list(zip(texts(), labels(), strict=True))
    _corpus(folder / "one.csv", pairs[1:3])  # nine sentences: one hybrid document
    _corpus(folder / "many.csv", [(_long(pairs, number), pairs[number % 3][1]) for number in range(DOCUMENTS)])
    _inside(folder, f"{EVALUATE} run".split())


def _long(pairs: Sequence[tuple[str, str]], number: int) -> str:
    """Six texts of a class, one after the other."""
    return " ".join(pairs[(number + 3 * i) % len(pairs)][0] for i in range(6))


def _lstm(folder: Path, embedding: int, hidden: int) -> None:
    from fixture_texts import CLASSES, WORDS, uniform

    import whichword

    gates = [f"forward.{letter}{gate}" for letter in "VUb" for gate in ("_i", "_f", "_o", "")]
    shapes = {"V": (hidden, embedding), "U": (hidden, hidden), "b": (hidden,)}
    sizes = {name: shapes[name.removeprefix("forward.")[0]] for name in gates}
    sizes |= {"embedding": (len(WORDS) + 1, embedding), "w": (len(CLASSES), hidden), "readout_b": (len(CLASSES),)}
    arrays = {name: uniform(name, *size) for name, size in sizes.items()}
    whichword.Network.from_arrays("lstm", arrays, classes=CLASSES, vocabulary=WORDS).save(folder)


def _corpus(path: Path, pairs: Sequence[tuple[str, str]]) -> None:
    with path.open("w", encoding="utf8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("text", "label", "part"))
        rows.writerows((text, label, "test") for text, label in pairs)


def _inside(folder: Path, arguments: Sequence[str]) -> None:
    os.chdir(folder)
    _command(*arguments)


def walked(act: str, folder: Path) -> Walked:
    """An act, in a workshop's folder."""
    import whichword

    walk, decodes = Walk(Path(whichword.__file__).parent), Decodes()
    with decodes.counting(), walk.noting():
        _inside(folder, ACTS[act])
    tables, stored, items = decodes.of(_out(folder, act))
    files = [file.removeprefix(walk.base) for file in walk.files]
    return Walked(act, files, len(walk.hops), tables, stored, items)


def _out(folder: Path, act: str) -> Path:
    """The folder of the run that an act writes or reads."""
    words = ACTS[act]
    return folder / (words[words.index("--out") + 1] if act in ("evaluate", "trust") else "run")


def in_a_process_each(acts: Sequence[str]) -> Iterator[Walked]:
    """Acts that share nothing that one of them may have left in memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        _alone(workshop, folder, acts)
        for act in acts:
            yield _alone(walked, act, folder)


def _alone(call: Callable[..., Any], *arguments: Any) -> Any:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(call, *arguments).result()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.walk", description=__doc__.split("\n")[0])
    parser.add_argument("--act", action="append", choices=list(ACTS), help="only this one; may be repeated")
    parser.add_argument("--json", action="store_true", help="everything, as JSON")
    parser.add_argument("--files", action="store_true", help="the files of each act, in the order of their first call")
    chosen = parser.parse_args()
    results = in_a_process_each(chosen.act or list(ACTS))
    if chosen.json:
        print(json.dumps([asdict(result) for result in results], indent=1))
        return
    line = "{:<12}{:>7}{:>7}{:>9}{:>9}{:>7}".format
    print(line("act", "files", "hops", "tables", "stored", "items"))
    for result in results:
        print(line(*result.row), flush=True)
        if chosen.files:
            print("  " + " > ".join(result.files))


if __name__ == "__main__":
    main()
