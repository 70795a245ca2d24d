"""In the time there is: rounds, looks, stops, and taking up again."""

import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from decision_cases import first_hits, random_hits
from experiments.verdict.replay import HitTable, replayed
from experiments.verdict.stopping import DrawnLooks
from experiments.verdict.stopping import played as played_world
from experiments.verdict.worlds import WORLDS
from planted_corpus import tiny_network

from whichword.planning.costs import CostModel
from whichword.planning.prepare import prepare
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.progress import Silent
from whichword.playing.verify import verify
from whichword.reporting.page.page import report_page
from whichword.reporting.table import cases_of, judgements
from whichword.rounds import rounds as engine
from whichword.rounds.levels import Score, reasons_to_stop
from whichword.rounds.looks import Looking, _most_telling, _unnamed, contest_of, fullest, in_rounds
from whichword.rounds.rounds import Pace
from whichword.runs.records import Asked, Pairing
from whichword.runs.run import open_run, stored_verdicts
from whichword.runs.sealed import unsealed
from whichword.scoring.run import judge
from whichword.statistics.bounds import CHANCE, Outcomes
from whichword.statistics.decision import Decision
from whichword.statistics.tests import Interval
from whichword.workers import processes
from whichword.workers.tasks import Hands

METHODS = ("lrp", "omit_1", "grad_1_s_dot", "limsse_ms_s", "limsse_ms_p", "random", "last")


@pytest.fixture(scope="module")
def spec(tmp_path_factory):
    model = tiny_network(tmp_path_factory.mktemp("models") / "cnn", "cnn")
    return Spec({"cnn": str(model)}, (Play(("cnn",), ("planted",), ("hybrid[sentences=3]",), METHODS, limit=24),))


@pytest.fixture(scope="module")
def played(spec, tmp_path_factory):
    """Everything fits, but in rounds."""
    folder = tmp_path_factory.mktemp("runs") / "rounds"
    (folder / engine.ROUNDS).mkdir(parents=True)
    engine.play_within(spec, folder, Hands(1), None, 60.0, True, 0.05)
    return folder


def test_rounds_double_and_cover_all_documents():
    methods = (Asked("lrp"), Asked("omit_1"))
    contest = contest_of(Pairing("p00", "net", "s00", methods, {"decomp": "no"}, ()), 45)
    assert [len(shard.items) for shard in contest.team["lrp"].shards] == [4, 4, 8, 16, 13]
    assert [row for shard in contest.team["lrp"].shards for row in shard.items] == list(range(45))
    assert contest.documents("omit_1", 3) == 16


def test_the_same_documents_in_a_random_order(spec):
    whole = prepare(spec)
    prepared, _ = in_rounds(whole)
    assert {item.key for item in prepared.items["s00"]} == {item.key for item in whole.items["s00"]}
    assert prepared.items["s00"] != whole.items["s00"]
    assert prepared.plan.run != whole.plan.run


def test_a_run_in_rounds_is_a_run(played, spec, tmp_path):
    run = open_run(played)
    assert verify(played).sound
    assert not verify(played).unplanned
    plain = evaluate(spec, tmp_path / "plain").run
    ours, theirs = judge(run, "p00"), judge(plain, "p00")
    assert ours.methods == theirs.methods
    rows = [theirs.keys.index(key) for key in ours.keys]
    assert sorted(rows) == list(range(len(theirs.keys)))
    assert np.array_equal(ours.hits["hybrid"], theirs.hits["hybrid"][rows], equal_nan=True)
    assert "cnn" in report_page([played])


def test_a_full_run_replayed_comes_to_the_same(played, spec, tmp_path):
    """The order of documents, and the hits of every method, are those of rounds."""
    plain = evaluate(spec, tmp_path / "plain").run
    (game,) = replayed(plain, HitTable.of(plain), 1e6, 1, 1)
    (score,) = game.scores
    decision = stored_verdicts(played, open_run(played).plan.run)["p00"].decision
    assert score.decision.accuracy == decision.accuracy
    few = dict.fromkeys(score.rounds, 1)
    items, rounds = score.looking.items, open_run(played).items("sp00")
    assert [item.key for item in items] == [item.key for item in rounds]
    assert len(score.looking.outcomes(few).hits) <= 4


