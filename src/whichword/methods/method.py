"""What a method is, what it is asked, what it answers, and how several are asked together.

A method is a frozen dataclass of settings with an ``explain``, entered in `METHODS` under its name. A plan merges
methods into families that share their passes, so that the whole table costs each forward pass once. A method may be
foreign code: what it raises is a remark on a document, never the end of a run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from whichword.base.lazy import Tensor, torch
from whichword.errors import CRASHED, InputError, named
from whichword.method_names import alias_of
from whichword.methods.randomness import Keys, generators, stream_keys
from whichword.model import GRADIENT, INTEGRAL, Batch, Model, stopwatch
from whichword.registry import Registry
from whichword.text.places import content_key

ALL = "all"  # a spelling that stands for every method, so none can be called so


@dataclass(frozen=True)
class Questions:
    """Questions (document, class) of a batch: why k?

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
        """Select some of the questions."""
        index = torch.as_tensor(rows, dtype=torch.long, device=self.targets.device)
        keys = tuple(self.keys[i] for i in rows) if self.keys else ()
        return Questions(self.batch.pick(index), self.targets[index], keys, self.seed)

    def zeros(self) -> Tensor:
        """Make a number per word, [B, T]."""
        return torch.zeros(len(self.batch), self.batch.width, dtype=torch.float64)

    def randomness(self, row: int, purpose: str) -> np.random.Generator:
        """Make the random numbers that belong to this document and this purpose."""
        return next(self.each_randomness([row], purpose))

    def each_randomness(self, rows: Iterable[int], purpose: str) -> Iterator[np.random.Generator]:
        """Make the random numbers of these rows, row by row; each generator lasts until the next."""
        return generators(self.stream_keys(rows, purpose))

    def stream_keys(self, rows: Iterable[int], purpose: str) -> Keys:
        """Compute the keys that the rows' random numbers are found by, [n, 2]."""
        return stream_keys(f"{self.seed}\0{self._key(row)}\0{purpose}" for row in rows)

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
    """Wrap relevances alone, which a method may answer with."""
    return answer if isinstance(answer, Answer) else Answer(answer)


ByClassOrSettings = Any  # a class variable, or a property of the settings: no type is both


class Method:
    """A frozen dataclass; its fields are the settings that ``name[setting=value]`` can change.

    What a method does not say of itself is as declared here. What a foreign one raises is a remark on the
    document (`surviving`), never the end of a run.
    """

    needs: ClassVar[type] = Model
    """The kind of model (`whichword.model`) that it is defined for."""
    labels_do: ClassVar[ByClassOrSettings] = False
    """Whether it needs no scores, only f(X)."""
    expects: ClassVar[ByClassOrSettings] = None
    """What it will ask of a batch (`whichword.model`), so that the prediction's pass can serve it."""
    shares: ClassVar[ByClassOrSettings] = None
    """The passes that are nearly all it costs: those of a class that name the same cost together little more than one
    of them. None: it shares little."""
    together: ClassVar[Callable[..., Sequence[Answer | Tensor]] | None] = None
    """A static (model, questions, methods) that answers several methods of the class in passes they share."""
    one_by_one: ClassVar[bool] = False
    """Whether it takes one document at a time."""
    foreign: ClassVar[bool | None] = None
    """Whether it is, or runs, code from elsewhere; None: by the module of the class."""
    library: ClassVar[str | None] = None
    """The installed package whose version its answers depend on."""
    adds_up: ClassVar[ByClassOrSettings] = False
    """Whether its relevances share out what the output loses without any word."""
    random: ClassVar[ByClassOrSettings] = False
    """Whether they depend on the seed."""
    uniform: ClassVar[bool] = False
    """Whether games count the expectation over all words instead of its answer."""
    title: ClassVar[str] = ""
    line: ClassVar[str] = ""
    formula: ClassVar[str] = ""
    """Its words, where `whichword.method_names` has none."""

    def explain(self, model: Any, questions: Questions) -> Answer | Tensor:
        """Compute phi(t, k, X) for each question, [B, T]."""
        raise NotImplementedError

    def refuses(self, model: Any) -> str | None:
        """Say why it is not defined for a model of the kind it needs; None: it is."""
        return None

    def passes(self, length: int) -> int:
        """Estimate the passes that a document of so many words costs; here a few forwards and a backward."""
        return 6

    @staticmethod
    def words(methods: Sequence[Any], length: int) -> int:
        """How many words such methods of the class pass through a model together, for a document of so many words.

        By formula and never by a clock: shards are cut by it, and a plan must be the same on every machine.
        """
        return length * sum(int(method.passes(length)) for method in methods)


