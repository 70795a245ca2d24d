"""Several trainings of one kind, pooled: their mean, how far they lie apart, and how sure the documents make it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.statistics.bootstrap import RESAMPLES, share_interval
from whichword.statistics.intervals import Interval

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Trainings:
    """One method over several trainings. ``spread`` is the standard deviation between trainings (None: one only).

    ``interval`` is between documents: what another draw of documents would give with the same trainings.
    """

    trainings: int
    mean: float
    spread: float | None
    lowest: float
    highest: float
    interval: Interval


def pooled(trainings: Sequence[tuple[Sequence[str], Floats]], seed: int = 0) -> Trainings | None:
    """(document keys, scores [D], nan where not counted) per training; None where no training has a document.

    Documents with one key are drawn together in all trainings: they are the same text.
    """
    if not trainings:
        raise InputError("pooling needs at least one training")
    counted = [(keys, scores) for keys, scores in trainings if not np.isnan(scores).all()]
    if not counted:
        return None
    means = np.array([float(np.nanmean(scores)) for _, scores in counted])
    spread = float(means.std(ddof=1)) if len(means) > 1 else None
    interval = _between_documents(counted, seed)
    return Trainings(len(means), float(means.mean()), spread, float(means.min()), float(means.max()), interval)


def _between_documents(trainings: Sequence[tuple[Sequence[str], Floats]], seed: int) -> Interval:
    """Of the mean of the trainings' means, when documents are drawn anew."""
    if len(trainings) == 1:
        scores = trainings[0][1]
        return share_interval(scores[~np.isnan(scores)], seed)
    names = {key: number for number, key in enumerate(sorted({key for keys, _ in trainings for key in keys}))}
    dice = np.random.default_rng(seed)
    weights = dice.multinomial(len(names), np.full(len(names), 1 / len(names)), size=RESAMPLES).astype(np.float64)
    means = np.mean([_weighted(keys, scores, weights, names) for keys, scores in trainings], axis=0)
    low, high = np.nanquantile(means, [0.025, 0.975])
    return Interval(float(low), float(high))


def _weighted(keys: Sequence[str], scores: Floats, weights: Floats, names: dict[str, int]) -> Floats:
    counted = ~np.isnan(scores)
    places = np.array([names[key] for key in keys])[counted]
    totals = weights @ np.bincount(places, minlength=len(names))
    sums = weights @ np.bincount(places, weights=scores[counted], minlength=len(names))
    return np.asarray(np.divide(sums, totals, out=np.full(len(totals), np.nan), where=totals > 0))
