"""After a model was trained again: is the trusted method still right, on as many documents, by the same tokenizer?

Two runs over the same items, read from their folders and set side by side pairing by pairing. A check passes, fails or
could not be made; what could not be made is said, never passed over.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.render import escape
from whichword.reporting.table import interval as brackets
from whichword.reporting.table import p_value, points
from whichword.reporting.tabulate import first_place
from whichword.runs.records import Pairing
from whichword.runs.run import Run, open_run
from whichword.scoring.outcomes import Judged
from whichword.scoring.run import judge
from whichword.statistics import compare, holm
from whichword.statistics.tests import wilson


@dataclass(frozen=True)
class Matchup:
    """A pairing of the new run and the same of the old one."""

    title: str
    new: tuple[Run, Pairing]
    old: tuple[Run, Pairing]

    @cached_property
    def judged(self) -> dict[str, Judged]:
        """Both sides' outcomes, on the documents that have an answer in both."""
        judged = {name: judge(run, pairing.id) for name, (run, pairing) in (("new", self.new), ("old", self.old))}
        common = set.intersection(*(set(outcomes.keys) for outcomes in judged.values()))
        return {name: _only(outcomes, common) for name, outcomes in judged.items()}


def _only(judged: Judged, keys: Collection[str]) -> Judged:
    rows = [row for row, key in enumerate(judged.keys) if key in keys]  # in one order: the items are the same
    return replace(
        judged,
        keys=tuple(judged.keys[row] for row in rows),
        predicted=tuple(judged.predicted[row] for row in rows),
        rmax=judged.rmax[rows],
        ties=judged.ties[rows],
        nonfinite=judged.nonfinite[rows],
        hits={part: hits[rows] for part, hits in judged.hits.items()},
    )


def matchups(new: Run, old: Run) -> Iterator[Matchup]:
    for pairing in new.plan.pairings:
        yield Matchup(new.plan.title(pairing), (new, pairing), (old, _same_set(new, pairing, old)))


def _same_set(new: Run, pairing: Pairing, old: Run) -> Pairing:
    """Find the pairing over the same items; where several models played them, the one of that label."""
    items = new.plan.set(pairing.set).sha256  # by content: names of sets say little
    same = [other for other in old.plan.pairings if old.plan.set(other.set).sha256 == items]
    named = [other for other in same if other.model == pairing.model] or same  # a new model may be renamed
    if len(named) != 1:
        what = "the same items were not played" if not same else "several models played these items"
        raise InputError(f"{old.folder}: no baseline for {new.plan.title(pairing)}: {what}")
    return named[0]


PASSED, FAILED, SKIPPED = "passed", "failed", "not checked"
ALPHA = 0.05  # of the tests of one part together
MARGIN = 0.05  # of accuracy: less is not worth stopping a release
READS_BY = ("tokenizer", "vocab", "vocabulary", "merges", "special_tokens", "sentencepiece", "spiece")  # files' names


@dataclass(frozen=True)
class GateCheck:
    """One question with its answer; ``words`` say why."""

    column: str  # which model, corpus and game
    name: str
    outcome: str
    words: str


@dataclass(frozen=True)
class GateSettings:
    """``least`` maps methods to the accuracy that they must have; ``margin`` is what may be lost.

    ``methods`` are the trusted ones; none: the best of the old run.
    """

    methods: tuple[str, ...] = ()
    least: Mapping[str, float] | None = None
    margin: float = MARGIN


def gate(new: Path, old: Path, settings: GateSettings | None = None) -> list[GateCheck]:
    """Make all checks; `InputError` where there is nothing to compare with."""
    sides = matchups(open_run(new), open_run(old))
    return [check for matchup in sides for check in _checks(matchup, settings or GateSettings())]


def _checks(matchup: Matchup, settings: GateSettings) -> Iterator[GateCheck]:
    yield _reads_alike(matchup)  # first: another tokenizer explains what fails below
    trusted = settings.methods or _trusted(matchup)
    _refuse_absent(matchup, [*trusted, *(settings.least or {})])
    for part in matchup.judged["old"].parts:
        yield from _still_right(matchup, part, trusted, settings.margin)
        yield from _high_enough(matchup, part, settings.least or {})


def _trusted(matchup: Matchup) -> tuple[str, ...]:
    """Name the best method of the old run's first part: what was recommended then."""
    judged = matchup.judged["old"]
    first = first_place(judged, judged.parts[0])
    if first is None:
        raise InputError(f"{matchup.old[0].folder}: no baseline for {matchup.title}: no document counted then")
    return (first.best,)


def _refuse_absent(matchup: Matchup, methods: Sequence[str]) -> None:
    for run, pairing in (matchup.new, matchup.old):
        for method in methods:
            if method not in pairing.labels:
                raise InputError(f"{run.folder}: no baseline for {method}: it was not asked there")


# ---------------------------------------------------------------------------------------------------------------------


def _reads_alike(matchup: Matchup) -> GateCheck:
    """Check that the tokenizer, or the vocabulary, is the one of before."""
    was, now = (_readers(run, pairing.model) for run, pairing in (matchup.old, matchup.new))
    changed = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    if not was and not now:  # not passed: it was not looked at
        return GateCheck(matchup.title, "tokenizer", SKIPPED, "the model's loader names no tokenizer")
    outcome = FAILED if changed else PASSED
    words = f"another than before: {', '.join(changed)}" if changed else f"the same as before: {', '.join(now)}"
    return GateCheck(matchup.title, "tokenizer", outcome, words)


