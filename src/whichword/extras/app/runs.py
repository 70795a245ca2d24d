"""The runs on the shelf: what they are, what they advise, their reports and a few of their texts."""

import html
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from whichword.extras.app.jobs import Shelf
from whichword.reporting import recommend, table
from whichword.reporting.page.page import report_page
from whichword.reporting.recommendation import Advice
from whichword.runs.run import Run

Json = dict[str, Any]

OFFERED = 6  # texts of a set that are offered for explaining
LONGEST = 150  # words of such a text
PAGES = 2  # reports kept in memory: each may take 30 MB
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
SANDBOX = "frame-ancestors 'none'; sandbox allow-scripts allow-downloads"


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
    if policy is None:
        raise RuntimeError("a report states no policy")
    return Page(text, f"{html.unescape(policy[1])}; {SANDBOX}")


@dataclass(frozen=True, eq=False)
class RunPages:
    """Jobs about runs."""

    shelf: Shelf
    pages: dict[int, Page] = field(default_factory=dict)
    advised: dict[int, Json] = field(default_factory=dict)

    def opening(self, number: int) -> str:
        """What is to be seen while the report is made; the browser keeps it until the report is there."""
        plan, label = self.shelf.run(number).plan, list(self.shelf.runs)[number]
        documents = sum(plan.set(pairing.set).items for pairing in plan.pairings)
        return OPENING.format(number=number, label=html.escape(label), documents=f"{documents:,}")

    def report(self, number: int) -> Generator[Page, None, None]:
        """The report, made once."""
        if number not in self.pages:
            report = page(report_page([self.shelf.run(number).folder]))
            while len(self.pages) >= PAGES:
                self.pages.pop(next(iter(self.pages)))
            self.pages[number] = report
        yield self.pages[number]

    def advice(self, number: int) -> Generator[Json, None, None]:
        """Which method to use, for each model, and texts to try; found out once."""
        if number not in self.advised:
            self.advised[number] = _advice(self.shelf.run(number))
        yield self.advised[number]


def _advice(run: Run) -> Json:
    entries = recommend(table([run.folder])).advice
    advice = [_words(entry) for entry in entries]
    return {"advice": advice, "examples": list(_examples(run))}


def _words(entry: Advice) -> Json:
    """What programs act on, and the same in words."""
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
