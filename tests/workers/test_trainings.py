"""Many trainings of one spec: whoever trains, the files are the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from whichword.errors import InputError
from whichword.training.settings import Training
from whichword.workers.trainings import RECORD, TrainingJob, TrainingTask, train_all

TINY = Training(network="linear", embedding=3, hidden=3, batch=16, epochs=2, dropout=0.1)
WRITTEN = ("config.json", "vocabulary.txt", "weights.safetensors", RECORD)
KINDS = {"linear": TINY, "gru": replace(TINY, network="gru", seed=1)}


def job(folder: Path) -> TrainingJob:
    tasks = {name: TrainingTask("grammar[sentences=60]", kind, folder / name) for name, kind in KINDS.items()}
    return TrainingJob(tasks, telling=False)


def files(folder: Path) -> dict[str, bytes]:
    """Without the path of a machine: settings and weights have none."""
    return {f"{name}/{file}": (folder / name / file).read_bytes() for name in KINDS for file in WRITTEN}


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("serial")
    trained = list(train_all(job(folder), 1, print))
    assert [network.name for network in trained] == list(KINDS)
    return folder


def test_processes_train_the_bytes_of_one_process(serial: Path, tmp_path: Path) -> None:
    trained = list(train_all(job(tmp_path), 2, print))
    assert {network.name for network in trained} == set(KINDS)
    assert files(tmp_path) == files(serial)


def test_what_is_there_is_not_trained_again(serial: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in serial.rglob("*") if path.is_file()}
    again = list(train_all(job(serial), 2, print))
    assert [network.name for network in again] == list(KINDS)
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_folders_of_something_else_are_refused_before_anything_is_trained(tmp_path: Path) -> None:
    (tmp_path / "gru").mkdir()
    (tmp_path / "gru" / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="holds other files"):
        next(train_all(job(tmp_path), 1, print))
    assert not (tmp_path / "linear").exists()
