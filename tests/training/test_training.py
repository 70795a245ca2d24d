"""Training: it learns, stops as the paper says, resumes bit for bit, and says what is wrong."""

import dataclasses
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

import whichword
from whichword import InputError
from whichword.text import content_key
from whichword.training import Training, loop, train
from whichword.training.state import Position
from whichword.types import Corpus, Document

FILLER = [f"f{i}" for i in range(30)]


def document(number: int, label: str) -> Document:
    words = [FILLER[(number * 7 + i * i) % 30] for i in range(3 + number % 9)]
    words.insert(number % len(words), "bad" if label == "no" else "good")
    return Document(content_key(str(number), *words), tuple(words), label)


def corpus(size: int = 120) -> Corpus:
    documents = [document(i, "no" if i % 2 else "yes") for i in range(size)]
    third = size // 3
    return Corpus(
        "toy",
        ("no", "yes"),
        tuple(documents[:third]),
        tuple(documents[third : 2 * third]),
        tuple(documents[2 * third :]),
    )


SMALL = Training(network="cnn", embedding=8, hidden=8, batch=8, epochs=12, patience=4, learning_rate=0.01)


@pytest.mark.parametrize("network", ["gru", "qgru", "lstm", "qlstm", "cnn", "linear"])
def test_it_learns(tmp_path: Path, network: str) -> None:
    both = whichword.NETWORKS[network].directional
    settings = dataclasses.replace(
        SMALL, network=network, bidirectional=both, learning_rate=0.02, epochs=30, patience=10
    )
    result = train(corpus(), settings, tmp_path / "net")
    assert result.test > 0.9
    loaded = whichword.load(tmp_path / "net")
    assert all(torch.equal(a, b) for a, b in zip(loaded.parameters(), result.network.parameters(), strict=True))


def test_the_same_call_again_returns_what_is_there(tmp_path: Path) -> None:
    first = train(corpus(), SMALL, tmp_path / "net")
    written = (tmp_path / "net" / "weights.safetensors").stat().st_mtime_ns
    again = train(corpus(), SMALL, tmp_path / "net", lambda position, steps: pytest.fail("trained again"))
    assert (again.heldout, again.test, again.position) == (first.heldout, first.test, first.position)
    assert (tmp_path / "net" / "weights.safetensors").stat().st_mtime_ns == written


class Stop(Exception):
    pass