def test_the_verdict_is_the_one_that_was_made_while_it_was_played(played):
    run = open_run(played)
    (case,) = cases_of(run, "run", judgements(run))
    assert case.decision == stored_verdicts(played, run.plan.run)["p00"].decision
    assert case.decision is not None
    assert case.unplayed == {}


def test_running_it_again_computes_nothing_that_is_there(played, spec):
    class Count(Silent):
        made_shards = 0

        def made(self, receipt):
            self.made_shards += 1

    before = stored_verdicts(played, open_run(played).plan.run)["p00"].decision
    count = Count()
    engine.play_within(spec, played, Hands(1), count, 60.0, True, 0.05)
    assert count.made_shards == 0
    assert stored_verdicts(played, open_run(played).plan.run)["p00"].decision == before


def test_a_kill_is_taken_up_where_it_was(spec, tmp_path):
    class Killed(Exception):
        pass

    class Stop(Silent):
        left = 7

        def made(self, receipt):
            self.left -= 1
            if not self.left:
                raise Killed

    folder = tmp_path / "run"
    (folder / engine.ROUNDS).mkdir(parents=True)
    with pytest.raises(Killed):
        engine.play_within(spec, folder, Hands(1), Stop(), 60.0, True, 0.05)
    stamps = {path: path.stat().st_mtime_ns for path in (folder / "rounds" / "shards").rglob("*.json")}
    assert len(stamps) == 7
    engine.play_within(spec, folder, Hands(1), None, 60.0, True, 0.05)
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps
    assert len(judge(open_run(folder), "p00").keys) == 24


def test_dear_methods_wait_and_are_said_to_have_had_no_time(spec, tmp_path, monkeypatch):
    """omit_1 is made to seem so dear that no round of it fits."""
    real = engine.CostModel.seconds
    monkeypatch.setattr(
        engine.CostModel, "seconds", lambda self, method: 1e4 if method == "omit_1" else real(self, method)
    )
    folder = tmp_path / "run"
    (folder / engine.ROUNDS).mkdir(parents=True)
    start = time.monotonic()
    engine.play_within(spec, folder, Hands(1), None, 30.0, True, 0.05)
    assert time.monotonic() - start < 30
    run = open_run(folder)
    (case,) = cases_of(run, "run", judgements(run))
    assert case.unplayed == {"omit_1": "never played, no time for a first round (over ten minutes per document)"}
    assert "omit_1" in open_run(folder).plan.pairing("p00").undefined
    looks = unsealed(folder / "rounds" / engine.LOOKS)["p00"]["looks"]
    assert looks[-1]["omit_1"] == 0
    assert looks[-1]["lrp"] > 0


def test_what_does_not_fit_is_said_beforehand(spec, tmp_path, monkeypatch):
    class Notices(Silent):
        lines: list[str] = []  # noqa: RUF012

        def notice(self, text):
            self.lines.append(text)

    monkeypatch.setattr(engine, "everything", lambda prepared, enough: 14400.0)
    engine.play_within(spec, tmp_path / "run", Hands(2), Notices(), 60.0, True, 0.05)
    assert Notices.lines == ["everything would take about 2.0 hours: rounds, for 60.0 seconds at most"]
    assert (tmp_path / "run" / engine.ROUNDS).exists()


def test_everything_is_played_at_once_where_it_fits(spec, tmp_path):
    engine.play_within(spec, tmp_path / "run", Hands(1), None, 3600.0, True, 0.05)
    assert not (tmp_path / "run" / engine.ROUNDS).exists()
    assert open_run(tmp_path / "run")


def test_nobody_plays_on_by_an_estimate_that_nobody_has_timed(played):
    """First the cheapest by formula, then one round of each, and only then by what was measured."""
    first, *_ = unsealed(played / "rounds" / engine.LOOKS)["p00"]["looks"]
    assert first["omit_1"] == first["lrp"] == 1
    assert first["grad_1_s_dot"] > 1


