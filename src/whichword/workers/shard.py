"""Compute a shard: bytes in, bytes out, the same in every process and on every machine.

A worker gets an `Assignment`, the plan and the models (packed for machines that do not share this disk), and never
reads the run folder. `Explainer` asks the model and its methods, `Bench` makes the shard's files of the answers.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from whichword import models
from whichword.answering import Asking, chosen, first_maximum
from whichword.base.lazy import torch
from whichword.base.runtime import one_thread
from whichword.errors import FailedCallError, InputError
from whichword.games import GAMES, Measured
from whichword.methods import Clock, Questions, plan
from whichword.model import BATCH_WORDS, Batch, Model, Reading, stopwatch
from whichword.networks.arithmetic import arithmetic
from whichword.runs import identity
from whichword.runs.items import unpacked
from whichword.runs.records import Pairing, RunPlan
from whichword.runs.shards import MEASURED, Made, Timing, planned_rows, stored_dtype
from whichword.sequences import batches
from whichword.types import Item
from whichword.workers.sheet import Sheet, measured_file


@dataclass(frozen=True, eq=False)
class Explainer:
    """A model with its methods. ``batch_words`` bounds a batch, and with it memory."""

    model: Model
    labels: tuple[str, ...]
    seed: int
    batch_words: int | None

    def explain(self, items: Sequence[Item], timed: Sequence[Item]) -> tuple[Sheet, Timing]:
        """Ask all methods about all items; then, with everything warm, time each method alone on the ``timed`` ones."""
        clock = Clock()
        asking = Asking(self.model, plan(self.labels, self.model), self.seed, None, self.batch_words, clock)
        readings = [self.model.read(item) for item in items]
        about = self.model.about
        sheet = Sheet.blank(readings, self.labels, about.classes, stored_dtype(about.dtype))
        for group in asking.groups(readings):
            self._enter(sheet, asking, group, readings, items)
        together = dict.fromkeys(self.labels, 0.0) | clock.seconds
        failed = {items[place].key for place in sheet.failures}
        return sheet, self._timing(together, [item for item in timed if item.key not in failed])

    def _enter(
        self, sheet: Sheet, asking: Asking, group: Sequence[int], readings: Sequence[Reading], items: Sequence[Item]
    ) -> None:
        """Answer a batch; where the model fails, ask document by document, so that one does not take others along."""
        try:
            keys = tuple(items[number].key for number in group)
            targets = [self._target(items[number]) for number in group]
            sheet.enter(np.array(group), asking.answer([readings[number] for number in group], keys, targets))
        except FailedCallError as error:
            if len(group) == 1:  # this document is the cause
                sheet.failures[group[0]] = str(error)
                return
            for number in group:
                self._enter(sheet, asking, [number], readings, items)

    def _target(self, item: Item) -> int | None:
        """Number the class that the item is to be explained for; None: the predicted one."""
        return None if item.question is None else self.model.about.classes.index(item.question)

    def _timing(self, together: Mapping[str, float], timed: Sequence[Item]) -> Timing:
        """Time methods alone; where the model fails now, having answered before, the shard goes without these times."""
        try:
            return Timing(together, self._alone(timed), len(timed))
        except FailedCallError:
            return Timing(together, {}, 0)

    def _alone(self, items: Sequence[Item]) -> dict[str, float]:
        """Measure each method when no other is asked; questions are built anew, so that no pass is left of others."""
        seconds = dict.fromkeys(self.labels, 0.0) if items else {}  # {}: not measured, unlike 0.0
        readings = [self.model.read(item) for item in items]
        words = self.batch_words or BATCH_WORDS
        for group in batches([len(reading.ids) for reading in readings], words):
            some, keys = [readings[number] for number in group], tuple(items[number].key for number in group)
            with torch.no_grad():
                predicted = first_maximum(self.model.score(self._batch(some)))
            target = chosen(predicted, [self._target(items[number]) for number in group])
            for label in self.labels:
                seconds[label] += self._timed(label, Questions(self._batch(some), target, keys, self.seed))
        return seconds

    def _timed(self, label: str, questions: Questions) -> float:
        alone, now = plan([label], self.model), stopwatch(self.model)  # a stopwatch that waits for the model's device
        start = now()
        alone.answer(self.model, questions)
        return now() - start

    def _batch(self, readings: Sequence[Reading]) -> Batch:
        return Batch.of(readings, self.model.about.device)


@dataclass(frozen=True)
class Parcel:
    """A model's files by name; its spelling is ``before`` + the folder they are in + ``after``."""

    before: str
    after: str
    files: Mapping[str, bytes]

    def unpack(self, folder: Path) -> str:
        """Write the files, and return the model's spelling there."""
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return f"{self.before}{folder}{self.after}"


