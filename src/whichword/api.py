"""The public `explain`: texts in, one `Explanation` per text out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, Literal, overload

from numpy.typing import NDArray

from whichword.answering import Answers, Asking, first_maximum
from whichword.base.lazy import torch
from whichword.errors import InputError, NotDefinedError, SettingError
from whichword.explanation import Account, Explanation
from whichword.health.checkup import Checkup, check_up
from whichword.method_names import alias_note
from whichword.methods import METHODS, MethodPlan, plan, standing_for
from whichword.methods.propagation import account_of
from whichword.model import Batch, Model, Reading
from whichword.text import tokenize
from whichword.types import Document, Item, Text

Given = str | Sequence[str] | Text | Document | Item

READABLE = (Text, Document, Item)  # what a model reads as it is
AHEAD = 1024  # texts read ahead, so that neighbours in length can share a batch


@overload
def explain(
    model: Model,
    texts: Iterable[Given] | str,
    methods: Iterable[str] | str | None = ...,
    target: str | None = ...,
    *,
    seed: int = ...,
    device: str | None = ...,
    batch_words: int | None = ...,
    stream: Literal[False] = ...,
) -> list[Explanation]: ...
@overload
def explain(
    model: Model,
    texts: Iterable[Given] | str,
    methods: Iterable[str] | str | None = ...,
    target: str | None = ...,
    *,
    seed: int = ...,
    device: str | None = ...,
    batch_words: int | None = ...,
    stream: Literal[True],
) -> Iterator[Explanation]: ...
def explain(
    model: Model,
    texts: Iterable[Given] | str,
    methods: Iterable[str] | str | None = None,
    target: str | None = None,
    *,
    seed: int = 0,
    device: str | None = None,
    batch_words: int | None = None,
    stream: bool = False,
) -> list[Explanation] | Iterator[Explanation]:
    """Explain texts: which words made the model say that?

    ``texts``: strings, lists of words or documents (one text: a string, or a list that holds one list of words).
    ``methods``: names, ``name[setting=value]`` for other settings; None: every method that is defined for the model.
    ``target``: the class to explain; None: the predicted one.
    ``seed``: random numbers depend on it, the words and the method, never on order or batch.
    ``device``: where to compute; None: where the model is.
    ``batch_words``: words per batch, which bounds memory; None: as many as suit the model.
    ``stream``: an iterator that reads ahead only a little.

    Returns one `Explanation` per text, in their order, with relevances under the methods' names as they were given.
    """
    names = [methods] if isinstance(methods, str) else None if methods is None else list(methods)
    model = model if device is None else model.on(device)  # a copy: the caller's model stays where it is
    chosen = plan(names, model)
    _refuse(names or [], chosen, model)
    asking = Asking(model, chosen, seed, _class_index(model, target), batch_words)
    explaining = _Explaining(asking, _keys(names or [], chosen), model.about.classes)
    explanations = explaining.run([texts] if isinstance(texts, str) else texts)
    return explanations if stream else list(explanations)


@dataclass(frozen=True)
class _Explaining:
    """A call of `explain`; ``keys`` map names in the result to the methods' labels."""

    asking: Asking
    keys: dict[str, str]
    classes: tuple[str, ...]

    def run(self, texts: Iterable[Given]) -> Iterator[Explanation]:
        remaining, asking = iter(texts), None
        while readings := [_read(self.asking.model, text) for text in islice(remaining, AHEAD)]:
            if asking is None:  # at the first texts: how many words there are is known only now
                ready = self.asking.model.prepared(sum(len(reading.ids) for reading in readings))
                asking = replace(self.asking, model=ready)
            explanations: list[Explanation | None] = [None] * len(readings)  # batches go by length, results by order
            for group, answers in asking.answers(readings):
                batch = [readings[index] for index in group]
                for index, explanation in zip(group, self._explanations(batch, answers), strict=True):
                    explanations[index] = explanation
            yield from explanations  # type: ignore[misc]

    def _relevances(self, answers: Answers, counts: list[int]) -> list[dict[str, NDArray[Any]]]:
        """Cut relevances document by document, under the keys of the result."""
        if not self.keys:
            return [{} for _ in counts]
        values = answers.of_all(list(self.keys.values()), max(counts))
        places = list(enumerate(self.keys))
        return [{key: values[row, place, :words] for place, key in places} for row, words in enumerate(counts)]

    def _explanations(self, readings: Sequence[Reading], answers: Answers) -> Iterator[Explanation]:
        """Build a batch's explanations; what all of them share is looked up once, for there may be millions."""
        classes, familiar, model = self.classes, self.familiar, self.asking.model
        relevances = self._relevances(answers, [len(reading.words) for reading in readings])
        columns = zip(readings, answers.predicted, answers.target, answers.scores.tolist(), relevances, strict=True)
        for row, (reading, predicted, target, scores, relevance) in enumerate(columns):
            yield Explanation.with_all(  # the constructor would set and check field by field
                words=reading.words,
                predicted=classes[predicted],
                target=classes[target],
                scores=dict(zip(classes, scores, strict=True)),
                relevance=relevance,
                unknown=tuple(reading.unknown),
                notes=self._notes(answers, row) if answers.notes else familiar,
                text=reading.text,
                rest=self._rest(answers, row) if answers.rest and reading.words else {},
                seen=reading.seen,
                accountant=partial(account_of, model, reading, target),
            )

    def _rest(self, answers: Answers, row: int) -> dict[str, float]:
        return {key: float(answers.rest[label][row]) for key, label in self.keys.items() if label in answers.rest}

    def _notes(self, answers: Answers, row: int) -> dict[str, str]:
        noted = [(key, answers.notes.get(label, {})) for key, label in self.keys.items()]
        return self.familiar | {key: notes[row] for key, notes in noted if row in notes}

    @cached_property
    def familiar(self) -> dict[str, str]:
        """Notes on methods that were asked for by another tool's name."""
        return {key: alias_note(key, label) for key, label in self.keys.items() if METHODS.is_alias(key)}