def test_what_was_expected_at_first_is_taken_up(played, spec, monkeypatch):
    """A later start with another limit decides by what the first one expected."""
    stored = unsealed(played / "rounds" / engine.LOOKS)["p00"]
    before, budget = stored["expected"], stored["budget"]
    assert budget > 0
    assert set(before) == set(METHODS)
    used, real = [], Looking.decision

    def noted(self, rounds, seconds, margin, expected=None):
        used.append(dict(expected))
        return real(self, rounds, seconds, margin, expected)

    budgets, finish = [], engine.RoundsRun.finish

    def finished(self):
        budgets.extend(score.budget for score in self.scores)
        finish(self)

    monkeypatch.setattr(Looking, "decision", noted)
    monkeypatch.setattr(engine.RoundsRun, "finish", finished)
    engine.play_within(spec, played, Hands(1), None, 7.0, True, 0.05)
    assert budgets == [budget]
    assert used
    assert all(expected == before for expected in used)
    again = unsealed(played / "rounds" / engine.LOOKS)["p00"]
    assert (again["expected"], again["budget"]) == (before, budget)


def test_the_largest_table_is_shown():
    sizes = {"a": 64, "b": 64, "c": 32, "dear": 4, "never": 0, "last": 200}
    assert fullest(sizes) == 64
    assert fullest(sizes, "c") == 32
    assert fullest({"never": 0, "last": 200}) == 0


def test_the_best_of_a_few_is_not_named():
    """The cheapest method is far ahead of the others, and the best of itself: that is no choice among five."""
    methods = {name: Interval(0, 0.5) for name in ("cheap", "a", "b", "c", "d")}
    nothing = Decision("undecided", ("a", "cheap"), None, ("b", "c"), 300, 0.05, 64, methods)
    few = Decision("decided", ("cheap",), "cheap", ("d",), None, 0.05, 64, methods, open=("a", "b", "c"))
    assert _most_telling([nothing, few]) is None
    most = _unnamed(_most_telling([nothing, replace(few, open=("a",))]))
    assert (most.status, most.choice, most.good) == ("undecided", None, ("cheap",))


def looks_at(hits: Outcomes, rounds: dict[str, int], expected: dict[str, int] | None = None) -> Decision:
    """The decision after so many rounds of a game of which all hits are known."""
    names = tuple(name for name in hits.names if name != CHANCE)
    contest = contest_of(Pairing("p00", "net", "s00", tuple(map(Asked, names)), {}, ()), len(hits.hits))
    decision = DrawnLooks(contest, hits).decision(rounds, {}, 0.05, expected)
    assert decision is not None
    return decision


def test_who_is_expected_to_come_no_further_is_shown_more_there():
    """On 64 of 512 documents its lead over chance is told with more than half of the error, not with a twentieth."""
    hits, rounds = random_hits({"cheap": 0.8, "dear": 0.7}, 512, 0.25), {"cheap": 8, "dear": 5}
    first, second = (looks_at(hits, rounds, expected).over["dear"].low for expected in (None, {"dear": 5}))
    assert second > first


def test_what_few_documents_leave_open_does_not_hide_what_is_shown():
    """Of the dear method little is known; of the bad one it is that another is far better, whoever is the best."""
    hits = first_hits({"a": 450, "b": 440, "bad": 200, "dear": 400}, 512)
    decision = looks_at(hits, {"a": 8, "b": 8, "bad": 8, "dear": 3})
    assert (decision.choice, decision.open, decision.avoid) == (None, ("dear",), ("bad",))


def test_a_method_that_stopped_is_in_the_group_unless_it_is_shown_to_be_worse():
    """It stops because a cheaper one is as good: that the others play on shows nothing against it."""
    hits = first_hits({"a": 1800, "b": 1790, "stopped": 1800, "bad": 900}, 2048)
    first = looks_at(hits, dict.fromkeys(("a", "b", "stopped", "bad"), 9))
    later = looks_at(hits, {"a": 10, "b": 10, "stopped": 9, "bad": 9})
    assert "stopped" in first.group
    assert "stopped" in later.group
    assert later.choice is not None


def test_not_shown_to_be_worse_can_only_become_fewer():
    """After every look of every start: who was shown to be worse stays so, who was not is named."""
    world = next(world for world in WORLDS if world.name.startswith("a ladder"))
    history = played_world(world, 1000, np.random.default_rng(0))
    for decision in history:
        assert set(decision.unproven) | set(decision.group) | shown_worse(decision) == set(world.names)
        assert not set(decision.unproven) & set(decision.group)
    level = [{*decision.group, *decision.unproven} for decision in history]
    assert all(later <= earlier for earlier, later in pairwise(level))
    assert len(level[-1]) < len(level[0])


