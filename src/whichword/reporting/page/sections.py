"""The sections of a report, ours and those of plug-ins, and what stands in ours.

In order: the headline and a card per model, the judges (do they agree, does noise make each of them fall), and what was
tested: the rules of each game in two sentences, and one turn of it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from whichword.errors import named
from whichword.games import recalled
from whichword.method_names import BASELINES
from whichword.registry import Registry
from whichword.render import escape
from whichword.reporting.judges import JudgedRun, Panel, panels
from whichword.reporting.judges_text import consequence, correlations, noise_svg
from whichword.reporting.page.gather import Gathered
from whichword.reporting.table import Column, Table, TableCell, percent, rate
from whichword.reporting.verdict import FEW, UNDECIDED, Advice, Recommendation, capitalized, listed, margin_words, why
from whichword.runs.run import Run
from whichword.scoring.outcomes import Degraded
from whichword.statistics import for_all
from whichword.statistics.decision import Decision
from whichword.text.places import gaps


@dataclass(frozen=True, eq=False)
class Report:
    """What a section is made from: what was read of the runs, and what was concluded.

    ``runs`` by name; ``gathered`` and ``columns`` by pairing, ``table`` has the columns of all.
    """

    runs: Sequence[tuple[str, Run]]
    gathered: Sequence[Gathered]
    columns: Mapping[str, Sequence[Column]]
    table: Table
    recommendation: Recommendation


@dataclass(frozen=True)
class Section:
    """A part of the page: its ``title`` (none: not in the navigation) and the HTML under it, without scripts.

    Lower orders stand first, neighbours of one ``row`` side by side.
    """

    title: str
    body: Callable[[Report], str]
    order: int = 95  # before the documents
    row: str = ""

    def html(self, name: str, report: Report) -> str:
        """Render all of it; a section that fails says so, and the others stand."""
        try:
            inside = self.body(report)
        except Exception as error:  # a plug-in may raise anything
            inside = f'<p class="line">This section failed: {escape.html(named(error))}</p>'
        return f'<section id="{escape.html(name)}">\n<h2>{escape.html(self.title)}</h2>\n{inside}\n</section>\n'


def _block(report: Report) -> str:
    """Refuse: ours are blocks of sections.html, one template, since the page's scripts fill what stands there."""
    raise NotImplementedError


SECTIONS: Registry[Section] = Registry("section", "whichword.sections")
for _order, (_name, _heading, _row) in enumerate(
    (
        ("verdict", "Verdict", ""),
        ("results", "Results", ""),
        ("picker", "", ""),
        ("accuracy", "Accuracy", "figures"),
        ("cost", "Cost", "figures"),
        ("agreement", "Agreement", "matrices"),
        ("judges", "Judges", "matrices"),
        ("difference", "Significance", "matrices"),
        ("slices", "Slices", ""),
        ("health", "Health", ""),
        ("documents", "Documents", ""),
        ("protocol", "Protocol", ""),
    )
):
    SECTIONS.register(_name, Section(_heading, _block, order=10 * _order, row=_row))


def sections() -> list[tuple[str, Section]]:
    """List them by name, in their order."""
    return sorted(((name, SECTIONS[name]) for name in SECTIONS), key=lambda entry: entry[1].order)


@dataclass(frozen=True)
class Headline:
    """``before`` METHOD ``after``; without a method ``before`` and ``after`` say it all."""

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
    """Make a card for each piece of advice, in its order."""
    return [_card(advice, _columns(table, advice)) for advice in recommendation.advice]


