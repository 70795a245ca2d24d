"""Methods that share their passes play rounds together."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from experiments.verdict.stopping import started
from experiments.verdict.worlds import WORLDS
from numpy.typing import NDArray
from planted_corpus import tiny_network
from tiny_transformers import WORDS, classifier, tokenizer

import whichword
from whichword.errors import InputError
from whichword.methods import METHODS, Questions, teams
from whichword.planning.costs import CostModel
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.progress import Silent
from whichword.registry import fixed
from whichword.rounds import looks
from whichword.rounds import rounds as engine
from whichword.rounds.levels import Score, reasons_to_stop
from whichword.rounds.looks import Contest, contest_of
from whichword.runs.records import Asked, Pairing
from whichword.runs.run import Run, open_run
from whichword.runs.store import Store
from whichword.statistics.decision import Decision
from whichword.statistics.tests import Interval
from whichword.types import Item
from whichword.workers.shard import Explainer
from whichword.workers.tasks import Hands

LIMSSE = ("limsse_bb", "limsse_ms_s", "limsse_ms_p")
SIMPLE = ("grad_1_s_l2", "grad_1_p_l2", "grad_1_s_dot", "grad_1_p_dot")
INTEGRATED = ("grad_int_s_l2", "grad_int_p_l2", "grad_int_s_dot", "grad_int_p_dot")
DOCUMENTS = 24  # rounds of 4, 4, 8, 8
ROUNDS = 4
SECONDS = 0.03  # of a core per document


@dataclass(frozen=True)
class Together:
    """Takes its time of a core, once for all of the class."""

    number: int = fixed()
    shares = "the time"

    def explain(self, model: object, questions: Questions) -> torch.Tensor:
        return self.together(model, questions, [self])[0]

    @staticmethod
    def together(model: object, questions: Questions, methods: Sequence["Together"]) -> list[torch.Tensor]:
        end = time.process_time() + SECONDS * len(questions)
        while time.process_time() < end:
            pass
        return [questions.batch.mask.float() for _ in methods]


@pytest.fixture(scope="module")
def waiting() -> Iterator[tuple[str, ...]]:
    names = ("first", "second", "third")
    for number, name in enumerate(names):
        METHODS.register(name, Together(number))
    Together.foreign = False  # type: ignore[attr-defined]
    yield names
    for name in names:
        METHODS._entries.pop(name)


def spec_of(folder: Path, methods: Sequence[str]) -> Spec:
    model = tiny_network(folder / "cnn", "cnn")
    return Spec({"cnn": str(model)}, (Play(("cnn",), ("planted",), ("hybrid[sentences=3]",), methods, DOCUMENTS),))


def in_rounds(spec: Spec, folder: Path, watch: Silent | None = None) -> Run:
    (folder / engine.ROUNDS).mkdir(parents=True, exist_ok=True)
    engine.play_within(spec, folder, Hands(1), watch, 60.0, True, 0.05)
    return open_run(folder)


def relevances(run: Run) -> dict[tuple[str, str], NDArray[np.floating[Any]]]:
    return {(row.key, row.method): row.values for row in run.relevances("p00")}


def assert_alike(ours: Run, theirs: Run) -> None:
    """In single precision; batches are others in rounds, and kernels sum by batch."""
    mine, yours = relevances(ours), relevances(theirs)
    assert mine.keys() == yours.keys()
    assert all(apart(mine[name], yours[name]) <= 1e-5 for name in mine)


def apart(ours: NDArray[np.floating[Any]], theirs: NDArray[np.floating[Any]]) -> float:
    """The largest difference, as a share of the largest relevance."""
    return float(abs(ours - theirs).max() / max(abs(theirs).max(), 1e-300))


def test_who_shares_nearly_all_passes_is_a_team():
    labels = (*SIMPLE, *INTEGRATED, "omit_1", "occ_1", "lrp", "lrp[attention=attnlrp]", *LIMSSE, "random", "last")
    others = [("omit_1",), ("occ_1",), ("lrp",), ("lrp[attention=attnlrp]",)]
    assert teams(labels) == (SIMPLE, INTEGRATED, *others, LIMSSE, ("random",), ("last",))


def test_other_settings_are_other_passes():
    coarse, drawn = "grad_int_s_dot[steps=5]", "limsse_ms_s[samples=30]"
    assert teams((*INTEGRATED, coarse, *LIMSSE, drawn)) == (INTEGRATED, (coarse,), LIMSSE, (drawn,))


def test_a_method_that_is_asked_for_itself_is_no_team(waiting, monkeypatch):
    assert teams(waiting) == (waiting,)
    monkeypatch.setattr(Together, "foreign", True)
    assert teams(waiting) == tuple((name,) for name in waiting)


def test_the_answers_of_a_team_are_those_of_its_methods_alone(tmp_path):
    """To the last bit on a transformer; on a network of ours, whose kernels sum what is asked of them, to 1e-12."""
    network = whichword.load(str(tiny_network(tmp_path / "cnn", "cnn"))).double()
    transformer = whichword.wrap(classifier("bert"), tokenizer())
    for model, words, most in ((network, [f"w{i}" for i in range(9)], 1e-12), (transformer, WORDS, 0.0)):
        items = [Item(str(n), tuple(words[i % len(words)] for i in range(n, 2 * n + 3))) for n in range(1, 7)]
        for team in (SIMPLE, INTEGRATED, LIMSSE):
            together, _ = Explainer(model, team, 0, None).explain(items, [])
            for method in team:
                alone, _ = Explainer(model, (method,), 0, None).explain(items, [])
                for row in range(len(items)):
                    assert apart(together.vector(row, method), alone.vector(row, method)) <= most, method


def test_a_team_plays_each_round_once_and_the_run_is_the_one_that_evaluate_makes(tmp_path):
    spec = spec_of(tmp_path, (*SIMPLE, *LIMSSE, "lrp", "omit_1", "last"))
    run = in_rounds(spec, tmp_path / "run")
    store = Store.open(tmp_path / "run" / engine.ROUNDS)
    assert [team.labels for team in store.plan.pairings] == [SIMPLE, LIMSSE, ("lrp",), ("omit_1",), ("last",)]
    assert len(list((store.folder / "shards").rglob("*.json"))) == 5 * ROUNDS
    assert_alike(run, evaluate(spec, tmp_path / "plain").run)
    assert run.plan.pairing("p00").labels == (*SIMPLE, *LIMSSE, "lrp", "omit_1", "last")


def test_a_kill_within_a_team_is_taken_up(tmp_path):
    class Killed(Exception):
        pass

    class Stop(Silent):
        left = 3

        def made(self, receipt):
            self.left -= receipt.shard.startswith("p00-01")  # LIMSSE
            if not self.left:
                raise Killed

    spec, folder = spec_of(tmp_path, ("lrp", *LIMSSE)), tmp_path / "run"
    with pytest.raises(Killed):
        in_rounds(spec, folder, Stop())
    stamps = {path: path.stat().st_mtime_ns for path in (folder / "rounds" / "shards").rglob("p00-01*/*.json")}
    assert len(stamps) == 3
    run = in_rounds(spec, folder)
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps
    assert_alike(run, evaluate(spec, tmp_path / "plain").run)


def test_rounds_of_other_teams_are_refused_by_name(tmp_path, monkeypatch):
    """Those that were begun when each method played for itself, say."""
    spec = spec_of(tmp_path, ("lrp", *LIMSSE))
    with monkeypatch.context() as before:
        before.setattr(looks, "teams", lambda labels: [(label,) for label in labels])
        before.setattr(looks, "_together", lambda contests: {})
        in_rounds(spec, tmp_path / "run")
    with pytest.raises(InputError, match=r"another run; what changed: teams of p00 \(was absent, is limsse_bb, "):
        in_rounds(spec, tmp_path / "run")


def test_a_method_costs_what_it_costs_alone_and_plays_for_its_share(tmp_path, waiting):
    run = in_rounds(spec_of(tmp_path, (*waiting, "lrp", "last")), tmp_path / "run")
    for method in waiting:
        cost = run.costs("p00")[method]
        assert SECONDS <= cost.seconds < 2 * SECONDS
        assert SECONDS / 3 <= cost.together < SECONDS / 1.5
    store = Store.open(tmp_path / "run" / engine.ROUNDS)
    assert {store.receipt(shard).alone_documents for shard in store.plan.shards} == {1}


def test_before_a_team_was_timed_alone_each_costs_what_all_do():
    costs = CostModel({"a": 5.0, "b": 5.0, "c": 5.0}, mates={"a": 2, "b": 2})
    for method in ("a", "b", "c"):
        costs.add(method, 12.0, 4)
    assert costs.known() == {"a": 6.0, "b": 6.0, "c": 3.0}
    costs.add_alone("a", 4.0, 1)
    assert costs.known() == {"a": 4.0, "b": 6.0, "c": 3.0}
    assert costs.seconds("a") == 3.0


def trio(documents: int = 400) -> Contest:
    methods = tuple(map(Asked, ("a", "b", "alone")))
    return contest_of(Pairing("p00", "net", "s00", methods, {}, ()), documents, [("a", "b"), ("alone",)])


def test_a_team_stops_with_its_last_method():
    contest, costs = trio(), CostModel({}, dict.fromkeys(("a", "b", "alone"), (1.0, 1)))
    far, near = Interval(0.3, 0.6), Interval(0, 0.2)
    words = "stopped after 32 documents: shown to be at least 30 points behind the best"
    for second, stopped in ((near, {"alone"}), (far, {"a", "b", "alone"})):
        behind = {"a": far, "b": second, "alone": far}
        decision = Decision("undecided", ("b",), None, ("a",), None, 0.05, 32, behind)
        reasons = reasons_to_stop(contest, dict.fromkeys(behind, 4), decision, costs, 600.0)
        assert reasons == dict.fromkeys(stopped, words)


def test_the_next_round_of_a_team_is_dear_if_it_is_for_all():
    """Where only places are open, a round under a hundredth of the time is played all the same."""
    contest, costs = trio(), CostModel({}, dict.fromkeys(("a", "b", "alone"), (0.1, 1)))
    decision = Decision("undecided", (), None, (), None, 0.05, 32, {}, beaten=("a", "b", "alone"))
    reasons = reasons_to_stop(contest, dict.fromkeys(("a", "b", "alone"), 4), decision, costs, 400.0)
    assert set(reasons) == {"a", "b"}  # 6.4 seconds, and 3.2


def test_a_place_matters_by_what_methods_cost_alone():
    """The share of a team's method is less than what the choice costs; who wants it alone pays more."""
    contest, costs = trio(), CostModel({}, {"a": (2.0, 1), "b": (2.0, 1), "alone": (3.0, 1)}, mates={"a": 2, "b": 2})
    decision = Decision("tied", ("a", "b", "alone"), "alone", (), None, 0.05, 32, {})
    rounds = dict.fromkeys(("a", "b", "alone"), 4)
    assert set(reasons_to_stop(contest, rounds, decision, costs, 400.0)) == {"a", "b"}
    costs.add_alone("b", 2.5, 1)
    assert reasons_to_stop(contest, rounds, decision, costs, 400.0) == {}