def completed(method: Any) -> Any:
    """Give the defaults to a class that has another base.

    They are set on the class itself: a wrapper or a subclass would be another type, and what is ours is told from what
    is not, and methods that share passes from others, by types.
    """
    kind = type(method)
    if isinstance(method, type) or not hasattr(kind, "explain"):
        raise InputError(f"{method!r} is no method: that is a dataclass with an explain, or an instance of a class")
    for name, default in vars(Method).items():
        if not name.startswith("_") and not hasattr(kind, name):
            setattr(kind, name, default)
    return method


METHODS: Registry[Method] = Registry("method", "whichword.methods", [ALL], completed)
METHODS.aliases(alias_of)

Family = tuple[type[Method], Mapping[str, Method]]  # a class, and its methods by label


@dataclass(frozen=True)
class MethodPlan:
    """Methods by label, grouped by family; ``undefined``: those that this model cannot have, and why."""

    families: tuple[Family, ...]
    undefined: Mapping[str, str] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for _, group in self.families for label in group)

    @property
    def expected(self) -> tuple[Any, ...]:
        """The hints on what methods will ask of every batch."""
        hints = (method.expects for _, group in self.families for method in group.values())
        expected = dict.fromkeys(hint for hint in hints if hint is not None)
        # the last point of an integral is the simple gradient, so the prediction's pass is not needed for it
        useless = {GRADIENT, INTEGRAL} if INTEGRAL in expected else set()
        return tuple(hint for hint in expected if hint not in useless)

    def answer(self, model: Model, questions: Questions, clock: Clock | None = None) -> dict[str, Answer]:
        """Answer all methods; the ``clock``, if there is one, counts the seconds."""
        answers: dict[str, Answer] = {}
        now = (
            None if clock is None else stopwatch(model)
        )  # what a process has used is asked of the system: not for nothing
        for family in self.families:
            start = now() if now else 0.0
            answers |= ask(family, model, questions)
            if clock is not None and now:
                clock.add(family[1], now() - start)
        return answers


@dataclass
class Clock:
    """A clock that shares the seconds of each family out evenly among the methods that it answers."""

    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, labels: Iterable[str], seconds: float) -> None:
        """Add the seconds that a family took for these labels."""
        names = list(labels)
        for label in names:
            self.seconds[label] = self.seconds.get(label, 0.0) + seconds / len(names)


def plan(spellings: Iterable[str] | str | None, model: Model) -> MethodPlan:
    """Group the named methods; None or "all" stands for every registered method that is defined for the model."""
    labelled = dict(METHODS.resolve(name) for name in _names(spellings, model))
    families: dict[type[Method], dict[str, Method]] = {}
    undefined: dict[str, str] = {}
    for label, method in labelled.items():
        reason = _why_not(method, model)
        if reason is None:
            families.setdefault(type(method), {})[label] = method
        else:
            undefined[label] = reason  # shown as n/a with this reason, not refused
    return MethodPlan(tuple(families.items()), undefined)


def _why_not(method: Method, model: Model) -> str | None:
    """Say why a method is not defined for a model; None: it is."""
    if not isinstance(model, method.needs):
        return model.lacks(method.needs)
    if model.about.scores == "label" and not method.labels_do:  # 0 or 1 has no gradient, and hardly a difference
        return "it gives labels, no scores"
    return method.refuses(model)


