"""LIMSSE: LIME for word sequences (section 3.6)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from whichword.edits import Edits
from whichword.errors import InputError
from whichword.explain.method import METHODS, Answer, Questions
from whichword.explain.scoring import score_edits
from whichword.explain.substrings import Numbers, Substrings, least_squares, logistic
from whichword.networks import Model
from whichword.registry import fixed

DEFICIENT = "the substrings do not determine all relevances: minimum-norm answer"


@dataclass(frozen=True)
class Scored:
    """The substrings of one document with what the model says of them: s(k, Z_n), p(k | Z_n), f(Z_n) = k."""

    substrings: Substrings
    s: Numbers
    p: Numbers
    won: NDArray[np.bool_]


def _squares_s(scored: Scored) -> tuple[Numbers, bool]:
    """ms_s: sum_n (z_n . v - s(k, Z_n))^2."""
    return least_squares(scored.substrings, scored.s)


def _squares_p(scored: Scored) -> tuple[Numbers, bool]:
    """ms_p: sum_n (z_n . v - p(k | Z_n))^2."""
    return least_squares(scored.substrings, scored.p)


def _black_box(scored: Scored) -> tuple[Numbers, bool]:
    """bb: the logistic loss of 1[f(Z_n) = k], plus |v|^2 / 2, because separable samples have no finite optimum."""
    return logistic(scored.substrings, scored.won), True


FITS: dict[str, Callable[[Scored], tuple[Numbers, bool]]] = {
    "bb": _black_box,
    "ms_s": _squares_s,
    "ms_p": _squares_p,
}


@dataclass(frozen=True)
class LIMSSE:
    """phi(t) = v_t of a linear model fitted to substrings Z_n of 1 to 6 words.

    ``samples`` draws, 3,000 in the paper; none (the default) is the limit of infinitely many: every substring weighted
    by its probability, without sampling noise.
    """

    loss: str = fixed()
    samples: int | None = None

    def __post_init__(self) -> None:
        if self.samples is not None and (not isinstance(self.samples, int) or self.samples < 1):
            raise InputError(f"samples must be a whole number from 1, or none for the exact limit, not {self.samples}")

    def explain(self, model: Model, questions: Questions) -> Answer | Tensor:
        return self.together(model, questions, [self])[0]

    @staticmethod
    def together(model: Model, questions: Questions, methods: Sequence["LIMSSE"]) -> list[Answer]:
        """One set of scored substrings serves all three fits."""
        scored = {samples: score(model, questions, samples) for samples in {m.samples for m in methods}}
        return [_fit(method.loss, scored[method.samples], questions) for method in methods]


def substrings(questions: Questions, row: int, samples: int | None) -> Substrings:
    """The substrings of one document and their weights."""
    length = int(questions.ids.lengths[row])
    if samples is None:
        return Substrings.limit(length)
    return Substrings.drawn(length, samples, questions.randomness(row, "limsse"))


def score(model: Model, questions: Questions, samples: int | None) -> dict[int, Scored]:
    """Score the substrings of all documents that have a word, through one call of the scorer."""
    rows = [row for row, length in enumerate(questions.ids.lengths.tolist()) if length]
    designs = [substrings(questions, row, samples) for row in rows]
    if not designs:
        return {}
    edits = Edits(
        "crop",
        torch.from_numpy(np.concatenate([np.full(len(d.start), row) for row, d in zip(rows, designs, strict=True)])),
        torch.from_numpy(np.concatenate([d.start for d in designs])),
        torch.from_numpy(np.concatenate([d.stop for d in designs])),
    )
    s = score_edits(model, model.embed(questions.ids), edits)
    parts = s.double().cpu().split_with_sizes([len(d.start) for d in designs])
    return {
        row: _scored(d, part, int(questions.targets[row])) for row, d, part in zip(rows, designs, parts, strict=True)
    }


def _scored(design: Substrings, s: Tensor, k: int) -> Scored:
    first = (s == s.amax(1, keepdim=True)).int().argmax(1)
    return Scored(design, s[:, k].numpy(), s.softmax(1)[:, k].numpy(), (first == k).numpy())


def _fit(loss: str, scored: dict[int, Scored], questions: Questions) -> Answer:
    values = torch.zeros(questions.ids.data.shape, dtype=torch.float64)
    notes = {}
    for row, document in scored.items():
        v, determined = FITS[loss](document)
        values[row, : len(v)] = torch.from_numpy(v)
        if not determined:
            notes[row] = DEFICIENT
    return Answer(values, notes)


for _loss in FITS:
    METHODS.register(f"limsse_{_loss}", LIMSSE(_loss))
