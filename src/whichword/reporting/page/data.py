"""The data of a report's page: plain JSON values for the charts, and packed blobs for the documents.

Drawing is the page's.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.games import recalled
from whichword.health.findings import Health
from whichword.method_names import BASELINES, words_of
from whichword.render.heatmap import PALETTES
from whichword.reporting.page.explorer import Blobs, fitting, set_blobs, size, text_blobs
from whichword.reporting.page.gather import Gathered, neighbours, same_rmax
from whichword.reporting.table import Column, TableCell
from whichword.reporting.verdict import FEW
from whichword.scoring.outcomes import Judged
from whichword.statistics import discordant, holm, mcnemar, slices
from whichword.statistics.tests import wilson

MOST_VALUES = 40  # a fact with more values is a name, not a slice

Json = dict[str, Any]


def column_data(
    column: Column, judged: Judged, facts: Sequence[Mapping[str, str]], uniform: Collection[str] = ()
) -> Json:
    """Return accuracies, costs, significance and slices of one column.

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
    """Return what does not depend on the part of the game: agreement between methods, and their health."""
    return {
        "order": neighbours(correlation),  # of both matrices, so that they can be compared
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
        "hits": _short(cell.tally.hits, 2),  # whole, but for expectations
        "seconds": _significant(cell.cost.seconds),
        "tied": cell.tied,
        "ties": cell.tally.ties,
        "nonfinite": cell.tally.nonfinite,
    }


def _apart(judged: Judged, part: str, uniform: Collection[str]) -> list[Json]:
    """Compare every two methods: the difference of their accuracies and its p-value, Holm-corrected over all pairs.

    Expectations are left out: they have no exact test, and a bootstrap's smallest p-value is too large for this many
    pairs. Chance stands in the chart of accuracies.
    """
    counted = _counted(judged.hits[part])
    hits = {name: values[counted] for name, values in judged.vectors(part).items() if name not in uniform}
    if not counted.any() or len(hits) < 2:  # no pair to compare
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
    groups = {name: slices(facts, name) for name in names}  # every fact that some item has
    sliced = {name: group for name, group in groups.items() if 2 <= len(group) <= MOST_VALUES}
    return {
        name: [_slice(value, hits[rows]) for value, rows in group.items() if _counted(hits[rows]).any()]
        for name, group in sliced.items()
    }


def _slice(value: str, hits: NDArray[np.float64]) -> Json:
    counted = hits[_counted(hits)]
    sums = counted.sum(axis=0)
    intervals = [wilson(min(float(total), len(counted)), len(counted)) for total in sums]  # sums of shares may round up
    return {
        "value": value,
        "documents": len(counted),
        "accuracy": [_short(float(total) / len(counted)) for total in sums],
        "low": [_short(interval.low) for interval in intervals],
        "high": [_short(interval.high) for interval in intervals],
    }


def _counted(hits: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Find the rows [D] that count: the same ones for every method."""
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
    return None if value is None else round(value, digits)  # more digits than a chart shows cost room


def _significant(value: float) -> float:
    return float(f"{value:.4g}")  # p-values and seconds may be tiny, so rounding by places would lose them


MOST = 24_000_000  # characters of packed documents in a page


@dataclass(frozen=True)
class PageData:
    """What the page's scripts read."""

    summary: Json
    blobs: Blobs


def page_data(gathered: Sequence[Gathered], columns: Mapping[str, Sequence[Column]], most: int = MOST) -> PageData:
    """Build the data; ``columns`` are the table's columns of each pairing, in the order of its parts."""
    rows, steps, blobs = _documents(gathered, most)
    summary = {
        "steps": steps,
        "palettes": {name: [list(hues.positive), list(hues.negative)] for name, hues in PALETTES.items()},
        "sets": {
            entry.set_name: {"shown": len(rows[entry.set_name]), "documents": len(entry.items)} for entry in gathered
        },
        "few": FEW,
        "methodWords": {label: words_of(label).tooltip for entry in gathered for label in _labels(entry)},
        "pairings": [_pairing(entry, columns[entry.name], rows[entry.set_name]) for entry in gathered],
    }
    return PageData(summary, blobs)


def _labels(entry: Gathered) -> tuple[str, ...]:
    return (*entry.pairing.labels, *entry.pairing.undefined)


def _pairing(entry: Gathered, columns: Sequence[Column], rows: Sequence[int]) -> Json:
    facts = entry.facts()
    return {
        "name": entry.name,
        "set": entry.set_name,
        "run": entry.run_name,
        "model": entry.pairing.model,
        "network": columns[0].network,  # the same in all columns of a pairing
        "corpus": columns[0].corpus,
        "game": entry.set.game,
        "classes": list(entry.model.classes),
        "methods": list(entry.pairing.labels),
        "uniform": [method.uniform for method in entry.pairing.methods],  # counted by expectation: the page says so
        "undefined": list(entry.pairing.undefined),
        "reasons": dict(entry.pairing.undefined),
        "starts": entry.played(rows).starts(),
        "columns": [_column(entry, column, facts) for column in columns],
        **pairing_data(entry.judged, entry.correlation, entry.health),
    }


def _column(entry: Gathered, column: Column, facts: Sequence[Mapping[str, str]]) -> Json:
    uniform = [method.label for method in entry.pairing.methods if method.uniform]
    part = recalled(column.game).part(column.part)
    return column_data(column, entry.judged, facts, uniform) | {"label": part.heading, "truth": part.truth}


def _documents(gathered: Sequence[Gathered], most: int) -> tuple[dict[str, range], int, Blobs]:
    """Choose the rows of each set that the page shows (all, or every n-th so that it stays small), and pack them."""
    step = 1
    while True:
        rows_of = {entry.set_name: range(0, len(entry.items), step) for entry in gathered}
        steps, blobs = fitting([entry.played(rows_of[entry.set_name]) for entry in gathered], most)
        if size(blobs) <= most or all(len(rows) <= 1 for rows in rows_of.values()):
            return rows_of, steps, _all(gathered, rows_of, blobs)
        step *= 1 + size(blobs) // most  # how small they get shows only when they are packed


def _all(gathered: Sequence[Gathered], rows_of: Mapping[str, range], blobs: Mapping[str, Blobs]) -> Blobs:
    sets: dict[str, list[Any]] = {
        entry.set_name: [entry.items[row] for row in rows_of[entry.set_name]] for entry in gathered
    }
    packed = text_blobs(sets)
    for name, items in sets.items():
        packed |= set_blobs(name, items)
    for group in blobs.values():
        packed |= group
    return packed