def pack(spelling: str) -> str | Parcel:
    """Read the model's files; a spelling without a folder (``module:function``) has to mean the same everywhere."""
    place = models.files(spelling)
    if place is None:
        return spelling
    folder, names = place
    before, _, after = spelling.partition(folder)
    return Parcel(before, after, {name: (Path(folder) / name).read_bytes() for name in names})


@dataclass(frozen=True)
class Assignment:
    """The plan, where its models are, and whether another arithmetic than the plan's may join in.

    A model is a spelling, for a worker that shares this disk, or a parcel of its files.
    """

    plan: RunPlan
    models: Mapping[str, str | Parcel]
    mixed: bool = False

    def packed(self) -> Assignment:
        """Replace spellings by files, for machines that do not share this disk."""
        models = {label: pack(model) if isinstance(model, str) else model for label, model in self.models.items()}
        return replace(self, models=models)


@dataclass(frozen=True, eq=False)
class ExplainedItems:
    """Items, the answers about them, and the time that these took."""

    items: list[Item]
    sheet: Sheet
    timing: Timing


class Bench:
    """Compute shards of a plan; refuse where code, libraries or arithmetic are not those it was made with."""

    def __init__(self, job: Assignment) -> None:
        self.job, self.plan = job, job.plan
        self._refuse_changes("method ", identity.computing(self.plan.pairings))  # a worker loads the code anew
        self._models: dict[str, Model] = {}  # at most one: shards come pairing by pairing, and memory is for one model

    def compute(self, name: str, items: bytes) -> Made:
        """Compute the shard of these items (`runs.items.packed`). Nothing is written."""
        pairing, shard = self.plan.shards[name]
        now = stopwatch(self.model(pairing.model))
        start = now()
        explained = self.explained(pairing.id, items, self.plan.timed(name))
        tables, rows = self.tables(pairing, explained), planned_rows(pairing, shard)
        timing = replace(explained.timing, beside=max(0.0, now() - start - sum(explained.timing.together.values())))
        return Made.of(self.plan.run, name, tables, rows, timing, arithmetic(), explained.sheet.shortfall)

    def tables(self, pairing: Pairing, explained: ExplainedItems) -> dict[str, bytes]:
        """Encode the shard's files; a game that asks the model about edited copies asks here."""
        items, game = explained.items, GAMES[self.plan.set(pairing.set).game]
        tables = explained.sheet.tables([item.key for item in items])
        if isinstance(game, Measured):
            tables[MEASURED] = measured_file(self.model(pairing.model), game, items, explained.sheet)
        return tables

    def explained(self, pairing_id: str, rows: bytes, timed: Sequence[int]) -> ExplainedItems:
        """Ask the pairing's model and methods about the items; those at the ``timed`` places are timed alone too."""
        pairing, settings, items = self.plan.pairing(pairing_id), self.plan.settings, unpacked(rows)
        model = self.model(pairing.model)
        explainer = Explainer(model, pairing.labels, settings["seed"], settings["batch_words"])
        with one_thread():  # sums split over threads round otherwise, and bytes must not depend on cores
            sheet, timing = explainer.explain(items, [items[place] for place in timed])
        return ExplainedItems(items, sheet, timing)

    def model(self, label: str) -> Model:
        """Load the model, which must still be the one that the plan was made with."""
        if label not in self._models:
            with tempfile.TemporaryDirectory(prefix="whichword-") as folder:  # files are needed only while it is loaded
                place = self.job.models[label]
                spelling = place if isinstance(place, str) else place.unpack(Path(folder))
                self._refuse_changes(f"model {label}: ", identity.of_model(label, spelling))
                self._models = {label: models.load(spelling).prepared(self._words(label))}
        return self._models[label]

    def _words(self, label: str) -> int:
        """Count the words that the run asks this model about: by the plan alone, so that all workers prepare alike."""
        return sum(self.plan.set(pairing.set).words for pairing in self.plan.pairings if pairing.model == label)

    def _refuse_changes(self, prefix: str, now: Mapping[str, str]) -> None:
        """Refuse what differs from the plan, under the names in ``now`` and all that begin with ``prefix``."""
        identities = self.plan.identity.items()
        planned = {name: value for name, value in identities if name in now or name.startswith(prefix)}
        if changed := identity.differences(planned, now, self.job.mixed):
            raise InputError(f"what changed since the run was planned: {'; '.join(changed)}")
