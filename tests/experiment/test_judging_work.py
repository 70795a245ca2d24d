"""Whoever judges the shards, the judgement has the same bytes; what is not a judged shard is not believed."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from judging_workers import deadly_processes
from planted_corpus import tiny_network

from whichword.errors import InputError
from whichword.games import GAMES
from whichword.games.hybrid import HybridGame
from whichword.planning.spec import Play, Spec
from whichword.playing import make
from whichword.playing.make import evaluate
from whichword.playing.verify import verify
from whichword.runs.run import Run, open_run
from whichword.scoring import jobs
from whichword.scoring.jobs import Judges
from whichword.scoring.run import judge, store_judgement
from whichword.scoring.shard import ScoredRows
from whichword.workers.executors import StandingWorkers, processes, serial
from whichword.workers.tasks import Done, Failed, Outcome, Site, Workload

GAMES_PLAYED = ("hybrid[sentences=3]", "hybrid[classes=all,confident=0.5,sentences=2]", "deletion", "shortcut-pairs")


@GAMES.register("shortcut-pairs")
@dataclass(frozen=True)
class Pairs(HybridGame):
    """Items count two by two: in whichever shards they are. No other process has this game."""

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


def judged_by(run: Run, judges: Judges, pairings: Sequence[str] = ("p00", "p01", "p02", "p03")) -> dict[str, bytes]:
    for pairing in pairings:
        store_judgement(run, pairing, judges)
    return files(run.folder)


def backwards(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
    """The last one is ready first."""
    yield from serial(load, list(reversed(tasks)), site)


@pytest.mark.parametrize("window", [3, 64])
def test_shards_that_are_ready_in_another_order_give_the_same_bytes(
    run: Run, unjudged: Run, monkeypatch: pytest.MonkeyPatch, window: int
) -> None:
    monkeypatch.setattr(jobs, "WINDOW", window)
    assert judged_by(unjudged, Judges(backwards)) == files(run.folder)


def test_processes_give_the_same_bytes_and_a_game_that_they_lack_is_judged_here(run: Run, unjudged: Run) -> None:
    notices: list[str] = []
    with StandingWorkers() as standing:
        judged = judged_by(unjudged, Judges(standing.executor("processes"), Site(2), notices.append))
    assert judged == files(run.folder)
    unknown = "this process judges, since a worker cannot: no game is called 'shortcut-pairs'"
    assert len(notices) == 3  # companions, scores and noise: each is told once
    assert all(notice.startswith(unknown) for notice in notices)


def test_those_who_made_the_shards_judge_them(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the public call: workers do the acts of judging too, and nobody is started for them."""
    acts: list[tuple[str, str]] = []
    executor = StandingWorkers.executor

    def watched(standing: StandingWorkers, name: str) -> Any:
        execute = executor(standing, name)

        def noted(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
            acts.append((name, getattr(load.job, "act", "explain")))
            yield from execute(load, tasks, site)

        return noted

    monkeypatch.setattr(StandingWorkers, "executor", watched)
    spec = Spec({"cnn": str(run.folder.parent / "cnn")}, (_play("hybrid[sentences=3]"),), shard_words=1200)
    evaluate(spec, tmp_path / "run", workers=2)
    assert acts == [("processes", "explain"), ("processes", "score"), ("processes", "mix")]
    assert files(tmp_path / "run")["p00.parquet"] == files(run.folder)["p00.parquet"]
    shutil.rmtree(tmp_path / "run/judged")
    evaluate(spec, tmp_path / "run", workers=2)
    assert acts[3:] == [("serial", "score"), ("serial", "mix")]  # too little to start anybody for
    shutil.rmtree(tmp_path / "run/judged")
    monkeypatch.setattr(make, "WORTHWHILE", 1)
    evaluate(spec, tmp_path / "run", workers=2)
    assert acts[5:] == [("processes", "score"), ("processes", "mix")]
    assert files(tmp_path / "run")["p00.parquet"] == files(run.folder)["p00.parquet"]


def _play(game: str) -> Play:
    return Play(("cnn",), ("planted",), (game,), ("lrp", "omit_1", "random"), limit=24)


def test_a_worker_that_is_killed_while_it_judges_is_replaced(run: Run, unjudged: Run, tmp_path: Path) -> None:
    notices: list[str] = []
    (tmp_path / "tries").mkdir()
    judges = Judges(deadly_processes(tmp_path / "tries", 2), Site(2), notices.append)
    assert judged_by(unjudged, judges, ["p00"]) == {
        name: data for name, data in files(run.folder).items() if name.startswith("p00")
    }
    assert notices == [
        f"a worker was killed by SIGKILL at p00/00001; it is tried again ({number} of 3)" for number in (1, 2)
    ]


def test_a_shard_that_nobody_can_judge_is_named_and_leaves_no_judgement(
    run: Run, unjudged: Run, tmp_path: Path
) -> None:
    (tmp_path / "tries").mkdir()
    judges = Judges(deadly_processes(tmp_path / "tries", 99), Site(1), print)
    with pytest.raises(InputError, match=r"1 judgements were not made: p00/00001 \(a worker was killed by SIGKILL"):
        judged_by(unjudged, judges, ["p00"])
    assert not list(unjudged.folder.glob("judged/*"))
    judged_by(unjudged, Judges(), ["p00"])
    assert files(unjudged.folder)["p00.parquet"] == files(run.folder)["p00.parquet"]


def test_a_damaged_shard_is_named_by_whoever_meets_it(unjudged: Run) -> None:
    path = unjudged.folder / "shards/p00/00002.relevances.parquet"
    data = path.read_bytes()
    for name, judges in (("serial", Judges()), ("processes", Judges(processes, Site(1)))):
        path.write_bytes(data[:-9] + b"x" + data[-8:])
        with pytest.raises(InputError, match=r"run: shards/p00/00002.relevances.parquet: the checksum.*to resume$"):
            store_judgement(unjudged, "p00", judges)
        assert not list(unjudged.folder.glob("judged/*")), name


def test_rows_of_another_shard_are_named_by_the_worker(unjudged: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sound files of their receipts, but not of the items that go with them."""
    places = jobs.JudgedShards._rows
    first = unjudged.plan.pairing("p00").shards[0]
    monkeypatch.setattr(jobs.JudgedShards, "_rows", lambda shards, shard: places(shards, first))
    with pytest.raises(InputError, match=r"run: shard p00/00001: its rows are not those of the plan; run the command"):
        store_judgement(unjudged, "p00", Judges(processes, Site(1)))


SPOILED: dict[str, tuple[Callable[[ScoredRows], Any], str]] = {
    "nothing": (lambda rows: None, "it is a NoneType"),
    "a row less": (lambda rows: rows.taken(np.arange(1, len(rows.keys))), "its items are not those of the plan"),
    "a row twice": (lambda rows: rows.taken(np.zeros(len(rows.keys), int)), "its items are not those of the plan"),
    "other names": (lambda rows: replace(rows, keys=rows.keys[::-1]), "its items are not those of the plan"),
    "no hits": (lambda rows: replace(rows, hits={}), "its columns are not those of the game"),
    "a method less": (lambda rows: replace(rows, rmax=rows.rmax[:, 1:]), "it has not a row for every item"),
}


def _changed(act: str, change: Callable[[Any], Any]) -> Callable[..., Iterator[Outcome]]:
    """Workers that send something else."""

    def execute(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
        for outcome in serial(load, tasks, site):
            assert isinstance(outcome, Done)
            yield Done(outcome.task, change(outcome.result)) if load.job.act == act else outcome

    return execute


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_not_the_judged_shard_is_not_believed(unjudged: Run, name: str) -> None:
    change, reason = SPOILED[name]
    with pytest.raises(InputError, match=f"p00/00000: what a worker sent is not the judged shard: {reason}"):
        store_judgement(unjudged, "p00", Judges(_changed("score", change)))
    assert not list(unjudged.folder.glob("judged/*"))


@pytest.mark.parametrize(
    ("act", "pairing", "change", "reason"),
    [
        ("mix", "p00", lambda mixed: {}, "it does not say what noise does by part"),
        ("mix", "p00", lambda mixed: {k: (s[:, 1:], n) for k, (s, n) in mixed.items()}, "it has not a score for every"),
        ("mix", "p00", lambda mixed: {k: (s, n + 99) for k, (s, n) in mixed.items()}, "it has not a score for every"),
        ("lose", "p03", lambda lost: {}, "it does not say what is lost by part"),
    ],
)
def test_nor_is_other_noise(unjudged: Run, act: str, pairing: str, change: Callable[[Any], Any], reason: str) -> None:
    with pytest.raises(InputError, match=f"what a worker sent is not the judged shard: {reason}"):
        store_judgement(unjudged, pairing, Judges(_changed(act, change)))


def test_judgements_that_are_there_ask_nobody(run: Run) -> None:
    def nobody(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
        yield Failed(tasks[0], "somebody was asked")

    judged_by(run, Judges(nobody))
    assert not verify(run.folder).damaged


def test_a_reader_judges_in_memory(run: Run, unjudged: Run) -> None:
    before, again = judge(run, "p03"), judge(unjudged, "p03")
    assert not list(unjudged.folder.glob("judged/*"))
    assert {part: hits.tobytes() for part, hits in before.hits.items()} == {
        part: hits.tobytes() for part, hits in again.hits.items()
    }
    assert before.degraded == again.degraded
    assert np.isnan(before.hits["hybrid"]).any()  # a companion was discarded
