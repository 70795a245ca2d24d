"""The gate passes another seed of one training, and stops what is wrong."""

import json
from dataclasses import replace
from pathlib import Path

import planted_corpus  # noqa: F401  (registers the corpus)
import pytest
from command_runner import Runner

from whichword.corpora import read_corpus
from whichword.models import load
from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.text import Vocabulary
from whichword.training import Training, train

CORPUS = "planted[documents=1200,sentences=1]"
SETTINGS = Training(
    network="cnn", embedding=8, hidden=16, batch=8, learning_rate=0.02, dropout=0.1, epochs=6, patience=4
)


def trained(folder: Path, corpus: str, seed: int) -> Path:
    train(read_corpus(corpus), replace(SETTINGS, seed=seed), folder, lambda position, steps: None)
    return folder


def played(model: Path, out: Path) -> Path:
    play = Play(("cnn",), (CORPUS,), ("hybrid[sentences=4]",), ("omit_1", "lrp", "random"))
    evaluate(Spec({"cnn": model}, (play,)), out)
    return out


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two seeds of one training, one on shuffled labels, and the first with another vocabulary."""
    base = tmp_path_factory.mktemp("gate")
    shuffled = CORPUS.replace("]", ",shuffled=true]")
    models = {
        "old": trained(base / "m0", CORPUS, 0),
        "seeds": trained(base / "m1", CORPUS, 1),
        "third": trained(base / "m2", CORPUS, 2),
        "shuffled": trained(base / "m3", shuffled, 0),
    }
    network = load(models["old"])
    words = network.vocabulary.words
    network.vocabulary = Vocabulary((*words[1:], words[0]))
    network.save(base / "m4")
    return {name: played(model, base / name) for name, model in {**models, "tokenizer": base / "m4"}.items()}


def checked(run: Runner, runs: dict[str, Path], new: str, *more: str) -> tuple[int, str]:
    done = run("gate", str(runs[new]), "--against", str(runs["old"]), *more)
    return done.returncode, done.stdout + done.stderr


def test_another_seed_passes(run: Runner, runs: dict[str, Path]) -> None:
    for new in ("seeds", "third"):
        code, words = checked(run, runs, new)
        assert code == 0, words
    assert "gate passed" in words


def test_shuffled_labels_are_stopped(run: Runner, runs: dict[str, Path], tmp_path: Path) -> None:
    report = tmp_path / "gate.json"
    code, words = checked(run, runs, "shuffled", "--json", str(report), "-m", "lrp")
    assert code == 1
    assert "FAILED lrp is still right" in words
    told = json.loads(report.read_text())
    assert told["passed"] is False
    assert told["verdict"] == words.splitlines()[-1]
    failed = [check for check in told["checks"] if check["outcome"] == "failed"]
    assert any(check["name"].startswith("lrp is still right") for check in failed)
    assert all(f"FAILED {check['name']}: {check['words']}" in words for check in failed)


def test_another_tokenizer_is_stopped(run: Runner, runs: dict[str, Path]) -> None:
    code, words = checked(run, runs, "tokenizer")
    assert code == 1
    assert "FAILED tokenizer: another than before: vocabulary" in words


def test_an_accuracy_to_reach(run: Runner, runs: dict[str, Path]) -> None:
    assert checked(run, runs, "seeds", "--min", "lrp=.5")[0] == 0
    code, words = checked(run, runs, "shuffled", "--min", "lrp=.9", "-m", "omit_1")
    assert code == 1
    assert "FAILED lrp >= .90" in words


def test_without_a_baseline_there_is_no_green(run: Runner, runs: dict[str, Path], folder: Path, tmp_path: Path) -> None:
    for old in (tmp_path / "nothing", folder):
        done = run("gate", str(runs["old"]), "--against", str(old))
        assert done.returncode == 2
        assert "no baseline" in done.stderr or "holds no run" in done.stderr
    code, words = checked(run, runs, "seeds", "-m", "occ_3")
    assert (code, "no baseline for occ_3" in words) == (2, True)
    for wrong in ("lrp", "lrp=high", "lrp=8"):
        assert checked(run, runs, "seeds", "--min", wrong)[0] == 2