def test_a_team_plays_on_for_one_of_its_methods_and_is_planned_as_one():
    costs = CostModel({}, {"a": (1.0, 1), "b": (1.0, 1), "alone": (3.0, 1)})
    score = Score(trio(45), None, costs, dict.fromkeys(("a", "b", "alone"), 2))  # type: ignore[arg-type]
    assert list(score.next_steps(20.0)) == [(16.0, "p00-00", "p00-00/00002")]  # 16 documents cost a method 16 seconds
    assert score.left() == [16.0, 48.0]
    assert score.seconds_left() == 37 * 2 + 37 * 3
    score.stopped = {"a": "worse"}
    assert score.left() == [16.0, 48.0]
    assert len(score.unplayed_rounds()) == 6
    score.stopped = {"a": "worse", "b": "worse"}
    assert score.left() == [48.0]
    assert list(score.next_steps(20.0)) == []
    assert score.seconds_left() == 37 * 3


def test_the_simulation_plays_in_teams_too():
    world = next(world for world in WORLDS if world.name.startswith("a ladder"))
    game = started(world, 200, np.random.default_rng(0))
    (score,) = game.scores
    sizes = [len(team.labels) for team in score.contest.teams]
    assert sizes == [1, 1, 1, 1, 4, 1, 1, 1, 1, 4, 1, 1, 1, 1]
    game.limit = 0.2 * 200 * sum(game.seconds.values()) / game.players
    game.play()
    (team,) = (team for team in score.contest.teams if "m04" in team.labels)
    assert len({score.rounds[method] for method in team.labels}) == 1
    assert score.costs.known()["m04"] == pytest.approx(game.alone["m04"])
    assert game.spent / game.players <= game.limit
