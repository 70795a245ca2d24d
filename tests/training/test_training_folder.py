"""Whose folder a training writes to, and a state that was damaged on the way."""

import json
import random
from pathlib import Path

import pytest
from faults import count, size
from test_resume import Killed, _killer, corpus, settings, weights

from whichword.base.files import locked
from whichword.errors import InputError
from whichword.training import loop, train


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a killed training left."""
    folder = tmp_path_factory.mktemp("killed") / "model"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "SAVE_EVERY", -1.0)
        with pytest.raises(Killed):
            train(corpus(), settings("cnn"), folder, _killer(23))
    return (folder / "training/state.safetensors").read_bytes()


def resumed(folder: Path, state: bytes) -> Path:
    (folder / "training").mkdir(parents=True)
    (folder / "training/state.safetensors").write_bytes(state)
    train(corpus(), settings("cnn"), folder)
    return folder


def test_an_undamaged_state_is_resumed(state: bytes, tmp_path: Path) -> None:
    train(corpus(), settings("cnn"), tmp_path / "whole")
    assert weights(resumed(tmp_path / "parts", state)) == weights(tmp_path / "whole")


@pytest.mark.parametrize("seed", range(size("damages to a training's state")))
def test_a_flipped_bit_of_a_state_is_refused(state: bytes, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    header = 8 + int.from_bytes(state[:8], "little")
    place = dice.randrange(header, len(state)) if seed % 4 else dice.randrange(header)
    flipped = state[:place] + bytes([state[place] ^ 1 << dice.randrange(8)]) + state[place + 1 :]
    count("damages", 1)
    try:
        folder = resumed(tmp_path / "model", flipped)
    except InputError:
        return
    train(corpus(), settings("cnn"), tmp_path / "whole")  # white space of the header: it says the same
    assert place < header
    assert weights(folder) == weights(tmp_path / "whole")


def test_two_trainings_do_not_share_a_folder(tmp_path: Path) -> None:
    with locked(tmp_path / "model/training"), pytest.raises(InputError, match=r"another process .* is at work on it"):
        train(corpus(), settings("cnn"), tmp_path / "model")
    train(corpus(), settings("cnn"), tmp_path / "model")
    with locked(tmp_path / "model/training"):  # what is finished is only read
        assert train(corpus(), settings("cnn"), tmp_path / "model").heldout > 0


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("run.json", "holds other files (run.json)"),
        ("letter.txt", "holds other files (letter.txt)"),
        ("weights.safetensors", "holds a network that was not trained there"),
    ],
)
def test_a_folder_of_something_else_is_refused(tmp_path: Path, entry: str, message: str) -> None:
    (tmp_path / entry).write_text("precious")
    with pytest.raises(InputError) as refused:
        train(corpus(), settings("cnn"), tmp_path)
    assert message in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == [entry]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"identity": 1}', '{"position": {}}', "\xff"])
def test_a_broken_record_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "training").mkdir()
    (tmp_path / "training/record.json").write_text(text, encoding="latin1")
    with pytest.raises(InputError, match=r"record.json: not the record of a training"):
        train(corpus(), settings("cnn"), tmp_path)


def test_a_corpus_without_a_test_part_has_no_test_accuracy(tmp_path: Path) -> None:
    from dataclasses import replace

    assert train(replace(corpus(), test=()), settings("cnn"), tmp_path).test is None
    assert json.loads((tmp_path / "training/record.json").read_text())["test"] is None
    assert train(replace(corpus(), test=()), settings("cnn"), tmp_path).test is None
