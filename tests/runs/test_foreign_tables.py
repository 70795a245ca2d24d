"""A run folder may come from anywhere: files and receipts that fit each other, and hold what no run of ours does.

Whoever reads them says so in one line or passes over it; nobody falls.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from planted_corpus import tiny_network

from whichword.errors import InputError
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.verify import digest, verify
from whichword.reporting.page.page import report_page
from whichword.runs.run import open_run
from whichword.runs.sealed import sealed, sha256, unsealed
from whichword.scoring.run import judge

SHARD = "shards/p00/00000"
FLOATS, TEXTS, NUMBERS = (pyarrow.list_(kind) for kind in (pyarrow.float32(), pyarrow.string(), pyarrow.int32()))

Attack = Callable[[Path], object]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("small")
    play = Play(("cnn",), ("planted",), ("hybrid[sentences=3]",), ("lrp", "omit_1", "random"), 8)
    evaluate(Spec({"cnn": str(tiny_network(base / "cnn", "cnn"))}, (play,)), base / "run")
    return base / "run"


def resealed(path: Path, **changes: Any) -> None:
    """With these entries; ... takes one out."""
    body = unsealed(path) | changes
    path.write_bytes(sealed({name: value for name, value in body.items() if value is not ...}))


def rewritten(path: Path, change: Callable[[Any], Any]) -> str:
    pyarrow.parquet.write_table(change(pyarrow.parquet.read_table(path)), path)
    return sha256(path.read_bytes())


def shard(kind: str, change: Callable[[Any], Any]) -> Attack:
    def attack(run: Path) -> None:
        checksum = rewritten(run / f"{SHARD}.{kind}.parquet", change)
        files = unsealed(run / f"{SHARD}.json")["files"]
        resealed(run / f"{SHARD}.json", files=files | {kind: files[kind] | {"sha256": checksum}})

    return attack


def items(change: Callable[[Any], Any]) -> Attack:
    def attack(run: Path) -> None:
        first = unsealed(run / "run.json")["sets"][0]
        resealed(run / "run.json", sets=[first | {"sha256": rewritten(run / "items/s00.parquet", change)}])

    return attack


def judged(change: Callable[[Any], Any]) -> Attack:
    return lambda run: resealed(run / "judged/p00.json", sha256=rewritten(run / "judged/p00.parquet", change))


def receipt(**changes: Any) -> Attack:
    return lambda run: resealed(run / f"{SHARD}.json", **changes)


def judgement(**changes: Any) -> Attack:
    return lambda run: resealed(run / "judged/p00.json", **changes)


def without(name: str) -> Callable[[Any], Any]:
    return lambda table: table.drop_columns([name])


def column(name: str, value: Any, kind: Any = None) -> Callable[[Any], Any]:
    """The same value in every row."""
    return lambda table: table.set_column(
        table.column_names.index(name), name, pyarrow.array([value] * table.num_rows, kind)
    )


def pipe(name: str) -> Attack:
    def attack(run: Path) -> None:
        (run / name).unlink()
        os.mkfifo(run / name)

    return attack


ATTACKS: dict[str, Attack] = {
    "no relevances": shard("relevances", without("relevances")),
    "no predicted": shard("predictions", without("predicted")),
    "relevances that are texts": shard("relevances", column("relevances", ["x"])),
    "relevances that are whole numbers": shard("relevances", column("relevances", [1])),
    "relevances of other words": shard("relevances", column("relevances", [1.0], FLOATS)),
    "no list of relevances": shard("relevances", column("relevances", None, FLOATS)),
    "no list of scores": shard("predictions", column("scores", None, FLOATS)),
    "scores of other classes": shard("predictions", column("scores", [1.0], FLOATS)),
    "a class that nobody has": shard("predictions", column("predicted", "\x1b[31m")),
    "fewer words than none": shard("predictions", column("seen", -5, pyarrow.int32())),
    "more words than there are": shard("predictions", column("seen", 2**31 - 1, pyarrow.int32())),
    "words that nobody counted": shard("predictions", column("seen", None, pyarrow.int32())),
    "other keys": shard("predictions", column("key", "x")),
    "no words": items(without("words")),
    "an item less": items(lambda table: table.slice(1)),
    "no list of words": items(column("words", None, TEXTS)),
    "a list with no word": items(column("words", [None, "a"], TEXTS)),
    "words that are numbers": items(column("words", [1])),
    "a row again and again": items(column("row", 0)),
    "a row that is none": items(column("row", 10**12)),
    "no row": items(column("row", None, pyarrow.int64())),
    "a text of other words": items(column("text", "zzz")),
    "targets beyond the end": items(column("targets", [99], NUMBERS)),
    "excluded before the beginning": items(column("excluded", [-100], NUMBERS)),
    "a class that nobody asks for": items(column("question", "nobody")),
    "no key": items(column("key", None, pyarrow.string())),
    "judged without rmax": judged(without("rmax")),
    "judged a row less": judged(lambda table: table.slice(1)),
    "judged nothing": judged(lambda table: table.slice(0, 0)),
    "judged in words": judged(column("hybrid", "x")),
    "a judgement without parts": judgement(parts=...),
    "a judgement of other parts": judgement(parts=["x"]),
    "a judgement without noise": judgement(degraded=...),
    "a judgement with noise of its own": judgement(degraded={"hybrid": {"x": 1}}),
    "chance as a list": judgement(chance=[1]),
    "a ceiling for nothing": judgement(ceiling=3),
    "a receipt without files": receipt(files=...),
    "a receipt of text": receipt(files="x"),
    "seconds in words": receipt(together={"lrp": "x"}),
    "seconds less than none": receipt(beside=-1.0),
    "no document": receipt(documents=0, alone_documents=-1),
    "a shortfall in words": receipt(shortfall={"failed": "x"}),
    "a shortfall of more than all": receipt(shortfall={"failed": 10**6, "cut": 0, "unread": 0}),
    "a pipe for items": pipe("items/s00.parquet"),
    "a pipe for relevances": pipe(f"{SHARD}.relevances.parquet"),
    "a pipe for a judgement": pipe("judged/p00.parquet"),
    "a pipe for the plan": pipe("run.json"),
}


def readers(run: Path) -> Iterator[Callable[[], object]]:
    yield lambda: verify(run)
    yield lambda: digest(open_run(run))
    yield lambda: judge(open_run(run), "p00")
    yield lambda: report_page([run])


@pytest.mark.parametrize("name", ATTACKS)
def test_what_no_run_of_ours_holds_is_one_line_or_no_matter(small: Path, tmp_path: Path, name: str) -> None:
    run = tmp_path / "run"
    shutil.copytree(small, run)
    ATTACKS[name](run)
    for read in readers(run):
        with suppress(InputError):  # anything else falls
            read()


@pytest.mark.parametrize("name", [name for name in ATTACKS if name.startswith(("no ", "judged", "seconds", "an item"))])
def test_what_cannot_be_read_is_not_sound(small: Path, tmp_path: Path, name: str) -> None:
    run = tmp_path / "run"
    shutil.copytree(small, run)
    assert verify(run).sound
    ATTACKS[name](run)
    assert not verify(run).sound
