"""Documents of a results folder, explained anew by the suite's own models: what new checksums cannot hide.

Is a results folder what it says? Bytes, documents, the suite's hash, its baselines, and its relevances anew.

Results folders of one suite, ranked: each method's share of hits over all models and parts, with its interval.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, comb
from pathlib import Path
from random import SystemRandom
from time import monotonic
from typing import Any

import numpy as np

from whichword import models
from whichword.errors import DamagedError, InputError
from whichword.extras.league.suite import (
    RESULTS,
    RESULTS_FORMAT,
    RUN,
    Suite,
    baseline_hits,
    items_hash,
    model_hashes,
    open_suite,
)
from whichword.methods import METHODS
from whichword.playing import verify
from whichword.reporting.table import count, points, rate
from whichword.reporting.table import interval as brackets
from whichword.runs.records import Pairing
from whichword.runs.run import Run, open_run
from whichword.runs.sealed import unsealed
from whichword.scoring.run import judge
from whichword.statistics.tests import Interval, wilson
from whichword.types import Item
from whichword.workers.shard import Explainer
from whichword.workers.sheet import Sheet

AGREES = 1e-3  # of the largest number: what another machine may round otherwise
PATIENCE = 120.0  # seconds: what explaining anew may take where nobody says how many documents
TOGETHER = 10  # documents between two looks at the clock
SHARE = 0.05  # of the documents: a forgery that somebody might gain by


@dataclass(frozen=True)
class AskedAgain:
    """So many of so many documents per model were explained anew, drawn at random; and what was not as it says."""

    documents: int
    total: int
    troubles: tuple[str, ...]

    @property
    def words(self) -> str:
        """With the chance that a change would have been noticed."""
        if self.documents == self.total:
            return f"all {self.total} documents per model explained anew"
        many = ceil(SHARE * self.total)
        chances = f"{self.noticed(many):.2f}, of a single one {self.noticed(1):.2f}"
        change = f"a change of {many} of them ({100 * SHARE:.0f} %) would be noticed with probability {chances}"
        return (
            f"{self.documents} of {self.total} documents per model explained anew: {change}; --again {self.total}: all"
        )

    def noticed(self, changed: int) -> float:
        """The chance that one of so many changed documents was drawn: 1 - C(N - m, n) / C(N, n)."""
        return 1 - comb(self.total - changed, self.documents) / comb(self.total, self.documents)


def ask_again(run: Run, suite: Suite, count: int | None) -> AskedAgain:
    """``count`` documents per model, or as many as there is `PATIENCE` for; drawn anew: no forger knows which."""
    total = suite.sheet.documents
    order = SystemRandom().sample(range(total), total if count is None else min(count, total))
    witnesses = [_Witness(run, suite, pairing) for pairing in run.plan.pairings] if order else []
    troubles = [line for witness in witnesses for line in witness.unknown()]
    start, done = monotonic(), 0
    for first in range(0, len(order), TOGETHER):
        items = [suite.items[index] for index in order[first : first + TOGETHER]]
        troubles += [line for witness in witnesses for line in witness.compared(items)]
        done += len(items)
        if count is None and monotonic() - start > PATIENCE:
            break
    return AskedAgain(done, total, tuple(troubles))


class _Witness:
    """One model of the suite, and what the folder says that it and its methods said."""

    def __init__(self, run: Run, suite: Suite, pairing: Pairing) -> None:
        self._pairing = pairing
        labels = tuple(label for label in pairing.labels if label in METHODS)
        self._explainer = Explainer(models.load(suite.spellings[pairing.model]), labels, suite.sheet.seed, None)
        self._stored = {(row.key, row.method): row.values for row in run.relevances(pairing.id)}
        self._predictions = run.predictions(pairing.id)

    def unknown(self) -> Iterator[str]:
        if unknown := [label for label in self._pairing.labels if label not in self._explainer.labels]:
            yield f"{self._pairing.model}: {', '.join(unknown)} cannot be asked here: name its file by --plugin"

    def compared(self, items: list[Item]) -> Iterator[str]:
        sheet, _ = self._explainer.explain(items, [])
        for row, item in enumerate(items):
            labels = [label for label in self._explainer.labels if not self._agrees(sheet, row, item, label)]
            who = [] if self._predicts(sheet, row, item) else ["the model itself"]
            if who := who + labels:
                says = f"{', '.join(who)} says something else of {item.key[:12]} when it is asked again"
                yield f"{self._pairing.model}: {says}"

    def _agrees(self, sheet: Sheet, row: int, item: Item, label: str) -> bool:
        return _same(np.asarray(self._stored[item.key, label]), sheet.vector(row, label))

    def _predicts(self, sheet: Sheet, row: int, item: Item) -> bool:
        """The scores are near the model's own, and the class is the one that they say."""
        prediction = self._predictions.get(item.key)
        if prediction is None:
            return row in sheet.failures
        best = sheet.classes[int(np.argmax(prediction.scores))]
        return prediction.predicted == best and _same(np.asarray(prediction.scores), sheet.scores[row])


