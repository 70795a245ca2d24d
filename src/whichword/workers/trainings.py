"""Train the networks of a spec side by side: however many processes train, the weights have the same bytes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from whichword.corpora import read_corpus
from whichword.training.settings import Training
from whichword.workers.executors import EXECUTORS
from whichword.workers.tasks import Hands, Workload, completed

if TYPE_CHECKING:
    from whichword.training.loop import Progress
    from whichword.training.state import Position

RECORD = "training/record.json"


@dataclass(frozen=True)
class TrainingTask:
    """A corpus by its spelling, read with the seed of the settings; where the network goes."""

    corpus: str
    settings: Training
    folder: Path


@dataclass(frozen=True)
class TrainingJob:
    """Trainings by name. ``telling``: print a line per epoch on standard error."""

    tasks: Mapping[str, TrainingTask]
    data: Path | None = None
    telling: bool = True


@dataclass(frozen=True)
class FinishedTraining:
    """The epoch that was kept, and the accuracies."""

    name: str
    epoch: int
    heldout: float
    test: float | None


def open_trainings(job: TrainingJob) -> Callable[[str], FinishedTraining]:
    """Return the function that trains a network by name, or resumes its training."""
    from whichword.training.loop import train

    corpus_of = cache(lambda spelling, seed: read_corpus(spelling, data=job.data, seed=seed))

    def make(name: str) -> FinishedTraining:
        task = job.tasks[name]
        progress = _teller(name) if job.telling else None
        trained = train(corpus_of(task.corpus, task.settings.seed), task.settings, task.folder, progress)
        return FinishedTraining(name, trained.position.best_epoch, trained.heldout, trained.test)

    return make


def train_all(job: TrainingJob, workers: int, notice: Callable[[str], None]) -> Iterator[FinishedTraining]:
    """Yield networks as they are finished: at once those that are there, then the others as they come."""
    from whichword.training.state import refuse_other

    for task in job.tasks.values():
        refuse_other(task.folder)  # all before the first training: hours later would be too late
    todo = [name for name, task in job.tasks.items() if not (task.folder / RECORD).exists()]
    look = open_trainings(job)
    yield from (look(name) for name in job.tasks if name not in todo)
    ours, hands = replace(job, tasks={name: job.tasks[name] for name in todo}), Hands(workers)
    execute = EXECUTORS[hands.executor_for(len(todo))]
    with closing(execute(Workload(open_trainings, ours), todo, hands.site)) as outcomes:  # type: ignore[type-var]
        for done in completed(outcomes, notice, "networks"):
            yield done.result


def _teller(name: str) -> Progress:
    def tell(position: Position, steps: int) -> None:
        if not steps:  # the end of an epoch, not a report from within it
            last = position.log[-1]
            print(f"{name}: epoch {last.number}, heldout {last.heldout:.3f}", file=sys.stderr, flush=True)

    return tell
