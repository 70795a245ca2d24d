"""The command, a network and a run: everything that the tests of commands share."""

from pathlib import Path

import pytest
from command_runner import Runner
from random_network import saved_network

import whichword


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)


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
