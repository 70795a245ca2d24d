"""The table in words: for each model the method to use, what it is tied with, how sure, at what cost, what is open."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from whichword.games import recalled
from whichword.render import escape
from whichword.reporting.numbers import p_value, percent, points, rate
from whichword.reporting.table import Column, Table
from whichword.statistics import Verdict

FEW = 30  # documents: below, a column is shown but decides nothing
MANY_DISCARDED = 0.2  # a share that is worth a remark
LISTED = 6  # names before "and others"
NEAR = 0.05  # of accuracy: the paper's mark for a method that keeps up with the best

GENERAL = (
    "Only the most relevant word counts: whether the rest of a heat map, its signs and its sizes are right stays open.",
    "The figures hold for these models on these documents: another network, or other texts, need a run of their own.",
    "Discarded documents are not judged, and a good explanation of a bad model is still one of a bad model.",
)


@dataclass(frozen=True)
class Advice:
    """One model on one corpus. ``method`` is None where none can be recommended."""

    model: str
    corpus: str
    method: str | None
    headline: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Recommendation:
    """Advice for each model, and what the games cannot tell."""

    advice: tuple[Advice, ...]
    limits: tuple[str, ...]

    def __str__(self) -> str:
        parts = [
            "\n".join([advice.headline, *(f"  - {reason}" for reason in advice.reasons)]) for advice in self.advice
        ]
        limits = "\n".join(["What the games cannot tell", *(f"  - {limit}" for limit in self.limits)])
        return escape.terminal_lines("\n\n".join([*parts, limits]))

    def _repr_html_(self) -> str:
        blocks = [(advice.headline, advice.reasons) for advice in self.advice] + [
            ("What the games cannot tell", self.limits)
        ]
        return "".join(
            f"<p><b>{escape.html(head)}</b></p><ul>{''.join(f'<li>{escape.html(line)}</li>' for line in lines)}</ul>"
            for head, lines in blocks
        )


def recommend(table: Table) -> Recommendation:
    """The method that shares the first place in most columns of a model, then the one with the best mean.

    One that keeps within five points of the best in every column goes before one that does not.
    """
    key = lambda column: (column.run, column.model, column.corpus)  # noqa: E731
    ordered = sorted(table.columns, key=key)
    advice = tuple(_advise(list(columns)) for _, columns in groupby(ordered, key=key))
    caveats = dict.fromkeys(caveat for column in table.columns for caveat in recalled(column.game).caveats)
    return Recommendation(advice, (*caveats, *GENERAL))


def _advise(columns: Sequence[Column]) -> Advice:
    first = columns[0]
    judged = [(column, column.verdict) for column in columns if column.verdict is not None]
    deciding = [(column, verdict) for column, verdict in judged if may_decide(column)]
    parts = Counter(column.game for column in columns)
    reasons = tuple(
        reason for column, verdict in judged for reason in _reasons(column, verdict, parts[column.game] > 1)
    )
    where = f"{first.model} on {first.corpus}"
    if not deciding:
        why = _why_none(columns)
        return Advice(first.model, first.corpus, None, f"{where}: no method can be recommended: {why}.", reasons)
    method = _choose(deciding)
    reasons = (_rests_on([column for column, _ in deciding]), *reasons)
    headline = f"{where}: use {method}, {_standing(method, deciding)}{_cost(method, columns)}."
    return Advice(first.model, first.corpus, method, headline, reasons)


def may_decide(column: Column) -> bool:
    """Whether advice may rest on the column: its game decides, is sound, has documents enough and a method to trust."""
    verdict = column.verdict
    enough = verdict is not None and verdict.trusted and verdict.documents >= FEW
    return enough and column.decides and column.sound


def _rests_on(columns: Sequence[Column]) -> str:
    judges = dict.fromkeys(_judge(column) for column in columns)
    return f"This rests on {len(judges)} judge{'s' if len(judges) > 1 else ''}: {', '.join(judges)}."


def _judge(column: Column) -> str:
    title = recalled(column.game).part(column.part).title
    return column.game if column.game.startswith(column.part) else f"{column.game}, {title}"


def _why_none(columns: Sequence[Column]) -> str:
    if all(not column.decides for column in columns):
        return "deletion never decides alone: play another game too"
    if any(column.decides and not column.sound for column in columns):
        return "noise does not make the best method fall, so that the game cannot judge this model"
    if any(column.verdict for column in columns):
        return f"no method beats chance and the baselines on at least {FEW} documents"
    return "only baselines played" if any(column.documents for column in columns) else "no document counts"


def _choose(deciding: Sequence[tuple[Column, Verdict]]) -> str:
    candidates = dict.fromkeys(name for _, verdict in deciding for name in (verdict.best, *verdict.tied))

    def merit(name: str) -> tuple[bool, int, float]:
        behind = [_behind(name, *decided) for decided in deciding]
        return max(behind) <= NEAR, sum(_first(name, verdict) for _, verdict in deciding), -sum(behind)

    return max(candidates, key=merit)


def _first(name: str, verdict: Verdict) -> bool:
    """Best, or not significantly worse than the best."""
    return name in (verdict.best, *verdict.tied)


def _behind(name: str, column: Column, verdict: Verdict) -> float:
    """How much less often than the best method it is right."""
    return verdict.accuracy - (column.cells[name].accuracy or 0.0)


def _standing(method: str, deciding: Sequence[tuple[Column, Verdict]]) -> str:
    if len(deciding) == 1:
        return "the best method there"
    beaten = [_behind(method, *decided) for decided in deciding if not _first(method, decided[1])]
    shared = (
        f"best or not significantly worse than the best in {len(deciding) - len(beaten)} of {len(deciding)} columns"
    )
    return f"{shared}, elsewhere at most {100 * max(beaten):.0f} points behind" if beaten else shared


def _cost(method: str, columns: Sequence[Column]) -> str:
    speed = rate(columns[0].cells[method].rate)
    return f"; {speed} documents per second on one core" if speed != "-" else ""


def _reasons(column: Column, verdict: Verdict, divided: bool) -> Iterator[str]:
    """``divided``: the game has other parts, so that what is not counted here is counted there."""
    if "." in column.part:  # a further scorer's column: shown on request, decides nothing
        return
    share = f"{percent(verdict.accuracy)} of {verdict.documents} documents"
    sure = f"95 % interval {percent(verdict.interval.low)} to {percent(verdict.interval.high)}"
    chance = f"; chance is {percent(verdict.chance)}" if verdict.chance is not None else ""
    graded = column.cells[verdict.best].bounds is not None
    average = f"gets {percent(verdict.accuracy)} on average over {verdict.documents} documents"
    right_on = f"{verdict.best} {average if graded else f'is right on {share}'} ({sure}{chance})"
    if verdict.documents < FEW:
        yield f"{column.part}: {right_on}: too few documents to decide anything."
        return
    yield f"{column.part}: {right_on}.{_baseline(verdict)}"
    yield f"{column.part}: {_ties(column, verdict)}{_follower(verdict)}"
    if column.wide:
        gains = (f"{wide.wide} ({points(wide.over.difference)} over {wide.narrow})" for wide in column.wide)
        yield f"{column.part}: {', '.join(gains)} lead by width: this game rewards whole fragments."
    if column.decides and not column.sound and column.degraded is not None:
        yield f"{column.part}: this game cannot judge this model: {column.degraded.why}."
    if not divided and verdict.discarded > MANY_DISCARDED * (verdict.discarded + verdict.documents):
        yield f"{column.part}: {verdict.discarded} documents are discarded, so the figures are about the others only."


def _baseline(verdict: Verdict) -> str:
    over = verdict.over_baseline
    if over is None or verdict.trusted:
        return ""
    return f" That is not safely more than {verdict.baseline} or chance gets ({p_value(over.p)}): trust no method here."


def _ties(column: Column, verdict: Verdict) -> str:
    first = f"it comes first on {percent(verdict.first_in)} of resampled document sets"
    if not verdict.tied:
        return f"no other method is tied with it; {first}."
    speed = rate(column.cells[verdict.fastest].rate)
    cheap = f"; the cheapest of all these is {verdict.fastest} ({speed} documents per second)"
    enough = f"about {verdict.needed:,} documents would" if verdict.needed else "ten million documents would not"
    return f"not significantly worse: {_listed(verdict.tied)}{cheap}; {first}; {enough} tell it from {verdict.tied[0]}."


def _listed(names: Sequence[str]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} others" if more > 0 else "")


def _follower(verdict: Verdict) -> str:
    over = verdict.over_follower
    if over is None:
        return ""
    low, high = 100 * over.interval.low, 100 * over.interval.high
    gap = f"{100 * over.difference:.0f} points behind (95 % interval {low:.0f} to {high:.0f}, {p_value(over.p)})"
    return f" The next, {verdict.follower}, is {gap}."
