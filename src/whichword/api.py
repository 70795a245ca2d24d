"""The public `explain`: texts in, one `Explanation` a text out."""

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, overload

import numpy as np
import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.explanation import Explanation
from whichword.methods import METHODS, Answer, MethodPlan, Questions, plan
from whichword.methods.plan import ALL
from whichword.networks import Network
from whichword.sequences import Sequences, batches
from whichword.text import content_key, tokenize

Text = str | Sequence[str]

BUDGET = 4096  # words a batch
AHEAD = 1024  # texts read ahead, so that neighbours in length can share a batch


@dataclass(frozen=True)
class _Asked:
    """One text, read."""

    words: tuple[str, ...]
    ids: list[int]
    key: str


@overload
def explain(
    model: Network,
    texts: Iterable[Text] | str,
    methods: Iterable[str] | str | None = ...,
    target: str | None = ...,
    *,
    seed: int = ...,
    device: str | torch.device = ...,
    budget: int = ...,
    stream: Literal[False] = ...,
) -> list[Explanation]: ...
@overload
def explain(
    model: Network,
    texts: Iterable[Text] | str,
    methods: Iterable[str] | str | None = ...,
    target: str | None = ...,
    *,
    seed: int = ...,
    device: str | torch.device = ...,
    budget: int = ...,
    stream: Literal[True],
) -> Iterator[Explanation]: ...
def explain(
    model: Network,
    texts: Iterable[Text] | str,
    methods: Iterable[str] | str | None = None,
    target: str | None = None,
    *,
    seed: int = 0,
    device: str | torch.device = "cpu",
    budget: int = BUDGET,
    stream: bool = False,
) -> list[Explanation] | Iterator[Explanation]:
    """Which words made the model say that?

    ``texts``: strings, or lists of words (one text: a string, or a list that holds one list of words).
    ``methods``: names, ``name[setting=value]`` for other settings; None: every method that is defined for the model.
    ``target``: the class to explain; None: the predicted one.
    ``seed``: random numbers depend on it, the words and the method, never on order or batch.
    ``budget``: words a batch, which bounds memory. ``stream``: an iterator that reads ahead only a little.

    Returns one `Explanation` a text, in their order; its relevances stand under the methods' names as they were given.
    """
    named = [methods] if isinstance(methods, str) else None if methods is None else list(methods)
    chosen = plan(named, model)
    if refused := [name for name in chosen.undefined if named and name in named]:
        raise InputError(f"{', '.join(refused)}: not defined for the network {model.config.kind}")
    asker = _Asker(_on(model, device), chosen, _keys(named or [], chosen), _class_index(model, target), seed, budget)
    answers = asker.run([texts] if isinstance(texts, str) else texts)
    return answers if stream else list(answers)


@dataclass(frozen=True)
class _Asker:
    model: Network
    plan: MethodPlan
    keys: dict[str, str]
    target: int | None
    seed: int
    budget: int

    def run(self, texts: Iterable[Text]) -> Iterator[Explanation]:
        rest = iter(texts)
        while read := [self._read(text) for text in islice(rest, AHEAD)]:
            found: dict[int, Explanation] = {}
            for group in batches([len(one.words) for one in read], self.budget):
                found |= dict(zip(group, self._batch([read[i] for i in group]), strict=True))
            yield from (found[i] for i in range(len(read)))

    def _read(self, text: Text) -> _Asked:
        words = tokenize(text)[0] if isinstance(text, str) else tuple(text)
        if not all(isinstance(word, str) for word in words):
            raise InputError("a text is a string or a list of words")
        return _Asked(words, self.model.vocabulary.ids(words), content_key(*words))

    def _batch(self, asked: list[_Asked]) -> list[Explanation]:
        ids = Sequences.of([one.ids for one in asked], self.model.w.device)
        with torch.no_grad():
            scores = self.model.score(self.model.embed(ids))
        predicted = first_maximum(scores)
        targets = predicted if self.target is None else torch.full_like(predicted, self.target)
        answers = self.plan.answer(self.model, Questions(ids, targets, tuple(one.key for one in asked), self.seed))
        return [
            self._explanation(row, one, scores[row], int(predicted[row]), int(targets[row]), answers)
            for row, one in enumerate(asked)
        ]

    def _explanation(
        self, row: int, asked: _Asked, s: Tensor, predicted: int, target: int, answers: dict[str, Answer]
    ) -> Explanation:
        names, oov = self.model.classes, len(self.model.vocabulary) - 1
        dtype = np.float64 if s.dtype == torch.float64 else np.float32
        return Explanation(
            words=asked.words,
            predicted=names[predicted],
            target=names[target],
            scores=dict(zip(names, s.tolist(), strict=True)),
            probabilities=dict(zip(names, s.double().softmax(0).tolist(), strict=True)),
            relevance={
                key: answers[label].values[row, : len(asked.words)].cpu().numpy().astype(dtype)
                for key, label in self.keys.items()
            },
            unknown=tuple(i == oov for i in asked.ids),
            notes={key: answers[label].notes[row] for key, label in self.keys.items() if row in answers[label].notes},
            key=asked.key,
        )


def _keys(named: list[str], chosen: MethodPlan) -> dict[str, str]:
    """Each method's key in the result -> its label: as the caller wrote it, so that she finds what she asked for."""
    asked = {name: METHODS.resolve(name)[0] for name in named if name != ALL}
    return asked | {label: label for label in chosen.labels if label not in asked.values()}


def _on(model: Network, device: str | torch.device) -> Network:
    """The model on this device: a copy, unless it is there, since the caller's own model stays where it is."""
    wanted = torch.device(device)
    return model if model.w.device == wanted else copy.deepcopy(model).to(wanted)


def first_maximum(scores: Tensor) -> Tensor:
    """f(X): the first maximum of s, [B, K] -> [B]."""
    return (scores == scores.amax(1, keepdim=True)).int().argmax(1)


def _class_index(model: Network, target: str | None) -> int | None:
    if target is None:
        return None
    if target not in model.classes:
        raise InputError(f"the model has no class {target!r}; it has: {', '.join(model.classes)}")
    return model.classes.index(target)
