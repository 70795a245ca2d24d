"""What the app shows: the models and runs named on the command line, and nothing else."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from whichword import models
from whichword.errors import InputError
from whichword.model import Model
from whichword.runs.run import Run, open_run
from whichword.runs.store import RUN

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Shelf:
    """Labels and what they stand for; a request names an entry by its number."""

    models: Mapping[str, Model]
    runs: Mapping[str, Run]

    def model(self, number: int) -> Model:
        return _entry(self.models, number, "model")

    def run(self, number: int) -> Run:
        return _entry(self.runs, number, "run")


def _entry(entries: Mapping[str, T], number: int, kind: str) -> T:
    if not 0 <= number < len(entries):
        raise InputError(f"there is no {kind} with the number {number}")
    return list(entries.values())[number]


def open_shelf(spellings: Sequence[str | os.PathLike[str]]) -> Shelf:
    """Models and runs in any order; all of them are read now, so that nothing is missing later."""
    if not spellings:
        raise InputError("nothing to show: whichword serve MODEL... RUN... (models, and folders of runs)")
    texts = [os.fspath(spelling) for spelling in spellings]
    runs = [text for text in texts if (Path(text) / RUN).is_file()]
    labelled = models.labelled(text for text in texts if text not in runs)
    named_runs = models.distinct_labels(runs, lambda text: Path(text).absolute().name)
    return Shelf(
        {label: models.load(spelling) for label, spelling in labelled.items()},
        {label: open_run(folder) for label, folder in named_runs.items()},
    )
