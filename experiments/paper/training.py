"""The networks: trained group by group, side by side; what is finished is only looked at."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from experiments.paper.options import Places
from experiments.paper.spec import Group, Playing
from whichword.cli.options import share
from whichword.corpora.registry import CORPORA
from whichword.training import Training
from whichword.training.batches import file_hash
from whichword.workers import trainings
from whichword.workers.trainings import TrainingJob, TrainingTask

RECORD = Path("training") / "record.json"


def trained(places: Places, playing: Playing) -> dict[str, Any] | None:
    """The record of a finished training with these settings on this corpus; else None.

    The corpus is not read again: `train` checks every document, and a run names what it was played on.
    """
    path = places.model(playing) / RECORD
    if not path.exists():
        return None
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf8"))
    group, settings = _wanted(places, playing)
    name = CORPORA.resolve(group.spelling(places.options.data))[0]
    same = _comparable(record["settings"]) == _comparable(asdict(settings)) and record["corpus"]["name"] == name
    if same and settings.vectors:
        same = record["identity"]["vectors"] == file_hash(Path(settings.vectors))
    return record if same else None


def _comparable(settings: dict[str, Any]) -> dict[str, Any]:
    """Vectors are compared by content: the same file elsewhere is the same training."""
    return {name: value for name, value in settings.items() if name != "vectors"}


def _wanted(places: Places, playing: Playing) -> tuple[Group, Training]:
    group = places.spec.groups[playing.group.models or playing.group.name]
    return group, group.settings(playing.network, places.options.data, places.seed)


def train_all(places: Places, playings: Sequence[Playing]) -> Iterator[str]:
    """A line for each network that was not there, as it is finished."""
    todo = {playing.model: playing for playing in playings if trained(places, playing) is None}
    job = TrainingJob({model: _task(places, playing) for model, playing in todo.items()}, places.options.data)
    for network in trainings.train_all(job, places.options.hands.workers, _tell) if todo else ():
        accuracies = f"heldout {network.heldout:.3f}, test {share(network.test)}"
        yield f"{network.name}: {network.epoch} epochs, {accuracies}"


def _task(places: Places, playing: Playing) -> TrainingTask:
    group, settings = _wanted(places, playing)
    return TrainingTask(group.spelling(places.options.data), settings, places.model(playing))


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