def account(model: Model, text: Given, method: str = "lrp", target: str | None = None) -> Account:
    """Account for the score of one text as LRP shares it out; ``target`` None: the score of the predicted class.

    ``method``: ``lrp``, with any settings. Words, specials, constants, epsilon (and softmax) add up to the score.
    """
    reading, k = _read(model, text), _class_index(model, target)
    if k is None:
        with torch.no_grad():
            k = int(first_maximum(model.score(Batch.of([reading], model.about.device))))
    return account_of(model, reading, k, method)


def examine(
    model: Model,
    texts: Iterable[Given] | str,
    methods: Iterable[str] | str | None = None,
    target: str | None = None,
    *,
    seed: int = 0,
) -> Checkup:
    """Examine whether anything is wrong with the relevances themselves; methods and texts as in `explain`.

    Looks for sums that do not add up, dead rules, methods that ignore their input or are shifted by a word, relevance
    that is not finite or on words that were never read, and random methods that say something else by another seed.
    """
    names = [methods] if isinstance(methods, str) else None if methods is None else list(methods)
    _refuse(names or [], plan(names, model), model)
    documents = [_written(text) for text in ([texts] if isinstance(texts, str) else texts)]  # read more than once
    return check_up(model, documents, names, seed, _class_index(model, target))


def _read(model: Model, text: Given) -> Reading:
    return model.read(_written(text))


def _written(text: Given) -> Text | Document | Item:
    if isinstance(text, str):
        return Text(tokenize(text)[0], text)  # by the same tokenizer as corpora
    if isinstance(text, READABLE):
        return text
    words = tuple(text)
    try:
        return Text(words, " ".join(words))  # it takes strings and nothing else: no need to look at each word before
    except TypeError:
        raise InputError("a text is a string or a list of words") from None


def _refuse(names: list[str], chosen: MethodPlan, model: Model) -> None:
    """Raise for a named method that is not defined; one that "all" or a family stands for is left out."""
    labels = [METHODS.resolve(name)[0] for name in names if not standing_for(name)]
    for label in labels:
        if label in chosen.undefined:
            raise NotDefinedError(f"{label} is not defined for {model.about.name}: {chosen.undefined[label]}")


def _keys(names: list[str], chosen: MethodPlan) -> dict[str, str]:
    """Map keys of the result to labels; a key is what the caller wrote, so that she finds what she asked for."""
    labels = {name: METHODS.resolve(name)[0] for name in names if not standing_for(name)}
    return labels | {label: label for label in chosen.labels if label not in labels.values()}


def _class_index(model: Model, target: str | None) -> int | None:
    classes = model.about.classes
    if target is None:
        return None
    if target not in classes:
        raise SettingError(f"the model has no class {target!r}; it has: {', '.join(classes)}")
    return classes.index(target)
