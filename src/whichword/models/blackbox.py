"""A function from texts to probabilities, or to labels: nothing of its inside is known."""

from __future__ import annotations

import numbers
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.base.lazy import Tensor, torch
from whichword.errors import FailedCallError, InputError, ModelFailedError, SettingError
from whichword.model import Batch, Model, Reading
from whichword.types import About, Written

SMALLEST = 1e-12  # a probability below counts as this: its logarithm has to be finite
SUMS = 1e-3  # what the probabilities of a text may differ by from 1 in sum
TEXTS = 256  # texts per call
TRIES = 3
PAUSE = 0.2  # seconds before a failed call is tried again; then twice as long
PROBE = "a"

Scores = NDArray[np.float64]


class BlackBox(Model):
    """s = log p, or where the function gives labels alone, 1 for the label and 0 for the others.

    ``most`` bounds the texts that are asked about in all; ``texts`` and ``calls`` count. A call that fails is tried
    again, ``tries`` times in all, after ``pause`` seconds, then after twice as long, and so on; then it is a
    `FailedCallError`: a run counts the document as failed and goes on. At first a single short text is asked about, to
    see what comes back.
    """

    def __init__(
        self,
        function: Callable[[list[str]], Any],
        classes: Sequence[str],
        *,
        name: str = "",
        most: int | None = None,
        tries: int = TRIES,
        pause: float = PAUSE,
    ) -> None:
        if tries < 1 or pause < 0:
            raise SettingError(f"tries must be 1 or more and pause not negative, not {tries} and {pause}")
        self._function, self._classes, self._most = function, tuple(classes), most
        self._tries, self._pause = tries, pause
        self._name = name or getattr(function, "__name__", type(function).__name__)
        self.texts = self.calls = 0
        self._to_scores = self._one_hot if _are_labels(self._answer([PROBE])) else self._log
        labels = self._to_scores == self._one_hot
        self.about = About(self._name, self._classes, "float64", scores="label" if labels else "log p")

    def read(self, document: Written) -> Reading:
        count = len(document.words)
        return Reading(document.words, document.text, [0] * count, range(count), [False] * count, count)

    def score(self, batch: Batch) -> Tensor:
        texts = [reading.text for reading in batch.readings]
        parts = [self._scores(texts[i : i + TEXTS]) for i in range(0, len(texts), TEXTS)]
        return torch.from_numpy(np.concatenate(parts)) if parts else torch.zeros(0, len(self._classes))

    def _scores(self, texts: list[str]) -> Scores:
        return self._to_scores(self._answer(texts), len(texts))

    def _answer(self, texts: list[str]) -> Any:
        """Return the function's answer, counted; what it raises is tried again, then one line."""
        if self._most is not None and self.texts + len(texts) > self._most:
            raise InputError(f"{self._name} was to be asked about {self._most:,} texts at the most")
        self.texts += len(texts)  # a call that fails counts, too
        for attempt in range(1, self._tries + 1):
            self.calls += 1
            try:
                return self._function(texts)
            except Exception as error:
                if attempt == self._tries:
                    line = f"{type(error).__name__}: {error}".partition("\n")[0]
                    raise FailedCallError(f"{self._name} failed {self._tries} times: {line}") from error
                time.sleep(self._pause * 2 ** (attempt - 1))
        return None  # never reached: the loop returns or raises

    def _log(self, answer: Any, count: int) -> Scores:
        """Return log p of probabilities [n, K]."""
        p, shape = _numbers(answer, self._name), (count, len(self._classes))
        if p.shape != shape:
            raise ModelFailedError(f"{self._name} gave an array of shape {list(p.shape)}, not {list(shape)}")
        if not np.isfinite(p).all() or (p < 0).any():
            raise ModelFailedError(f"{self._name} gave values that are no probabilities")
        worst = p.sum(1)[np.abs(p.sum(1) - 1.0).argmax()] if count else 1.0
        if abs(worst - 1.0) > SUMS:
            raise ModelFailedError(f"{self._name} gave probabilities that add up to {worst:.3g}, not 1")
        return np.log(np.maximum(p, SMALLEST))

    def _one_hot(self, answer: Any, count: int) -> Scores:
        """Put 1 for the label: the name of a class, or its number."""
        labels, names = list(answer), list(self._classes)
        if len(labels) != count:
            raise ModelFailedError(f"{self._name} gave {len(labels)} labels for {count} texts")
        values = np.zeros((count, len(names)))
        for row, label in enumerate(labels):
            values[row, self._class_number(label)] = 1.0
        return values

    def _class_number(self, label: Any) -> int:
        if str(label) in self._classes:
            return self._classes.index(str(label))
        if isinstance(label, numbers.Integral) and 0 <= int(label) < len(self._classes):
            return int(label)
        raise ModelFailedError(f"{self._name} gave the label {label!r}; the classes are {', '.join(self._classes)}")


def _are_labels(answer: Any) -> bool:
    """Tell whether what came back for a single text is a label: a string, or a whole number."""
    try:
        first = next(iter(answer))
    except (TypeError, StopIteration):
        return False
    return not isinstance(answer, str) and isinstance(first, str | numbers.Integral)  # its letters are no labels


def _numbers(answer: Any, name: str) -> Scores:
    try:
        return np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError, RuntimeError):
        raise ModelFailedError(f"{name} gave something that is no array of probabilities") from None