def headline(recommendation: Recommendation) -> Headline:
    """Name one method for all models where one is shown to be good for each; else say what to use by model."""
    decisions = [advice.decision for advice in recommendation.advice if advice.decision is not None]
    if not decisions:
        return Headline(f"{UNDECIDED}.", "", "No document counts, or only baselines played.", ())
    decision = for_all(decisions, recommendation.advice[0].seconds)
    if len(decisions) == 1:
        return _single(decision, recommendation.advice[0])
    lines = tuple(_by_model(recommendation.advice, decision.avoid))
    if decision.choice is not None and len(decisions) == len(recommendation.advice):  # none is undecided
        within = f"shown to be within {margin_words(decision.margin)} of the best for each of {len(decisions)} models"
        return Headline("Use", decision.choice, within, lines)
    if any(advice.method for advice in recommendation.advice):
        apart = not (decision.group or decision.unproven)  # every method is shown to be worse for some model
        before = "It depends on the model." if apart else "No one answer for all models yet."
        return Headline(before, "", "No one method is shown to be good for all of them.", lines)
    return Headline(f"{UNDECIDED}.", "", "For no model is a method shown to be good.", lines)


def _single(decision: Decision, advice: Advice) -> Headline:
    lines = (advice.needed,) if advice.needed else ()  # the card below has the reasons
    if decision.choice is None:
        return Headline(f"{UNDECIDED}.", "", f"{capitalized(why(decision))}.", lines)
    return Headline("Use", decision.choice, why(decision), lines)


def _by_model(entries: Sequence[Advice], avoid: Sequence[str]) -> list[str]:
    """Say what is chosen for how many models, and what is to be avoided for at least half of them and good for none."""
    chosen = Counter(advice.method for advice in entries if advice.method)  # the most frequent first
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
    reason = capitalized(advice.headline.partition(": ")[2])  # the card itself says which method
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


TOLD = 2  # lines about judges at the top of a report, so that they are among its first three


@dataclass(frozen=True)
class Seated:
    """One model's judges: what follows, and the rank correlation of every two."""

    model: str
    games: int
    contradict: bool
    consequence: str
    correlations: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class JudgesSection:
    """What the section shows; ``noise`` is a figure per model, as (model, figure, what is wrong)."""

    seated: tuple[Seated, ...]
    noise: tuple[tuple[str, str, tuple[str, ...]], ...]


def judges_section(runs: Sequence[JudgedRun], table: Table) -> JudgesSection:
    return JudgesSection(tuple(_seated(panel) for panel in panels(runs)), tuple(_noise(table)))


def with_judges(headline: Headline, section: JudgesSection) -> Headline:
    """Put the agreement of judges on top, contradictions first; parts of one game are one judge."""
    several = [seated for seated in section.seated if seated.games > 1]
    first = sorted(several, key=lambda seated: not seated.contradict)[:TOLD]
    return replace(headline, lines=(*(seated.consequence for seated in first), *headline.lines))


def _seated(panel: Panel) -> Seated:
    games, contradict = len(panel.families), bool(panel.contradictions)
    return Seated(panel.model, games, contradict, consequence(panel), tuple(correlations(panel)))


def _noise(table: Table) -> list[tuple[str, str, tuple[str, ...]]]:
    models = dict.fromkeys((column.run, column.model) for column in table.columns)  # once each, in order
    figures = []
    for run, model in models:
        columns = [column for column in table.columns if (column.run, column.model) == (run, model)]
        curves = {_title(column): column.degraded for column in columns if column.degraded is not None}
        if curves:
            figures.append((model, noise_svg(curves), tuple(_troubles(curves))))
    return figures


def _title(column: Column) -> str:
    return recalled(column.game).part(column.part).title


def _troubles(curves: dict[str, Degraded]) -> list[str]:
    return [f"{title} cannot judge this model: {noise.why}." for title, noise in curves.items() if not noise.falls]


LONGEST = 60  # words that are shown; of a longer document those around what is pointed at
SHORTEST = 6
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")


@dataclass(frozen=True)
class Pointing:
    """A method, the word that it points at, and whether that is right."""

    method: str
    word: str
    hit: bool


@dataclass(frozen=True)
class WorkedExample:
    """One turn of a game. ``text`` is HTML: the right words underlined, those that are pointed at bold."""

    game: str
    rules: str
    model: str
    predicted: str
    truth: str
    text: str
    pointings: tuple[Pointing, ...]


