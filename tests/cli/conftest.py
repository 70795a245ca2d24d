"""The command, a network and a run: everything that the tests of commands share."""

from pathlib import Path

import pytest
import torch
from command_runner import Runner

import whichword
from whichword.networks import Config
from whichword.text import Vocabulary


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)


def saved_network(folder: Path, classes: tuple[str, str], words: tuple[str, ...]) -> Path:
    """Random weights: enough for everything that is not about being right."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        whichword.Network(Config("lstm", classes, 4, 3), Vocabulary(words)).save(folder)
    return folder


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved_network(tmp_path_factory.mktemp("models") / "net", ("no", "yes"), ("a", "good", "film"))


@pytest.fixture(scope="session")
def agreement_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved_network(tmp_path_factory.mktemp("models") / "number", ("singular", "plural"), ("the", "that", "two"))


@pytest.fixture(scope="session")
def run_folder(agreement_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run; read it, do not touch it."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    play = whichword.Play(("number",), ("grammar",), methods=("lrp", "omit_1", "random"), limit=4)
    whichword.evaluate(whichword.Spec({"number": agreement_model}, (play,)), folder)
    return folder