def _same(first: Any, second: Any) -> bool:
    if first.shape != second.shape or (np.isfinite(first) != np.isfinite(second)).any():
        return False
    largest = float(np.nanmax(np.abs(second), initial=0.0))
    return bool(np.allclose(first, second, rtol=0.0, atol=AGREES * largest, equal_nan=True))


TIED = 0.02  # of a baseline's accuracy: near ties may fall otherwise on another machine


def results_sheet(folder: Path) -> dict[str, Any]:
    """What the folder says of itself."""
    try:
        body = unsealed(folder / RESULTS)
    except DamagedError as damage:
        raise InputError(f"{folder} holds no results of a league: {damage}") from None
    if body.get("format") != RESULTS_FORMAT:
        raise InputError(f"{folder}: {RESULTS}: not a {RESULTS_FORMAT!r}")
    return body


def verify_results(folder: Path, suite: str | None = None, again: int | None = None) -> AskedAgain:
    """What is wrong, in words, and how many documents were explained anew.

    ``suite``: a folder, where it is none of ours. ``again``: how many documents per model are explained anew, and the
    answers compared; None: all, or as many as two minutes allow.
    """
    if again is not None and again < 0:
        raise InputError(f"again must be a whole number from 0, not {again}")
    sheet = results_sheet(folder)
    frozen = open_suite(suite or str(sheet["suite"]))
    if sheet["hash"] != frozen.sheet.hash:
        hashes = f"its hash is {sheet['hash'][:12]}, {frozen.sheet.name} has {frozen.sheet.hash[:12]}"
        return AskedAgain(0, frozen.sheet.documents, (f"made on another suite: {hashes}",))
    try:
        lines = tuple(_troubles(folder / RUN, frozen, sheet))
    except InputError as error:  # a plan that does not fit its own files
        lines = (f"damaged: {error}",)
    return AskedAgain(0, frozen.sheet.documents, lines) if lines else ask_again(open_run(folder / RUN), frozen, again)


def _troubles(folder: Path, suite: Suite, sheet: dict[str, Any]) -> list[str]:
    """What can be told without asking anybody."""
    findings = verify.verify(folder)
    if not findings.sound:
        return [f"damaged: {line}" for line in (*findings.damaged, *findings.missing)]
    run = open_run(folder)
    for check in (_items, _models, _digest, _baselines):  # later ones take for granted what earlier ones found
        if lines := list(check(run, suite, sheet)):
            return lines
    return []


def _digest(run: Run, suite: Suite, sheet: dict[str, Any]) -> Iterator[str]:
    if verify.digest(run) != sheet["digest"]:
        yield "the results are not those that the sheet was written for: the digest does not fit"


def _items(run: Run, suite: Suite, sheet: dict[str, Any]) -> Iterator[str]:
    """All documents of the suite, and no others."""
    if len(run.plan.sets) != 1 or items_hash(run.items(run.plan.sets[0].id)) != suite.sheet.items:
        yield f"the documents are not those of the suite ({suite.sheet.documents})"
        return
    for pairing in run.plan.pairings:
        planned = sorted(index for shard in pairing.shards for index in shard.items)
        if planned != list(range(suite.sheet.documents)):
            yield f"{pairing.model}: {suite.sheet.documents - len(set(planned))} documents are missing"


