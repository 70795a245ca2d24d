"""What a model and its methods say of some items: the one way through a batch, and the time that it takes."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from whichword.experiment.formats import stored_dtype
from whichword.experiment.store import Timing
from whichword.methods import Answer, MethodPlan, Questions, plan
from whichword.methods.plan import Clock
from whichword.model import Batch, Model, Reading
from whichword.networks import Network
from whichword.sequences import batches
from whichword.types import Item


@dataclass(frozen=True)
class ExplainedItem:
    """One item: f(X), s of all classes, which words the model does not know, and phi [T] of every method."""

    predicted: str
    scores: list[float]
    unknown: list[bool]
    relevances: Mapping[str, NDArray[np.floating[Any]]]
    notes: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class _Turn:
    """A batch before a model: the items in it by number, their readings and what is predicted."""

    numbers: list[int]
    items: list[Item]
    readings: list[Reading]
    scores: Tensor
    predicted: Tensor


@dataclass(frozen=True, eq=False)
class Explainer:
    """A model with its methods. ``batch_words`` bounds a batch, and with it memory."""

    model: Model
    labels: tuple[str, ...]
    seed: int
    batch_words: int

    def explain(self, items: Sequence[Item], timed: Sequence[Item]) -> tuple[list[ExplainedItem], Timing]:
        """All methods on all items; then, with everything warm, each method alone on the ``timed`` ones."""
        clock = Clock()
        explained: dict[int, ExplainedItem] = {}
        for turn in self._turns(items):
            answers = clock.answer(self._plan(self.labels), self._network, self._questions(turn))
            explained |= zip(turn.numbers, self._explained(turn, answers), strict=True)
        together = dict.fromkeys(self.labels, 0.0) | clock.seconds
        timing = Timing(together, self._alone(timed), len(timed))
        return [explained[number] for number in range(len(items))], timing

    def _plan(self, labels: Sequence[str]) -> MethodPlan:
        return plan(labels, self._network)

    @property
    def _network(self) -> Network:
        """The model as methods take it today: with the ways of our own networks."""
        return self.model  # type: ignore[return-value]

    def _alone(self, items: Sequence[Item]) -> dict[str, float]:
        """Seconds of each method when no other is asked; questions are put anew, so that nothing is left of others."""
        seconds = dict.fromkeys(self.labels, 0.0) if items else {}
        for turn in self._turns(items):
            for label in self.labels:
                alone, questions = self._plan([label]), self._questions(turn)
                start = time.perf_counter()
                alone.answer(self._network, questions)
                seconds[label] += time.perf_counter() - start
        return seconds

    def _turns(self, items: Sequence[Item]) -> Iterator[_Turn]:
        readings = [self.model.read(item) for item in items]
        for numbers in batches([len(reading.ids) for reading in readings], self.batch_words):
            group = [readings[number] for number in numbers]
            with torch.no_grad():
                scores = self._network.score(self._network.embed(self._batch(group).ids))
            predicted = (scores == scores.amax(1, keepdim=True)).int().argmax(1)  # f(X): the first maximum
            yield _Turn(numbers, [items[number] for number in numbers], group, scores, predicted)

    def _batch(self, readings: Sequence[Reading]) -> Batch:
        return Batch.of(readings, self.model.about.device)

    def _questions(self, turn: _Turn) -> Questions:
        keys = tuple(item.key for item in turn.items)
        return Questions(self._batch(turn.readings).ids, turn.predicted, keys, self.seed)

    def _explained(self, turn: _Turn, answers: Mapping[str, Answer]) -> Iterator[ExplainedItem]:
        classes, dtype = self.model.about.classes, stored_dtype(self.model.about.dtype)
        for row, reading in enumerate(turn.readings):
            vectors = {label: answers[label].values[row, : len(reading.words)] for label in self.labels}
            yield ExplainedItem(
                predicted=classes[int(turn.predicted[row])],
                scores=turn.scores[row].tolist(),
                unknown=list(reading.unknown),
                relevances={label: vector.double().cpu().numpy().astype(dtype) for label, vector in vectors.items()},
                notes={label: answers[label].notes[row] for label in self.labels if row in answers[label].notes},
            )
