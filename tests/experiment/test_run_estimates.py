"""What a spec will take, said beforehand."""

import time
from pathlib import Path

import pytest
from planted_corpus import tiny_network
from typer.testing import CliRunner

from whichword.cli.app import app
from whichword.planning import costs
from whichword.planning.costs import foretold
from whichword.planning.estimate import _places, _reversed_bits, estimate_run
from whichword.planning.prepare import prepare
from whichword.planning.spec import Play, Spec
from whichword.playing.make import ShardItems, evaluate
from whichword.render.amounts import duration, size
from whichword.workers.shard import Assignment, Bench


def test_slices_are_spread_over_the_work_from_the_first_on() -> None:
    assert [_reversed_bits(number) for number in (1, 2, 3, 4, 5)] == [1 / 2, 1 / 4, 3 / 4, 1 / 8, 5 / 8]
    work = [1] * 1000 + [10] * 100
    places = _places(work, 20)
    assert places[0] == (999, 1000)
    assert places[1:4] == [(999, 1001), (499, 519), (1049, 1051)]
    assert all(start < stop <= len(work) for start, stop in places)


def test_the_estimate_is_about_what_it_takes(tmp_path: Path) -> None:
    """Within a factor of four, of a run of a second; docs/scale.md has figures of longer ones."""
    model = tiny_network(tmp_path / "lstm", "lstm")
    play = Play(("lstm",), ("planted[documents=4500]",), ("hybrid[sentences=3]",), ("lrp", "omit_1", "limsse_ms_s"))
    spec = Spec({"lstm": str(model)}, (play,), shard_words=1_000_000)
    (estimated,) = estimate_run(spec, seconds=0.5).pairings
    run = evaluate(spec, tmp_path / "run").run
    bench, items = Bench(Assignment(run.plan, spec.models)), ShardItems(run.folder, run.plan)
    start = time.process_time()
    stored = sum(
        len(data) for shard in run.plan.shards for data in bench.compute(shard, items.rows(shard)).tables.values()
    )
    seconds = time.process_time() - start
    assert seconds / 4 < estimated.seconds < 4 * seconds
    assert stored / 2 < estimated.disk < 2 * stored
    assert estimated.documents == 1500
    assert estimated.shards == len(run.plan.shards)
    assert list(estimated.methods) == list(run.plan.pairings[0].labels)
    assert estimated.memory > 1e8


def test_edited_copies_are_estimated_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly all that deletion takes is the copies that it asks about."""
    monkeypatch.setattr(costs, "LEAST_WORK", 0)
    model = tiny_network(tmp_path / "lstm", "lstm")
    play = Play(("lstm",), ("planted[documents=120]",), ("deletion",), ("grad_1_s_dot", "random"))
    spec = Spec({"lstm": str(model)}, (play,), shard_words=400_000)
    (estimated,) = estimate_run(spec, seconds=0.5).pairings
    run = evaluate(spec, tmp_path / "run").run
    bench, items = Bench(Assignment(run.plan, spec.models)), ShardItems(run.folder, run.plan)
    start = time.process_time()
    made = [bench.compute(shard, items.rows(shard)) for shard in run.plan.shards]
    seconds = time.process_time() - start
    explaining = sum(sum(part.receipt.together.values()) for part in made)
    assert seconds > 4 * explaining
    assert seconds / 2.5 < estimated.seconds < 2.5 * seconds
    forecast = foretold(prepare(spec), run.store, list(run.plan.shards))
    assert forecast is not None
    assert seconds / 4 < forecast.seconds < 4 * seconds


def test_the_command_says_time_memory_and_disk(tmp_path: Path) -> None:
    tiny_network(tmp_path / "cnn", "cnn")
    file = tmp_path / "spec.toml"
    file.write_text('methods = ["lrp"]\nlimit = 4\n[models]\nc = "cnn"\n[[play]]\ncorpora = ["planted"]\n')
    result = CliRunner().invoke(app, ["estimate", str(file), "--seconds", "0.1", "--workers", "3"])
    assert result.exit_code == 0
    for told in ("c on planted as hybrid: 4 documents, 1 shards", "lrp", "in all: ", "with 3 workers: about "):
        assert told in result.stdout
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("seconds", "told"), [(3.0, "3.0 seconds"), (150, "2.5 minutes"), (9e5, "10.4 days")])
def test_durations(seconds: float, told: str) -> None:
    assert duration(seconds) == told


def test_sizes() -> None:
    assert [size(count) for count in (12, 1500, 2_500_000_000)] == ["12 bytes", "1.5 kB", "2.5 GB"]