def shown_worse(decision: Decision) -> set[str]:
    return {*decision.avoid, *decision.beaten}


def measured(**seconds: float) -> CostModel:
    """Seconds per document by method."""
    return CostModel({}, {method: (each, 1) for method, each in seconds.items()})


@pytest.mark.parametrize(("seconds", "executor"), [(0.5, "processes"), (0.01, "serial")])
def test_processes_are_started_for_all_that_is_to_come(seconds, executor, tmp_path):
    """Two small shards, but hours of rounds behind them: the second core does not wait until a level is large."""
    contest = contest_of(Pairing("p00", "net", "s00", (Asked("lrp"), Asked("omit_1")), {}, ()), 400)
    score = Score(contest, None, measured(lrp=seconds, omit_1=seconds), {"lrp": 1, "omit_1": 1})
    begin = time.monotonic()
    run = engine.RoundsRun(
        [score], 2, 600.0, 0.05, tmp_path, None, None, Hands(2), Silent(), begin, pacing=Pace(1.0, 1.0)
    )
    assert score.seconds_left() == pytest.approx(2 * (400 - 4) * seconds)
    assert run._executor(2, 4 * seconds) == executor


def test_workers_stay_from_level_to_level(spec, tmp_path, monkeypatch):
    """Two processes for all levels: both are there until the end, and the results are those of one process."""
    monkeypatch.setattr(engine, "WORTHWHILE", 0.0)
    started: list[object] = []
    real = processes.WorkerProcess

    def start():
        started.append(real())
        return started[-1]

    monkeypatch.setattr(processes, "WorkerProcess", start)
    folder = tmp_path / "run"
    (folder / engine.ROUNDS).mkdir(parents=True)
    engine.play_within(spec, folder, Hands(2), None, 100.0, True, 0.05)
    assert len(unsealed(folder / "rounds" / engine.LOOKS)["p00"]["looks"]) >= 1
    assert 1 <= len(started) <= 2
    assert len(judge(open_run(folder), "p00").keys) == 24


def test_who_is_stopped():
    names = ("good", "cheap", "worse", "far", "dear", "last")
    contest = contest_of(Pairing("p00", "net", "s00", tuple(map(Asked, names)), {}, ()), 400)
    behind = {
        "good": Interval(0, 0.04),
        "cheap": Interval(0.01, 0.2),
        "worse": Interval(0.01, 0.2),
        "far": Interval(0.3, 0.6),
        "dear": Interval(0, 0.04),
    }
    decision = Decision("tied", ("good", "dear"), "good", ("far",), None, 0.05, 32, behind, beaten=("cheap", "worse"))
    costs = measured(good=1, cheap=0.001, worse=2, far=0.001, dear=9, last=0)
    reasons = reasons_to_stop(contest, dict.fromkeys(names, 4), decision, costs, 600.0)
    assert set(reasons) == {"worse", "far", "dear"}
    assert reasons["far"] == "stopped after 32 documents: shown to be at least 30 points behind the best"
    assert "its place no longer matters: good is cheaper" in reasons["dear"]
    assert reasons_to_stop(contest, dict.fromkeys(names, 4), None, costs, 600.0) == {}


def test_what_played_too_little_to_be_compared_is_not_stopped():
    """Another method may be the best of those that had the time: that says nothing of the ones that had not."""
    names = ("best", "beaten", "dear")
    contest = contest_of(Pairing("p00", "net", "s00", tuple(map(Asked, names)), {}, ()), 400)
    behind = {"best": Interval(0, 0), "beaten": Interval(0.01, 0.2), "dear": Interval(0, 1)}
    costs = measured(best=1, beaten=0.001, dear=9)
    for status in ("decided", "tied"):
        decision = Decision(status, ("best",), "best", (), None, 0.05, 32, behind, open=("dear",))
        stopped = reasons_to_stop(contest, dict.fromkeys(names, 4), decision, costs, 600.0)
        assert set(stopped) == ({"beaten"} if status == "decided" else set())


def test_rounds_in_a_folder_of_something_else_are_refused(spec, tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(Exception, match="holds other files"):
        engine.play_within(spec, Path(tmp_path), Hands(1), None, 1.0, True, 0.05)
