"""Resume, refuse, lock, and the same digest whoever computes."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from planted_corpus import tiny_network

import whichword
from whichword.base.files import locked
from whichword.errors import InputError
from whichword.methods import METHODS
from whichword.planning.items import sample
from whichword.planning.prepare import prepare
from whichword.planning.spec import Play, Spec
from whichword.playing.make import ShardItems, evaluate, workload
from whichword.playing.merge import merge
from whichword.playing.progress import Estimate
from whichword.playing.verify import digest
from whichword.runs.records import RunPlan
from whichword.runs.run import Run, open_run
from whichword.runs.sealed import sealed, unsealed
from whichword.runs.store import Store
from whichword.text import Vocabulary
from whichword.types import Item
from whichword.workers.executors import EXECUTORS
from whichword.workers.shard import Assignment, Bench
from whichword.workers.tasks import Site


def test_the_same_call_again_finds_all_there(made: Run, spec: Spec, copied: Path) -> None:
    before = {path: path.read_bytes() for path in copied.rglob("*") if path.is_file() and path.name != "lock"}
    again = evaluate(spec, copied)
    assert again.computed == 0
    assert again.reused == len(made.plan.shards)
    assert before == {path: path.read_bytes() for path in copied.rglob("*") if path.is_file() and path.name != "lock"}


def test_two_workers_write_the_same_bytes_as_one(made: Run, spec: Spec, tmp_path: Path) -> None:
    done = evaluate(spec, tmp_path / "run", workers=2)
    assert digest(done.run) == digest(made)
    for path in made.folder.rglob("*.parquet"):
        assert path.read_bytes() == (tmp_path / "run" / path.relative_to(made.folder)).read_bytes(), path


def test_shards_hold_every_item_once_with_every_method(made: Run) -> None:
    assert len(made.plan.pairings) == 2
    for pairing in made.plan.pairings:
        taken = [index for shard in pairing.shards for index in shard.items]
        assert sorted(taken) == list(range(24))
        assert set(pairing.labels) | set(pairing.undefined) == set(METHODS.names())
    assert list(made.plan.pairings[0].undefined) == ["decomp"]
    keys = [item.key for item in made.items("s00")]
    rows = [(one.key, one.method) for one in made.relevances("p00")]
    assert sorted(rows) == sorted((key, method) for key in keys for method in made.plan.pairings[0].labels)


def test_predictions_are_in_the_order_of_the_items(made: Run) -> None:
    assert list(made.predictions("p01")) == [item.key for item in made.items("s00")]


def test_what_a_kill_left_half_written_is_swept(spec: Spec, copied: Path) -> None:
    (copied / "parts").mkdir()
    (copied / "parts/00000.json.1.abcd").write_text("half")
    evaluate(spec, copied)
    assert not (copied / "parts").exists()


def test_stored_relevances_are_those_of_the_public_call(made: Run, spec: Spec) -> None:
    import whichword

    model = whichword.load(spec.models["qgru"])
    items = {item.key: item for item in made.items("s00")}
    predictions = made.predictions("p01")
    for one in list(made.relevances("p01"))[::17]:
        if one.method == "random":  # drawn for the item's key, which the public call does not know
            continue
        (expected,) = whichword.explain(model, [items[one.key].words], [one.method])
        np.testing.assert_allclose(one.values, expected.relevance[one.method], rtol=0, atol=1e-4)
        assert one.target == expected.predicted == predictions[one.key].predicted
        assert predictions[one.key].unknown == expected.unknown
        np.testing.assert_allclose(predictions[one.key].scores, list(expected.scores.values()), atol=1e-5)


def changed(spec: Spec, **fields: object) -> Spec:
    return structs.replace(spec, **fields)  # type: ignore[arg-type]


def played(spec: Spec, **fields: object) -> Spec:
    return changed(spec, plays=(structs.replace(spec.plays[0], **fields),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda spec: changed(spec, seed=1), "seed (was 0, is 1)"),
        (lambda spec: changed(spec, batch_words=99), "batch_words (was None, is 99)"),
        (lambda spec: changed(spec, shard_words=99), "shard_words (was 25000, is 99)"),
        (lambda spec: played(spec, limit=12), "limit of planted as hybrid[sentences=3] (was 24, is 12)"),
        (lambda spec: played(spec, methods=("lrp",)), "methods of cnn on planted as hybrid[sentences=3] (was "),
        (lambda spec: played(spec, models=("cnn",)), "pairings (was cnn on planted"),
        (lambda spec: played(spec, games=("hybrid",)), "corpus planted as hybrid (was absent"),
        (lambda spec: played(spec, corpora=("planted[salt=5]",)), "corpus planted[salt=5] as hybrid[sentences=3]"),
    ],
)
def test_a_changed_setting_is_refused_by_name(copied: Path, spec: Spec, change, named: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError) as caught:
        evaluate(change(spec), copied)
    assert named in str(caught.value)


def test_only_what_changed_is_named(copied: Path, spec: Spec) -> None:
    with pytest.raises(InputError) as caught:
        evaluate(changed(spec, batch_words=99), copied)
    assert str(caught.value).count("(was") == 1


@pytest.mark.parametrize("file", ["weights.safetensors", "vocabulary.txt", "config.json"])
def test_a_changed_model_is_refused_by_name(copied: Path, spec: Spec, tmp_path: Path, file: str) -> None:
    other, part = tmp_path / "qgru", file.split(".")[0]
    shutil.copytree(spec.models["qgru"], other)
    fresh = tiny_network(tmp_path / "fresh", "qgru", seed=1)
    if file == "weights.safetensors":
        shutil.copy(fresh / file, other / file)
    elif file == "vocabulary.txt":
        network = whichword.load(other)
        first, second, *others = network.vocabulary.words
        network.vocabulary = Vocabulary((second, first, *others))
        network.save(other)
    else:
        (other / file).write_text((other / file).read_text() + "\n")
    with pytest.raises(InputError, match=rf"what changed: model qgru: {part} \(was .{{12}}, is .{{12}}\);"):
        evaluate(changed(spec, models={**spec.models, "qgru": other}), copied)


def test_a_changed_corpus_is_refused_by_name(copied: Path, spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    import planted_corpus

    monkeypatch.setattr(planted_corpus, "FILLER", (*planted_corpus.FILLER[:-1], "changed"))
    with pytest.raises(InputError, match=r"what changed: corpus planted as hybrid\[sentences=3\] \(was"):
        evaluate(spec, copied)


@pytest.mark.parametrize("part", ["code", "torch", "numpy", "scipy"])
def test_other_code_or_libraries_are_refused_by_name(
    copied: Path, spec: Spec, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from whichword.runs import identity

    if part == "code":
        monkeypatch.setattr(identity, "COMPUTING", ("methods",))
    else:
        monkeypatch.setattr(f"{part}.__version__", "2.99.0")
    with pytest.raises(InputError, match=rf"what changed: {part} \(was"):
        evaluate(spec, copied)


def test_what_computes_is_there_under_its_name() -> None:
    """A file that was moved would silently take no part any more; only what is compiled may be missing."""
    from whichword.runs.identity import COMPILED, COMPUTING, PACKAGE

    assert {name for name in COMPUTING if not (PACKAGE / name).exists()} <= {*COMPILED}


def test_a_model_that_changes_under_a_run_stops_it(spec: Spec, tmp_path: Path) -> None:

    folder = tiny_network(tmp_path / "cnn", "cnn")
    mine = Spec({"cnn": folder}, (Play(("cnn",), ("planted",), methods=("lrp",), limit=4),))
    evaluate(mine, tmp_path / "run")
    tiny_network(folder, "cnn", seed=2)
    with pytest.raises(InputError, match=r"what changed since the run was planned: model cnn: weights \(was"):
        Bench(Assignment(Store.open(tmp_path / "run").plan, {"cnn": str(folder)})).model("cnn")


def test_a_worker_with_other_code_refuses(made: Run, spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    from whichword.runs import identity

    monkeypatch.setattr(identity, "COMPUTING", ("methods",))
    with pytest.raises(InputError, match=r"what changed since the run was planned: code \(was"):
        Bench(Assignment(made.plan, spec.models))


@pytest.mark.parametrize("executor", ["serial", "processes"])
def test_an_error_in_a_worker_reaches_the_caller(made: Run, spec: Spec, executor: str) -> None:
    job = Assignment(made.plan, {**spec.models, "cnn": "nowhere"})
    load = workload(job, ShardItems(made.folder, made.plan))
    with pytest.raises(InputError, match="no model loader opens 'nowhere'"):
        list(EXECUTORS[executor](load, ["p00/00000"], Site()))


def test_a_folder_with_other_files_is_not_taken(spec: Spec, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds other files \(letter\.txt\)"):
        evaluate(spec, tmp_path)
    with pytest.raises(InputError, match="is a file"):
        evaluate(spec, tmp_path / "letter.txt")


def test_classes_that_have_nothing_to_do_with_the_corpus_are_refused(spec: Spec, tmp_path: Path) -> None:
    folder = tiny_network(tmp_path / "other", "cnn")
    text = (folder / "config.json").read_text()
    (folder / "config.json").write_text(
        text.replace("apple", "a").replace("brick", "b").replace("cloud", "c").replace("drum", "d")
    )
    with pytest.raises(InputError, match="none of its classes"):
        evaluate(changed(spec, models={"cnn": folder, "qgru": folder}), tmp_path / "run")


def test_a_second_start_says_so_and_ends_at_once(spec: Spec, tmp_path: Path) -> None:
    code = (
        "import sys, pathlib, time\n"
        "from whichword.base.files import locked\n"
        "with locked(pathlib.Path(sys.argv[1])):\n"
        "    print('held', flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "run")], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        start = time.monotonic()
        with pytest.raises(InputError, match=rf"another process \({holder.pid}\) is at work on it"):
            evaluate(spec, tmp_path / "run")
        assert time.monotonic() - start < 2
        holder.kill()
    with locked(tmp_path / "run"):  # the kernel has dropped it with the process
        pass


def test_the_sample_is_fixed_by_seed_and_key_and_a_smaller_one_lies_in_a_larger() -> None:
    items = [Item(f"key{i}", ("a",)) for i in range(50)]
    small, large = sample(items, 10, 0), sample(items, 20, 0)
    assert len(small) == 10
    assert {item.key for item in small} < {item.key for item in large}
    assert small != sample(items, 10, 1)
    assert sample(items[::-1], 10, 0) == small[::-1]
    assert [items.index(item) for item in large] == sorted(items.index(item) for item in large)
    assert sample(items, 50, 0) == sample(items, 99, 0) == tuple(items)


def test_the_plan_survives_its_json(made: Run) -> None:
    import json

    assert RunPlan.from_json(json.loads(json.dumps(made.plan.to_json()))) == made.plan


@pytest.mark.parametrize("former", ["whichword run 1", "whichword run 2", "whichword run 9"])
def test_another_format_is_refused_in_one_line(copied: Path, spec: Spec, former: str) -> None:
    plan = copied / "run.json"
    plan.write_bytes(sealed(unsealed(plan) | {"format": former}))
    told = f"^{copied}: run.json: a '{former}' is not readable by this version, only a 'whichword run 3'$"
    for use in (open_run, lambda folder: evaluate(spec, folder), lambda folder: merge([folder], folder / "merged")):
        with pytest.raises(InputError, match=told):
            use(copied)


def test_the_plan_does_not_depend_on_who_asks(made: Run, spec: Spec) -> None:
    assert prepare(spec).plan == made.plan


def test_one_set_cannot_have_two_limits_and_one_pairing_cannot_come_twice(spec: Spec, tmp_path: Path) -> None:
    first = spec.plays[0]
    with pytest.raises(InputError, match="two limits"):
        prepare(changed(spec, plays=(first, structs.replace(first, limit=3))))
    with pytest.raises(InputError, match="twice"):
        prepare(changed(spec, plays=(first, first)))


def test_the_time_left_is_what_the_finished_shards_took(made: Run) -> None:
    names = list(made.plan.shards)
    estimate = Estimate(made.plan, names, workers=2)
    assert estimate.left() is None
    for name in names[:3]:
        receipt = structs.replace(made.store.receipt(name), together={"lrp": 2.0, "omit_1": 1.0})
        estimate.add(receipt)
    assert estimate.shards == (3, len(names))
    line = next(line for line in estimate.lines() if line.method == "lrp")
    assert line.left == pytest.approx(2.0 * (len(names) - 3) / 2)
    assert line.rate == pytest.approx(line.done / 6.0)
    assert line.total == 48
