"""The verdict in words: for each model what to use, or that nobody can tell yet; why; and what would tell more."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from whichword.errors import InputError
from whichword.games import recalled
from whichword.render import escape
from whichword.reporting.table import Case, Column, Table, percent, points
from whichword.reporting.verdict_words import cost, nearest, needed, not_played, ranking, to_avoid, why
from whichword.statistics import for_all
from whichword.statistics.decision import Costs, Decision, Status

FEW = 30  # documents: below, a column is shown faded
MANY_DISCARDED = 0.2  # a share that is worth a remark
UNDECIDED = "Cannot tell yet"

GENERAL = (
    "Only the most relevant word counts: whether the rest of a heat map, its signs and its sizes are right stays open.",
    "The figures hold for these models on these documents: another network, or other texts, need a run of their own.",
    "Discarded documents are not judged, and a good explanation of a bad model is still one of a bad model.",
)


@dataclass(frozen=True)
class Advice:
    """One model on one corpus, all games together. ``decision`` is None where there was nothing to judge.

    ``headline`` says it all in one sentence after ``where``; ``reasons`` say why, ``needed`` what would tell more.
    """

    run: str
    model: str
    corpus: str
    games: tuple[str, ...]
    decision: Decision | None
    headline: str
    reasons: tuple[str, ...]
    needed: str
    seconds: Costs

    @property
    def method(self) -> str | None:
        """The choice; None where nothing is shown."""
        return self.decision.choice if self.decision else None

    @property
    def status(self) -> Status:
        return self.decision.status if self.decision else "undecided"

    @property
    def where(self) -> str:
        return f"{self.model} on {self.corpus}"

    def to_json(self) -> dict[str, Any]:
        """What programs act on."""
        decision = self.decision
        return {
            "model": self.model,
            "corpus": self.corpus,
            "games": list(self.games),
            "status": self.status,
            "group": list(decision.group) if decision else [],
            "unproven": list(decision.unproven) if decision else [],
            "choice": self.method,
            "avoid": list(decision.avoid) if decision else [],
            "needed": {"documents": decision.needed if decision else None, "words": self.needed or None},
            "margin": decision.margin if decision else None,
            "documents": decision.documents if decision else 0,
        }


@dataclass(frozen=True)
class Recommendation:
    """Advice for each model, and what the games cannot tell."""

    advice: tuple[Advice, ...]
    limits: tuple[str, ...]

    def __str__(self) -> str:
        limits = "\n".join(["What the games cannot tell", *(f"  - {limit}" for limit in self.limits)])
        return escape.terminal_lines("\n\n".join([*map(_block, self.advice), limits]))

    def _repr_html_(self) -> str:
        blocks = [(f"{entry.where}: {entry.headline}", _lines(entry)) for entry in self.advice]
        return "".join(
            f"<p><b>{escape.html(head)}</b></p><ul>{''.join(f'<li>{escape.html(line)}</li>' for line in lines)}</ul>"
            for head, lines in [*blocks, ("What the games cannot tell", self.limits)]
        )


def recommend(table: Table) -> Recommendation:
    """What the data show for each model on each corpus; see `whichword.statistics.decide`."""
    if not isinstance(table, Table):
        raise InputError("recommend takes a table: whichword.recommend(whichword.table(run))")
    ordered = sorted(table.cases, key=_key)
    advice = tuple(_advise(list(cases), table) for _, cases in groupby(ordered, key=_key))
    caveats = dict.fromkeys(caveat for column in table.columns for caveat in recalled(column.game).caveats)
    return Recommendation(advice, (*caveats, *GENERAL))


def _block(advice: Advice) -> str:
    return "\n".join([f"{advice.where}: {advice.headline}", *(f"  - {line}" for line in _lines(advice))])


def _lines(advice: Advice) -> tuple[str, ...]:
    return (*advice.reasons, advice.needed) if advice.needed else advice.reasons


def _key(case: Case | Column) -> tuple[str, str, str]:
    return case.run, case.model, case.corpus


def _advise(cases: Sequence[Case], table: Table) -> Advice:
    """A game in which no method is shown to beat chance tells nothing, so it has no part in the decision of others."""
    first = cases[0]
    decisions = [case.decision for case in cases if case.decision is not None and not case.silent]
    telling = [decision for decision in decisions if decision.group] or decisions
    seconds = {name: value for case in reversed(cases) for name, value in case.seconds.items()}
    decision = for_all(telling, seconds) if telling else None
    columns = [column for column in table.columns if _key(column) == _key(first)]
    return Advice(
        run=first.run,
        model=first.model,
        corpus=first.corpus,
        games=tuple(case.game for case in cases),
        decision=decision,
        headline=_headline(decision, seconds, columns, cases),
        reasons=tuple(_reasons(decision, cases, columns)) if decision else (),
        needed=needed(decision, cases) if decision else "",
        seconds=seconds,
    )


def _headline(decision: Decision | None, seconds: Costs, columns: Sequence[Column], cases: Sequence[Case]) -> str:
    if decision is None:
        if silent := [case.silent for case in cases if case.silent]:
            return f"{UNDECIDED}: {'; '.join(dict.fromkeys(silent))}."
        counted = any(column.documents for column in columns)
        return f"{UNDECIDED}: {'only baselines played' if counted else 'no document counts'}."
    if decision.choice is None:
        return f"{UNDECIDED}: {why(decision)}."
    return f"Use {decision.choice}: {why(decision)}{cost(decision.choice, seconds)}."


def _reasons(decision: Decision, cases: Sequence[Case], columns: Sequence[Column]) -> Iterator[str]:
    yield _rests_on(cases)
    yield from (_figures(column, decision) for column in columns if column.documents and "." not in column.part)
    yield from (_width(column) for column in columns if column.wide)
    yield from ranking(decision)
    yield from to_avoid(decision)
    for case in cases:
        yield from not_played(case)
    parts = [column.part for column in columns]
    for column in columns:
        total = column.discarded + column.documents
        if len(parts) == len(cases) and column.discarded > MANY_DISCARDED * total:
            yield f"{column.discarded} of {total} documents are discarded, so the figures are about the others only."


def _rests_on(cases: Sequence[Case]) -> str:
    """Which judges had a part in it, and why others had none."""
    judges = [case.game for case in cases if case.decision is not None and not case.silent]
    silent = dict.fromkeys(case.silent for case in cases if case.silent)
    return f"This rests on {', '.join(judges)}." + "".join(f" {words[0].upper()}{words[1:]}." for words in silent)


def _width(column: Column) -> str:
    gains = (f"{wide.wide} ({points(wide.over.difference)} over {wide.narrow})" for wide in column.wide)
    title = recalled(column.game).part(column.part).title
    return f"{title}: ahead by width, since whole fragments are right here: {', '.join(gains)}."


def _figures(column: Column, decision: Decision) -> str:
    """How the chosen method, or the first of the group, did in a part of a game."""
    hopeful = [nearest(decision)] if decision.over and not decision.group else []
    names = [name for name in (decision.choice, *decision.group, *hopeful, column.best) if name in column.cells]
    title = recalled(column.game).part(column.part).title
    if not names or names[0] is None:
        return f"{title}: {column.documents} documents count."
    cell = column.cells[names[0]]
    interval = cell.interval
    sure = f"95 % interval {percent(interval.low)} to {percent(interval.high)}" if interval else ""
    chance = f"; chance is {percent(column.chance)}" if column.chance is not None else ""
    share = f"{percent(cell.accuracy or 0.0)} of {column.documents} documents"
    average = f"gets {percent(cell.accuracy or 0.0)} on average over {column.documents} documents"
    return f"{title}: {names[0]} {average if cell.bounds else f'is right on {share}'} ({sure}{chance})."
