"""The numbers of a report as files that the page itself carries."""

from collections.abc import Sequence
from dataclasses import dataclass

from whichword.render import escape
from whichword.reporting.page_gather import Gathered
from whichword.reporting.page_pack import pack
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
    """A line a document and part: 1 or 0 a method (for `random` the expectation), empty where it is not counted."""
    header = ("run", "model", "corpus", "game", "part", "document", "predicted", *methods)
    rows = (
        _row(one, (part,), row, _spread(methods, one, one.judged.hits[part][row].round(6).tolist()))
        for one in gathered
        for part in one.judged.parts
        for row in range(len(one.items))
    )
    return escape.csv_row(header) + "".join(rows)


def rmax(methods: Sequence[str], gathered: Sequence[Gathered]) -> str:
    """A line a document: the position of the most relevant word a method, empty where no relevance is finite."""
    header = ("run", "model", "corpus", "game", "document", "predicted", *methods)
    rows = (
        _row(one, (), row, _spread(methods, one, [t if t >= 0 else None for t in one.judged.rmax[row].tolist()]))
        for one in gathered
        for row in range(len(one.items))
    )
    return escape.csv_row(header) + "".join(rows)


def _row(one: Gathered, part: tuple[str, ...], row: int, values: Sequence[float | None]) -> str:
    about = (one.run_name, one.pairing.model, one.set.corpus, one.set.game, *part)
    return escape.csv_row((*about, one.judged.keys[row], one.judged.predicted[row], *values))


def _spread(methods: Sequence[str], one: Gathered, values: Sequence[float | None]) -> list[float | None]:
    """The pairing's values in the order of all methods; None where it has no such method or no number."""
    found = dict(zip(one.judged.methods, values, strict=True))
    return [None if (value := found.get(method)) is None or value != value else value for method in methods]


def _file(name: str, about: str, kind: str, text: str) -> File:
    return File(name, about, kind, pack(text.encode("utf8")))
