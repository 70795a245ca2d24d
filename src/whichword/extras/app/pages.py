"""What the app serves: page, program and stylesheet; and of the runs on the shelf advice, reports and some texts."""

import html
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from whichword.extras.app.jobs import CHOSEN, Shelf
from whichword.extras.app.requests import Limits
from whichword.method_names import words_of
from whichword.methods import METHODS, plan
from whichword.model import Model
from whichword.render import escape
from whichword.render.heatmap import PALETTES
from whichword.reporting.page.assets import STYLES, asset, program
from whichword.reporting.page.explorer import FULL
from whichword.reporting.tabulate import table
from whichword.reporting.verdict import Advice, recommend
from whichword.runs.run import Run

SHARED = ("base", "heat")  # the report's own scripts: elements, numbers, heat maps
EXAMPLES = ("This is the best film that I have seen in years.", "Compute the eigenvalues of a sparse matrix.")
OWN = ("service", "settings", "scores", "words", "reading", "choices", "copying", "runs", "app")


@dataclass(frozen=True)
class Pages:
    """Everything static, as it is sent."""

    index: str
    script: str
    style: str
    icon: str


def pages(shelf: Shelf, limits: Limits) -> Pages:
    """Read the assets once; what the page shows first is in the page."""
    data = escape.script(_data(shelf, limits))
    return Pages(
        index=asset("index.html", "extras.app").replace("{{ data }}", data),  # one place needs no template engine
        script=program([asset(f"{name}.js") for name in SHARED] + [asset(f"{name}.js", "extras.app") for name in OWN]),
        style="".join(asset(name) for name in STYLES) + asset("app.css", "extras.app"),  # the app's last: it overrides
        icon=asset("icon.svg", "extras.app"),
    )


def _data(shelf: Shelf, limits: Limits) -> dict[str, Any]:
    return {
        "steps": FULL,
        "palettes": {name: [list(palette.positive), list(palette.negative)] for name, palette in PALETTES.items()},
        "words": limits.words,
        "chosen": list(CHOSEN),
        "examples": list(EXAMPLES),
        "methods": METHODS.names(),  # no settings: what a request may name
        "methodWords": {name: words_of(name, METHODS[name]).tooltip for name in METHODS},
        "models": [_model(label, model) for label, model in shelf.models.items()],
        "runs": [_run(label, run) for label, run in shelf.runs.items()],
    }


def _model(label: str, model: Model) -> dict[str, Any]:
    about = model.about
    return {
        "label": label,
        "network": about.name,
        "facts": dict(about.facts),
        "classes": list(about.classes),
        "undefined": dict(plan(None, model).undefined),  # None: of all methods
    }


def _run(label: str, run: Run) -> dict[str, Any]:
    """Return what the plan says; nothing is computed for it."""
    plan = run.plan
    titles = [
        {
            "model": pairing.model,
            "corpus": plan.corpus_name(plan.set(pairing.set)),
            "game": plan.set(pairing.set).game,
            "documents": plan.set(pairing.set).items,
            "methods": len(pairing.methods),
        }
        for pairing in plan.pairings
    ]
    return {"label": label, "pairings": titles}


Json = dict[str, Any]

OFFERED = 6  # texts of a set that are offered for explaining
LONGEST = 150  # words of such a text
PAGES = 2  # reports kept in memory: each may take 30 MB
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
SANDBOX = "frame-ancestors 'none'; sandbox allow-scripts allow-downloads"  # neither can stand in a <meta>


OPENING = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=/runs/{number}"><title>whichword report</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/app.css"></head>
<body><main><section class="hero opening"><h1>The report of {label} is being made</h1>
<p class="lead">{documents} documents. It opens by itself; the second time at once.</p>
<progress aria-label="the report is being made"></progress></section></main></body></html>
"""


@dataclass(frozen=True)
class Page:
    """A report and the policy it asks for, in a sandbox: it cannot talk to the app."""

    text: str
    policy: str


def page(text: str) -> Page:
    policy = _POLICY.search(text)
    if policy is None:  # a mistake of ours, not of a user
        raise RuntimeError("a report states no policy")
    return Page(text, f"{html.unescape(policy[1])}; {SANDBOX}")


@dataclass(frozen=True, eq=False)
class RunPages:
    """Jobs about runs."""

    shelf: Shelf
    pages: dict[int, Page] = field(default_factory=dict)
    advised: dict[int, Json] = field(default_factory=dict)

    def opening(self, number: int) -> str:
        """Fill the page that is shown while the report is made; the browser keeps it until the report is there."""
        plan, label = self.shelf.run(number).plan, list(self.shelf.runs)[number]
        documents = sum(plan.set(pairing.set).items for pairing in plan.pairings)
        return OPENING.format(number=number, label=html.escape(label), documents=f"{documents:,}")

    def report(self, number: int) -> Generator[Page, None, None]:
        """Make the report, once."""
        from whichword.reporting.page.page import report_page  # not before a report is asked for

        if number not in self.pages:
            report = page(report_page([self.shelf.run(number).folder]))
            while len(self.pages) >= PAGES:  # the oldest goes
                self.pages.pop(next(iter(self.pages)))
            self.pages[number] = report
        yield self.pages[number]

    def advice(self, number: int) -> Generator[Json, None, None]:
        """Find out, once, which method to use for each model, and texts to try."""
        if number not in self.advised:
            self.advised[number] = _advice(self.shelf.run(number))
        yield self.advised[number]


def _advice(run: Run) -> Json:
    entries = recommend(table([run.folder])).advice
    advice = [_words(entry) for entry in entries]
    return {"advice": advice, "examples": list(_examples(run))}


def _words(entry: Advice) -> Json:
    """Return what programs act on, and the same in words."""
    reasons = [*entry.reasons, *([entry.needed] if entry.needed else [])]
    return {
        **entry.to_json(),
        "method": entry.method,
        "headline": f"{entry.where}: {entry.headline}",
        "reasons": reasons,
    }


def _examples(run: Run) -> Iterator[Json]:
    for played in run.plan.sets:
        short = (item for item in run.items(played.id) if 0 < len(item.words) <= LONGEST)
        for item in islice(short, OFFERED):
            yield {
                "words": list(item.words),
                "text": item.text,
                "gold": item.gold,
                "corpus": run.plan.corpus_name(played),
            }
