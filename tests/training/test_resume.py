"""A training that was killed at any step goes on in the same bits, rows that are waiting for their steps included."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from whichword.base import kernels
from whichword.networks.arithmetic import arithmetic
from whichword.training import Training, loop, train
from whichword.training.state import Position, read_record
from whichword.types import Corpus, Document


class Killed(Exception):
    pass


def corpus() -> Corpus:
    random = torch.Generator().manual_seed(0)

    def document(n: int) -> Document:
        length = int(torch.randint(1, 9, (1,), generator=random))
        ids = torch.randint(0, 60, (length,), generator=random).tolist()
        return Document(f"d{n}", tuple(f"w{i}" for i in ids), "ab"[ids[0] % 2])

    documents = tuple(document(n) for n in range(120))
    return Corpus("small", ("a", "b"), documents[:80], documents[80:100], documents[100:])


def settings(network: str) -> Training:
    bidirectional = network != "cnn"
    return Training(network, bidirectional, embedding=6, hidden=5, batch=4, epochs=3, patience=3, learning_rate=1e-2)


def weights(folder: Path) -> bytes:
    return (folder / "weights.safetensors").read_bytes()


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("network", ["gru", "lstm", "qgru", "qlstm", "cnn"])
def test_killed_and_resumed_gives_the_same_bits(
    network: str, compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiled:
        monkeypatch.setattr(kernels, "library", lambda: None)
    elif kernels.library() is None:
        pytest.skip("the kernels were not built")
    train(corpus(), settings(network), tmp_path / "whole")
    monkeypatch.setattr(loop, "SAVE_EVERY", -1.0)  # after every step
    for kill in (7, 23, 41):
        with pytest.raises(Killed):
            train(corpus(), settings(network), tmp_path / "parts", _killer(kill))
    train(corpus(), settings(network), tmp_path / "parts")
    assert weights(tmp_path / "parts") == weights(tmp_path / "whole")


def _killer(step: int):  # type: ignore[no-untyped-def]
    """Ends the training after so many steps in all."""

    def progress(position: Position, steps: int) -> None:
        if steps and position.epoch * steps + position.steps > step:
            raise Killed

    return progress


@pytest.mark.parametrize("network", ["cnn", "lstm"])
def test_the_number_of_threads_makes_no_difference(
    network: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batches large enough for torch to share their sums among threads, without our kernels too."""
    monkeypatch.setattr(kernels, "library", lambda: None)
    wide = replace(settings(network), embedding=80, hidden=80, batch=80, epochs=1)
    documents = tuple(replace(document, words=document.words * 30) for document in corpus().train)
    before = torch.get_num_threads()
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            train(replace(corpus(), train=documents), wide, tmp_path / str(threads))
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert weights(tmp_path / "1") == weights(tmp_path / "2")


def test_the_record_says_by_which_arithmetics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "arithmetic", lambda: "another machine's")
    with pytest.raises(Killed):
        train(corpus(), settings("cnn"), tmp_path / "moved", _killer(23))
    monkeypatch.undo()
    for name in ("moved", "whole"):
        train(corpus(), settings("cnn"), tmp_path / name)
    assert read_record(tmp_path / "whole/training/record.json").position.arithmetics == (arithmetic(),)
    moved = read_record(tmp_path / "moved/training/record.json").position
    assert moved.arithmetics == ("another machine's", arithmetic())


def test_the_same_training_twice_gives_the_same_bits(tmp_path: Path) -> None:
    for name in ("one", "two"):
        train(corpus(), settings("lstm"), tmp_path / name)
    assert weights(tmp_path / "one") == weights(tmp_path / "two")


@pytest.mark.skipif(kernels.library() is None, reason="the kernels were not built")
def test_with_and_without_kernels_the_network_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To rounding, in every row of the embedding: an epoch ends with all of them up to date."""
    chosen = replace(settings("lstm"), dtype="float64")
    compiled = train(corpus(), chosen, tmp_path / "with").network
    monkeypatch.setattr(kernels, "library", lambda: None)
    plain = train(corpus(), chosen, tmp_path / "without").network
    for name, array in compiled.arrays().items():
        assert (array - plain.arrays()[name]).abs().max() < 1e-9, name
