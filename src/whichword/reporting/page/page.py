"""A report: one HTML file that opens offline and loads nothing."""

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2

from whichword.base import files as writing
from whichword.games import recalled
from whichword.render import escape
from whichword.reporting.cases import cases_of
from whichword.reporting.formats import tie_counts
from whichword.reporting.numbers import points
from whichword.reporting.page.data import MOST, page_data
from whichword.reporting.page.explorer import elements
from whichword.reporting.page.gather import Gathered, gather
from whichword.reporting.page.page_assets import STYLES, asset, program
from whichword.reporting.page.page_downloads import downloads
from whichword.reporting.page.page_example import worked_examples
from whichword.reporting.page.page_judges import judges_section, with_judges
from whichword.reporting.page.page_protocol import protocol
from whichword.reporting.page.page_verdict import cards, headline
from whichword.reporting.recommendation import recommend
from whichword.reporting.table import Column, Table
from whichword.reporting.tabulating import columns_of
from whichword.runs.remarks import remarks
from whichword.runs.run import Run, RunLike, folders_of, open_run
from whichword.scoring.judged import Judged
from whichword.statistics.decision import MARGIN
from whichword.version import __version__

LIBRARIES = ("vendor/d3.min.js", "vendor/plot.min.js")
LICENCES = ("vendor/plot.LICENSE.txt", "vendor/d3.LICENSE.txt")
SCRIPTS = (
    *("base", "state", "data", "heat", "charts", "costs", "matrices", "tables"),
    *("documents", "list", "explorer", "slices", "page"),
)


class Markup(str):
    """Text that is HTML already; all other values are escaped on their way into the template."""


def write_report(folders: Sequence[str | Path], out: Path, most: int = MOST, margin: float = MARGIN) -> int:
    """Write the report of some runs; the file appears whole or not at all. Its size in bytes."""
    data = report_page(folders, most, margin).encode("utf8")
    writing.write(out, data)
    return len(data)


def report(runs: RunLike | Sequence[RunLike], out: str | Path = "report.html") -> Path:
    """Write the report of a run or of several, or of their folders, as one HTML file; returns where it is."""
    write_report(folders_of(runs), Path(out))
    return Path(out)


def report_page(folders: Sequence[str | Path], most: int = MOST, margin: float = MARGIN) -> str:
    """The page; ``most`` bounds the characters that the documents' heat maps take."""
    runs = [(name, open_run(folder)) for name, folder in zip(_names(folders), folders, strict=True)]
    gathered = gather(runs)
    columns = _columns(runs, gathered)
    cases = tuple(case for name, run in runs for case in cases_of(run, name, _judged(run, gathered), margin))
    table = Table(tuple(column for group in columns.values() for column in group), cases)
    data, recommendation = page_data(gathered, columns, most), recommend(table)
    files = downloads(table, gathered)
    judges = judges_section([(name, run, _judged(run, gathered)) for name, run in runs], table)
    scripts = [asset(name) for name in LIBRARIES] + [program([asset(f"{name}.js") for name in SCRIPTS])]
    template = _environment().from_string(asset("page.html"))
    return template.render(
        policy=_policy(scripts),
        style=Markup("".join(map(asset, STYLES))),
        scripts=[Markup(script) for script in scripts],
        data=Markup(escape.script(data.summary)),
        blobs=Markup(elements(data.blobs | {f"file/{file.name}": file.packed for file in files})),
        headline=with_judges(headline(recommendation), judges),
        judges=judges,
        markup=Markup,
        cards=cards(table, recommendation),
        table=table,
        examples=[(example, Markup(example.text)) for example in worked_examples(gathered, columns)],
        limits=[*recommendation.limits, *_remarks(runs)],
        protocol=protocol(runs),
        rules=_rules(table),
        files=files,
        points=points,
        ties=tie_counts,
        version=__version__,
        licences=[(name, asset(name)) for name in LICENCES],
    )


def _names(folders: Sequence[str | Path]) -> list[str]:
    """The folders' own names; with the number of the argument where two are the same."""
    names = [Path(folder).absolute().name for folder in folders]
    return [f"{name} ({i})" if names.count(name) > 1 else name for i, name in enumerate(names, 1)]


def _columns(runs: Sequence[tuple[str, Run]], gathered: Sequence[Gathered]) -> dict[str, list[Column]]:
    """The table's columns of each pairing: `columns_of` goes through pairings, and in each through its parts."""
    columns = iter([column for name, run in runs for column in columns_of(run, name, _judged(run, gathered))])
    return {pairing.name: [next(columns) for _ in pairing.judged.parts] for pairing in gathered}


def _judged(run: Run, gathered: Sequence[Gathered]) -> dict[str, Judged]:
    """What was judged of a run, by pairing."""
    return {entry.pairing.id: entry.judged for entry in gathered if entry.run is run}


def _remarks(runs: Sequence[tuple[str, Run]]) -> list[str]:
    """On documents that were left out, failed, or were not read to their end."""
    pairs = [(run, pairing) for _, run in runs for pairing in run.plan.pairings]
    return [f"{run.plan.title(pairing)}: {remark}." for run, pairing in pairs for remark in remarks(run, pairing)]


def _rules(table: Table) -> list[tuple[str, str]]:
    """(game, what it says of itself), once for all settings of a game; only games that say something."""
    rules = {column.game.partition("[")[0]: recalled(column.game).rules for column in table.columns}
    return [(game, words) for game, words in rules.items() if words]


def _policy(scripts: Sequence[str]) -> str:
    """Nothing is loaded from anywhere, and no script runs but these."""
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    styles = "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    return f"default-src 'none'; script-src {hashes}; {styles}"


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf8")).digest()).decode("ascii")


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        autoescape=False,  # `_escaped` does it, by the one escape function
        finalize=_escaped,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _escaped(value: Any) -> str:
    return value if isinstance(value, Markup) else escape.html(str(value))
