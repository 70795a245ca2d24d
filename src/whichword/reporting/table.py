"""The results table: a column for each model and part of a game, a row for each method. Read from run folders alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

import numpy as np

from whichword.experiment.degrading import Degraded
from whichword.experiment.judging import Judged
from whichword.experiment.plan import Pairing
from whichword.experiment.reading import MethodCost, Run, open_run
from whichword.experiment.remarks import remarks
from whichword.games import recalled
from whichword.games.scorers import scorer_of
from whichword.reporting.cases import Case, cases_of, judgements
from whichword.statistics import BASELINES, MARGIN, Interval, paper_marks, tie_group, wilson
from whichword.statistics.bootstrap import share_interval
from whichword.statistics.groups import Mark, TieGroup
from whichword.statistics.widths import Width, leads_by_width
from whichword.types import Tally


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
        if self.bounds is not None:
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
        tied = {name: cell for name, cell in self.cells.items() if cell.tied}
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
        fullest = sorted(self.columns, key=lambda column: -len(column.cells))
        named = [name for column in fullest for name in column.cells]
        return tuple(dict.fromkeys([*named, *(name for column in fullest for name in column.undefined)]))

    @cached_property
    def groups(self) -> dict[tuple[str, str, str], tuple[Column, ...]]:
        """(game, corpus, part) -> its columns."""
        return {key: tuple(columns) for key, columns in groupby(self.columns, key=lambda column: column.group)}

    def to(self, format: str) -> str:
        """The table as text, markdown, latex, csv, json or html."""
        from whichword.reporting.formats import FORMATS

        return FORMATS[format](self)

    def _repr_html_(self) -> str:
        return self.to("html")


def table(folders: Sequence[str | Path], margin: float = MARGIN, scorers: Sequence[str] = ()) -> Table:
    """The table of some runs; columns of one game and corpus stand together, in the order of the runs.

    ``margin``: how much worse than the best a method may be and still be chosen. ``scorers``: by which the parts are
    scored beside the one that decides (`whichword.games.scorers`).
    """
    for scorer in scorers:
        scorer_of(scorer)
    runs = [(Path(folder).name, run, judgements(run)) for folder in folders if (run := open_run(folder))]
    columns = [column for name, run, judged in runs for column in columns_of(run, name, judged, scorers)]
    games = list(dict.fromkeys(column.game for column in columns))
    groups = list(dict.fromkeys(column.group for column in columns))
    ordered = sorted(columns, key=lambda column: (games.index(column.game), groups.index(column.group)))
    cases = (case for name, run, judged in runs for case in cases_of(run, name, judged, margin))
    return Table(tuple(ordered), tuple(cases))


def columns_of(
    run: Run, name: str, judged: Mapping[str, Judged] | None = None, scorers: Sequence[str] = ()
) -> list[Column]:
    """All columns of one run, each part by its own scorer and then by these.

    ``judged`` by pairing, where somebody has judged already.
    """
    columns = []
    by_pairing = judged or judgements(run)
    for pairing in run.plan.pairings:
        outcome, costs = by_pairing[pairing.id], run.costs(pairing.id)
        extra = [f"{part}.{scorer}" for part in outcome.parts for scorer in scorers]
        parts = [*outcome.parts, *(part for part in extra if part in outcome.hits)]
        columns += [_column(run, name, pairing, outcome, part, costs) for part in parts]
    return columns


Costs = Mapping[str, MethodCost]


def _column(run: Run, name: str, pairing: Pairing, judged: Judged, part: str, costs: Costs) -> Column:
    played, model = run.plan.set(pairing.set), run.plan.model(pairing.model)
    tallies = {method: judged.tally(part, method) for method in pairing.labels}
    group = _settle(judged, part)
    marks = paper_marks({method: t.hits / t.total if t.total else None for method, t in tallies.items()})
    cells = {
        method: TableCell(
            tally,
            costs[method],
            marks[method] if tally.total else "",
            group is not None and method in group.members,
            group.p.get(method) if group else None,
            _bounds(judged, part, method, pairing),
        )
        for method, tally in tallies.items()
    }
    about = (pairing.model, model.about.name, run.plan.corpus_name(played), played.game, part)
    game, remarked = recalled(played.game), (run.arithmetics, remarks(run, pairing))
    wide = tuple(leads_by_width(judged.vectors(part))) if game.fragments else ()
    column = Column(name, *about, judged.chance[part], cells, pairing.undefined, *remarked)
    decides = part in judged.parts and game.decides
    noise, ceiling = judged.degraded.get(part), judged.ceiling.get(part)
    return replace(column, degraded=noise, ceiling=ceiling, decides=decides, wide=wide)


def _bounds(judged: Judged, part: str, method: str, pairing: Pairing) -> Interval | None:
    """The interval of scores that are no hits; None for hits, and for a method that only has an expectation."""
    values = judged.vectors(part)[method]
    counted = values[~np.isnan(values)]
    uniform = next(entry.uniform for entry in pairing.methods if entry.label == method)
    if uniform or not len(counted) or np.isin(counted, (0, 1)).all():
        return None
    return share_interval(counted)


def _settle(judged: Judged, part: str) -> TieGroup | None:
    """The group of methods that share the first place of a column; baselines are no candidates."""
    vectors = judged.vectors(part)
    candidates = {method: hits[hits == hits] for method, hits in vectors.items() if method not in BASELINES}
    if not candidates or not min(len(hits) for hits in candidates.values()):
        return None
    return tie_group(candidates)
