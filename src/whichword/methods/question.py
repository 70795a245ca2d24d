"""What a method is asked, what it answers, and what becomes of one that fails.

A method may be somebody else's code: what it raises is a remark on a document, never the end of a run.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from whichword.lazy import Tensor, torch
from whichword.model import Batch, Model
from whichword.text.keys import content_key

CRASHED = "crashed: "  # how the remark on a document begins on which a method failed
LINE = 300  # characters of somebody's error that are shown


@dataclass(frozen=True)
class Questions:
    """A batch of (document, class): why k?

    ``targets`` [B] are classes; ``keys`` name the documents (none: by their words). Randomness is a function of
    (seed, key, method) alone, never of order or batch.
    """

    batch: Batch
    targets: Tensor
    keys: tuple[str, ...] = ()
    seed: int = 0

    def __len__(self) -> int:
        return len(self.batch)

    def pick(self, rows: Sequence[int]) -> Questions:
        """Some of the questions."""
        index = torch.as_tensor(rows, dtype=torch.long, device=self.targets.device)
        keys = tuple(self.keys[i] for i in rows) if self.keys else ()
        return Questions(self.batch.pick(index), self.targets[index], keys, self.seed)

    def zeros(self) -> Tensor:
        """A number per word, [B, T]."""
        return torch.zeros(len(self.batch), self.batch.width, dtype=torch.float64)

    def randomness(self, row: int, purpose: str) -> np.random.Generator:
        """The random numbers that belong to this document and this purpose."""
        return next(self.each_randomness([row], purpose))

    def each_randomness(self, rows: Iterable[int], purpose: str) -> Iterator[np.random.Generator]:
        """Row by row, from one generator that is keyed anew: to make one takes longer than to draw from it."""
        bits = np.random.Philox(key=0)
        generator, fresh = np.random.Generator(bits), bits.state
        for row in rows:
            text = "\0".join((str(self.seed), self._key(row), purpose))
            name = hashlib.blake2b(text.encode("utf8", "surrogatepass"), digest_size=16)
            fresh["state"]["key"] = np.frombuffer(name.digest(), dtype="<u8").astype(np.uint64)
            bits.state = fresh
            yield generator

    def _key(self, row: int) -> str:
        return self.keys[row] if self.keys else content_key(*self.batch.readings[row].words)


@dataclass(frozen=True)
class Answer:
    """Relevances [B, T] (what stands in the padding is never read) and remarks on single rows.

    ``rest`` [B] is what fell on pieces outside the text; None: the model has none.
    """

    values: Tensor
    notes: Mapping[int, str] = field(default_factory=dict)
    rest: Tensor | None = None


def answered(answer: Answer | Tensor) -> Answer:
    """A method may answer with relevances alone."""
    return answer if isinstance(answer, Answer) else Answer(answer)


def is_foreign(kind: type) -> bool:
    """Whether a kind of method is somebody else's code, or runs it."""
    return bool(getattr(kind, "foreign", not kind.__module__.startswith("whichword.")))


def surviving(method: Any, model: Model, questions: Questions) -> Answer:
    """All documents at once, or where the method fails (or takes only one), each for itself: a failure is a remark."""
    if not getattr(method, "one_by_one", False):
        with contextlib.suppress(Exception):
            return _checked(answered(method.explain(model, questions)), questions)
    answers = [_alone(method, model, questions.pick([row])) for row in range(len(questions))]
    values = questions.zeros()
    for row, answer in enumerate(answers):
        values[row, : answer.values.shape[1]] = answer.values[0]
    outside = [answer.rest.cpu().double() for answer in answers if answer.rest is not None]
    notes = {row: answer.notes[0] for row, answer in enumerate(answers) if 0 in answer.notes}
    return Answer(values, notes, torch.cat(outside) if len(outside) == len(answers) else None)


def _alone(method: Any, model: Model, questions: Questions) -> Answer:
    if not questions.batch.width:
        return Answer(questions.zeros())
    try:
        return _checked(answered(method.explain(model, questions)), questions)
    except Exception as error:
        nothing = torch.full_like(questions.zeros(), torch.nan)
        outside = None if questions.batch.word is None else torch.full((1,), torch.nan, dtype=torch.float64)
        return Answer(nothing, {0: f"{CRASHED}{in_one_line(error)}"}, outside)


def _checked(answer: Answer, questions: Questions) -> Answer:
    """What is not ours may answer in any shape; padding may be missing."""
    shape, expected = list(answer.values.shape), [len(questions), questions.batch.width]
    if shape != expected:
        raise ValueError(f"it gave relevances of shape {shape}, not {expected}")
    return answer


def in_one_line(error: BaseException) -> str:
    """``ValueError: what it says``."""
    line = " ".join(str(error).split())
    return f"{type(error).__name__}: {line[:LINE]}" if line else type(error).__name__
