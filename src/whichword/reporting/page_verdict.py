"""The top of a report: what to use, in one sentence and in one card per model."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from whichword.games import recalled
from whichword.reporting.numbers import percent, rate
from whichword.reporting.recommendation import FEW, Advice, Recommendation, may_decide
from whichword.reporting.table import Column, Table, TableCell
from whichword.statistics.verdicts import BASELINES


@dataclass(frozen=True)
class Headline:
    """``before`` METHOD ``after``; without a method ``before`` says it all."""

    before: str
    method: str
    after: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """Advice for one model on one corpus, with the figures of the first column in which the method leads."""

    advice: Advice
    run: str
    network: str
    figures: tuple[str, ...]


def cards(table: Table, recommendation: Recommendation) -> list[Card]:
    """One for each piece of advice, in its order."""
    groups = [list(columns) for _, columns in groupby(sorted(table.columns, key=_case), key=_case)]
    return [_card(advice, columns) for advice, columns in zip(recommendation.advice, groups, strict=True)]


def headline(table: Table, recommendation: Recommendation) -> Headline:
    """The method that is most often best or not significantly worse than the best, over all trusted columns."""
    trusted = [column for column in table.columns if _decides(column)]
    chosen = Counter(advice.method for advice in recommendation.advice if advice.method)
    if not trusted or not chosen:
        return Headline("No method can be trusted here.", "", "", ("None safely beats chance and the baselines.",))
    leading = Counter(name for column in trusted for name, cell in column.cells.items() if cell.tied)
    method = max(leading, key=lambda name: (leading[name], chosen[name], _mean(trusted, name)))
    where = f"best, or not significantly worse than the best, in {leading[method]} of {_comparisons(len(trusted))}"
    lines = (*_choices(chosen, len(recommendation.advice)), *_avoid(trusted), *_undecided(table, trusted))
    return Headline("Use", method, where, lines)


def _case(column: Column) -> tuple[str, str, str]:
    return column.run, column.model, column.corpus


def _comparisons(count: int) -> str:
    return "1 comparison" if count == 1 else f"{count} comparisons"


def _mean(columns: Sequence[Column], method: str) -> float:
    accuracies = [cell.accuracy or 0.0 for column in columns if (cell := column.cells.get(method))]
    return sum(accuracies) / len(accuracies) if accuracies else 0.0


def _choices(chosen: Counter[str], cases: int) -> list[str]:
    if cases == 1:
        return []
    listed = ", ".join(f"{method} for {count}" for method, count in chosen.most_common())
    return [f"First choice by model, {cases} in all: {listed}."]


def _decides(column: Column) -> bool:
    return may_decide(column)


def _undecided(table: Table, trusted: Sequence[Column]) -> list[str]:
    count = len(table.columns) - len(trusted)
    why = f"fewer than {FEW} documents, or no method that safely beats chance and the baselines"
    return [f"{count} of {len(table.columns)} comparisons decide nothing: {why}."] if count else []


def _avoid(columns: Sequence[Column]) -> list[str]:
    """Methods that are not safely above chance in at least half of the columns."""
    names = dict.fromkeys(name for column in columns for name in column.cells if name not in BASELINES)
    weak = [name for name in names if _mostly_chance(columns, name)]
    return [f"Not safely above chance in half of the comparisons or more: {', '.join(weak)}."] if weak else []


def _mostly_chance(columns: Sequence[Column], method: str) -> bool:
    pairs = [(column.chance, cell) for column in columns if (cell := column.cells.get(method)) is not None]
    weak = sum(_at_chance(chance, cell) for chance, cell in pairs if chance is not None)
    return bool(pairs) and 2 * weak >= len(pairs)


def _at_chance(chance: float, cell: TableCell) -> bool:
    return cell.interval is None or cell.interval.low <= chance


def _card(advice: Advice, columns: Sequence[Column]) -> Card:
    leading = [column for column in columns if advice.method and _leads(column, advice.method)]
    first = (leading or columns)[0]
    cell = first.cells.get(advice.method) if advice.method else None
    why = advice.headline.rsplit(": ", 1)[-1]
    which = f" ({recalled(first.game).part(first.part).title})" if len(columns) > 1 else ""
    return Card(advice, first.run, first.network, tuple(_figures(first, cell, which)) if cell else (why,))


def _leads(column: Column, method: str) -> bool:
    return _decides(column) and method in column.cells and column.cells[method].tied


def _figures(column: Column, cell: TableCell, which: str) -> list[str]:
    interval = cell.interval
    accuracy = [f"{percent(cell.accuracy)} right{which}"] if cell.accuracy is not None else []
    sure = [f"interval {percent(interval.low)} to {percent(interval.high)}"] if interval else []
    chance = [f"chance {percent(column.chance)}"] if column.chance is not None else []
    cost = [f"{rate(cell.rate)} documents per second"] if cell.rate is not None else []
    return [*accuracy, *sure, *chance, *cost]
