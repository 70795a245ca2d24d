"""What is said before a long run, and that it costs little."""

import time
from pathlib import Path

import pytest
from planted_corpus import tiny_network

from whichword.planning import costs
from whichword.planning.costs import Forecast, foretold
from whichword.planning.prepare import prepare
from whichword.planning.spec import Play, Spec
from whichword.playing.make import ShardItems, evaluate
from whichword.playing.progress import Silent
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
    forecast = foretold(prepare(spec), run.store, missing)
    assert forecast is not None
    bench, items = Bench(Assignment(run.plan, spec.models)), ShardItems(run.folder, run.plan)
    start = time.process_time()
    made = [bench.compute(shard, items.rows(shard)) for shard in missing]
    seconds = time.process_time() - start
    assert seconds / 4 < forecast.seconds < 4 * seconds
    stored = sum(len(data) for part in made for data in part.tables.values())
    assert stored / 2 < forecast.disk < 2 * stored


def test_trying_keeps_to_its_time(spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "LEAST_WORK", 0)
    run, prepared = evaluate(spec, tmp_path / "run").run, prepare(spec)
    start = time.process_time()
    assert foretold(prepared, run.store, list(run.plan.shards)) is not None
    assert time.process_time() - start < 2.0
