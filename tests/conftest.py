"""One small run, made once, for everything that only reads it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # a room that reads no run waits for none of this, and registers no corpus
    from whichword.planning.spec import Spec
    from whichword.runs.run import Run


@pytest.fixture(scope="session")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Spec:
    """Two untrained networks, every method, several shards each."""
    from planted_corpus import tiny_network

    from whichword.planning.spec import Play, Spec

    base = tmp_path_factory.mktemp("models")
    models = {kind: tiny_network(base / kind, kind) for kind in ("cnn", "qgru")}
    plays = (Play(("cnn", "qgru"), ("planted",), ("hybrid[sentences=3]",), limit=24),)
    return Spec(models, plays, shard_words=25_000)


@pytest.fixture(scope="session")
def _made(spec: Spec, tmp_path_factory: pytest.TempPathFactory) -> Run:
    from whichword.playing.make import evaluate

    return evaluate(spec, tmp_path_factory.mktemp("runs") / "made").run


@pytest.fixture
def made(_made: Run) -> Run:
    """The run; read it, do not touch it."""
    return _made


@pytest.fixture
def copied(_made: Run, tmp_path: Path) -> Path:
    """A copy of the run's folder, to be damaged."""
    shutil.copytree(_made.folder, tmp_path / "copied")
    return tmp_path / "copied"
