"""The last explanations, so that a page can ask about them again. Only the worker's thread touches them."""

import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import torch

from whichword.api import first_maximum
from whichword.errors import InputError
from whichword.explanation import Explanation
from whichword.text import content_key
from whichword.web.reading import Reading


@dataclass(eq=False)
class Result:
    """A read text and its explanation, which grows as methods finish."""

    reading: Reading
    explanation: Explanation
    name: str = field(default_factory=lambda: secrets.token_hex(8))

    def add(self, found: Explanation) -> None:
        """Take over the methods of another explanation of the same words and class."""
        mine = self.explanation
        self.explanation = replace(
            mine, relevance={**mine.relevance, **found.relevance}, notes={**mine.notes, **found.notes}
        )


def begin(reading: Reading, target: str | None) -> Result:
    """A result without relevances yet: what the model says of the words, and the class that will be explained."""
    classes, words = reading.model.classes, reading.words
    scores = reading.scores()
    predicted = classes[int(first_maximum(scores[None])[0])]
    if target is not None and target not in classes:
        raise InputError(f"the model has no class {target!r}")
    unknown = set(reading.unknown)
    explanation = Explanation(
        words=words,
        predicted=predicted,
        target=target or predicted,
        scores=by_class(reading, scores),
        probabilities=by_class(reading, scores.double().softmax(0)),
        relevance={},
        unknown=tuple(t in unknown for t in range(len(words))),
        key=content_key(*words),
    )
    return Result(reading, explanation)


def by_class(reading: Reading, values: torch.Tensor) -> dict[str, float]:
    """[K] -> class -> value."""
    return dict(zip(reading.model.classes, np.asarray(values.tolist()).tolist(), strict=True))


class Results:
    """The ``kept`` results that were used last."""

    def __init__(self, kept: int) -> None:
        self.kept = kept
        self._results: OrderedDict[str, Result] = OrderedDict()

    def keep(self, result: Result) -> None:
        self._results[result.name] = result
        while len(self._results) > self.kept:
            self._results.popitem(last=False)

    def __getitem__(self, name: str) -> Result:
        if name not in self._results:
            raise InputError("this explanation is not kept any more: explain the text again")
        self._results.move_to_end(name)
        return self._results[name]

    def __len__(self) -> int:
        return len(self._results)


def finite(values: Mapping[str, float]) -> dict[str, float | None]:
    """For JSON: what is not finite is None."""
    return {name: float(value) if np.isfinite(value) else None for name, value in values.items()}
