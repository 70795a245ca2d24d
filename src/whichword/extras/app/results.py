"""The last explanations, so that a page can ask about them again. Only the worker's thread touches them."""

import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import torch

from whichword.errors import InputError
from whichword.explanation import Explanation, first_maximum
from whichword.extras.app.reading import EditableText


@dataclass(eq=False)
class Result:
    """A read text and its explanation, which grows as methods finish."""

    text: EditableText
    explanation: Explanation
    name: str = field(default_factory=lambda: secrets.token_hex(8))

    def add(self, other: Explanation) -> None:
        """Take over the methods of another explanation of the same words and class."""
        before = self.explanation
        relevance, notes = {**before.relevance, **other.relevance}, {**before.notes, **other.notes}
        self.explanation = replace(before, relevance=relevance, notes=notes)


def begin(text: EditableText, target: str | None) -> Result:
    """A result without relevances yet: what the model says of the words, and the class that will be explained."""
    classes, words = text.model.about.classes, text.words
    scores = text.scores()
    predicted = classes[first_maximum(scores.tolist()) or 0]
    if target is not None and target not in classes:
        raise InputError(f"the model has no class {target!r}")
    unknown = set(text.unknown)
    explanation = Explanation(
        words=words,
        predicted=predicted,
        target=target or predicted,
        scores=by_class(text, scores),
        relevance={},
        unknown=tuple(t in unknown for t in range(len(words))),
        text=text.written.text,
        seen=text.reading.seen,
    )
    return Result(text, explanation)


def by_class(text: EditableText, values: torch.Tensor) -> dict[str, float]:
    """[K] -> class -> value."""
    return dict(zip(text.model.about.classes, np.asarray(values.tolist()).tolist(), strict=True))


class Results:
    """The ``size`` results that were used last."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._results: OrderedDict[str, Result] = OrderedDict()

    def keep(self, result: Result) -> None:
        self._results[result.name] = result
        while len(self._results) > self.size:
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
