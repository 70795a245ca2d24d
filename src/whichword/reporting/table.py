"""The results table: a column for each model and part of a game, a row for each method."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from whichword.games import recalled
from whichword.reporting.case import Case
from whichword.runs.run import MethodCost
from whichword.scoring.degrading import Degraded
from whichword.statistics.groups import Mark
from whichword.statistics.intervals import Interval, wilson
from whichword.statistics.widths import Width
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