@pytest.mark.parametrize("network", ["lstm", "cnn", "qgru"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_stopped_anywhere_it_ends_with_the_same_bits(
    tmp_path: Path, network: str, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "SAVE_EVERY", 0.0)  # keep every step, so that training can be resumed at every step
    settings = dataclasses.replace(SMALL, network=network, dtype=dtype, epochs=4, patience=4)
    straight = train(corpus(), settings, tmp_path / "straight")
    seen = 0

    def stopping(position: Position, steps: int) -> None:
        nonlocal seen
        seen += 1
        if seen % 7 == 0:
            raise Stop

    for _ in range(100):
        try:
            broken = train(corpus(), settings, tmp_path / "broken", stopping)
            break
        except Stop:
            continue
    assert seen > 14
    assert broken.position == straight.position
    for a, b in zip(broken.network.parameters(), straight.network.parameters(), strict=True):
        assert torch.equal(a, b)


def wait_for_change(path: Path, process: "subprocess.Popen[bytes]") -> None:
    """Until the state is written once more."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    while process.poll() is None and (not path.exists() or path.stat().st_mtime_ns == before):
        time.sleep(0.005)


def test_killed_it_ends_with_the_same_bits(tmp_path: Path) -> None:
    code = "import test_training as t, sys; t.train(t.corpus(300), t.LONG, t.Path(sys.argv[1]))"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    command = [sys.executable, "-c", code]
    subprocess.run([*command, str(tmp_path / "straight")], env=environment, check=True, timeout=120)
    for pause in (0.0, 0.11, 0.23):
        process = subprocess.Popen([*command, str(tmp_path / "killed")], env=environment)
        wait_for_change(tmp_path / "killed" / "training" / "state.safetensors", process)
        time.sleep(pause)
        assert process.poll() is None, "the training ended before it could be killed"
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run([*command, str(tmp_path / "killed")], env=environment, check=True, timeout=120)
    killed, straight = ((tmp_path / name / "weights.safetensors").read_bytes() for name in ("killed", "straight"))
    assert killed == straight


LONG = dataclasses.replace(SMALL, network="lstm", hidden=32, embedding=32, epochs=25, patience=25)


def test_halving_and_stopping() -> None:
    position = Position({}, 1e-3)
    rates, done = [], []
    for heldout in (0.5, 0.6, 0.6, 0.55, 0.6, 0.6, 0.61, 0.6, 0.6, 0.6, 0.6, 0.6):
        position = position.after_epoch(heldout, halve=2, patience=5, epochs=100)
        rates.append(position.learning_rate)
        done.append(position.done)
    halved = [1, 1, 1, 0.5, 0.5, 0.25, 0.25, 0.25, 0.125, 0.125, 0.0625, 0.0625]
    assert rates == pytest.approx([1e-3 * factor for factor in halved])
    assert done == [False] * 11 + [True]
    assert (position.best, position.best_epoch, len(position.log)) == (0.61, 7, 12)


def test_the_best_epoch_is_kept(tmp_path: Path) -> None:
    result = train(corpus(), dataclasses.replace(SMALL, learning_rate=0.3), tmp_path / "net")
    accuracies = [line.heldout for line in result.position.log]
    assert result.heldout == max(accuracies)
    assert result.position.best_epoch == 1 + accuracies.index(max(accuracies))
    examples = loop.Examples.of(corpus().heldout, result.network, 1000)
    assert loop.accuracy(result.network, examples) == result.heldout


def test_a_loss_that_runs_away_is_said_and_the_best_weights_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = loop.noisy_scores

    def spoiled(network: whichword.Network, *more: object) -> torch.Tensor:
        calls.append(1)
        scores: torch.Tensor = real(network, *more)  # type: ignore[arg-type]
        return scores * float("nan") if len(calls) > 12 else scores

    calls: list[int] = []
    monkeypatch.setattr(loop, "noisy_scores", spoiled)
    with pytest.raises(InputError, match=r"not finite at epoch 3, step 3; the weights of epoch [12] are kept"):
        train(corpus(), SMALL, tmp_path / "net")
    assert whichword.load(tmp_path / "net").config.kind == "cnn"


def test_another_training_in_the_folder_is_refused_by_name(tmp_path: Path) -> None:
    train(corpus(), SMALL, tmp_path / "net")
    for changed, name in (({"seed": 1}, "seed was 0, is 1"), ({"hidden": 9}, "hidden was 8, is 9")):
        with pytest.raises(InputError, match=name):
            train(corpus(), dataclasses.replace(SMALL, **changed), tmp_path / "net")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="corpus was"):
        train(corpus(90), SMALL, tmp_path / "net")


def test_a_file_in_the_place_of_the_folder_is_refused_before_work(tmp_path: Path) -> None:
    (tmp_path / "net").write_text("mine")
    with pytest.raises(InputError, match="net is a file: a network needs a folder of its own"):
        train(corpus(), SMALL, tmp_path / "net", lambda position, steps: pytest.fail("trained"))
    assert (tmp_path / "net").read_text() == "mine"


def test_the_random_state_of_the_caller_is_left_alone(tmp_path: Path) -> None:
    before = torch.get_rng_state()
    first = train(corpus(), SMALL, tmp_path / "a")
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(99)
    second = train(corpus(), SMALL, tmp_path / "b")
    assert all(torch.equal(a, b) for a, b in zip(first.network.parameters(), second.network.parameters(), strict=True))


@pytest.mark.parametrize(
    "change", [{"batch": 0}, {"dropout": 1.0}, {"learning_rate": 0.0}, {"dtype": "float16"}, {"epochs": 0}]
)
def test_bad_settings(change: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(change))):
        dataclasses.replace(SMALL, **change)  # type: ignore[arg-type]


def test_vectors(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("good " + " ".join(["0.5"] * 8) + "\nelse " + " ".join(["1"] * 8) + "\n", encoding="utf8")
    network = loop.initial(corpus(), dataclasses.replace(SMALL, vectors=str(path)))
    row = network.vocabulary.ids(["good"])[0]
    assert network.embedding[row].tolist() == [0.5] * 8
    other = network.vocabulary.ids(["bad"])[0]
    assert 0 < network.embedding[other].abs().max() < 1
    for text, message in (("good 1 2\n", "2 numbers"), ("good a b\n", "not a word and its numbers")):
        path.write_text(text, encoding="utf8")
        with pytest.raises(InputError, match=f"vectors.txt:1: {message}"):
            loop.initial(corpus(), dataclasses.replace(SMALL, vectors=str(path)))
    with pytest.raises(InputError, match="cannot be read"):
        loop.initial(corpus(), dataclasses.replace(SMALL, vectors=str(tmp_path / "none")))


def test_vectors_in_lower_case_serve_cased_words(tmp_path: Path) -> None:
    documents = tuple(Document(str(i), ("Paris", "paris", "US", "us"), "no" if i % 2 else "yes") for i in range(4))
    path = tmp_path / "vectors.txt"
    path.write_text("paris 1\nUS 3\nus 2\n", encoding="utf8")
    cities = Corpus("cities", ("no", "yes"), documents, documents, documents)
    network = loop.initial(cities, Training(network="linear", embedding=1, vectors=str(path)))
    rows = network.vocabulary.ids(["Paris", "paris", "US", "us"])
    assert network.embedding[rows, 0].tolist() == [1.0, 1.0, 3.0, 2.0]
