"""Whoever computes, the digest is the same; what is not the planned shard is not committed."""

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import ray_run
from crew_jobs import open_shop
from msgspec import structs
from planted_corpus import tiny_network

from whichword.errors import InputError
from whichword.planning.spec import Play, Spec
from whichword.playing.make import ShardItems, committed, evaluate, workload
from whichword.playing.verify import digest, verify
from whichword.runs.run import Run
from whichword.runs.sealed import sha256
from whichword.runs.shards import Made, Receipt
from whichword.runs.store import Store
from whichword.workers.executors import EXECUTORS, StandingWorkers, serial
from whichword.workers.shard import Assignment, Bench, Parcel, pack
from whichword.workers.tasks import Done, Failed, Hands, Notice, Outcome, Site, Workload


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Spec:
    model = tiny_network(tmp_path_factory.mktemp("small") / "cnn", "cnn")
    play = Play(("cnn",), ("planted",), ("hybrid[sentences=3]",), ("lrp", "omit_1", "random"), limit=20)
    return Spec({"cnn": str(model)}, (play,), shard_words=4000)


@pytest.fixture(scope="module")
def run(small: Spec, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return evaluate(small, tmp_path_factory.mktemp("serial") / "run").run


@pytest.fixture(scope="module")
def computed(small: Spec, run: Run) -> Made:
    """The first shard, in bytes."""
    bench = Bench(Assignment(run.plan, small.models))
    return bench.compute("p00/00000", ShardItems(run.folder, run.plan).rows("p00/00000"))


def test_computing_gives_the_bytes_that_are_stored(run: Run, computed: Made) -> None:
    stored = run.store.receipt("p00/00000")
    assert stored.files == computed.receipt.files
    assert {kind: run.store.verified("p00/00000", kind) for kind in computed.tables} == computed.tables


def test_computing_touches_no_disk(run: Run, small: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Apart from reading the model."""
    rows = ShardItems(run.folder, run.plan).rows("p00/00000")
    bench = Bench(Assignment(run.plan, small.models))
    bench.model("cnn")

    def refuse(*arguments: object, **more: object) -> None:
        raise AssertionError("the disk was touched")

    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr("os.open", refuse)
    assert bench.compute("p00/00000", rows).receipt.documents > 0


def test_a_model_goes_to_other_machines_as_its_files(small: Spec, run: Run, computed: Made, tmp_path: Path) -> None:
    job = Assignment(run.plan, small.models).packed()
    parcel = job.models["cnn"]
    assert isinstance(parcel, Parcel)
    assert sorted(parcel.files) == ["config.json", "vocabulary.txt", "weights.safetensors"]
    rows = ShardItems(run.folder, run.plan).rows("p00/00000")
    assert Bench(job).compute("p00/00000", rows).tables == computed.tables
    changed = Parcel("", "", parcel.files | {"vocabulary.txt": b"other\nwords\n"})
    with pytest.raises(InputError, match="what changed since the run was planned: model cnn: vocabulary"):
        Bench(dataclasses.replace(job, models={"cnn": changed})).model("cnn")


def test_prefix_and_settings_of_a_spelling_stay(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model/config.json").write_text("{}")
    parcel = pack(f"hf:{tmp_path / 'model'}[label=toxic]")
    assert isinstance(parcel, Parcel)
    assert parcel.unpack(tmp_path / "other") == f"hf:{tmp_path / 'other'}[label=toxic]"
    assert (tmp_path / "other/config.json").read_text() == "{}"
    assert pack("json:loads") == "json:loads"


def _resealed(made: Made, kind: str, data: bytes) -> Made:
    files = {**made.receipt.files, kind: structs.replace(made.receipt.files[kind], sha256=sha256(data))}
    return Made(structs.replace(made.receipt, files=files), {**made.tables, kind: data})


def _damaged(made: Made, other: Made) -> Iterator[tuple[Made, str]]:
    """What could come over a wire, and why it is refused."""
    data = made.tables["relevances"]
    yield Made(made.receipt, {**made.tables, "relevances": data[:-1]}), "relevances: the checksum does not fit"
    yield Made(structs.replace(made.receipt, run="other"), made.tables), "it belongs to another run or shard"
    yield _resealed(made, "relevances", other.tables["relevances"]), "relevances: its rows are not those of the plan"
    yield _resealed(made, "predictions", b"PAR1"), "predictions: not Parquet"
    yield Made(structs.replace(made.receipt, together={"lrp": 1.0}), made.tables), "not the planned methods"
    texts = structs.replace(made.receipt, together={"lrp": "x"})
    yield Made(texts, made.tables), "not a receipt: together[...] must be a number, not text"
    yield Made(structs.replace(made.receipt, beside=-1.0), made.tables), "not possible seconds"
    files = {**made.receipt.files, "predictions": structs.replace(made.receipt.files["predictions"], rows=1)}
    yield Made(structs.replace(made.receipt, files=files), made.tables), "not the planned number of rows"


def test_what_is_not_the_planned_shard_is_named_and_not_committed(
    run: Run, small: Spec, computed: Made, tmp_path: Path
) -> None:
    items, store = ShardItems(run.folder, run.plan), Store(tmp_path, run.plan)
    other = Bench(Assignment(run.plan, small.models)).compute("p00/00001", items.rows("p00/00001"))
    troubles = list(_damaged(computed, other))
    outcomes: list[Outcome] = [Done("p00/00000", made) for made, _ in troubles]
    named = list(committed(outcomes, store, items, 0))
    for outcome, (_, reason) in zip(named, troubles, strict=True):
        assert isinstance(outcome, Failed)
        assert outcome.reason.startswith(f"what a worker sent is not the planned shard: {reason}")
    assert not list(tmp_path.rglob("*"))


def test_sound_shards_are_committed_beside_failures_and_notices(run: Run, computed: Made, tmp_path: Path) -> None:
    outcomes = [Notice("look"), Done("p00/00000", computed), Failed("p00/00001", "gone")]
    results = list(committed(outcomes, Store(tmp_path, run.plan), ShardItems(run.folder, run.plan), 9))
    assert results[0] == Notice("look")
    assert Failed("p00/00001", "gone") in results
    assert [result.shard for result in results if isinstance(result, Receipt)] == ["p00/00000"]
    assert Store(tmp_path, run.plan).trouble("p00/00000") is None


def test_a_shard_that_is_given_up_is_named_when_the_others_are_done(
    small: Spec, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def careless(load, tasks, site):  # type: ignore[no-untyped-def]
        yield Failed(tasks[0], "a worker was lost")
        do = load.opener(load.job)
        yield from (Done(task, do(task, *load.arguments(task))) for task in tasks[1:])

    monkeypatch.setitem(EXECUTORS._entries, "careless", careless)
    with pytest.raises(InputError, match=r"1 shards were not made: p00/00000 \(a worker was lost\); run the same"):
        evaluate(small, tmp_path / "run", executor="careless")
    assert len(verify(tmp_path / "run").missing) == 1
    monkeypatch.undo()
    again = evaluate(small, tmp_path / "run")
    assert again.computed == 1
    assert digest(again.run) == digest(run)


LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}


ARITHMETIC = ("ATEN_", "MKL_", "ONEDNN_", "OPENBLAS_")  # variables that decide by which a process computes


@pytest.fixture(scope="module")
def clustered(small: Spec, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a process with a Ray cluster of its own says: Ray reads its settings while it is loaded."""
    pytest.importorskip("ray")
    folder = tmp_path_factory.mktemp("ray")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    environment |= {name: value for name, value in os.environ.items() if name.startswith(ARITHMETIC)}
    place = os.pathsep.join(path for path in sys.path if path)
    told = subprocess.run(
        [sys.executable, ray_run.__file__, small.models["cnn"], str(folder)],
        env=environment | {"PYTHONPATH": place},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return answer


@pytest.mark.slow
def test_ray_gives_the_digest_of_one_process(run: Run, clustered: dict[str, Any]) -> None:
    assert clustered["digest"] == digest(run)
    assert clustered["judged"] == sha256((run.folder / "judged/p00.parquet").read_bytes())


@pytest.mark.slow
def test_ray_plays_rounds_as_one_process_does(small: Spec, clustered: dict[str, Any], tmp_path: Path) -> None:
    assert clustered["rounds"] == ray_run.in_rounds(small, tmp_path / "rounds", Hands(1))


@pytest.mark.slow
def test_a_cluster_of_our_own_listens_on_loopback_alone(clustered: dict[str, Any]) -> None:
    assert clustered["addresses"]
    assert set(clustered["addresses"]) <= LOOPBACK


@pytest.mark.slow
def test_killed_workers_of_a_cluster_are_replaced_and_named(clustered: dict[str, Any]) -> None:
    lost, outcomes = "a worker of the cluster was lost (WorkerCrashedError)", set(clustered["outcomes"])
    assert {str(Done(task, f"{task} done")) for task in ("a", "die 2", "b")} <= outcomes
    assert str(Notice(f"{lost} at die 2; it is tried again (2 of 3)")) in outcomes
    assert str(Failed("die 9", f"{lost}; failed on 3 retries as well")) in outcomes


@pytest.mark.parametrize(("name", "opened"), [("serial", 1), ("begins anew", 2)])
def test_workers_stay_where_an_executor_has_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, opened: int
) -> None:
    jobs: list[Path] = []

    def opener(folder: Path) -> Callable[[str], str]:
        jobs.append(folder)
        return open_shop(folder)

    def anew(load: Workload[Any, Any], tasks: Sequence[str], site: Site) -> Iterator[Outcome]:
        yield from serial(load, tasks, site)

    monkeypatch.setitem(EXECUTORS._entries, "begins anew", anew)
    workers, load = StandingWorkers(), Workload(opener, tmp_path)
    results = [list(workers.executor(name)(load, [task], Site())) for task in ("a", "b")]
    workers.end()
    assert results == [[Done("a", "a done")], [Done("b", "b done")]]
    assert len(jobs) == opened


def test_a_job_is_open_to_a_plug_in_executor(small: Spec, run: Run) -> None:
    load = workload(Assignment(run.plan, small.models), ShardItems(run.folder, run.plan))
    made = load.opener(load.job)("p00/00001", *load.arguments("p00/00001"))
    assert made.receipt.shard == "p00/00001"
