"""Every method beside itself with its heat maps moved by a word, and what the test of a shift says of all three."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.health.subject import ASKED, STORED, Subject
from whichword.answering import Asking
from whichword.health.examination import scaled
from whichword.health.shifts import Shift, Shifts
from whichword.method_names import BASELINES
from whichword.methods import plan
from whichword.model import Model
from whichword.types import Written

BY = (-1, 0, 1)
COUNTS = {"asked": ASKED, "stored": STORED}  # texts of a checkup, and of a run

HeatMap = NDArray[np.float64]


def trial(subject: Subject) -> dict[str, Any]:
    """Method -> how many texts -> by how many words it was moved -> by how many the test says that it is."""
    model, texts = subject.model(), subject.texts(STORED)
    labels = [label for label in plan(subject.moved, model).labels if label not in BASELINES]
    heat_maps = _heat_maps(model, texts, labels)
    return {label: _told(heat_maps, row) for row, label in enumerate(labels)}


def _told(heat_maps: Sequence[HeatMap], row: int) -> dict[str, dict[int, int]]:
    told: dict[str, dict[int, int]] = {}
    for by in BY:
        moved = [_moved(phi, row, by) for phi in heat_maps]
        for name, count in COUNTS.items():
            if (said := _said(moved[:count], row)) is not None:
                told.setdefault(name, {})[by] = said.by
    return told


def _said(heat_maps: Sequence[HeatMap], row: int) -> Shift | None:
    """None where there is nothing to compare: norms have no sign."""
    size = len(heat_maps[0])
    shifts = Shifts(range(size), size)
    for phi in heat_maps:
        shifts.add(phi)
    return shifts.of(row) if shifts.fits(row) else None


def _moved(phi: HeatMap, row: int, by: int) -> HeatMap:
    """One method moved, the others as they are."""
    moved = phi.copy()
    moved[row] = np.roll(phi[row], by)
    return moved


def _heat_maps(model: Model, texts: Sequence[Written], labels: Sequence[str]) -> list[HeatMap]:
    """phi [M, T] of every text."""
    readings = [model.read(text) for text in texts]
    heat_maps = {}
    for group, answers in Asking(model, plan(labels, model)).answers(readings):
        for row, index in enumerate(group):
            values = np.asarray([answers.of(label, row, readings[index].seen) for label in labels], np.float64)
            heat_maps[index] = scaled(np.where(np.isfinite(values), values, 0.0))
    return [heat_maps[index] for index in range(len(readings))]
