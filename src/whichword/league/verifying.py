"""Is a results folder what it says? Bytes, documents, the suite's hash, its baselines, and some relevances anew."""

from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom
from typing import Any

import numpy as np

from whichword import models
from whichword.errors import InputError
from whichword.experiment import checking
from whichword.experiment.explaining import Explainer
from whichword.experiment.judging import judge
from whichword.experiment.plan import Pairing
from whichword.experiment.reading import Run, open_run
from whichword.experiment.seal import DamagedError, unsealed
from whichword.league.freezing import baseline_hits
from whichword.league.playing import FORMAT, RESULTS, RUN
from whichword.league.suite import Suite, items_hash, model_hashes, open_suite
from whichword.methods import METHODS

AGREES = 1e-3  # of the largest relevance: what another machine may round otherwise
TIED = 0.02  # of a baseline's accuracy: near ties may fall otherwise on another machine


def results_sheet(folder: Path) -> dict[str, Any]:
    """What the folder says of itself."""
    try:
        body = unsealed(folder / RESULTS)
    except DamagedError as damage:
        raise InputError(f"{folder} holds no results of a league: {damage}") from None
    if body.get("format") != FORMAT:
        raise InputError(f"{folder}: {RESULTS}: not a {FORMAT!r}")
    return body


def troubles(folder: Path, suite: str | None = None, again: int = 3) -> list[str]:
    """What is wrong, in words; empty: nothing. ``suite``: a folder, where it is none of ours.

    ``again``: so many documents per model are explained anew, all where there are fewer, and the relevances compared.
    """
    if again < 0:
        raise InputError(f"again must be a whole number from 0, not {again}")
    sheet = results_sheet(folder)
    frozen = open_suite(suite or str(sheet["suite"]))
    if sheet["hash"] != frozen.sheet.hash:
        return [
            f"made on another suite: its hash is {sheet['hash'][:12]}, {frozen.sheet.name} has {frozen.sheet.hash[:12]}"
        ]
    try:
        return _run_troubles(folder / RUN, frozen, sheet, again)
    except InputError as error:  # a plan that does not fit its own files
        return [f"damaged: {error}"]


def _run_troubles(folder: Path, suite: Suite, sheet: dict[str, Any], again: int) -> list[str]:
    findings = checking.verify(folder)
    if not findings.sound:
        return [f"damaged: {line}" for line in (*findings.damaged, *findings.missing)]
    run = open_run(folder)
    for check in (_items, _models, _digest, _baselines):  # later ones take for granted what earlier ones found
        if lines := list(check(run, suite, sheet)):
            return lines
    return list(_anew(run, suite, again))


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


def _anew(run: Run, suite: Suite, count: int) -> Iterator[str]:
    """Some documents, explained by the suite's own models; drawn anew at every check, so that no forger knows which."""
    total = suite.sheet.documents
    chosen = sorted(SystemRandom().sample(range(total), min(count, total)))
    for pairing in run.plan.pairings if chosen else ():
        labels = [label for label in pairing.labels if label in METHODS]
        yield from _compared(run, suite, pairing, chosen, labels)
        if unknown := [label for label in pairing.labels if label not in labels]:
            yield f"{pairing.model}: {', '.join(unknown)} cannot be asked here: name its file by --plugin"


def _compared(run: Run, suite: Suite, pairing: Pairing, chosen: list[int], labels: list[str]) -> Iterator[str]:
    items = [suite.items[index] for index in chosen]
    model = models.load(suite.spellings[pairing.model])
    sheet, _ = Explainer(model, tuple(labels), suite.sheet.seed, None).explain(items, [])
    keys = {item.key for item in items}
    stored = {(row.key, row.method): row.values for row in run.relevances(pairing.id) if row.key in keys}
    for row, item in enumerate(items):
        for label in labels:
            if not _same(np.asarray(stored[item.key, label]), sheet.vector(row, label)):
                yield f"{pairing.model}: {label} says something else of {item.key[:12]} when it is asked again"


def _same(first: Any, second: Any) -> bool:
    if first.shape != second.shape or (np.isfinite(first) != np.isfinite(second)).any():
        return False
    largest = float(np.nanmax(np.abs(second), initial=0.0))
    return bool(np.allclose(first, second, rtol=0.0, atol=AGREES * largest, equal_nan=True))
