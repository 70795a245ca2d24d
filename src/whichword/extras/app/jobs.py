"""What the worker does for a page: iterators of JSON values, one per step. Between two steps a job can be dropped."""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from whichword.api import explain
from whichword.errors import InputError
from whichword.explanation import Explanation
from whichword.extras.app.asking import Copy, Edit, Explain
from whichword.extras.app.copying import FORMS
from whichword.extras.app.limits import Limits
from whichword.extras.app.reading import EditableText
from whichword.extras.app.results import Result, Results, begin, by_class, finite
from whichword.extras.app.shelf import Shelf
from whichword.methods import plan
from whichword.reporting.page.explorer_shades import shades
from whichword.text import tokenize
from whichword.text.places import gaps
from whichword.types import Text

Json = dict[str, Any]

CHOSEN = ("limsse_ms_s", "lrp", "grad_int_s_dot", "omit_1")  # at first, where the model has them
WARMING = "A few words, read at once."


@dataclass(frozen=True, eq=False)
class Jobs:
    """Explaining, editing and copying, for the models on the shelf."""

    shelf: Shelf
    limits: Limits
    results: Results

    def explain(self, question: Explain) -> Generator[Json, None, None]:
        """First what the model says, then a step for each family of methods, which shares its passes."""
        model = self.shelf.model(question.model)
        chosen = plan(question.methods, model)
        result = begin(EditableText(model, self._written(question)), question.target)
        self.results.keep(result)
        yield _prediction(result) | {"undefined": dict(chosen.undefined)}
        written, target = result.text.written, result.explanation.target
        for _, group in chosen.families:
            start = time.perf_counter()
            explanation = explain(model, [written], list(group), target)[0]
            seconds = time.perf_counter() - start
            result.add(explanation)
            yield {"event": "methods", "seconds": seconds, "methods": [_method(explanation, name) for name in group]}
        yield {"event": "end"}

    def warm(self) -> Generator[Json, None, None]:
        """A few words through every model by the methods that a page begins with, a step per model and family."""
        for model in self.shelf.models.values():
            defined = [name for name in CHOSEN if name not in plan(list(CHOSEN), model).undefined]
            for _, group in plan(defined, model).families if defined else ():
                with suppress(InputError):  # a model that cannot read these words will say so of a person's own
                    explain(model, [WARMING], list(group))
                yield {"event": "warm"}

    def edit(self, question: Edit) -> Generator[Json, None, None]:
        """The scores of an edited copy."""
        text = self.results[question.result].text
        scores = text.scores(question.cut, question.blank)
        yield {
            "scores": finite(by_class(text, scores)),
            "probabilities": finite(by_class(text, scores.double().softmax(0))),
        }

    def copy(self, question: Copy) -> Generator[Json, None, None]:
        """The explanation in another form."""
        if question.form not in FORMS:
            raise InputError(f"no form is called {question.form!r}")
        explanation = self.results[question.result].explanation
        yield {"text": FORMS[question.form](_only(explanation, question.methods), question.palette)}

    def _written(self, question: Explain) -> Text:
        if question.words is None:
            self._bound((question.text or "").split())  # at least as many words: cheaper to count than to tell apart
        words = question.words if question.words is not None else tokenize(question.text or "")[0]
        if not words:
            raise InputError("there is no word in the text")
        self._bound(words)
        return Text(words, question.text or " ".join(words))

    def _bound(self, words: Sequence[str]) -> None:
        if len(words) > self.limits.words:
            most = f"{self.limits.words:,}"
            raise InputError(f"the text has more than {most} words, the most that are explained (serve --words)")


def _prediction(result: Result) -> Json:
    explanation = result.explanation
    return {
        "event": "read",
        "result": result.name,
        "words": list(explanation.words),
        "gaps": gaps(explanation),
        "unknown": result.text.unknown,
        "seen": result.text.reading.seen,
        "unread": explanation.unread_note,
        "predicted": explanation.predicted,
        "target": explanation.target,
        "scores": finite(explanation.scores),
        "probabilities": finite(explanation.probabilities),
    }


def _method(explanation: Explanation, name: str) -> Json:
    phi = np.asarray(explanation.relevance[name], dtype=np.float64)
    levels, _ = shades(phi[None])
    return {
        "method": name,
        "phi": [float(f"{value:.6g}") if np.isfinite(value) else None for value in phi],
        "levels": levels[0].tolist(),
        "rmax": explanation.rmax(name),
        "note": explanation.notes.get(name),
    }


def _only(explanation: Explanation, methods: tuple[str, ...]) -> Explanation:
    relevance: Mapping[str, Any] = explanation.relevance
    if missing := [name for name in methods if name not in relevance]:
        raise InputError(f"{missing[0]} has not been asked")
    return replace(explanation, relevance={name: relevance[name] for name in methods})
