"""A run made of dice, and the command."""

from pathlib import Path

import pytest
from command_runner import Runner
from synthetic_run import Recipe, make_run


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    recipe = Recipe(documents=30, methods=("omit_1", "lrp"), gaps=(" ", "  ", "\n"))
    return make_run(tmp_path_factory.mktemp("runs") / "dice", recipe)
