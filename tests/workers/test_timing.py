"""What a method costs: asked alone, and its share where its family is asked as one."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from planted_corpus import tiny_network

import whichword
from whichword.methods import METHODS, Questions
from whichword.model import stopwatch
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.playing.progress import Estimate
from whichword.registry import fixed
from whichword.reporting import table
from whichword.runs.records import Asked, Pairing
from whichword.runs.run import Run

QUICK, SLOW = 0.002, 0.06  # seconds per document: of a core


@dataclass(frozen=True)
class Worker:
    """Takes its time of a core; a family of them takes the time of all."""

    seconds: float = fixed()

    def explain(self, model: object, questions: Questions) -> torch.Tensor:
        end = time.process_time() + self.seconds * len(questions)
        while time.process_time() < end:
            pass
        return questions.batch.mask.float()

    @staticmethod
    def together(model: object, questions: Questions, methods: Sequence["Worker"]) -> list[torch.Tensor]:
        return [method.explain(model, questions) for method in methods]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Forty items: two are timed."""
    METHODS.register("quick", Worker(QUICK))
    METHODS.register("slow", Worker(SLOW))
    base = tmp_path_factory.mktemp("timing")
    play = Play(("cnn",), ("planted[documents=360]",), ("hybrid[sentences=9]",), ("slow", "quick", "last"), 40)
    yield evaluate(Spec({"cnn": str(tiny_network(base / "cnn", "cnn"))}, (play,), shard_words=2500), base / "run").run
    for name in ("quick", "slow"):
        METHODS._entries.pop(name)


def test_the_cheap_one_of_a_family_is_not_charged_for_the_dear_one(run: Run) -> None:
    costs = run.costs("p00")
    assert costs["quick"].together == pytest.approx(costs["slow"].together)
    assert costs["quick"].together >= (QUICK + SLOW) / 2
    assert costs["quick"].alone is not None
    assert QUICK <= costs["quick"].alone < SLOW / 2
    assert costs["slow"].alone is not None
    assert costs["slow"].alone >= SLOW
    assert costs["quick"].seconds == costs["quick"].alone


def test_table_and_recommendation_go_by_what_a_method_takes_alone(run: Run) -> None:
    (column,) = table([run.folder]).columns
    assert column.cells["quick"].rate == pytest.approx(1 / (run.costs("p00")["quick"].alone or 0))
    (case,) = table([run.folder], margin=1.0).cases
    assert case.seconds["quick"] == run.costs("p00")["quick"].alone
    assert case.decision is not None
    assert set(case.decision.behind) == {"quick", "slow"}  # they say the same
    assert case.decision.behind["quick"] == case.decision.behind["slow"]


def test_progress_goes_by_what_methods_take_together(run: Run) -> None:
    estimate = Estimate(run.plan, list(run.plan.shards), 1)
    for name in run.plan.shards:
        estimate.add(run.store.receipt(name))
    rates = {line.method: line.rate for line in estimate.lines()}
    assert rates["quick"] == pytest.approx(1 / run.costs("p00")["quick"].together)


def test_what_is_left_counts_what_a_shard_takes_beside_its_methods(run: Run) -> None:
    estimate = Estimate(run.plan, list(run.plan.shards), 2)
    first = run.store.receipt(next(iter(run.plan.shards)))
    estimate.add(first)
    waiting = len(run.plan.shards) - 1
    assert estimate.left() == pytest.approx(waiting * (sum(first.together.values()) + first.beside) / 2)


def test_methods_alone_and_edited_copies_are_beside(run: Run, tmp_path: Path) -> None:
    receipts = [run.store.receipt(name) for name in run.plan.shards]
    assert all(receipt.beside >= sum(receipt.alone.values()) for receipt in receipts)
    models = {"cnn": str(tiny_network(tmp_path / "cnn", "cnn"))}
    play = Play(("cnn",), ("planted[documents=40]",), ("hybrid[sentences=2]", "deletion[width=1]"), ("last",), 4)
    both = evaluate(Spec(models, (play,), shard_words=100_000), tmp_path / "run").run
    hybrid, deletion = (both.store.receipt(name).beside for name in both.plan.shards)
    assert deletion > 3 * hybrid


def test_a_receipt_has_the_timed_documents_of_its_shard(run: Run) -> None:
    (pairing,) = run.plan.pairings
    assert len(pairing.shards) >= 3
    counts = {shard.name: len(pairing.timed.intersection(shard.items)) for shard in pairing.shards}
    assert sorted(counts.values())[-2:] == [1, 1]
    for name, count in counts.items():
        receipt = run.store.receipt(name)
        assert receipt.alone_documents == count
        assert set(receipt.alone) == (set(pairing.labels) if count else set())
        assert set(receipt.together) == set(pairing.labels)


@pytest.mark.parametrize(
    ("items", "timed"), [(1, 1), (19, 1), (20, 1), (39, 1), (40, 2), (100, 5), (200, 10), (5000, 10)]
)
def test_one_in_twenty_is_timed_spread_over_the_order_of_the_plan(items: int, timed: int) -> None:
    pairing = Pairing("p00", "m", "s00", (Asked("lrp"),), {}, (*range(0, items, 7), items))
    places = sorted(pairing.timed)
    assert len(places) == timed
    gaps = [after - before for before, after in pairwise([-places[0] - 1, *places, 2 * items - places[-1] - 1])]
    assert max(gaps) - min(gaps) <= 2


def test_who_else_is_at_work_makes_nothing_dearer_but_waiting_for_an_answer_does(tmp_path: Path) -> None:
    network = whichword.load(str(tiny_network(tmp_path / "cnn", "cnn")))
    service = whichword.wrap(lambda texts: [[0.5, 0.5] for _ in texts], classes=["no", "yes"])
    for model, waiting_counts in ((network, False), (service, True)):
        clock = stopwatch(model)
        start = clock()
        time.sleep(0.2)
        assert (clock() - start > 0.1) == waiting_counts
