"""Sets that are not held in memory: the same run, a plan that does not grow, a few rows at a time."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow.parquet
import pytest
from msgspec.structs import replace

from whichword.corpora.grammar import sentence
from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.errors import InputError
from whichword.networks import Config, Network
from whichword.planning import items as item_measures
from whichword.planning import items as item_sources
from whichword.planning.items import by_length
from whichword.planning.prepare import prepare
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.verify import digest
from whichword.runs import items as item_files
from whichword.runs.items import ItemFile, items_bytes, items_of, items_sha256, packed, unpacked
from whichword.runs.records import RunPlan
from whichword.runs.sealed import sha256
from whichword.runs.store import Store
from whichword.scoring import run as scoring
from whichword.scoring.hits import Hits
from whichword.scoring.run import judge, store_judgement
from whichword.text import Vocabulary
from whichword.types import NUMBERS, Corpus, Document, Item


class Streamed(Sequence[Document]):
    """Made while they are gone through; counts how often that was."""

    def __init__(self, documents: tuple[Document, ...]) -> None:
        self.documents, self.passes = documents, 0

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, place: Any) -> Any:
        raise AssertionError("nobody picks a document out of a stream")

    def __iter__(self) -> Iterator[Document]:
        self.passes += 1
        return iter(self.documents)


class Fingerprinted(Streamed):
    """Says what it is made from; ``whole_passes`` counts those of all of its kind."""

    whole_passes: ClassVar[int] = 0

    def __init__(self, documents: tuple[Document, ...], fingerprint: str) -> None:
        super().__init__(documents)
        self.fingerprint = fingerprint

    def __iter__(self) -> Iterator[Document]:
        yield from super().__iter__()
        Fingerprinted.whole_passes += 1


@CORPORA.register("few-sentences")
@dataclass(frozen=True)
class FewSentences:
    """Sentences of the grammar, in memory or streamed."""

    streamed: bool = False
    count: int = 40

    about: ClassVar[CorpusAbout] = CorpusAbout(source="generated", licence="none")

    def read(self, data: Path | None, seed: int) -> Corpus:
        import random

        documents = tuple(sentence(random.Random(number), str(number)) for number in range(self.count))
        return Corpus("few", NUMBERS, (), (), Streamed(documents) if self.streamed else documents)


@CORPORA.register("some-sentences")
@dataclass(frozen=True)
class SomeSentences:
    """Streamed, with a fingerprint; ``other`` is a document that is another, which the fingerprint may not tell."""

    other: ClassVar[int | None] = None
    fingerprint: ClassVar[str] = "as they were"

    about: ClassVar[CorpusAbout] = CorpusAbout(source="generated", licence="none")

    def read(self, data: Path | None, seed: int) -> Corpus:
        import random

        seeds = [999 if number == self.other else number for number in range(140)]
        documents = tuple(sentence(random.Random(number), str(place)) for place, number in enumerate(seeds))
        return Corpus("some", NUMBERS, (), (), Fingerprinted(documents, self.fingerprint))


def spec_of(tmp_path: Path, corpus: str, **fields: Any) -> Spec:
    words = {word for document in FewSentences().read(None, 0).test for word in document.words}
    if not (tmp_path / "cnn").exists():
        Network(Config("cnn", NUMBERS, 4, 5), Vocabulary(tuple(sorted(words)))).save(tmp_path / "cnn")
    play = Play(("cnn",), (corpus,), ("agreement",), ("lrp", "omit_1"), **fields)
    return Spec({"cnn": str(tmp_path / "cnn")}, (play,), shard_words=1000)


@pytest.fixture
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(item_measures, "WINDOW", 16)
    monkeypatch.setattr(item_files, "GROUP", 7)


@pytest.mark.usefixtures("small_windows")
def test_a_streamed_corpus_gives_the_run_of_one_in_memory(tmp_path: Path) -> None:
    runs = [
        evaluate(spec_of(tmp_path, f"few-sentences[streamed={flag}]"), tmp_path / flag).run
        for flag in ("true", "false")
    ]
    assert len(runs[0].plan.shards) > 3
    streamed, held = ([path.read_bytes() for path in sorted(run.folder.rglob("*.parquet"))] for run in runs)
    assert streamed == held
    assert [item.key for item in runs[0].items("s00")] == [
        document.key for document in FewSentences().read(None, 0).test
    ]
    assert judge(runs[0], "p00").keys == tuple(item.key for item in runs[0].items("s00"))
    again = evaluate(spec_of(tmp_path, "few-sentences[streamed=true]"), tmp_path / "true")
    assert again.computed == 0
    assert digest(again.run) == digest(runs[0])


@pytest.mark.usefixtures("small_windows")
@pytest.mark.parametrize("game", ["agreement", "hybrid[sentences=2]"])
def test_judging_holds_a_window_and_not_the_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """The same outcomes block by block, in the order of the set, and never more at once than wait for their window."""
    spec = spec_of(tmp_path, "few-sentences[count=200]")
    run = evaluate(Spec(spec.models, (replace(spec.plays[0], games=(game,)),), shard_words=1000), tmp_path / "run").run
    whole = judge(run, "p00")
    (tmp_path / "run/judged/p00.json").unlink()
    monkeypatch.setattr(scoring, "BLOCK", 16)
    sizes: list[int] = []
    joined = Hits.joined
    watched = lambda parts: sizes.append(sum(len(part.keys) for part in parts)) or joined(parts)  # noqa: E731
    monkeypatch.setattr(Hits, "joined", staticmethod(watched))
    store_judgement(run, "p00")
    largest = max(len(shard.items) for shard in run.plan.pairing("p00").shards)
    assert len(whole.keys) >= 100
    assert max(sizes) <= 2 * 16 + largest  # of the window, of the one before where a shard is of both, and the shard
    assert pyarrow.parquet.ParquetFile(tmp_path / "run/judged/p00.parquet").num_row_groups > 5
    again = judge(run, "p00")
    assert (again.keys, again.predicted, again.degraded) == (whole.keys, whole.predicted, whole.degraded)
    assert again.chance == pytest.approx(whole.chance, rel=1e-14)
    for name in ("rmax", "ties", "nonfinite"):
        assert np.array_equal(getattr(again, name), getattr(whole, name))
    for part in whole.hits:
        assert again.hits[part].tobytes() == whole.hits[part].tobytes()


def _passes(spec: Spec, folder: Path) -> int:
    before = Fingerprinted.whole_passes
    evaluate(spec, folder)
    return Fingerprinted.whole_passes - before


@pytest.mark.usefixtures("small_windows")
def test_a_resumed_start_does_not_go_through_a_corpus_that_says_what_it_is_made_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, folder = replace(spec_of(tmp_path, "some-sentences"), shard_words=20_000), tmp_path / "run"
    monkeypatch.setattr(item_sources, "CHECKED", 10)
    assert _passes(spec, folder) == 1  # the file is written on the way
    assert sorted(path.name for path in folder.iterdir()) == ["items", "judged", "lock", "run.json", "shards"]
    shards = sorted((folder / "shards").rglob("*.json"))
    shards[0].unlink()
    assert _passes(spec, folder) == 0
    assert shards[0].exists()
    assert prepare(spec, Store.open(folder)).plan == prepare(spec).plan
    (folder / "items/s00.parquet").write_bytes(b"damaged")
    assert _passes(spec, folder) == 2  # measured, then written again
    monkeypatch.setattr(SomeSentences, "fingerprint", "others")
    assert _passes(spec, folder) == 1  # the same items all the same: it may go on


@pytest.mark.parametrize(("fingerprint", "other"), [("as they were", 3), ("others", 130)])
def test_a_corpus_that_changed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fingerprint: str, other: int
) -> None:
    """By its fingerprint, or, where that does not tell, by its first items."""
    spec, folder = replace(spec_of(tmp_path, "some-sentences"), shard_words=20_000), tmp_path / "run"
    monkeypatch.setattr(item_sources, "CHECKED", 10)
    evaluate(spec, folder)
    monkeypatch.setattr(SomeSentences, "fingerprint", fingerprint)
    monkeypatch.setattr(SomeSentences, "other", other)
    with pytest.raises(InputError, match="is another run; what changed: corpus some-sentences as agreement"):
        evaluate(spec, folder)


def test_a_refused_spec_leaves_no_items(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, "few-sentences[streamed=true]")
    Network(Config("cnn", ("yes", "no"), 4, 5), Vocabulary(("a",))).save(tmp_path / "other")
    with pytest.raises(InputError, match="is no number"):
        evaluate(Spec({"cnn": str(tmp_path / "other")}, spec.plays), tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["lock"]


def test_a_sample_of_a_stream_is_that_of_the_same_documents_in_memory(tmp_path: Path) -> None:
    plans = [prepare(spec_of(tmp_path, f"few-sentences[streamed={flag}]", limit=9)).plan for flag in ("true", "false")]
    assert plans[0].sets[0].sha256 == plans[1].sets[0].sha256
    assert (plans[0].sets[0].items, plans[0].sets[0].available) == (9, 40)


def test_a_plan_grows_with_its_shards_and_not_with_its_documents(tmp_path: Path) -> None:
    sizes = []
    for count in (40, 400):
        spec = spec_of(tmp_path, f"few-sentences[count={count}]")
        plan = prepare(Spec(spec.models, spec.plays, shard_words=100 * count)).plan
        sizes.append((len(plan.shards), len(json.dumps(plan.to_json()))))
    assert abs(sizes[1][0] - sizes[0][0]) <= 1
    assert abs(sizes[1][1] - sizes[0][1]) < 40


@pytest.mark.usefixtures("small_windows")
def test_rows_are_read_where_they_are_asked_for(tmp_path: Path) -> None:
    items = [
        Item(f"key{i}", ("w",) * (i * 5 % 11), facts={"n": str(i)}, sources=("a", "b")[: i % 3]) for i in range(50)
    ]
    rows = list(by_length(items))
    (tmp_path / "items.parquet").write_bytes(items_bytes(item for _, item in rows))
    file = ItemFile(tmp_path / "items.parquet")
    for start, stop in ((0, 1), (6, 8), (13, 30), (49, 50), (0, 50)):
        table = file.table(start, stop)
        assert items_of(table) == unpacked(packed(table)) == [item for _, item in rows[start:stop]]
    assert list(file.rows) == list(range(50))
    assert file.in_order() == tuple(item for _, item in rows)


@pytest.mark.usefixtures("small_windows")
def test_a_group_of_rows_is_read_once_for_all_shards_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "items.parquet").write_bytes(items_bytes(Item(f"key{i}", ("w",)) for i in range(50)))
    reads: list[tuple[int, Any]] = []
    read = pyarrow.parquet.ParquetFile.read_row_group
    watched = lambda file, group, names, **more: reads.append((group, names)) or read(file, group, names, **more)  # noqa: E731
    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "read_row_group", watched)
    file, groups = ItemFile(tmp_path / "items.parquet"), pyarrow.parquet.ParquetFile(tmp_path / "items.parquet")
    for start in range(0, 50, 2):
        assert items_of(file.table(start, start + 2))[0].key == f"key{start}"
        assert file.table(start, start + 2, ["key"]).column("key").to_pylist()[0] == f"key{start}"
    assert groups.num_row_groups > 3
    assert len(reads) == 2 * groups.num_row_groups


def test_the_checksum_of_a_file_is_known_before_it_is_written(tmp_path: Path) -> None:
    items = [Item(f"key{i}", ("w", "ü")) for i in range(9)]
    assert items_sha256(enumerate(items)) == sha256(items_bytes(items))


def test_the_order_of_the_file_is_undone(tmp_path: Path) -> None:
    items = [Item(f"key{n}", ("w",) * n) for n in (5, 1, 4, 2)]
    with (tmp_path / "items.parquet").open("wb") as sink:
        item_files.write_items(by_length(items), sink)
    file = ItemFile(tmp_path / "items.parquet")
    assert np.array_equal(file.rows, [1, 3, 2, 0])
    assert file.in_order() == tuple(items)


@pytest.mark.parametrize("cuts", [[0, 9, 4, 40], [0, 9, 9, 40], [3, 40], [0, "9", 40], [0, True, 40], [-1, 0, 40], []])
def test_cuts_that_are_no_cuts_are_refused(tmp_path: Path, cuts: list[Any]) -> None:
    body = prepare(spec_of(tmp_path, "few-sentences")).plan.to_json()
    assert RunPlan.from_json(json.loads(json.dumps(body))).to_json() == body
    body["pairings"][0]["shards"] = cuts
    with pytest.raises(InputError, match="not the plan of a run"):
        RunPlan.from_json(json.loads(json.dumps(body)))
