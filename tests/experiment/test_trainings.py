"""Many trainings of one spec: whoever trains, the files are the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from whichword.errors import InputError
from whichword.experiment.hands import Hands
from whichword.experiment.trainings import SENT, Trainings, TrainingTask, _keep, open_trainings, train_all
from whichword.training.settings import Training

TINY = Training(network="linear", embedding=3, hidden=3, batch=16, epochs=2, dropout=0.1)
KINDS = {"linear": TINY, "gru": replace(TINY, network="gru", seed=1)}


def job(folder: Path) -> Trainings:
    tasks = {name: TrainingTask("grammar[sentences=60]", kind, folder / name) for name, kind in KINDS.items()}
    return Trainings(tasks, telling=False)


def files(folder: Path) -> dict[str, bytes]:
    """Without the path of a machine: settings and weights have none."""
    return {f"{name}/{file}": (folder / name / file).read_bytes() for name in KINDS for file in SENT}


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("serial")
    trained = list(train_all(job(folder), Hands(1), print))
    assert [network.name for network in trained] == list(KINDS)
    return folder


def test_processes_train_the_bytes_of_one_process(serial: Path, tmp_path: Path) -> None:
    trained = list(train_all(job(tmp_path), Hands(2, "processes"), print))
    assert {network.name for network in trained} == set(KINDS)
    assert files(tmp_path) == files(serial)


def test_what_is_there_is_not_trained_again(serial: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in serial.rglob("*") if path.is_file()}
    again = list(train_all(job(serial), Hands(2), print))
    assert [network.name for network in again] == list(KINDS)
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_worker_elsewhere_sends_what_would_be_there(serial: Path, tmp_path: Path) -> None:
    """Neither the corpus nor the folder is looked for where it trains."""
    ours = job(tmp_path / "ours")
    away = replace(ours.packed(), data=Path("/nowhere"))
    finished = [open_trainings(away)(name) for name in KINDS]
    assert not (tmp_path / "ours").exists()
    for network in finished:
        _keep(ours, network)
    assert files(tmp_path / "ours") == files(serial)


def test_a_network_of_other_settings_or_libraries_is_not_kept(tmp_path: Path) -> None:
    ours = job(tmp_path)
    finished = open_trainings(ours.packed())("linear")
    changed = {name: replace(task, settings=replace(task.settings, batch=8)) for name, task in ours.tasks.items()}
    with pytest.raises(InputError, match="linear: what a worker trained is another network: batch is 16, not 8"):
        _keep(replace(ours, tasks=changed), finished)
    assert not (tmp_path / "linear" / "weights.safetensors").exists()


def test_folders_of_something_else_are_refused_before_anything_is_trained(tmp_path: Path) -> None:
    (tmp_path / "gru").mkdir()
    (tmp_path / "gru" / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="holds other files"):
        next(train_all(job(tmp_path), Hands(1), print))
    assert not (tmp_path / "linear").exists()
