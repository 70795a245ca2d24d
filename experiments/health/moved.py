"""Every method beside itself with its heat maps moved by a word, and what the tests of a shift say of all three."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from experiments.health.subject import ASKED, STORED, Subject
from whichword.answering import Asking
from whichword.health.checkup import shifts_of
from whichword.health.examination import scaled
from whichword.health.shifts import LEVEL, Shift, Shifts, Wordwise, confirmed
from whichword.method_names import BASELINES
from whichword.methods import METHODS, Method, Questions, plan
from whichword.methods.method import Answer
from whichword.model import Model
from whichword.types import Written

BY = (-1, 0, 1)

HeatMaps = tuple[NDArray[np.float64], Sequence[Hashable]]


@dataclass(frozen=True)
class Moved(Method):
    """``method`` with the relevance of word t on word t + ``by``; the last word's goes to the first one."""

    foreign = False  # asked together: what is moved is computed once
    method: str = "lrp"
    by: int = 1

    def explain(self, model: Model, questions: Questions) -> Answer:
        return self.together(model, questions, [self])[0]

    @staticmethod
    def together(model: Model, questions: Questions, methods: Sequence["Moved"]) -> list[Answer]:
        labels = list(dict.fromkeys(moved.method for moved in methods))
        answers = plan(labels, model).answer(model, questions)
        counts = questions.batch.words.tolist()
        return [Answer(_rolled(answers[moved.method].values, counts, moved.by)) for moved in methods]


def _rolled(values: Tensor, counts: Sequence[int], by: int) -> Tensor:
    moved = values.clone()
    for row, count in enumerate(counts):
        moved[row, :count] = values[row, :count].roll(by)
    return moved


def trial(subject: Subject) -> dict[str, Any]:
    """Method -> test -> by how many words it was moved -> by how many the test says that it is.

    ``changes`` asks again about the first texts, as a checkup does; ``fits`` and ``words`` go by stored relevances.
    """
    model, texts = subject.model(), subject.texts(STORED)
    labels = [label for label in plan(subject.moved, model).labels if label not in BASELINES]
    heat_maps = _heat_maps(model, texts, labels)
    told: dict[str, Any] = {label: {} for label in labels}
    for (label, by), shift in _by_changes(model, texts[:ASKED], labels).items():
        row = labels.index(label)
        moved = list(_moved(heat_maps, row, by))
        stored, asked = _compared(moved), _compared(moved[:ASKED])
        tests = {"unconfirmed": shift, "changes": confirmed(shift, asked.fits(row)), "words": _alone(moved, row)}
        tests |= {"fits": stored.of(row)} if stored.fits(row) else {}
        for test, said in tests.items():
            told[label].setdefault(test, {})[by] = said.by
    return told


def _compared(heat_maps: Sequence[HeatMaps]) -> Shifts:
    size = len(heat_maps[0][0])
    shifts = Shifts(range(size), size)
    for phi, words in heat_maps:
        shifts.add(phi, words)
    return shifts


def _alone(heat_maps: Sequence[HeatMaps], row: int) -> Shift:
    wordwise = Wordwise(1)
    for phi, words in heat_maps:
        wordwise.add(phi[row : row + 1], words)
    return wordwise.of(0)


def _by_changes(model: Model, texts: Sequence[Written], labels: Sequence[str]) -> dict[tuple[str, int], Shift]:
    names = {f"method {row} moved by {by}": (label, by) for row, label in enumerate(labels) for by in BY}
    for name, (label, by) in names.items():
        METHODS.register(name, Moved(label, by), family="moved")
    shifts = shifts_of(Asking(model, plan(list(names), model)), texts, tuple(names), LEVEL / len(labels))
    return {names[name]: shift for name, shift in shifts.items()}


def _heat_maps(model: Model, texts: Sequence[Written], labels: Sequence[str]) -> list[HeatMaps]:
    """phi [M, T] of every text, and its words with the class that is explained."""
    readings = [model.read(text) for text in texts]
    heat_maps = {}
    for group, answers in Asking(model, plan(labels, model)).answers(readings):
        for row, index in enumerate(group):
            reading = readings[index]
            values = np.asarray([answers.of(label, row, reading.seen) for label in labels], np.float64)
            words = [(word, answers.target[row]) for word in reading.words[: reading.seen]]
            heat_maps[index] = scaled(np.where(np.isfinite(values), values, 0.0)), words
    return [heat_maps[index] for index in range(len(readings))]


def _moved(heat_maps: Sequence[HeatMaps], row: int, by: int) -> Iterator[HeatMaps]:
    """One method moved, the others as they are."""
    for phi, words in heat_maps:
        moved = phi.copy()
        moved[row] = np.roll(phi[row], by)
        yield moved, words
