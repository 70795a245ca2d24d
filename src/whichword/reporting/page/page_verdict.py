"""The top of a report: what to use, or that nobody can tell, in one sentence and in one card per model."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from whichword.games import recalled
from whichword.reporting.numbers import percent, rate
from whichword.reporting.page.headline import Headline
from whichword.reporting.recommendation import FEW, UNDECIDED, Advice, Recommendation
from whichword.reporting.table import Column, Table, TableCell
from whichword.reporting.verdict_words import capitalized, listed, margin_words, why
from whichword.statistics import for_all
from whichword.statistics.decision import Decision


@dataclass(frozen=True)
class Card:
    """Advice for one model on one corpus, with the figures of the first column in which the method leads."""

    advice: Advice
    run: str
    network: str
    figures: tuple[str, ...]


def cards(table: Table, recommendation: Recommendation) -> list[Card]:
    """One for each piece of advice, in its order."""
    return [_card(advice, _columns(table, advice)) for advice in recommendation.advice]


def headline(recommendation: Recommendation) -> Headline:
    """One method for all models where one is shown to be good for each of them; else that there is none, by model."""
    decisions = [advice.decision for advice in recommendation.advice if advice.decision is not None]
    if not decisions:
        return Headline(f"{UNDECIDED}.", "", "No document counts, or only baselines played.", ())
    decision = for_all(decisions, recommendation.advice[0].seconds)
    if len(decisions) == 1:
        return _single(decision, recommendation.advice[0])
    lines = tuple(_by_model(recommendation.advice, decision.avoid))
    if decision.choice is not None and len(decisions) == len(recommendation.advice):
        within = f"shown to be within {margin_words(decision.margin)} of the best for each of {len(decisions)} models"
        return Headline("Use", decision.choice, within, lines)
    if any(advice.method for advice in recommendation.advice):
        apart = not (decision.group or decision.unproven)  # every method is shown to be worse for some model
        before = "It depends on the model." if apart else "No one answer for all models yet."
        return Headline(before, "", "No one method is shown to be good for all of them.", lines)
    return Headline(f"{UNDECIDED}.", "", "For no model is a method shown to be good.", lines)


def _single(decision: Decision, advice: Advice) -> Headline:
    lines = (advice.needed,) if advice.needed else ()
    if decision.choice is None:
        return Headline(f"{UNDECIDED}.", "", f"{capitalized(why(decision))}.", lines)
    return Headline("Use", decision.choice, why(decision), lines)


def _by_model(entries: Sequence[Advice], avoid: Sequence[str]) -> list[str]:
    """What is chosen for how many models, and what is to be avoided for at least half of them and good for none."""
    chosen = Counter(advice.method for advice in entries if advice.method)
    silent = [advice.where for advice in entries if not advice.method]
    choices = ", ".join(f"{method} for {count}" for method, count in chosen.most_common())
    return [
        *([f"By model, {len(entries)} in all: {choices}."] if choices else []),
        *([f"{UNDECIDED}: {listed(silent)}."] if silent else []),
        *_avoid(entries, avoid),
    ]


def _avoid(entries: Sequence[Advice], candidates: Sequence[str]) -> list[str]:
    avoided = Counter(name for advice in entries if advice.decision for name in advice.decision.avoid)
    names = [name for name in candidates if 2 * avoided[name] >= len(entries)]
    return [f"To avoid for at least half of them: {', '.join(names)}."] if names else []


def _columns(table: Table, advice: Advice) -> list[Column]:
    place = (advice.run, advice.model, advice.corpus)
    return [column for column in table.columns if (column.run, column.model, column.corpus) == place]


def _card(advice: Advice, columns: Sequence[Column]) -> Card:
    largest = max(columns, key=lambda column: (_leads(column, advice.method), column.documents))
    cell = largest.cells.get(advice.method) if advice.method else None
    reason = capitalized(advice.headline.partition(": ")[2])
    which = f" ({recalled(largest.game).part(largest.part).title})" if len(columns) > 1 else ""
    return Card(advice, largest.run, largest.network, tuple(_figures(largest, cell, which)) if cell else (reason,))


def _leads(column: Column, method: str | None) -> bool:
    return method is not None and column.documents >= FEW and method in column.cells and column.cells[method].tied


def _figures(column: Column, cell: TableCell, which: str) -> list[str]:
    interval = cell.interval
    accuracy = [f"{percent(cell.accuracy)} right{which}"] if cell.accuracy is not None else []
    sure = [f"interval {percent(interval.low)} to {percent(interval.high)}"] if interval else []
    chance = [f"chance {percent(column.chance)}"] if column.chance is not None else []
    cost = [f"{rate(cell.rate)} documents per second"] if cell.rate is not None else []
    return [*accuracy, *sure, *chance, *cost]