@dataclass(frozen=True)
class _Turn:
    entry: Gathered
    column: Column
    row: int
    methods: tuple[str, ...]  # one that hits; where there is one, one that misses

    @property
    def words(self) -> tuple[str, ...]:
        return self.entry.items[self.row].words

    @property
    def reach(self) -> int:
        """How many words lie between those that are pointed at."""
        places = [self.place(method) for method in self.methods]
        return max(places) - min(places)

    def place(self, method: str) -> int:
        judged = self.entry.judged
        return int(judged.rmax[self.row, judged.methods.index(method)])


def worked_examples(gathered: Sequence[Gathered], columns: Mapping[str, Sequence[Column]]) -> list[WorkedExample]:
    """Show one for each game that was played, of its first column with a document in which a method hits."""
    examples: dict[str, WorkedExample] = {}
    for entry in gathered:
        for column in columns[entry.name]:
            if column.game not in examples and (turn := _turn(entry, column)):
                examples[column.game] = _example(turn)
    return list(examples.values())


def _turn(entry: Gathered, column: Column) -> _Turn | None:
    """Choose the shortest document in which the best method hits, if there is one where another method misses."""
    methods = _ranked(column)
    if not methods:
        return None
    hits = dict(entry.judged.vectors(column.part))
    rows = [int(row) for row in np.flatnonzero(hits[methods[0]] == 1)]  # not shares of a hit
    long_enough = [row for row in rows if len(entry.items[row].words) >= SHORTEST] or rows  # else any
    pairs = [(row, _missing(methods[1:], hits, row)) for row in long_enough]
    pairs = [pair for pair in pairs if pair[1]] or pairs  # a miss beside the hit, if there is one
    if not pairs:
        return None
    turns = [_Turn(entry, column, row, (methods[0], *missing[:1])) for row, missing in pairs]
    return min(turns, key=lambda turn: (turn.reach >= LONGEST // 2, len(turn.words), turn.row))  # both in view


def _ranked(column: Column) -> list[str]:
    played = {name: cell.accuracy for name, cell in column.cells.items() if name not in BASELINES}
    return sorted(played, key=lambda name: -(played[name] or 0.0))


def _missing(methods: Sequence[str], hits: Mapping[str, NDArray[np.float64]], row: int) -> list[str]:
    return [name for name in methods if hits[name][row] == 0]


def _example(turn: _Turn) -> WorkedExample:
    entry, game = turn.entry, recalled(turn.column.game)
    predicted, item = entry.judged.predicted[turn.row], entry.items[turn.row]
    part, read_words = game.part(turn.column.part), frozenset(range(entry.shaded[turn.row].seen))
    right_words = read_words & (game.rewarded(item, predicted).get(part.name) or frozenset())  # only what was read
    pointings = tuple(
        Pointing(name, turn.words[turn.place(name)], turn.place(name) in right_words) for name in turn.methods
    )
    rules = " ".join(_SENTENCE.split(game.rules)[:2]) or f"A method is right if it points at {part.truth}."
    text = "".join(_text(turn, right_words))
    return WorkedExample(turn.column.game, rules, entry.pairing.model, predicted, part.truth, text, pointings)


def _text(turn: _Turn, right_words: frozenset[int]) -> Iterator[str]:
    """Write the words with what stands between them, cut where the document is long."""
    between, places = gaps(turn.entry.items[turn.row]), [turn.place(name) for name in turn.methods]
    start = max(0, min(places) - LONGEST // 2) if len(turn.words) > LONGEST else 0
    stop = min(len(turn.words), start + LONGEST)  # a text at its end is cut shorter
    yield "… " if start else ""
    for t in range(start, stop):
        marks = " ".join(name for name, holds in (("right", t in right_words), ("rmax", t in places)) if holds)
        styled = f' class="{marks}"' if marks else ""
        yield f"{escape.html(between[t])}<span{styled}>{escape.html(turn.words[t])}</span>"
    yield " …" if stop < len(turn.words) else ""