def _readers(run: Run, model: str) -> dict[str, str]:
    """Return the parts of the model's identity that say how it reads."""
    prefix = f"model {model}: "
    parts = {name.removeprefix(prefix): value for name, value in run.plan.identity.items() if name.startswith(prefix)}
    return {name: value for name, value in parts.items() if any(word in name.lower() for word in READS_BY)}


def _still_right(matchup: Matchup, part: str, methods: Sequence[str], margin: float) -> Iterator[GateCheck]:
    """Compare accuracy on the documents that count in both runs, paired."""
    vectors = {side: matchup.judged[side].vectors(part) for side in ("new", "old")}
    pairs = {method: _both(vectors["new"][method], vectors["old"][method]) for method in methods}
    compared = {method: compare(*pair) for method, pair in pairs.items() if len(pair[0])}  # no test of nothing
    adjusted = holm({method: comparison.p for method, comparison in compared.items()})
    for method, (now, was) in pairs.items():
        name = f"{method} is still right ({part})"
        if method not in compared:
            yield GateCheck(matchup.title, name, _without_documents(matchup, part), "no document counts in both runs")
            continue
        worse = compared[method].difference < -margin and adjusted[method] < ALPHA  # much, and not by chance
        figures = f"{points(float(now.mean()))}, was {points(float(was.mean()))} on {len(now)} documents"
        words = f"{figures}; {p_value(adjusted[method])}, {points(margin)} may be lost"
        yield GateCheck(matchup.title, name, FAILED if worse else PASSED, words)
    yield _counted(matchup, part)


def _without_documents(matchup: Matchup, part: str) -> str:
    """Say what a check has come to that no document counts for.

    Methods are recommended by a game's first part, so that has to have some. Later ones need not: a model that is
    always right has no mistakes to explain.
    """
    return FAILED if part == matchup.judged["old"].parts[0] else SKIPPED


def _both(first: NDArray[np.float64], second: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    counted = np.isfinite(first) & np.isfinite(second)  # pairs need both
    return first[counted], second[counted]


def _counted(matchup: Matchup, part: str) -> GateCheck:
    """Check that as many documents count: on few, left by other predictions, a method could look right.

    One that counts in a part before this one instead is not lost: a mistake that is no longer made.
    """
    sides = [matchup.judged[side] for side in ("new", "old")]
    comparison = compare(_counts_by_then(sides[0], part), _counts_by_then(sides[1], part))
    fewer = comparison.difference < -2 * MARGIN and comparison.p < ALPHA
    now, was = (int(_counts(judged, part).sum()) for judged in sides)
    words = f"{now} of {len(sides[0].keys)} documents, were {was}"
    return GateCheck(matchup.title, f"documents that count ({part})", FAILED if fewer else PASSED, words)


def _counts(judged: Judged, part: str) -> NDArray[np.bool_]:
    """Tell which documents count, [D]."""
    return np.asarray(np.isfinite(judged.hits[part]).all(axis=1))


def _counts_by_then(judged: Judged, part: str) -> NDArray[np.float64]:
    """Give 1 to documents that count in this part of the game or in one before it, [D]."""
    until = judged.parts[: judged.parts.index(part) + 1]
    return np.asarray(np.any([_counts(judged, name) for name in until], axis=0), dtype=np.float64)


def _high_enough(matchup: Matchup, part: str, least: Mapping[str, float]) -> Iterator[GateCheck]:
    judged = matchup.judged["new"]
    for method, bound in least.items():
        tally = judged.tally(part, method)
        name = f"{method} >= {points(bound)} ({part})"
        if not tally.total:
            yield GateCheck(matchup.title, name, _without_documents(matchup, part), "no document counts")
            continue
        accuracy = tally.hits / tally.total  # no test: the bound is a promise on these documents
        words = f"{points(accuracy)} {brackets(wilson(tally.hits, tally.total))} of {tally.total} documents"
        yield GateCheck(matchup.title, name, PASSED if accuracy >= bound else FAILED, words)


SIGNS = {PASSED: "ok", FAILED: "FAILED", SKIPPED: "--"}


def is_green(checks: Sequence[GateCheck]) -> bool:
    """Tell whether something was checked, and nothing failed."""
    return not any(check.outcome == FAILED for check in checks) and any(check.outcome == PASSED for check in checks)


def verdict_line(checks: Sequence[GateCheck]) -> str:
    counts = Counter(check.outcome for check in checks)
    parts = [f"{counts[outcome]} {outcome}" for outcome in (PASSED, FAILED, SKIPPED) if counts[outcome]]
    return f"gate {'passed' if is_green(checks) else 'failed'}: {', '.join(parts)}"


def text(checks: Sequence[GateCheck]) -> str:
    lines = []
    for column, group in groupby(checks, key=lambda check: check.column):
        lines.append(escape.terminal(column))
        lines += [escape.terminal(f"  {SIGNS[check.outcome]:6} {check.name}: {check.words}") for check in group]
    return "\n".join([*lines, verdict_line(checks)])


def as_json(checks: Sequence[GateCheck]) -> str:
    """Write for build servers what `text` says, check by check."""
    body = {"passed": is_green(checks), "verdict": verdict_line(checks), "checks": [asdict(check) for check in checks]}
    return json.dumps(body, indent=1, ensure_ascii=False) + "\n"
