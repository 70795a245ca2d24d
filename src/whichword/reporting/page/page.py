"""The report: one HTML file that opens offline and loads nothing. Scripts, styles and templates lie in the package.

It carries its numbers as files to save, and how they came about: what ran, on what, with which settings and versions.
"""

import base64
import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import jinja2

from whichword.base.files import write
from whichword.games import recalled
from whichword.render import escape
from whichword.reporting.formats import tie_counts
from whichword.reporting.page.assets import STYLES, asset, program
from whichword.reporting.page.data import MOST, page_data
from whichword.reporting.page.explorer import elements, pack
from whichword.reporting.page.gather import Gathered, gather
from whichword.reporting.page.sections import (
    Report,
    Section,
    cards,
    headline,
    judges_section,
    sections,
    with_judges,
    worked_examples,
)
from whichword.reporting.table import Column, Table, cases_of, points
from whichword.reporting.tabulate import columns_of
from whichword.reporting.verdict import recommend
from whichword.runs.records import ItemSet, PlannedModel, RunPlan
from whichword.runs.run import Run, RunLike, folders_of, left_out, mixture, open_run, remarks
from whichword.scoring.outcomes import Judged
from whichword.statistics.decision import MARGIN
from whichword.version import __version__


@dataclass(frozen=True)
class File:
    """A file to save: what it is called, what is in it, and its text, packed."""

    name: str
    about: str
    kind: str
    packed: str


def downloads(table: Table, gathered: Sequence[Gathered]) -> list[File]:
    """Pack the results as CSV, JSON, LaTeX and Markdown, and every hit as CSV."""
    return [
        _file("results.csv", "every cell with interval, counts and cost", "text/csv", table.to("csv")),
        _file("results.json", "the same as JSON", "application/json", table.to("json")),
        _file("results.tex", "the table in the paper's layout", "application/x-tex", table.to("latex")),
        _file("results.md", "the table as Markdown", "text/markdown", table.to("markdown")),
        _file("hits.csv", "which method hits in which document", "text/csv", hits(table.methods, gathered)),
        _file("rmax.csv", "which word each method points at, from 0", "text/csv", rmax(table.methods, gathered)),
    ]


def hits(methods: Sequence[str], gathered: Sequence[Gathered]) -> str:
    """Write a line per document and part: 1 or 0 per method (for `random` the expectation), empty where not counted."""
    header = ("run", "model", "corpus", "game", "part", "document", "predicted", *methods)
    rows = (
        _row(entry, (part,), row, _spread(methods, entry, entry.judged.hits[part][row].round(6).tolist()))
        for entry in gathered
        for part in entry.judged.parts
        for row in range(len(entry.items))
    )
    return escape.csv_row(header) + "".join(rows)


def rmax(methods: Sequence[str], gathered: Sequence[Gathered]) -> str:
    """Write a line per document: the place of the most relevant word per method, empty where nothing is finite."""
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
    """Put the pairing's values in the order of all methods; None where it has no such method or no number."""
    by_method = dict(zip(entry.judged.methods, values, strict=True))
    ordered = (by_method.get(method) for method in methods)
    return [None if value is None or math.isnan(value) else value for value in ordered]  # None: an empty place


def _file(name: str, about: str, kind: str, text: str) -> File:
    return File(name, about, kind, pack(text.encode("utf8")))


VERSIONS = ("code", "torch", "numpy", "scipy", "arithmetic")  # what a run's identity says of the machinery


@dataclass(frozen=True)
class Protocol:
    """One run: (name, value) pairs about it, its models and its sets."""

    run: str
    facts: tuple[tuple[str, str], ...]
    models: tuple[tuple[str, str], ...]
    sets: tuple[tuple[str, str], ...]


def protocol(runs: Sequence[tuple[str, Run]]) -> list[Protocol]:
    return [_protocol(name, run) for name, run in runs]


