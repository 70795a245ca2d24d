"""After a model was trained again: is the trusted method still right, and did explanations move more than seeds do?

Two runs over the same items, read from their folders. A check passes, fails or could not be made; what could not be
made is said, never passed over.

Two runs over the same items, and perhaps a third by another seed, set side by side pairing by pairing.

The gate's checks for people, for build servers (JUnit XML) and for GitHub's summary page.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.render import escape
from whichword.reporting.table import interval as brackets
from whichword.reporting.table import p_value, percent, points
from whichword.reporting.tabulate import first_place
from whichword.runs.records import Pairing
from whichword.runs.run import Run, open_run
from whichword.scoring.outcomes import Judged
from whichword.scoring.run import judge
from whichword.statistics import compare, holm
from whichword.statistics.tests import wilson


@dataclass(frozen=True)
class Matchup:
    """A pairing of the new run and the same of the old one, and of a second seed's where there is one."""

    title: str
    new: tuple[Run, Pairing]
    old: tuple[Run, Pairing]
    seeds: tuple[Run, Pairing] | None

    def judged(self, side: str) -> Judged:
        """One side's outcomes, on the documents that have an answer on all sides."""
        return self._judged[side]

    @cached_property
    def _judged(self) -> dict[str, Judged]:
        sides = {name: pair for name in ("new", "old", "seeds") if (pair := getattr(self, name)) is not None}
        judged = {name: judge(run, pairing.id) for name, (run, pairing) in sides.items()}
        common = set.intersection(*(set(outcomes.keys) for outcomes in judged.values()))
        return {name: _only(outcomes, common) for name, outcomes in judged.items()}


def _only(judged: Judged, keys: Collection[str]) -> Judged:
    rows = [row for row, key in enumerate(judged.keys) if key in keys]
    return replace(
        judged,
        keys=tuple(judged.keys[row] for row in rows),
        predicted=tuple(judged.predicted[row] for row in rows),
        rmax=judged.rmax[rows],
        ties=judged.ties[rows],
        nonfinite=judged.nonfinite[rows],
        hits={part: hits[rows] for part, hits in judged.hits.items()},
    )


def matchups(new: Run, old: Run, seeds: Run | None) -> Iterator[Matchup]:
    for pairing in new.plan.pairings:
        before = _same_set(new, pairing, old)
        second = None if seeds is None else (seeds, _same_set(new, pairing, seeds))
        yield Matchup(new.plan.title(pairing), (new, pairing), (old, before), second)


def _same_set(new: Run, pairing: Pairing, old: Run) -> Pairing:
    """The pairing over the same items; where several models played them, the one of that label."""
    items = new.plan.set(pairing.set).sha256
    same = [other for other in old.plan.pairings if old.plan.set(other.set).sha256 == items]
    named = [other for other in same if other.model == pairing.model] or same
    if len(named) != 1:
        what = "the same items were not played" if not same else "several models played these items"
        raise InputError(f"{old.folder}: no baseline for {new.plan.title(pairing)}: {what}")
    return named[0]


PASSED, FAILED, SKIPPED = "passed", "failed", "not checked"
ALPHA = 0.05
MARGIN = 0.05  # of accuracy: less is not worth stopping anybody
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


def gate(new: Path, old: Path, seeds: Path | None = None, settings: GateSettings | None = None) -> list[GateCheck]:
    """All checks; `InputError` where there is nothing to compare with."""
    settings = settings or GateSettings()
    runs = [None if folder is None else open_run(folder) for folder in (new, old, seeds)]
    return [check for matchup in matchups(*runs) for check in _checks(matchup, settings)]  # type: ignore[arg-type]


def _checks(matchup: Matchup, settings: GateSettings) -> Iterator[GateCheck]:
    yield _reads_alike(matchup)
    trusted = settings.methods or _trusted(matchup)
    _refuse_absent(matchup, [*trusted, *(settings.least or {})])
    for part in matchup.judged("old").parts:
        yield from _still_right(matchup, part, trusted, settings.margin)
        yield from _high_enough(matchup, part, settings.least or {})
    for method in trusted:
        yield _moved(matchup, method)


