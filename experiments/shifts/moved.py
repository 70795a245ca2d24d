"""Every method beside itself with its heat maps moved by a word, and what both tests of a shift say of all three."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

from whichword.answering import Asking
from whichword.health.examination import scaled
from whichword.health.responses import shifts_of
from whichword.health.shifts import Shifts, confirmed
from whichword.health.theorems import BASELINES
from whichword.methods import METHODS, Questions, plan
from whichword.methods.method import Answer
from whichword.model import Model
from whichword.types import Written

BY = (-1, 0, 1)


@dataclass(frozen=True)
class Moved:
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


def trial(model: Model, documents: Sequence[Written], methods: Sequence[str]) -> dict[str, Any]:
    """Method -> by how many words it was moved -> by how many each of the two tests says that it is."""
    labels = [label for label in plan(methods, model).labels if label not in BASELINES]
    names = {f"method {row} moved by {by}": (label, by) for row, label in enumerate(labels) for by in BY}
    for name, (label, by) in names.items():
        METHODS.register(name, Moved(label, by), family="moved")
    changes = shifts_of(Asking(model, plan(list(names), model)), documents, tuple(names))
    compared = by_fits(model, documents, labels)
    told: dict[str, Any] = {label: {"changes": {}, "fits": {}, "unconfirmed": {}} for label in labels}
    for name, (label, by) in names.items():
        fits = compared[label, by].fits(labels.index(label))
        told[label]["unconfirmed"][by] = changes[name].by
        told[label]["changes"][by] = confirmed(changes[name], fits).by
        if fits:
            told[label]["fits"][by] = compared[label, by].of(labels.index(label)).by
    return told


def by_fits(model: Model, documents: Sequence[Written], labels: Sequence[str]) -> dict[tuple[str, int], Shifts]:
    """One method moved at a time, the others as they are."""
    readings = [model.read(document) for document in documents]
    heat_maps = []
    for group, answers in Asking(model, plan(labels, model)).answers(readings):
        for row, index in enumerate(group):
            values = [answers.of(label, row, readings[index].seen) for label in labels]
            heat_maps.append(scaled(np.asarray(values, np.float64)))
    return {(label, by): _compared(heat_maps, row, by) for row, label in enumerate(labels) for by in BY}


def _compared(heat_maps: Sequence[Any], row: int, by: int) -> Shifts:
    size = len(heat_maps[0])
    shifts = Shifts(range(size), size)
    for phi in heat_maps:
        moved = phi.copy()
        moved[row] = np.roll(phi[row], by)
        shifts.add(moved)
    return shifts
