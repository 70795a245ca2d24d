"""The networks: trained group by group, side by side; what is finished is only looked at."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import torch

from experiments.paper.options import Places
from experiments.paper.spec import Group, Playing
from whichword.cli.printing import share
from whichword.corpora import read_corpus
from whichword.corpora.registry import CORPORA
from whichword.experiment.crew import together
from whichword.training import Training, train
from whichword.training.state import Position
from whichword.training.vectors import file_hash
from whichword.types import Corpus

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
    todo = list(dict.fromkeys(one.model for one in playings if trained(places, one) is None))
    workers = min(places.options.workers, len(todo))
    yield from map(open_training(places), todo) if workers <= 1 else together(open_training, places, todo, workers)


def open_training(places: Places) -> Callable[[str], str]:
    """A function that trains ``group-network``, or goes on with it, and says how well it does."""
    torch.set_num_threads(1)
    named = {playing.model: playing for playing in places.spec.playings()}

    @cache
    def read(spelling: str) -> Corpus:
        return read_corpus(spelling, data=places.options.data, seed=places.seed)

    def make(model: str) -> str:
        group, settings = _wanted(places, named[model])
        corpus = read(group.spelling(places.options.data))
        found = train(corpus, settings, places.model(named[model]), _teller(model))
        accuracies = f"heldout {found.heldout:.3f}, test {share(found.test)}"
        return f"{model}: {found.position.best_epoch} epochs, {accuracies}"

    return make


def _teller(model: str) -> Callable[[Position, int], None]:
    """A line for each epoch, on standard error."""

    def tell(position: Position, steps: int) -> None:
        if not steps:
            last = position.log[-1]
            print(f"{model}: epoch {last.number}, heldout {last.heldout:.3f}", file=sys.stderr, flush=True)

    return tell
