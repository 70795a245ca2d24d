"""The numbers of a report as files that the page itself carries."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from whichword.render import escape
from whichword.reporting.page.explorer import pack
from whichword.reporting.page.gather import Gathered
from whichword.reporting.table import Table


@dataclass(frozen=True)
class File:
    """A file to save: what it is called, what is in it, and its text, packed."""

    name: str
    about: str
    kind: str
    packed: str


def downloads(table: Table, gathered: Sequence[Gathered]) -> list[File]:
    """The results as CSV, JSON, LaTeX and Markdown, and every hit as CSV."""
    return [
        _file("results.csv", "every cell with interval, counts and cost", "text/csv", table.to("csv")),
        _file("results.json", "the same as JSON", "application/json", table.to("json")),
        _file("results.tex", "the table in the paper's layout", "application/x-tex", table.to("latex")),
        _file("results.md", "the table as Markdown", "text/markdown", table.to("markdown")),
        _file("hits.csv", "which method hits in which document", "text/csv", hits(table.methods, gathered)),
        _file("rmax.csv", "which word each method points at, from 0", "text/csv", rmax(table.methods, gathered)),
    ]


def hits(methods: Sequence[str], gathered: Sequence[Gathered]) -> str:
    """A line per document and part: 1 or 0 per method (for `random` the expectation), empty where it is not counted."""
    header = ("run", "model", "corpus", "game", "part", "document", "predicted", *methods)
    rows = (
        _row(entry, (part,), row, _spread(methods, entry, entry.judged.hits[part][row].round(6).tolist()))
        for entry in gathered
        for part in entry.judged.parts
        for row in range(len(entry.items))
    )
    return escape.csv_row(header) + "".join(rows)


def rmax(methods: Sequence[str], gathered: Sequence[Gathered]) -> str:
    """A line per document: the position of the most relevant word per method, empty where no relevance is finite."""
    header = ("run", "model", "corpus", "game", "document", "predicted", *methods)
    rows = (
        _row(entry, (), row, _spread(methods, entry, [t if t >= 0 else None for t in entry.judged.rmax[row].tolist()]))
        for entry in gathered
        for row in range(len(entry.items))
    )
    return escape.csv_row(header) + "".join(rows)


def _row(entry: Gathered, part: tuple[str, ...], row: int, values: Sequence[float | None]) -> str:
    about = (entry.run_name, entry.pairing.model, entry.run.plan.corpus_name(entry.set), entry.set.game, *part)
    return escape.csv_row((*about, entry.judged.keys[row], entry.judged.predicted[row], *values))


def _spread(methods: Sequence[str], entry: Gathered, values: Sequence[float | None]) -> list[float | None]:
    """The pairing's values in the order of all methods; None where it has no such method or no number."""
    by_method = dict(zip(entry.judged.methods, values, strict=True))
    ordered = (by_method.get(method) for method in methods)
    return [None if value is None or math.isnan(value) else value for value in ordered]


def _file(name: str, about: str, kind: str, text: str) -> File:
    return File(name, about, kind, pack(text.encode("utf8")))