def _models(run: Run, suite: Suite, sheet: dict[str, Any]) -> Iterator[str]:
    if {subject.label for subject in run.plan.models} != set(suite.sheet.models):
        yield "the models are not those of the suite"
        return
    for label, hashes in suite.sheet.models.items():
        played = {name: run.plan.identity.get(f"model {label}: {name}") for name in hashes}
        if played != dict(hashes) or model_hashes(suite.folder / "models" / label) != dict(hashes):
            yield f"the model {label} is not the suite's"


def _baselines(run: Run, suite: Suite, sheet: dict[str, Any]) -> Iterator[str]:
    for pairing in run.plan.pairings:
        played = baseline_hits(judge(run, pairing.id))
        for part, methods in suite.sheet.baselines[pairing.model].items():
            for method, expected in methods.items():
                got = played.get(part, {}).get(method)
                if got is None or not _near(got["hits"], expected["hits"], expected["total"]):
                    yield f"{pairing.model}: the baseline {method} ({part}) got {got}, expected {dict(expected)}"


def _near(hits: float, expected: float, total: float) -> bool:
    return abs(hits - expected) <= TIED * max(total, 1)


@dataclass(frozen=True)
class LeaguePlace:
    """One method of one folder; a method that was not defined for a model of the suite has ``missing`` columns."""

    method: str
    folder: str
    hits: float
    total: int
    missing: int
    documents_per_second: float | None

    @property
    def accuracy(self) -> float:
        return self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> Interval:
        return wilson(self.hits, self.total)


def ranking(folders: Sequence[Path]) -> list[LeaguePlace]:
    """Best first; all folders must be of one suite."""
    sheets = [results_sheet(folder) for folder in folders]
    suites = sorted({str(sheet["suite"]) for sheet in sheets})
    if len({str(sheet["hash"]) for sheet in sheets}) > 1:
        raise InputError(f"only results of one suite can be ranked together, not of {', '.join(suites)}")
    ranks = [rank for folder in folders for rank in _ranks(folder)]
    distinct = {(rank.method, rank.hits, rank.total, rank.missing): rank for rank in reversed(ranks)}
    return sorted(distinct.values(), key=lambda rank: (rank.missing > 0, -rank.accuracy, rank.method))


def _ranks(folder: Path) -> list[LeaguePlace]:
    run = open_run(folder / RUN)
    judged = [judge(run, pairing.id) for pairing in run.plan.pairings]
    costs = [run.costs(pairing.id) for pairing in run.plan.pairings]
    ranks = []
    for method in dict.fromkeys(name for outcomes in judged for name in outcomes.methods):
        tallies = [
            outcomes.tally(part, method) for outcomes in judged if method in outcomes.methods for part in outcomes.parts
        ]
        seconds = [cost[method].seconds for cost in costs if method in cost]
        speed = len(seconds) / sum(seconds) if sum(seconds) > 0 else None
        missing = sum(method not in outcomes.methods for outcomes in judged)
        hits, total = sum(tally.hits for tally in tallies), sum(tally.total for tally in tallies)
        ranks.append(LeaguePlace(method, folder.name, hits, total, missing, speed))
    return ranks


def _level(first: LeaguePlace, second: LeaguePlace) -> bool:
    """Whether two methods share a place."""
    return (first.missing > 0, first.accuracy) == (second.missing > 0, second.accuracy)


def ranking_table(ranks: Sequence[LeaguePlace]) -> str:
    """A pipe table, which is also Markdown."""
    lines = [
        "| | method | right | 95 % interval | hits | documents per second | from |",
        "|--:|---|--:|---|--:|--:|---|",
    ]
    for number, rank in enumerate(ranks):
        place = 1 + next(i for i in range(number + 1) if _level(ranks[i], rank))
        name = rank.method + (f" (n/a for {rank.missing} models)" if rank.missing else "")
        figures = f"{points(rank.accuracy)} | {brackets(rank.interval)} | {count(rank.hits)}/{rank.total}"
        lines.append(f"| {place} | {name} | {figures} | {rate(rank.documents_per_second)} | {rank.folder} |")
    return "\n".join(lines)
