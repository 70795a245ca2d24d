"""Merge methods into families that share their passes, so that the whole table costs each forward pass once."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.methods.method import METHODS, Answer, Method, Questions
from whichword.networks import Model, supports

ALL = "all"


@dataclass(frozen=True)
class MethodPlan:
    """Labels and their methods, grouped by family; ``undefined`` are those that this model cannot have."""

    families: tuple[tuple[type, Mapping[str, Method]], ...]
    undefined: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for _, group in self.families for label in group)

    def answer(self, model: Model, questions: Questions) -> dict[str, Answer]:
        """All relevances."""
        answers: dict[str, Answer] = {}
        for family in self.families:
            answers |= ask(family, model, questions)
        return answers


@dataclass
class Clock:
    """Seconds spent in each family, shared out evenly among the methods that it answers."""

    seconds: dict[str, float] = field(default_factory=dict)

    def answer(self, plan: MethodPlan, model: Model, questions: Questions) -> dict[str, Answer]:
        """As `MethodPlan.answer`, with the time taken."""
        answers: dict[str, Answer] = {}
        for family in plan.families:
            start = time.perf_counter()
            answers |= ask(family, model, questions)
            share = (time.perf_counter() - start) / len(family[1])
            for label in family[1]:
                self.seconds[label] = self.seconds.get(label, 0.0) + share
        return answers


def plan(spellings: Iterable[str] | str | None, model: Model) -> MethodPlan:
    """Group the named methods; None or "all" stands for every registered method that is defined for the model."""
    labelled = dict(METHODS.resolve(name) for name in _names(spellings))
    lacking = [name for name, method in labelled.items() if not supports(model, getattr(method, "needs", None))]
    families: dict[type, dict[str, Method]] = {}
    for label, method in labelled.items():
        if label not in lacking:
            families.setdefault(type(method), {})[label] = method
    return MethodPlan(tuple(families.items()), tuple(lacking))


def _names(spellings: Iterable[str] | str | None) -> list[str]:
    if spellings is None or spellings == ALL:
        return METHODS.names()
    names = [spellings] if isinstance(spellings, str) else list(spellings)
    if not names:
        raise InputError("no method was named; 'all' stands for every method")
    return [name for given in names for name in (METHODS.names() if given == ALL else [given])]


def ask(family: tuple[type, Mapping[str, Method]], model: Model, questions: Questions) -> dict[str, Answer]:
    """One family's answers."""
    kind, group = family
    if questions.ids.width == 0:  # empty documents have empty answers, whatever the method
        return {label: Answer(torch.zeros(questions.ids.data.shape)) for label in group}
    together = getattr(kind, "together", None)
    found: Sequence[Answer | Tensor]
    if together is not None:
        found = together(model, questions, list(group.values()))
    else:
        found = [method.explain(model, questions) for method in group.values()]
    return {label: _answer(given) for label, given in zip(group, found, strict=True)}


def _answer(given: Answer | Tensor) -> Answer:
    return given if isinstance(given, Answer) else Answer(given)
