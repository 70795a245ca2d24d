"""What the app shows: the networks and runs named on the command line, and nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from whichword.errors import InputError
from whichword.experiment.reading import Run, open_run
from whichword.experiment.spec import labelled
from whichword.experiment.store import RUN
from whichword.networks import Network
from whichword.networks.checkpoint import load

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Shelf:
    """Labels and what they stand for; a request names an entry by its number."""

    models: Mapping[str, Network]
    runs: Mapping[str, Run]

    def model(self, number: int) -> Network:
        return _entry(self.models, number, "model")

    def run(self, number: int) -> Run:
        return _entry(self.runs, number, "run")


def _entry(entries: Mapping[str, T], number: int, kind: str) -> T:
    if not 0 <= number < len(entries):
        raise InputError(f"there is no {kind} with the number {number}")
    return list(entries.values())[number]


def open_shelf(folders: Sequence[Path]) -> Shelf:
    """Networks and runs in any order; all of them are read now, so that nothing is missing later."""
    if not folders:
        raise InputError("nothing to show: whichword serve MODEL... RUN... (folders of networks and of runs)")
    runs = [folder for folder in folders if (folder / RUN).is_file()]
    models = [folder for folder in folders if folder not in runs]
    return Shelf(
        {label: load(folder) for label, folder in _labelled(models).items()},
        {label: open_run(folder) for label, folder in _labelled(runs).items()},
    )


def _labelled(folders: Sequence[Path]) -> dict[str, Path]:
    return labelled(folders) if folders else {}
