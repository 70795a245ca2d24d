"""The results table: a column for each model and part of a game, a row for each method; how its numbers are written.

Beside it what was decided: one case for every model that played a game on a corpus, all parts of the game together.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from whichword.games import recalled
from whichword.runs.records import Pairing, StoredVerdict
from whichword.runs.run import MethodCost, Run, stored_verdicts
from whichword.scoring.outcomes import Degraded, Judged, outcomes_of
from whichword.scoring.run import judge
from whichword.statistics.decision import MARGIN, Costs, Decision, decide
from whichword.statistics.summaries import Width
from whichword.statistics.tests import Interval, Mark, wilson
from whichword.types import Tally


@dataclass(frozen=True)
class Case:
    """One model in one game on one corpus. Without a ``decision`` no document counts, or only baselines played."""

    run: str
    model: str
    corpus: str
    game: str
    decision: Decision | None
    seconds: Costs  # per document, each method asked alone
    documents: int  # of the set, counted or not
    available: int  # of the corpus
    unplayed: Mapping[str, str] = field(default_factory=dict)  # stopped before the end, or never played, and why
    silent: str = ""  # why this game decides nothing about this model, in words; "": it does


@dataclass(frozen=True)
class TableCell:
    """One method in one column. ``tied``: the best, or not significantly worse (``p``, Holm-corrected, against it)."""

    tally: Tally
    cost: MethodCost
    mark: Mark = ""
    tied: bool = False
    p: float | None = None
    bounds: Interval | None = None  # where scores are no hits

    @property
    def accuracy(self) -> float | None:
        """Hits over counted documents; None where none counts."""
        return self.tally.hits / self.tally.total if self.tally.total else None

    @property
    def interval(self) -> Interval | None:
        """95 %: Wilson's for hits, a bootstrap by document for other scores."""
        if self.bounds is not None:  # Wilson's interval is for hits alone
            return self.bounds
        return wilson(self.tally.hits, self.tally.total) if self.tally.total else None

    @property
    def rate(self) -> float | None:
        """Documents per second on one core, the method asked alone."""
        return self.cost.rate


@dataclass(frozen=True)
class Column:
    """One model in one part of one game on one corpus. A method that is not defined for the model has no cell."""

    run: str
    model: str
    network: str
    corpus: str
    game: str
    part: str
    chance: float | None
    cells: Mapping[str, TableCell]
    undefined: Mapping[str, str]  # method -> why
    arithmetics: Mapping[str, int] = field(default_factory=dict)  # by which the run's shards were computed
    remarks: tuple[str, ...] = ()  # on documents that were left out, failed, or were not read to their end
    degraded: Degraded | None = None  # what noise does to the best method
    ceiling: float | None = None  # what the best order of words gets, where a game knows it
    decides: bool = True  # whether a verdict may rest on this column
    wide: tuple[Width, ...] = ()  # methods that are ahead of their own narrow windows, where a game rewards fragments

    @property
    def sound(self) -> bool:
        """Whether it can judge at all: mixed with noise, the best method loses."""
        return self.degraded is None or self.degraded.falls

    @property
    def group(self) -> tuple[str, str, str]:
        """What stands side by side in the table."""
        return self.game, self.corpus, self.part

    @property
    def heading(self) -> str:
        """What the part is called, and its name in brackets."""
        return recalled(self.game).part(self.part).heading

    @property
    def documents(self) -> int:
        """How many items count."""
        return max((cell.tally.total for cell in self.cells.values()), default=0)

    @property
    def best(self) -> str | None:
        """The method with the most hits that is no baseline."""
        tied = {name: cell for name, cell in self.cells.items() if cell.tied}  # never a baseline: see first_place
        return max(tied, key=lambda name: tied[name].tally.hits, default=None)

    @property
    def discarded(self) -> int:
        return max((cell.tally.discarded for cell in self.cells.values()), default=0)


@dataclass(frozen=True)
class Table:
    """Columns in the order of their groups, and what was decided; `whichword.reporting.formats` renders it."""

    columns: tuple[Column, ...]
    cases: tuple[Case, ...] = ()

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """Every method of any column, in the order of the fullest column; undefined ones have no place of their own."""
        fullest = sorted(self.columns, key=lambda column: -len(column.cells))  # stable: the first of equals leads
        named = [name for column in fullest for name in column.cells]
        return tuple(dict.fromkeys([*named, *(name for column in fullest for name in column.undefined)]))

    @cached_property
    def groups(self) -> dict[tuple[str, str, str], tuple[Column, ...]]:
        """(game, corpus, part) -> its columns."""
        return {key: tuple(columns) for key, columns in groupby(self.columns, key=lambda column: column.group)}

    def to(self, format: str) -> str:
        """Render the table as text, markdown, latex, csv, json or html."""
        from whichword.reporting.formats import FORMATS  # which imports this module

        return FORMATS[format](self)

    def _repr_html_(self) -> str:
        return self.to("html")


def judgements(run: Run) -> dict[str, Judged]:
    """Judge all pairings, by name."""
    return {pairing.id: judge(run, pairing.id) for pairing in run.plan.pairings}


def cases_of(run: Run, name: str, judged: Mapping[str, Judged], margin: float = MARGIN) -> Iterator[Case]:
    """Yield all cases of one run, which is called ``name``; ``judged`` by pairing."""
    stored = stored_verdicts(run.folder, run.plan.run)  # after rounds: their bounds hold over all looks
    for pairing in run.plan.pairings:
        played = run.plan.set(pairing.set)
        seconds = {method: cost.seconds for method, cost in run.costs(pairing.id).items()}  # to break ties
        verdict = stored.get(pairing.id) or StoredVerdict(_decision(run, pairing, judged, seconds, margin), {})
        about = (name, pairing.model, run.plan.corpus_name(played), played.game)
        silent = _silent(played.game, judged[pairing.id], verdict.decision)
        yield Case(*about, verdict.decision, seconds, played.items, played.available, verdict.unplayed, silent)


def _silent(game: str, judged: Judged, decision: Decision | None) -> str:
    """Say why a game decides nothing: it never does, or it would choose although noise does not make methods fall."""
    if not recalled(game).decides:
        return f"{game} never decides: it stands beside other games"
    if decision is None or decision.choice is None:  # what would tell more is said by the decision itself
        return ""
    troubles = [noise.why for noise in judged.degraded.values()]
    return f"{game} cannot judge this model: {troubles[0]}" if troubles and all(troubles) else ""


def _decision(
    run: Run, pairing: Pairing, judged: Mapping[str, Judged], seconds: Costs, margin: float
) -> Decision | None:
    outcomes = outcomes_of(judged[pairing.id], run.items(pairing.set))
    return decide(outcomes, seconds, margin) if len(outcomes.hits) and outcomes.methods else None


def points(share: float | None) -> str:
    """Write a share as .87, 1.00 or -.12, or - where there is none."""
    return "-" if share is None else f"{share:.2f}".removeprefix("0").replace("-0.", "-.")


def interval(bounds: Interval | None) -> str:
    return "" if bounds is None else f"[{points(bounds.low)} {points(bounds.high)}]"


def count(hits: float) -> str:
    """Write hits whole, or with one digit where they are expectations."""
    return f"{hits:.0f}" if hits == int(hits) else f"{hits:.1f}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def rate(documents: float | None) -> str:
    """Write documents per second: 3 digits, no exponent."""
    if documents is None:
        return "-"
    return f"{documents:.0f}" if documents >= 100 else f"{documents:.3g}"  # 1234, not 1.23e+03


def p_value(p: float) -> str:
    """Write p = .012, or p < .001."""
    return "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".", 1)