def _names(spellings: Iterable[str] | str | None, model: Model) -> list[str]:
    names = [ALL] if spellings is None else [spellings] if isinstance(spellings, str) else list(spellings)
    if not names:
        raise InputError("no method was named; 'all' stands for every method")
    return [name for spelling in names for name in (standing_for(spelling, model.also) or [spelling])]


def standing_for(spelling: str, also: Sequence[str] = ()) -> list[str]:
    """List the names that a spelling stands for: "all" (with a model's own), or a family's; else none."""
    if spelling == ALL:
        return [*METHODS.names(), *also]  # contestants are a family, and not among "all"
    return METHODS.names(spelling) if spelling in METHODS.families() else []


def teams(labels: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Group methods that share nearly all of their passes, every other one by itself; in order of their first."""
    by_passes: dict[Hashable, list[str]] = {}
    for label in labels:
        method = METHODS[label]
        shared = None if _alone(type(method)) else method.shares
        by_passes.setdefault(label if shared is None else (type(method), shared), []).append(label)
    return tuple(map(tuple, by_passes.values()))


def is_foreign(kind: type[Method]) -> bool:
    """Tell whether a kind of method is foreign code, or runs it."""
    return not kind.__module__.startswith("whichword.") if kind.foreign is None else kind.foreign


def _alone(kind: type[Method]) -> bool:
    """Tell whether each method is asked by itself: a failure must not take the family along."""
    return is_foreign(kind) or kind.one_by_one


def ask(family: Family, model: Model, questions: Questions) -> dict[str, Answer]:
    """Ask one family."""
    kind, group = family
    if questions.batch.width == 0:  # empty documents have empty answers, whatever the method
        return {label: Answer(questions.zeros()) for label in group}
    if _alone(kind):
        return {label: surviving(method, model, questions) for label, method in group.items()}
    if kind.together is not None:
        answers = kind.together(model, questions, list(group.values()))
    else:
        answers = [method.explain(model, questions) for method in group.values()]
    return {label: answered(answer) for label, answer in zip(group, answers, strict=True)}


def surviving(method: Method, model: Model, questions: Questions) -> Answer:
    """Ask about all documents at once, or where the method fails (or takes only one), each by itself."""
    if not method.one_by_one:
        with contextlib.suppress(Exception):  # which document it was is found below, one by one
            return _checked(answered(method.explain(model, questions)), questions)
    answers = [_asked_alone(method, model, questions.pick([row])) for row in range(len(questions))]
    values = questions.zeros()
    for row, answer in enumerate(answers):
        values[row, : answer.values.shape[1]] = answer.values[0]
    outside = [answer.rest.cpu().double() for answer in answers if answer.rest is not None]
    notes = {row: answer.notes[0] for row, answer in enumerate(answers) if 0 in answer.notes}
    return Answer(values, notes, torch.cat(outside) if len(outside) == len(answers) else None)  # rest only of all


def _asked_alone(method: Method, model: Model, questions: Questions) -> Answer:
    if not questions.batch.width:
        return Answer(questions.zeros())
    try:
        return _checked(answered(method.explain(model, questions)), questions)
    except Exception as error:
        nothing = torch.full_like(questions.zeros(), torch.nan)
        outside = None if questions.batch.word is None else torch.full((1,), torch.nan, dtype=torch.float64)
        return Answer(nothing, {0: f"{CRASHED}{named(error)}"}, outside)


def _checked(answer: Answer, questions: Questions) -> Answer:
    """Refuse answers of another shape, which foreign code may give."""
    shape, expected = list(answer.values.shape), [len(questions), questions.batch.width]
    if shape != expected:
        raise ValueError(f"it gave relevances of shape {shape}, not {expected}")
    return answer