def _protocol(name: str, run: Run) -> Protocol:
    plan, mixed = run.plan, mixture(run.arithmetics)
    return Protocol(
        run=name,
        facts=(*_facts(plan), *([("computed", mixed)] if mixed else [])),
        models=tuple((model.label, _model(model)) for model in plan.models),
        sets=tuple((item_set.title, _set(item_set)) for item_set in plan.sets),
    )


def _facts(plan: RunPlan) -> Iterator[tuple[str, str]]:
    yield "identity", plan.run
    yield from ((name, str(value)) for name, value in plan.settings.items())
    yield from ((name, plan.identity[name]) for name in VERSIONS if name in plan.identity)
    for pairing in plan.pairings:
        if pairing.undefined:  # every method that was asked for appears somewhere
            reasons = (f"{method} ({reason})" for method, reason in pairing.undefined.items())
            yield f"not defined for {plan.title(pairing)}", ", ".join(reasons)


def _model(model: PlannedModel) -> str:
    about = model.about
    facts = (f"{name} {value}" for name, value in about.facts.items())
    return ", ".join([about.name, *facts, f"{len(about.classes)} classes", about.dtype])


def _set(item_set: ItemSet) -> str:
    counts = f"{item_set.items:,} of {item_set.available:,} documents, {len(item_set.classes)} classes"
    pairs = ", ".join(f"{label} is {name}" for label, name in item_set.mapping.items())
    gone = f"; {left_out(item_set.left_out)}" if item_set.left_out else ""
    return counts + (f" ({pairs})" if pairs else "") + gone + _record(item_set.record)


def _record(record: Mapping[str, str]) -> str:
    return "".join(f"; {name}: {value}" for name, value in record.items())


LIBRARIES = ("vendor/d3.min.js", "vendor/plot.min.js")  # plot asks for d3, so d3 goes first
LICENCES = ("vendor/plot.LICENSE.txt", "vendor/d3.LICENSE.txt")
SCRIPTS = (
    *("base", "state", "data", "heat", "charts", "costs", "matrices", "tables"),
    *("documents", "list", "explorer", "slices", "page"),
)


class Markup(str):
    """Text that is HTML already; all other values are escaped on their way into the template."""


def write_report(folders: Sequence[str | Path], out: Path, most: int = MOST, margin: float = MARGIN) -> int:
    """Write the report of some runs, whole or not at all, and return its size in bytes."""
    data = report_page(folders, most, margin).encode("utf8")  # all of it, before the file is touched
    write(out, data)
    return len(data)


def report(runs: RunLike | Sequence[RunLike], out: str | Path = "report.html") -> Path:
    """Write the report of a run or of several, or of their folders, as one HTML file; returns where it is."""
    write_report(folders_of(runs), Path(out))
    return Path(out)


def report_page(folders: Sequence[str | Path], most: int = MOST, margin: float = MARGIN) -> str:
    """Render the page; ``most`` bounds the characters that the documents' heat maps take."""
    runs = [(name, open_run(folder)) for name, folder in zip(_names(folders), folders, strict=True)]
    gathered = gather(runs)
    columns = _columns(runs, gathered)
    cases = tuple(case for name, run in runs for case in cases_of(run, name, _judged(run, gathered), margin))
    table = Table(tuple(column for group in columns.values() for column in group), cases)
    report = Report(runs, gathered, columns, table, recommend(table))
    data, files = page_data(gathered, columns, most), downloads(table, gathered)
    scripts = [asset(name) for name in LIBRARIES] + [program([asset(f"{name}.js") for name in SCRIPTS])]
    shown = _shown(report, files)
    return (
        _environment()
        .from_string(asset("page.html"))
        .render(
            shown,
            policy=_policy(scripts),
            style=Markup("".join(map(asset, STYLES))),
            scripts=[Markup(script) for script in scripts],
            data=Markup(escape.script(data.summary)),
            blobs=Markup(elements(data.blobs | {f"file/{file.name}": file.packed for file in files})),
            titles=[(name, section.title) for name, section in sections() if section.title],
            rows=list(_rows(report, shown)),
        )
    )


