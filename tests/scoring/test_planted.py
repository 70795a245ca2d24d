"""Where the truth is planted, good methods find it, and what should be chance is chance."""

import math
from pathlib import Path

import numpy as np
import pytest
from planted_corpus import PLANTED

from whichword.corpora import read_corpus
from whichword.games import GAMES
from whichword.games.columns import hits, point, rewarded
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.runs.run import Run
from whichword.scoring.run import judge
from whichword.training import Training, train

METHODS = ("omit_1", "lrp", "limsse_ms_s", "random")
SETTINGS = Training(
    network="cnn", embedding=8, hidden=16, batch=8, learning_rate=0.02, dropout=0.1, epochs=12, patience=4
)


def trained(corpus: str, folder: Path) -> Path:
    train(read_corpus(corpus), SETTINGS, folder, lambda position, steps: None)
    return folder


def played(tmp: Path, learnt: str, shown: str) -> Run:
    folder = trained(learnt, tmp / "model")
    spec = Spec({"cnn": folder}, (Play(("cnn",), (shown,), ("hybrid[sentences=4]",), METHODS),))
    return evaluate(spec, tmp / "run").run


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return played(
        tmp_path_factory.mktemp("planted"), "planted[sentences=1,documents=1800]", "planted[sentences=1,documents=1800]"
    )


@pytest.mark.parametrize("method", ["omit_1", "lrp", "limsse_ms_s"])
def test_good_methods_find_the_planted_word(planted: Run, method: str) -> None:
    tally = judge(planted, "p00").tally("hybrid", method)
    assert tally.total > 120
    assert tally.hits / tally.total >= 0.95


def test_they_point_at_the_planted_word_itself(planted: Run) -> None:
    items = {item.key: item for item in planted.items("s00")}
    predictions = planted.predictions("p00")
    top = [one for one in planted.relevances("p00") if one.method == "lrp"]
    named = [items[one.key].words[int(np.argmax(one.values))] in PLANTED[predictions[one.key].predicted] for one in top]
    assert np.mean(named) >= 0.9


def test_random_is_at_its_exact_expectation(planted: Run) -> None:
    """The mean share of words of the predicted class, in plain arithmetic."""
    predictions = planted.predictions("p00")
    shares = []
    for item in planted.items("s00"):
        right = [label == predictions[item.key].predicted for label in item.labels]
        if any(right):
            shares.append(sum(right) / len(right))
    judged = judge(planted, "p00")
    tally = judged.tally("hybrid", "random")
    assert tally.hits == pytest.approx(math.fsum(shares), abs=1e-9)
    assert judged.chance["hybrid"] == pytest.approx(math.fsum(shares) / len(shares), abs=1e-12)


def bound(shares: np.ndarray) -> tuple[float, float]:
    """Mean +- 4 standard deviations of the number of hits of a random pointer (a sum of Bernoulli draws)."""
    middle, spread = float(shares.sum()), math.sqrt(float((shares * (1 - shares)).sum()))
    return middle - 4 * spread, middle + 4 * spread


def test_permuted_relevances_are_at_chance(planted: Run) -> None:
    items = planted.items("s00")
    predictions = planted.predictions("p00")
    turns = [(item, predictions[item.key].predicted) for item in items]
    positions = rewarded(turns, GAMES["hybrid[sentences=4]"])["hybrid"]
    dice = np.random.default_rng(0)
    stored = {one.key: one.values for one in planted.relevances("p00") if one.method == "lrp"}
    shuffled = np.concatenate([dice.permutation(stored[item.key]) for item in items])
    found = hits(point(shuffled, [len(item.words) for item in items]), positions)
    judged = judge(planted, "p00")
    shares = judged.vectors("hybrid")["random"]
    low, high = bound(shares[~np.isnan(shares)])
    assert low <= np.nansum(found) <= high
    assert judged.tally("hybrid", "lrp").hits > high


def test_shuffled_labels_give_chance(tmp_path: Path) -> None:
    """The network has learnt the truth, but the labels that the game goes by say nothing about the words."""
    run = played(tmp_path, "planted[sentences=1,documents=1800]", "planted[sentences=1,documents=1800,shuffled=true]")
    judged = judge(run, "p00")
    shares = judged.vectors("hybrid")["random"]
    low, high = bound(shares[~np.isnan(shares)])
    for method in ("omit_1", "lrp", "limsse_ms_s"):
        assert low <= judged.tally("hybrid", method).hits <= high, method
