"""Many trainings of one spec, through any executor: whoever trains, the weights have the same bytes."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from whichword import files
from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.experiment.executors import EXECUTORS
from whichword.experiment.hands import Hands
from whichword.experiment.workload import Workload, completed
from whichword.lock import locked
from whichword.training.settings import Training
from whichword.types import Corpus

if TYPE_CHECKING:
    from whichword.training.loop import Progress
    from whichword.training.state import Position

RECORD = "training/record.json"
SENT = ("config.json", "vocabulary.txt", "weights.safetensors", RECORD)  # the record last: it says that all is there


@dataclass(frozen=True)
class TrainingTask:
    """A corpus by its spelling, read with the seed of the settings; where the network goes."""

    corpus: str
    settings: Training
    folder: Path


@dataclass(frozen=True)
class TrainingJob:
    """TrainingJob by name. ``away``: workers have neither the folders nor the corpora, and send the network back.

    ``telling``: a line per epoch on standard error.
    """

    tasks: Mapping[str, TrainingTask]
    data: Path | None = None
    telling: bool = True
    away: bool = False
    corpora: Mapping[tuple[str, int], Corpus] = field(default_factory=dict)

    def corpus(self, spelling: str, seed: int) -> Corpus:
        return self.corpora.get((spelling, seed)) or read_corpus(spelling, data=self.data, seed=seed)

    def packed(self) -> TrainingJob:
        """The same for machines that do not share this disk."""
        keys = dict.fromkeys((task.corpus, task.settings.seed) for task in self.tasks.values())
        return replace(self, away=True, corpora={key: self.corpus(*key) for key in keys})

    @contextmanager
    def place(self, name: str) -> Iterator[Path]:
        """The folder of the network; away from its disk, one for the time of the training."""
        if not self.away:
            yield self.tasks[name].folder
            return
        with tempfile.TemporaryDirectory(prefix="whichword-") as folder:
            yield Path(folder) / "network"


@dataclass(frozen=True)
class FinishedTraining:
    """The epoch that was kept and the accuracies; ``files`` of the network where it was trained elsewhere."""

    name: str
    epoch: int
    heldout: float
    test: float | None
    files: Mapping[str, bytes]


def open_trainings(job: TrainingJob) -> Callable[[str], FinishedTraining]:
    """A function that trains by name, or resumes it."""
    from whichword.training.loop import train

    corpus_of = cache(job.corpus)

    def make(name: str) -> FinishedTraining:
        task = job.tasks[name]
        with job.place(name) as folder:
            progress = _teller(name) if job.telling else None
            trained = train(corpus_of(task.corpus, task.settings.seed), task.settings, folder, progress)
            sent = {file: (folder / file).read_bytes() for file in SENT} if job.away else {}
        return FinishedTraining(name, trained.position.best_epoch, trained.heldout, trained.test, sent)

    return make


def train_all(job: TrainingJob, hands: Hands, notice: Callable[[str], None]) -> Iterator[FinishedTraining]:
    """Networks as they are finished: those that are there at once, then the others as they come."""
    from whichword.training.folder import refuse_other

    for task in job.tasks.values():
        refuse_other(task.folder)
    todo = [name for name, task in job.tasks.items() if not (task.folder / RECORD).exists()]
    look = open_trainings(job)
    yield from (look(name) for name in job.tasks if name not in todo)
    ours = replace(job, tasks={name: job.tasks[name] for name in todo})
    execute = EXECUTORS[hands.executor_for(len(todo))]
    with closing(execute(Workload(open_trainings, ours, packed=ours.packed), todo, hands.site)) as outcomes:  # type: ignore[type-var]
        for done in completed(outcomes, notice, "networks"):
            _keep(job, done.result)
            yield done.result


def _keep(job: TrainingJob, finished: FinishedTraining) -> None:
    """What was sent goes to its folder, if it is what was asked for."""
    if not finished.files:
        return
    folder = job.tasks[finished.name].folder
    with locked(folder / "training"):
        _refuse_changes(job, finished)
        for name in SENT:
            files.write(folder / name, finished.files[name])
        (folder / "training" / "state.safetensors").unlink(missing_ok=True)  # begun here before, and not needed now


def _refuse_changes(job: TrainingJob, finished: FinishedTraining) -> None:
    """`InputError` where a worker had another corpus, other settings or other libraries than this process."""
    from whichword.training.folder import record_of
    from whichword.training.loop import identity

    task = job.tasks[finished.name]
    ours = identity(job.corpus(task.corpus, task.settings.seed), task.settings)
    theirs = record_of(finished.files[RECORD], finished.name).identity
    if changed := sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)):
        what = ", ".join(f"{name} is {theirs.get(name)}, not {ours.get(name)}" for name in changed)
        raise InputError(f"{finished.name}: what a worker trained is another network: {what}")


def _teller(name: str) -> Progress:
    def tell(position: Position, steps: int) -> None:
        if not steps:
            last = position.log[-1]
            print(f"{name}: epoch {last.number}, heldout {last.heldout:.3f}", file=sys.stderr, flush=True)

    return tell
