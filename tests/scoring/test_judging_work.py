"""Shards are judged by the process that holds the run, each read once; the judgement has the same bytes anyhow."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from planted_corpus import tiny_network

from whichword.errors import InputError
from whichword.games import GAMES
from whichword.games.hybrid import HybridGame
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.verify import verify
from whichword.runs import shards
from whichword.runs.run import Run, open_run
from whichword.runs.shards import file_name, kinds
from whichword.scoring import run as scoring
from whichword.scoring.hits import ShardScorer
from whichword.scoring.run import judge, store_judgement
from whichword.scoring.shard import read_shard

GAMES_PLAYED = ("hybrid[sentences=3]", "hybrid[classes=all,confident=0.5,sentences=2]", "deletion", "shortcut-pairs")


@GAMES.register("shortcut-pairs")
@dataclass(frozen=True)
class Pairs(HybridGame):
    """Items count two by two: in whichever shards they are."""

    together = "pair"

    def items(self, documents, seed):  # type: ignore[no-untyped-def]
        items = HybridGame(sentences=3).items(documents, seed)
        return tuple(replace(item, facts={**item.facts, "pair": str(n % 9)}) for n, item in enumerate(items))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Made and judged in this process."""
    folder = tmp_path_factory.mktemp("judged")
    model = tiny_network(folder / "cnn", "cnn")
    play = Play(("cnn",), ("planted",), GAMES_PLAYED, ("lrp", "omit_1", "random"), limit=24)
    made = evaluate(Spec({"cnn": str(model)}, (play,), shard_words=1200), folder / "run").run
    assert min(len(pairing.shards) for pairing in made.plan.pairings) > 3
    return made


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "judged").iterdir())}


@pytest.fixture
def unjudged(run: Run, tmp_path: Path) -> Run:
    shutil.copytree(run.folder, tmp_path / "run")
    shutil.rmtree(tmp_path / "run/judged")
    return open_run(tmp_path / "run")


def judged(run: Run, pairings: Sequence[str] = ("p00", "p01", "p02", "p03")) -> dict[str, bytes]:
    for pairing in pairings:
        store_judgement(run, pairing)
    return files(run.folder)


@pytest.mark.parametrize(("threads", "kept"), [(1, 2**24), (3, 2**24), (2, 0), (2, 700)])
def test_the_bytes_are_the_same_by_any_threads_and_whatever_is_kept_in_memory(
    run: Run, unjudged: Run, monkeypatch: pytest.MonkeyPatch, threads: int, kept: int
) -> None:
    monkeypatch.setattr(scoring, "THREADS", threads)
    monkeypatch.setattr(scoring, "KEPT", kept)
    assert judged(unjudged) == files(run.folder)


def test_every_table_is_decoded_once(run: Run, unjudged: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for games whose items count together: who is lost has to be known before the first is scored."""
    read = list[str]()
    decode = shards.table
    monkeypatch.setattr(shards, "table", lambda data, name: read.append(name) or decode(data, name))
    for pairing, times in (("p00", 1), ("p01", 1), ("p02", 1), ("p03", 2)):
        read.clear()
        store_judgement(unjudged, pairing)
        planned = unjudged.plan.pairing(pairing)
        names = [file_name(shard.name, kind) for shard in planned.shards for kind in kinds(planned)]
        assert sorted(read) == sorted(times * names)


def test_the_hits_of_one_shard_need_no_other(run: Run) -> None:
    """As a run that is still being made is looked at: rows by their places in the set."""
    pairing, whole = run.plan.pairing("p00"), judge(run, "p00")
    game = GAMES[run.plan.set(pairing.set).game]
    for shard in pairing.shards[1:3]:
        hits = ShardScorer.of(read_shard(run, pairing, shard), game).hits(pairing)
        rows = [whole.keys.index(key) for key in hits.keys]
        assert hits.places.tolist() == rows  # no document failed
        for part in whole.hits:
            assert hits.hits[part].tobytes() == whole.hits[part][rows].tobytes()


def test_a_damaged_shard_is_named_and_leaves_no_judgement(unjudged: Run) -> None:
    path = unjudged.folder / "shards/p00/00002.relevances.parquet"
    data = path.read_bytes()
    path.write_bytes(data[:-9] + b"x" + data[-8:])
    with pytest.raises(InputError, match=r"run: shards/p00/00002.relevances.parquet: the checksum.*to resume$"):
        store_judgement(unjudged, "p00")
    assert not list(unjudged.folder.glob("judged/*"))


def test_rows_of_another_shard_are_named(unjudged: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sound files of their receipts, but not of the items that go with them."""
    first = unjudged.plan.pairing("p00").shards[0]
    rows = scoring.item_rows(unjudged, unjudged.plan.pairing("p00"), first)
    monkeypatch.setattr(scoring, "item_rows", lambda *_: rows)
    with pytest.raises(InputError, match=r"run: shard p00/00001: its rows are not those of the plan; run the command"):
        store_judgement(unjudged, "p00")


def test_judgements_that_are_there_are_left_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError("a shard was read")

    before = files(run.folder)
    monkeypatch.setattr(scoring, "read_shard", read)
    assert judged(run) == before
    assert not verify(run.folder).damaged


def test_a_reader_judges_in_memory(run: Run, unjudged: Run) -> None:
    before, again = judge(run, "p03"), judge(unjudged, "p03")
    assert not list(unjudged.folder.glob("judged/*"))
    assert {part: hits.tobytes() for part, hits in before.hits.items()} == {
        part: hits.tobytes() for part, hits in again.hits.items()
    }
    assert before.degraded == again.degraded
    assert np.isnan(before.hits["hybrid"]).any()  # a companion was discarded
