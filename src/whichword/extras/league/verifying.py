"""Is a results folder what it says? Bytes, documents, the suite's hash, its baselines, and its relevances anew."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whichword.errors import InputError
from whichword.extras.league.asking_again import AskedAgain, ask_again
from whichword.extras.league.freezing import baseline_hits
from whichword.extras.league.playing import RESULTS, RESULTS_FORMAT, RUN
from whichword.extras.league.suite import Suite, items_hash, model_hashes, open_suite
from whichword.playing import checking
from whichword.runs.run import Run, open_run
from whichword.runs.seal import DamagedError, unsealed
from whichword.scoring.judging import judge

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
    findings = checking.verify(folder)
    if not findings.sound:
        return [f"damaged: {line}" for line in (*findings.damaged, *findings.missing)]
    run = open_run(folder)
    for check in (_items, _models, _digest, _baselines):  # later ones take for granted what earlier ones found
        if lines := list(check(run, suite, sheet)):
            return lines
    return []


def _digest(run: Run, suite: Suite, sheet: dict[str, Any]) -> Iterator[str]:
    if checking.digest(run) != sheet["digest"]:
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
