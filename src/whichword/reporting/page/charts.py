"""The numbers behind the charts of a report, as plain JSON values. Drawing is the page's."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.health.findings import Health
from whichword.method_names import BASELINES
from whichword.reporting.page.charts_agreement import neighbours, same_rmax
from whichword.reporting.recommendation import FEW
from whichword.reporting.table import Column, TableCell
from whichword.scoring.judged import Judged
from whichword.statistics import discordant, holm, mcnemar, slices
from whichword.statistics.intervals import wilson

MOST_VALUES = 40  # a fact with more values is a name, not a slice

Json = dict[str, Any]


def column_data(
    column: Column, judged: Judged, facts: Sequence[Mapping[str, str]], uniform: Collection[str] = ()
) -> Json:
    """Accuracies, costs, significance and slices of one column.

    ``facts`` [D] say what an item can be sliced by; ``uniform`` names methods that are counted by expectation.
    """
    return {
        "part": column.part,
        "chance": _short(column.chance),
        "documents": column.documents,
        "discarded": column.discarded,
        "few": column.documents < FEW,
        "best": column.best,
        "cells": [_cell(name, cell) for name, cell in column.cells.items()],
        "apart": _apart(judged, column.part, uniform),
        "slices": _slices(judged, column.part, facts),
    }


def pairing_data(judged: Judged, correlation: NDArray[np.float64], health: Sequence[Health]) -> Json:
    """What does not depend on the part of the game: agreement between methods, and their health."""
    return {
        "order": neighbours(correlation),
        "correlation": _matrix(correlation),
        "same": _matrix(same_rmax(judged.rmax)),
        "health": [_health(report, int(judged.ties[:, row].sum())) for row, report in enumerate(health)],
    }


def _cell(name: str, cell: TableCell) -> Json:
    interval = cell.interval
    return {
        "method": name,
        "baseline": name in BASELINES,
        "accuracy": _short(cell.accuracy),
        "low": _short(interval.low) if interval else None,
        "high": _short(interval.high) if interval else None,
        "hits": _short(cell.tally.hits, 2),
        "seconds": _significant(cell.cost.seconds),
        "tied": cell.tied,
        "ties": cell.tally.ties,
        "nonfinite": cell.tally.nonfinite,
    }


def _apart(judged: Judged, part: str, uniform: Collection[str]) -> list[Json]:
    """Every two methods: the difference of their accuracies and its p-value, Holm-corrected over all pairs.

    Expectations are left out: they have no exact test, and a bootstrap's smallest p-value is too large for this many
    pairs. Chance stands in the chart of accuracies.
    """
    counted = _counted(judged.hits[part])
    hits = {name: values[counted] for name, values in judged.vectors(part).items() if name not in uniform}
    if not counted.any() or len(hits) < 2:
        return []
    means = {name: float(values.mean()) for name, values in hits.items()}
    tests = {(a, b): mcnemar(*discordant(hits[a], hits[b])) for a, b in combinations(hits, 2)}
    return [
        {"a": a, "b": b, "difference": _short(means[a] - means[b]), "p": _significant(p)}
        for (a, b), p in holm(tests).items()
    ]


def _slices(judged: Judged, part: str, facts: Sequence[Mapping[str, str]]) -> Json:
    hits = judged.hits[part]
    names = dict.fromkeys(name for fact in facts for name in fact)
    groups = {name: slices(facts, name) for name in names}
    sliced = {name: group for name, group in groups.items() if 2 <= len(group) <= MOST_VALUES}
    return {
        name: [_slice(value, hits[rows]) for value, rows in group.items() if _counted(hits[rows]).any()]
        for name, group in sliced.items()
    }


def _slice(value: str, hits: NDArray[np.float64]) -> Json:
    counted = hits[_counted(hits)]
    sums = counted.sum(axis=0)
    intervals = [wilson(min(float(total), len(counted)), len(counted)) for total in sums]
    return {
        "value": value,
        "documents": len(counted),
        "accuracy": [_short(float(total) / len(counted)) for total in sums],
        "low": [_short(interval.low) for interval in intervals],
        "high": [_short(interval.high) for interval in intervals],
    }


def _counted(hits: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Rows [D] that count: the same ones for every method."""
    return np.asarray(~np.isnan(hits).any(axis=1))


def _health(health: Health, ties: int) -> Json:
    return {
        "method": health.method,
        "documents": health.documents,
        "nonfinite": health.nonfinite,
        "constant": health.constant,
        "ties": ties,
        "edges": _short(health.edges),
        "even": _short(health.if_even),
        "same": list(health.same_as),
        "crashed": health.crashed,
        "complaints": list(health.complaints),
        "remarks": list(health.remarks),
    }


def _matrix(values: NDArray[np.float64]) -> list[list[float | None]]:
    return [[None if np.isnan(value) else round(float(value), 3) for value in row] for row in values]


def _short(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)


def _significant(value: float) -> float:
    return float(f"{value:.4g}")
