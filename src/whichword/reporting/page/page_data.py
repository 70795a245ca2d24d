"""The data of a report's page: one JSON value for the charts, and packed blobs for the documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whichword.games import recalled
from whichword.method_names import words_of
from whichword.render.heatmap import PALETTES
from whichword.reporting.page.charts import Json, column_data, pairing_data
from whichword.reporting.page.explorer import Blobs, fitting, set_blobs, size, text_blobs
from whichword.reporting.page.page_gather import Gathered
from whichword.reporting.recommendation import FEW
from whichword.reporting.table import Column

MOST = 24_000_000  # characters of packed documents in a page


@dataclass(frozen=True)
class PageData:
    """What the page's scripts read."""

    summary: Json
    blobs: Blobs


def page_data(gathered: Sequence[Gathered], columns: Mapping[str, Sequence[Column]], most: int = MOST) -> PageData:
    """``columns`` are the table's columns of each pairing, in the order of its parts."""
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
        "network": columns[0].network,
        "corpus": columns[0].corpus,
        "game": entry.set.game,
        "classes": list(entry.model.classes),
        "methods": list(entry.pairing.labels),
        "uniform": [method.uniform for method in entry.pairing.methods],
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
    """The rows of each set that the page shows (every one, or every n-th so that it stays small), and the blobs."""
    step = 1
    while True:
        rows_of = {entry.set_name: range(0, len(entry.items), step) for entry in gathered}
        steps, blobs = fitting([entry.played(rows_of[entry.set_name]) for entry in gathered], most)
        if size(blobs) <= most or all(len(rows) <= 1 for rows in rows_of.values()):
            return rows_of, steps, _all(gathered, rows_of, blobs)
        step *= 1 + size(blobs) // most


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
