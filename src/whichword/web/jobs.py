"""What the worker does for a page: iterators of JSON values, one a step. Between two steps a job can be dropped."""

import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from whichword.api import explain
from whichword.errors import InputError
from whichword.explanation import Explanation
from whichword.methods import plan
from whichword.reporting.explorer_shades import shades
from whichword.text import tokenize
from whichword.text.places import gaps
from whichword.types import Text
from whichword.web.asking import Copy, Edit, Explain
from whichword.web.copying import FORMS
from whichword.web.limits import Limits
from whichword.web.reading import Reading
from whichword.web.results import Result, Results, begin, by_class, finite
from whichword.web.shelf import Shelf

Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Jobs:
    """Explaining, editing and copying, for the models on the shelf."""

    shelf: Shelf
    limits: Limits
    results: Results

    def explain(self, asked: Explain) -> Generator[Json, None, None]:
        """First what the model says, then a step for each family of methods, which shares its passes."""
        model = self.shelf.model(asked.model)
        chosen = plan(asked.methods, model)
        written = self._written(asked)
        result = begin(Reading(model, written.words), asked.target)
        result.explanation = replace(result.explanation, text=written.text)
        self.results.keep(result)
        yield _said(result) | {"undefined": list(chosen.undefined)}
        for _, group in chosen.families:
            start = time.perf_counter()
            found = explain(model, [result.explanation.words], list(group), result.explanation.target)[0]
            seconds = time.perf_counter() - start
            result.add(found)
            yield {"event": "methods", "seconds": seconds, "methods": [_method(found, name) for name in group]}
        yield {"event": "end"}

    def edit(self, asked: Edit) -> Generator[Json, None, None]:
        """The scores of an edited copy."""
        reading = self.results[asked.result].reading
        scores = reading.scores(asked.cut, asked.blank)
        yield {
            "scores": finite(by_class(reading, scores)),
            "probabilities": finite(by_class(reading, scores.double().softmax(0))),
        }

    def copy(self, asked: Copy) -> Generator[Json, None, None]:
        """The explanation in another form."""
        if asked.form not in FORMS:
            raise InputError(f"no form is called {asked.form!r}")
        explanation = self.results[asked.result].explanation
        yield {"text": FORMS[asked.form](_only(explanation, asked.methods), asked.palette)}

    def _written(self, asked: Explain) -> Text:
        if asked.words is None:
            self._bound((asked.text or "").split())  # at least as many words: cheaper to count than to tell apart
        words = asked.words if asked.words is not None else tokenize(asked.text or "")[0]
        if not words:
            raise InputError("there is no word in the text")
        self._bound(words)
        return Text(words, asked.text or " ".join(words))

    def _bound(self, words: Sequence[str]) -> None:
        if len(words) > self.limits.words:
            most = f"{self.limits.words:,}"
            raise InputError(f"the text has more than {most} words, the most that are explained (serve --words)")


def _said(result: Result) -> Json:
    explanation = result.explanation
    return {
        "event": "read",
        "result": result.name,
        "words": list(explanation.words),
        "gaps": gaps(explanation),
        "unknown": result.reading.unknown,
        "predicted": explanation.predicted,
        "target": explanation.target,
        "scores": finite(explanation.scores),
        "probabilities": finite(explanation.probabilities),
    }


def _method(found: Explanation, name: str) -> Json:
    phi = np.asarray(found.relevance[name], dtype=np.float64)
    levels, _ = shades(phi[None])
    return {
        "method": name,
        "phi": [float(f"{value:.6g}") if np.isfinite(value) else None for value in phi],
        "levels": levels[0].tolist(),
        "rmax": found.rmax(name),
        "note": found.notes.get(name),
    }


def _only(explanation: Explanation, methods: tuple[str, ...]) -> Explanation:
    relevance: Mapping[str, Any] = explanation.relevance
    if missing := [name for name in methods if name not in relevance]:
        raise InputError(f"{missing[0]} has not been asked")
    return replace(explanation, relevance={name: relevance[name] for name in methods})
