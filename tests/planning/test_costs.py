"""What work will take: said before a run and before `explain`, from little trying."""

import time
from pathlib import Path

import pytest
from planted_corpus import tiny_network
from typer.testing import CliRunner

from whichword.cli.commands import app
from whichword.planning import costs
from whichword.planning.costs import CostModel, Forecast, everything, forecast, foretold
from whichword.planning.prepare import prepare
from whichword.planning.spec import Play, Spec
from whichword.playing.make import ShardItems, evaluate
from whichword.playing.progress import Silent
from whichword.render.amounts import duration, size
from whichword.runs.store import Store
from whichword.workers.shard import Assignment, Bench
from whichword.workers.tasks import Hands

FORECAST = Forecast(seconds=480.0, disk=35_000_000, shards=20)


@pytest.mark.parametrize(
    ("hands", "line"),
    [
        (Hands(2), "about 4.0 minutes on 2 workers, 35.0 MB on disk"),
        (Hands(1), "about 8.0 minutes on one worker, 35.0 MB on disk"),
        (Hands(4, "serial"), "about 8.0 minutes on one worker, 35.0 MB on disk"),
        (Hands(40), None),
        (Hands(8, "ray", "local"), None),
        (Hands(8, "ray", "10.0.0.1:6379"), "about 8.0 minutes of one core, 35.0 MB on disk"),
    ],
)
def test_the_line(hands: Hands, line: str | None) -> None:
    assert FORECAST.line(hands) == line


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Spec:
    model = tiny_network(tmp_path_factory.mktemp("models") / "lstm", "lstm")
    play = Play(("lstm",), ("planted[documents=3000]",), ("hybrid[sentences=3]",), ("lrp", "omit_1", "limsse_ms_s"))
    return Spec({"lstm": str(model)}, (play,), shard_words=400_000)


class Notices(Silent):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def notice(self, text: str) -> None:
        self.lines.append(text)


def test_it_is_about_what_the_missing_shards_take(spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a factor of four; said by `evaluate` where it is long, and nothing is tried where it is not."""
    monkeypatch.setattr(costs, "LONG", 0.0)
    watch = Notices()
    run = evaluate(spec, tmp_path / "run", watch=watch).run
    assert watch.lines == []
    monkeypatch.setattr(costs, "LEAST_WORK", 0)
    evaluate(spec, tmp_path / "again", watch=watch)
    (line,) = watch.lines
    assert line.startswith("about ")
    assert "on one worker, " in line
    missing = list(run.plan.shards)[1:]
    assert len(missing) > 1
    told = foretold(prepare(spec), run.store, missing)
    assert told is not None
    bench, items = Bench(Assignment(run.plan, spec.models)), ShardItems(run.folder, run.plan)
    start = time.process_time()
    made = [bench.compute(shard, items.rows(shard)) for shard in missing]
    seconds = time.process_time() - start
    assert seconds / 4 < told.seconds < 4 * seconds
    stored = sum(len(data) for part in made for data in part.tables.values())
    assert stored / 2 < told.disk < 2 * stored


def test_trying_keeps_to_its_time(spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "LEAST_WORK", 0)
    run, prepared = evaluate(spec, tmp_path / "run").run, prepare(spec)
    start = time.process_time()
    assert foretold(prepared, run.store, list(run.plan.shards)) is not None
    assert time.process_time() - start < 2.0


def spent(run_store: Store, spec: Spec) -> tuple[float, float, int]:
    """Seconds of a core that the shards take, those of the methods alone, and bytes."""
    bench, items = Bench(Assignment(run_store.plan, spec.models)), ShardItems(run_store.folder, run_store.plan)
    start = time.process_time()
    made = [bench.compute(shard, items.rows(shard)) for shard in run_store.plan.shards]
    seconds = time.process_time() - start
    methods = sum(sum(part.receipt.together.values()) for part in made)
    return seconds, methods, sum(len(data) for part in made for data in part.tables.values())


def test_edited_copies_are_counted_beside_the_methods(tmp_path: Path) -> None:
    """Nearly all that deletion takes is the copies that it asks about."""
    model = tiny_network(tmp_path / "lstm", "lstm")
    play = Play(("lstm",), ("planted[documents=120]",), ("deletion",), ("grad_1_s_dot", "random"))
    spec = Spec({"lstm": str(model)}, (play,), shard_words=400_000)
    run, prepared = evaluate(spec, tmp_path / "run").run, prepare(spec)
    seconds, methods, _ = spent(run.store, spec)
    assert seconds > 4 * methods
    told = forecast(prepared, list(run.plan.shards), 0.5)
    assert seconds / 2.5 < told.seconds < 2.5 * seconds
    (parts,) = told.pairings.values()
    assert list(parts) == ["grad_1_s_dot", "random", "beside the methods"]
    assert parts["beside the methods"] > told.seconds / 2


def test_a_part_of_the_shards_takes_its_part(spec: Spec) -> None:
    prepared = prepare(spec)
    shards = list(prepared.plan.shards)
    whole, part = forecast(prepared, shards, 0.5), forecast(prepared, shards[: len(shards) // 2], 0.5)
    assert 0.25 < part.disk / whole.disk < 0.75


def test_many_short_documents_are_not_taken_for_as_dear_as_the_first_one(tmp_path: Path) -> None:
    """What a call costs is shared by the documents of a batch: the first one would say fifty times as much."""
    model = tiny_network(tmp_path / "cnn", "cnn")
    play = Play(("cnn",), ("planted[documents=3000]",), ("hybrid[sentences=3]",), ("all",))
    spec = Spec({"cnn": str(model)}, (play,))
    run, prepared = evaluate(spec, tmp_path / "run").run, prepare(spec)
    seconds, _, _ = spent(run.store, spec)
    assert seconds / 2 < everything(prepared, 0.0) < 2 * seconds
    assert everything(prepared, 1e6) > everything(prepared, 0.0)  # one document was enough to see that it fits


def test_what_was_not_tried_is_as_fast_as_the_others() -> None:
    costs = CostModel({"omit_1": 400.0, "lrp": 20.0, "random": 1.0})
    costs.add("lrp", 0.2, 10)
    costs.add("random", 5.0, 10)  # a baseline: its speed is nobody else's
    assert costs.seconds("omit_1") == pytest.approx(400 * 0.02 / 20)
    assert costs.total(10) == pytest.approx(10 * (0.4 + 0.02 + 0.5))


def test_a_dry_run_says_time_by_method_and_disk_and_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whichword.cli.evaluate.TRIED", 0.1)
    tiny_network(tmp_path / "cnn", "cnn")
    file = tmp_path / "spec.toml"
    file.write_text('methods = ["lrp"]\nlimit = 4\n[models]\nc = "cnn"\n[[play]]\ncorpora = ["planted"]\n')
    out = tmp_path / "run"
    result = CliRunner().invoke(app, ["evaluate", "--spec", str(file), "--dry-run", "--out", str(out)])
    assert result.exit_code == 0, result.output
    for told in ("c on planted as hybrid", "lrp", "beside the methods", "in all: ", "disk: "):
        assert told in result.stdout
    assert not out.exists()


TOLD = {0.002: "0.002 seconds", 3.0: "3.0 seconds", 150: "2.5 minutes", 9e5: "10.4 days"}


@pytest.mark.parametrize(("seconds", "told"), TOLD.items())
def test_durations(seconds: float, told: str) -> None:
    assert duration(seconds) == told


def test_sizes() -> None:
    assert [size(count) for count in (12, 1500, 2_500_000_000)] == ["12 bytes", "1.5 kB", "2.5 GB"]