def _trusted(matchup: Matchup) -> tuple[str, ...]:
    """The best method of the old run's first part: what was recommended then."""
    judged = matchup.judged("old")
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
    """The tokenizer, or the vocabulary, is the one of before."""
    was, now = (_readers(run, pairing.model) for run, pairing in (matchup.old, matchup.new))
    changed = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    if not was and not now:
        return GateCheck(matchup.title, "tokenizer", SKIPPED, "the model's loader names no tokenizer")
    outcome = FAILED if changed else PASSED
    words = f"another than before: {', '.join(changed)}" if changed else f"the same as before: {', '.join(now)}"
    return GateCheck(matchup.title, "tokenizer", outcome, words)


def _readers(run: Run, model: str) -> dict[str, str]:
    """The parts of the model's identity that say how it reads."""
    prefix = f"model {model}: "
    parts = {name.removeprefix(prefix): value for name, value in run.plan.identity.items() if name.startswith(prefix)}
    return {name: value for name, value in parts.items() if any(word in name.lower() for word in READS_BY)}


def _still_right(matchup: Matchup, part: str, methods: Sequence[str], margin: float) -> Iterator[GateCheck]:
    """Accuracy on the documents that count in both runs, paired."""
    vectors = {side: matchup.judged(side).vectors(part) for side in ("new", "old")}
    pairs = {method: _both(vectors["new"][method], vectors["old"][method]) for method in methods}
    compared = {method: compare(*pair) for method, pair in pairs.items() if len(pair[0])}
    adjusted = holm({method: comparison.p for method, comparison in compared.items()})
    for method, (now, was) in pairs.items():
        name = f"{method} is still right ({part})"
        if method not in compared:
            yield GateCheck(matchup.title, name, _without_documents(matchup, part), "no document counts in both runs")
            continue
        allowed = max(margin, _between_seeds(matchup, part, method))
        worse = compared[method].difference < -allowed and adjusted[method] < ALPHA
        figures = f"{points(float(now.mean()))}, was {points(float(was.mean()))} on {len(now)} documents"
        words = f"{figures}; {p_value(adjusted[method])}, {points(allowed)} may be lost"
        yield GateCheck(matchup.title, name, FAILED if worse else PASSED, words)
    yield _counted(matchup, part)


def _without_documents(matchup: Matchup, part: str) -> str:
    """What a check has come to that no document counts for.

    Methods are recommended by a game's first part, so that has to have some. Later ones need not: a model that is
    always right has no mistakes to explain.
    """
    return FAILED if part == matchup.judged("old").parts[0] else SKIPPED