def _shown(report: Report, files: Sequence[File]) -> dict[str, Any]:
    """Return what the blocks of sections.html name."""
    runs, table, recommendation = report.runs, report.table, report.recommendation
    judges = judges_section([(name, run, _judged(run, report.gathered)) for name, run in runs], table)
    examples = worked_examples(report.gathered, report.columns)
    return {
        "headline": with_judges(headline(recommendation), judges),
        "judges": judges,
        "markup": Markup,
        "cards": cards(table, recommendation),
        "table": table,
        "examples": [(example, Markup(example.text)) for example in examples],
        "limits": [*recommendation.limits, *_remarks(runs)],
        "protocol": protocol(runs),
        "rules": _rules(table),
        "files": files,
        "points": points,
        "ties": tie_counts,
        "version": __version__,
        "licences": [(name, asset(name)) for name in LICENCES],  # the libraries ask that these go with them
    }


def _rows(report: Report, shown: Mapping[str, Any]) -> Iterator[tuple[str, list[Markup]]]:
    """Yield sections that stand side by side, under the name of their row; others alone."""
    ours = _environment().from_string(asset("sections.html"))

    def html(name: str, section: Section) -> Markup:
        if name in ours.blocks:  # a plug-in's section brings its own HTML
            return Markup("".join(ours.blocks[name](ours.new_context(dict(shown)))))  # renders one block
        return Markup(section.html(name, report))

    for row, members in groupby(sections(), key=lambda entry: entry[1].row):
        yield row, [html(name, section) for name, section in members]


def _names(folders: Sequence[str | Path]) -> list[str]:
    """Name runs by their folders; with the number of the argument where two are the same."""
    names = [Path(folder).absolute().name for folder in folders]  # "." has no name of its own
    return [f"{name} ({i})" if names.count(name) > 1 else name for i, name in enumerate(names, 1)]


def _columns(runs: Sequence[tuple[str, Run]], gathered: Sequence[Gathered]) -> dict[str, list[Column]]:
    """Make the table's columns of each pairing: `columns_of` goes through pairings, and in each through its parts."""
    columns = iter([column for name, run in runs for column in columns_of(run, name, _judged(run, gathered))])
    return {pairing.name: [next(columns) for _ in pairing.judged.parts] for pairing in gathered}


def _judged(run: Run, gathered: Sequence[Gathered]) -> dict[str, Judged]:
    """Return what was judged of a run, by pairing."""
    return {entry.pairing.id: entry.judged for entry in gathered if entry.run is run}  # ids are a run's own


def _remarks(runs: Sequence[tuple[str, Run]]) -> list[str]:
    """Remark on documents that were left out, failed, or were not read to their end."""
    pairs = [(run, pairing) for _, run in runs for pairing in run.plan.pairings]
    return [f"{run.plan.title(pairing)}: {remark}." for run, pairing in pairs for remark in remarks(run, pairing)]


def _rules(table: Table) -> list[tuple[str, str]]:
    """Return (game, what it says of itself), once for all settings of a game; only games that say something."""
    rules = {column.game.partition("[")[0]: recalled(column.game).rules for column in table.columns}
    return [(game, words) for game, words in rules.items() if words]


def _policy(scripts: Sequence[str]) -> str:
    """Allow nothing to be loaded from anywhere, and no script but these."""
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)  # a script that got in with a text has none
    styles = "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    return f"default-src 'none'; script-src {hashes}; {styles}"


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf8")).digest()).decode("ascii")


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        autoescape=False,  # `_escaped` does it, by the one escape function
        finalize=_escaped,
        undefined=jinja2.StrictUndefined,  # a misspelt name is an error, not an empty place
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _escaped(value: Any) -> str:
    return value if isinstance(value, Markup) else escape.html(str(value))
