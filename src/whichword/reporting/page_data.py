"""The data of a report's page: one JSON value for the charts, and packed blobs for the documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whichword.render.palette import PALETTES
from whichword.reporting.charts import Json, column_data, pairing_data
from whichword.reporting.explorer import Blobs, WordList, fitting, set_blobs, size
from whichword.reporting.page_gather import Gathered
from whichword.reporting.page_pack import text
from whichword.reporting.page_parts import part_words
from whichword.reporting.table import Column

MOST = 24_000_000  # characters of packed documents in a page


@dataclass(frozen=True)
class PageData:
    """What the page's scripts read."""

    summary: Json
    blobs: Blobs


def page_data(gathered: Sequence[Gathered], columns: Mapping[str, Sequence[Column]], most: int = MOST) -> PageData:
    """``columns`` are the table's columns of each pairing, in the order of its parts."""
    shown, steps, blobs = _documents(gathered, most)
    summary = {
        "steps": steps,
        "palettes": {name: [list(one.positive), list(one.negative)] for name, one in PALETTES.items()},
        "sets": {one.set_name: {"shown": len(shown[one.set_name]), "documents": len(one.items)} for one in gathered},
        "pairings": [_pairing(one, columns[one.name], shown[one.set_name]) for one in gathered],
    }
    return PageData(summary, blobs)


def _pairing(one: Gathered, columns: Sequence[Column], rows: Sequence[int]) -> Json:
    facts = one.facts()
    return {
        "name": one.name,
        "set": one.set_name,
        "run": one.run_name,
        "model": one.pairing.model,
        "network": columns[0].network,
        "corpus": one.set.corpus,
        "game": one.set.game,
        "classes": list(one.model.classes),
        "methods": list(one.pairing.labels),
        "uniform": [method.uniform for method in one.pairing.methods],
        "undefined": list(one.pairing.undefined),
        "starts": one.played(rows).starts(),
        "columns": [_column(one, column, facts) for column in columns],
        **pairing_data(one.judged, one.correlation, one.health),
    }


def _column(one: Gathered, column: Column, facts: Sequence[Mapping[str, str]]) -> Json:
    uniform = [method.label for method in one.pairing.methods if method.uniform]
    label, truth = part_words(column.part)
    return column_data(column, one.judged, facts, uniform) | {"label": label, "truth": truth}


def _documents(gathered: Sequence[Gathered], most: int) -> tuple[dict[str, range], int, Blobs]:
    """The rows of each set that the page shows (every one, or every n-th so that it stays small), and the blobs."""
    every = 1
    while True:
        shown = {one.set_name: range(0, len(one.items), every) for one in gathered}
        steps, blobs = fitting([one.played(shown[one.set_name]) for one in gathered], most)
        if size(blobs) <= most or all(len(rows) <= 1 for rows in shown.values()):
            return shown, steps, _all(gathered, shown, blobs)
        every *= 1 + size(blobs) // most


def _all(gathered: Sequence[Gathered], shown: Mapping[str, range], blobs: Mapping[str, Blobs]) -> Blobs:
    sets: dict[str, list[Any]] = {one.set_name: [one.items[row] for row in shown[one.set_name]] for one in gathered}
    words = WordList(item.words for items in sets.values() for item in items)
    found: Blobs = {"words": text(words.words)}
    for name, items in sets.items():
        found |= set_blobs(name, items, words)
    for group in blobs.values():
        found |= group
    return found