def _both(first: NDArray[np.float64], second: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    counted = np.isfinite(first) & np.isfinite(second)
    return first[counted], second[counted]


def _between_seeds(matchup: Matchup, part: str, method: str) -> float:
    """What two seeds of the old training differ by."""
    if matchup.seeds is None or method not in matchup.seeds[1].labels:
        return 0.0
    pair = _both(*(matchup.judged(side).vectors(part)[method] for side in ("old", "seeds")))
    return abs(float(pair[0].mean() - pair[1].mean())) if len(pair[0]) else 0.0


def _counted(matchup: Matchup, part: str) -> GateCheck:
    """A model that predicts other things has fewer documents that count: a method could look right on the few.

    One that counts in a part before this one instead is not lost: a mistake that is no longer made.
    """
    sides = [matchup.judged(side) for side in ("new", "old")]
    comparison = compare(_counts_by_then(sides[0], part), _counts_by_then(sides[1], part))
    fewer = comparison.difference < -2 * MARGIN and comparison.p < ALPHA
    now, was = (int(_counts(judged, part).sum()) for judged in sides)
    words = f"{now} of {len(sides[0].keys)} documents, were {was}"
    return GateCheck(matchup.title, f"documents that count ({part})", FAILED if fewer else PASSED, words)


def _counts(judged: Judged, part: str) -> NDArray[np.bool_]:
    """Which documents count, [D]."""
    return np.asarray(np.isfinite(judged.hits[part]).all(axis=1))


def _counts_by_then(judged: Judged, part: str) -> NDArray[np.float64]:
    """1 for documents that count in this part of the game or in one before it, [D]."""
    until = judged.parts[: judged.parts.index(part) + 1]
    return np.asarray(np.any([_counts(judged, name) for name in until], axis=0), dtype=np.float64)


def _high_enough(matchup: Matchup, part: str, least: Mapping[str, float]) -> Iterator[GateCheck]:
    judged = matchup.judged("new")
    for method, bound in least.items():
        tally = judged.tally(part, method)
        name = f"{method} >= {points(bound)} ({part})"
        if not tally.total:
            yield GateCheck(matchup.title, name, _without_documents(matchup, part), "no document counts")
            continue
        accuracy = tally.hits / tally.total
        words = f"{points(accuracy)} {brackets(wilson(tally.hits, tally.total))} of {tally.total} documents"
        yield GateCheck(matchup.title, name, PASSED if accuracy >= bound else FAILED, words)


def _moved(matchup: Matchup, method: str) -> GateCheck:
    """Documents whose most relevant word is another one now, where the prediction is the same."""
    name = f"{method} points where it did"
    same, moved = _moves(matchup, "new", method)
    share = (
        f"{percent(float(moved[same].mean()))} of {int(same.sum())} most relevant words are others"
        if same.any()
        else ""
    )
    if matchup.seeds is None or method not in matchup.seeds[1].labels:
        words = "no second seed to compare with (--seeds RUN)"
        return GateCheck(matchup.title, name, SKIPPED, f"{share}; {words}" if share else words)
    also, by_seed = _moves(matchup, "seeds", method)
    both = same & also
    if not both.any():
        return GateCheck(matchup.title, name, FAILED, "no prediction is the same as before")
    comparison = compare(moved[both].astype(float), by_seed[both].astype(float))
    further = comparison.difference > MARGIN and comparison.p < ALPHA
    words = f"{percent(float(moved[both].mean()))} of {int(both.sum())} most relevant words are others, "
    words += f"{percent(float(by_seed[both].mean()))} by another seed; {p_value(comparison.p)}"
    return GateCheck(matchup.title, name, FAILED if further else PASSED, words)


def _moves(matchup: Matchup, side: str, method: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which documents have the prediction of before, and which another most relevant word, [D] each."""
    now, was = matchup.judged(side), matchup.judged("old")
    same = np.array([a == b for a, b in zip(now.predicted, was.predicted, strict=True)], dtype=bool)
    rmax = [judged.rmax[:, judged.methods.index(method)] for judged in (now, was)]
    return same, rmax[0] != rmax[1]


SIGNS = {PASSED: "ok", FAILED: "FAILED", SKIPPED: "--"}
MARKS = {PASSED: "✅", FAILED: "❌", SKIPPED: "➖"}


def is_green(checks: Sequence[GateCheck]) -> bool:
    """Something was checked, and nothing failed."""
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


def summary(checks: Sequence[GateCheck]) -> str:
    """Markdown, for ``$GITHUB_STEP_SUMMARY``."""
    rows = [
        f"| {MARKS[check.outcome]} | {escape.markdown(check.column)} | {escape.markdown(check.name)} "
        f"| {escape.markdown(check.words)} |"
        for check in checks
    ]
    head = ["### Explanations: " + verdict_line(checks), "", "| | model, corpus, game | check | |", "|---|---|---|---|"]
    return "\n".join([*head, *rows]) + "\n"


def junit(checks: Sequence[GateCheck]) -> str:
    """One test case per check."""
    counts = Counter(check.outcome for check in checks)
    numbers = {"tests": len(checks), "failures": counts[FAILED], "errors": 0, "skipped": counts[SKIPPED]}
    suite = ElementTree.Element("testsuite", {"name": "whichword gate"} | {k: str(v) for k, v in numbers.items()})
    for check in checks:
        case = ElementTree.SubElement(suite, "testcase", {"classname": check.column, "name": check.name})
        kind = {FAILED: "failure", SKIPPED: "skipped"}.get(check.outcome)
        if kind:
            ElementTree.SubElement(case, kind, {"message": check.words})
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
