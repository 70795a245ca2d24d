"""A run made of dice, and the command."""

import sys
from pathlib import Path

import pytest
from tests.cli.command_runner import Runner
from tests.reporting.synthetic_run import Recipe, make_run

sys.path.insert(0, str(Path(__file__).parents[1] / "experiment"))  # planted_corpus, under the one name it has


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    recipe = Recipe(documents=30, methods=("omit_1", "lrp"), gaps=(" ", "  ", "\n"))
    return make_run(tmp_path_factory.mktemp("runs") / "dice", recipe)
