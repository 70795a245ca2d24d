"""What a model and its methods say of some items, and the time that it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from whichword.answering import Asking, chosen, first_maximum
from whichword.base.lazy import torch
from whichword.errors import FailedCallError
from whichword.methods import Clock, Questions, plan
from whichword.model import BATCH_WORDS, Batch, Model, Reading, stopwatch
from whichword.runs.shards import Timing, stored_dtype
from whichword.sequences import batches
from whichword.types import Item
from whichword.workers.sheet import Sheet


@dataclass(frozen=True, eq=False)
class Explainer:
    """A model with its methods. ``batch_words`` bounds a batch, and with it memory."""

    model: Model
    labels: tuple[str, ...]
    seed: int
    batch_words: int | None

    def explain(self, items: Sequence[Item], timed: Sequence[Item]) -> tuple[Sheet, Timing]:
        """All methods on all items; then, with everything warm, each method alone on the ``timed`` ones."""
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
        """A batch; where the model fails, document by document, so that one of them does not take others along."""
        try:
            keys = tuple(items[number].key for number in group)
            targets = [self._target(items[number]) for number in group]
            sheet.enter(np.array(group), asking.answer([readings[number] for number in group], keys, targets))
        except FailedCallError as error:
            if len(group) == 1:
                sheet.failures[group[0]] = str(error)
                return
            for number in group:
                self._enter(sheet, asking, [number], readings, items)

    def _target(self, item: Item) -> int | None:
        """The number of the class that the item is to be explained for; None: the predicted one."""
        return None if item.question is None else self.model.about.classes.index(item.question)

    def _timing(self, together: Mapping[str, float], timed: Sequence[Item]) -> Timing:
        """A model that fails while methods are timed has answered before: the shard goes without these times."""
        try:
            return Timing(together, self._alone(timed), len(timed))
        except FailedCallError:
            return Timing(together, {}, 0)

    def _alone(self, items: Sequence[Item]) -> dict[str, float]:
        """Seconds of each method when no other is asked; questions are put anew, so that nothing is left of others."""
        seconds = dict.fromkeys(self.labels, 0.0) if items else {}
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
        alone, now = plan([label], self.model), stopwatch(self.model)
        start = now()
        alone.answer(self.model, questions)
        return now() - start

    def _batch(self, readings: Sequence[Reading]) -> Batch:
        return Batch.of(readings, self.model.about.device)
