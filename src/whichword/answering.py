"""Answer a batch in the one way that `explain` and runs share: predict, then ask the methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.base.lazy import Tensor, torch
from whichword.methods.method import Answer, Clock, MethodPlan, Questions
from whichword.model import BATCH_WORDS, Batch, Model, Reading
from whichword.sequences import batches


@dataclass(frozen=True, eq=False)
class Answers:
    """A batch's answers in arrays; rows as the readings, ``target`` and ``predicted`` numbers of classes.

    ``relevance[label]`` is [B, T], meaningful up to each document's own words; ``rest[label]`` [B] fell outside them.
    """

    predicted: list[int]
    target: list[int]
    scores: NDArray[np.floating[Any]]
    relevance: Mapping[str, NDArray[np.floating[Any]]]
    notes: Mapping[str, Mapping[int, str]]
    rest: Mapping[str, NDArray[np.floating[Any]]]

    def of(self, label: str, row: int, words: int) -> NDArray[np.floating[Any]]:
        """Take one document's relevances."""
        return up_to(self.relevance[label][row], words)

    def of_all(self, labels: Sequence[str], words: int) -> NDArray[np.floating[Any]]:
        """Stack some methods' relevances, document by document, [B, M, words]."""
        return up_to(np.stack([self.relevance[label] for label in labels], 1), words)


def up_to(phi: NDArray[Any], words: int) -> NDArray[Any]:
    """Cut or pad relevances to so many words, [.., T]; words that the model did not read get 0."""
    unread = words - phi.shape[-1]
    return phi[..., :words] if unread <= 0 else np.pad(phi, [(0, 0)] * (phi.ndim - 1) + [(0, unread)])


@dataclass(frozen=True)
class Asking:
    """A model and what to ask it. ``target`` None: the predicted class; ``batch_words`` None: what suits the model."""

    model: Model
    methods: MethodPlan
    seed: int = 0
    target: int | None = None
    batch_words: int | None = None
    clock: Clock | None = None

    def answers(
        self, readings: Sequence[Reading], keys: Sequence[str] = (), targets: Sequence[int | None] = ()
    ) -> Iterator[tuple[list[int], Answers]]:
        """Yield batches of neighbours in length: which of the readings they are, and their answers.

        ``targets``: the class to explain, per reading; None: what all others are asked about.
        """
        for group in self.groups(readings):
            names = tuple(keys[i] for i in group) if keys else ()
            yield (
                group,
                self.answer([readings[i] for i in group], names, [targets[i] for i in group] if targets else ()),
            )

    def groups(self, readings: Sequence[Reading]) -> Iterator[list[int]]:
        """Group the readings that share a batch."""
        yield from batches([len(reading.ids) for reading in readings], self._words())

    def _words(self) -> int:
        if self.batch_words is not None:
            return self.batch_words
        fast = self.model.fast
        return BATCH_WORDS if fast is None else fast.batch_words  # fast ways do best with batches of their own size

    def answer(
        self, readings: Sequence[Reading], keys: tuple[str, ...] = (), targets: Sequence[int | None] = ()
    ) -> Answers:
        """Answer one batch; the prediction's own pass over it is shared with the methods."""
        batch = Batch.of(readings, self.model.about.device, self.methods.expected)
        with torch.no_grad():
            scores = self.model.score(batch)
        predicted = first_maximum(scores)  # not torch's argmax, which promises nothing for ties
        target = chosen(predicted if self.target is None else torch.full_like(predicted, self.target), targets)
        answers = self.methods.answer(self.model, Questions(batch, target, keys, self.seed), self.clock)
        return _in_arrays(scores, predicted, target, answers)


def chosen(target: Tensor, targets: Sequence[int | None]) -> Tensor:
    """Choose the class to explain, per document: the one it is asked about, else ``target``, [B]."""
    if not any(number is not None for number in targets):  # the usual case, in which no tensor is made
        return target
    return torch.where(
        target.new_tensor([number is None for number in targets], dtype=torch.bool),
        target,
        target.new_tensor([0 if number is None else number for number in targets]),
    )


def first_maximum(scores: Tensor) -> Tensor:
    """Find f(X), the first maximum of s, [B, K] -> [B]; class 0 where a score is NaN, which `max` would choose."""
    return (scores == scores.amax(1, keepdim=True)).int().argmax(1)


def _in_arrays(scores: Tensor, predicted: Tensor, target: Tensor, answers: Mapping[str, Answer]) -> Answers:
    """Convert to numpy in the scores' precision, at least single: bfloat16 is no type of numpy's."""
    dtype = torch.promote_types(scores.dtype, torch.float32)
    return Answers(
        predicted.tolist(),
        target.tolist(),
        scores.to(dtype).cpu().numpy(),
        {label: answer.values.detach().to(dtype).cpu().numpy() for label, answer in answers.items()},
        {label: answer.notes for label, answer in answers.items() if answer.notes},
        {label: answer.rest.to(dtype).cpu().numpy() for label, answer in answers.items() if answer.rest is not None},
    )
