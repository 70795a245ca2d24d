"""Plug-in methods on the model of a run that is there: what they say of its items."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whichword import models
from whichword.errors import InputError
from whichword.extras.outside.matching import Matched, OutsideSource
from whichword.methods import plan
from whichword.workers.explaining import Explainer


def ask_plugged(source: OutsideSource, labels: Sequence[str]) -> Matched:
    """The methods on the source's model, which has to predict what it predicted then."""
    if not source.predictions:
        raise InputError("a corpus has no model to ask: whichword evaluate MODEL --corpus CORPUS --plugin FILE -m NAME")
    model = models.load(source.subject.spelling)
    for label, reason in plan(labels, model).undefined.items():
        raise InputError(f"{label} is not defined for {source.subject.label}: {reason}")
    sheet, _ = Explainer(model, tuple(labels), source.seed, None).explain(source.items, [])
    vectors: dict[str, dict[str, NDArray[np.float64]]] = {label: {} for label in labels}
    for row, item in enumerate(source.items):
        if item.key not in source.predictions:
            continue
        if sheet.classes[sheet.predicted[row]] != source.predictions[item.key].predicted:
            raise InputError(f"{source.subject.spelling} is another model than the run's: it predicts other classes")
        for label in labels:
            vectors[label][item.key] = sheet.vector(row, label).astype(np.float64)
    return Matched(vectors, source.predictions, 0)
