"""A function from texts to probabilities, or to labels: nothing of its inside is known."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.lazy import Tensor, torch
from whichword.model import Batch, Model, Reading
from whichword.types import About, Written

SMALLEST = 1e-12  # a probability below counts as this: its logarithm has to be finite
TEXTS = 256  # texts per call
TRIES = 3


class BlackBox(Model):
    """s = log p, or where the function gives labels alone, 1 for the label and 0 for the others.

    ``most`` bounds the texts that are asked in all; ``asked`` counts them. A call that fails is tried again.
    """

    def __init__(
        self,
        function: Callable[[list[str]], Any],
        classes: Sequence[str],
        *,
        name: str = "",
        texts: int = TEXTS,
        most: int | None = None,
    ) -> None:
        self.function, self.texts, self.most, self.asked = function, texts, most, 0
        title = name or getattr(function, "__name__", type(function).__name__)
        self._labels = self._gives_labels(tuple(classes))
        self.about = About(title, tuple(classes), "float64", scores="label" if self._labels else "log p")

    def _gives_labels(self, classes: tuple[str, ...]) -> bool:
        """One text is asked to see what comes back."""
        answer = self.function([""])
        return len(answer) == 1 and isinstance(answer[0], str | numbers.Integral | np.integer)

    def read(self, document: Written) -> Reading:
        count = len(document.words)
        return Reading(document.words, document.text, [0] * count, range(count), [False] * count, count)

    def score(self, batch: Batch) -> Tensor:
        texts = [reading.text for reading in batch.readings]
        parts = [self._asked(texts[i : i + self.texts]) for i in range(0, len(texts), self.texts)]
        return torch.from_numpy(np.concatenate(parts)) if parts else torch.zeros(0, len(self.about.classes))

    def _asked(self, texts: list[str]) -> NDArray[np.float64]:
        self.asked += len(texts)
        if self.most is not None and self.asked > self.most:
            raise InputError(f"{self.about.name} was to be asked about {self.most:,} texts at the most")
        return self._scores(self._answer(texts), len(texts))

    def _answer(self, texts: list[str]) -> Any:
        for left in reversed(range(TRIES)):
            try:
                return self.function(texts)
            except Exception as error:
                if not left:
                    raise InputError(f"{self.about.name} failed {TRIES} times: {error}") from error
        return None

    def _scores(self, answer: Any, count: int) -> NDArray[np.float64]:
        if self._labels:
            return self._one_hot(list(answer), count)
        p = _numbers(answer, self.about.name)
        shape = (count, len(self.about.classes))
        if p.shape != shape:
            raise InputError(f"{self.about.name} gave an array of shape {list(p.shape)}, not {list(shape)}")
        if not np.isfinite(p).all() or (p < 0).any() or (p > 1 + 1e-6).any():
            raise InputError(f"{self.about.name} gave values that are no probabilities")
        return np.log(np.maximum(p, SMALLEST))

    def _one_hot(self, labels: list[Any], count: int) -> NDArray[np.float64]:
        names = list(self.about.classes)
        values = np.zeros((count, len(names)))
        if len(labels) != count:
            raise InputError(f"{self.about.name} gave {len(labels)} labels for {count} texts")
        for row, label in enumerate(labels):
            name = label if isinstance(label, str) else names[int(label)] if 0 <= int(label) < len(names) else ""
            if name not in names:
                raise InputError(f"{self.about.name} gave the label {label!r}; the classes are {', '.join(names)}")
            values[row, names.index(name)] = 1.0
        return values


def _numbers(answer: Any, name: str) -> NDArray[np.float64]:
    try:
        return np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} gave something that is no array of probabilities") from None
