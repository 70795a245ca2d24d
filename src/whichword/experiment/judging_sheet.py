"""A pairing's scores, filled in shard by shard: every part of its game by every scorer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from whichword.errors import InputError
from whichword.experiment.plan import Pairing, Shard
from whichword.experiment.reading import Prediction
from whichword.games.columns import of_seen, point, rewarded
from whichword.games.game import Game, Measured
from whichword.games.scorers import SCORERS, Gold, Layout, Positions, Ranking
from whichword.types import Item

Change = Callable[[NDArray[np.floating[Any]], NDArray[np.int64], Sequence[str]], NDArray[np.floating[Any]]]


@dataclass(frozen=True, eq=False)
class Turns:
    """What was played by which game: the items that the model gave an answer for, in order, and its answers.

    ``places``: where each of them stands in its set; () for all of it. ``classes`` are the model's.
    """

    game: Game
    items: tuple[Item, ...]
    predictions: Sequence[Prediction]
    classes: tuple[str, ...]
    places: tuple[int, ...] = ()

    @staticmethod
    def of(
        game: Game, items: Sequence[Item], predictions: Mapping[str, Prediction], classes: tuple[str, ...]
    ) -> "Turns":
        places = tuple(place for place, item in enumerate(items) if item.key in predictions)
        answered = tuple(items[place] for place in places)
        return Turns(game, answered, [predictions[item.key] for item in answered], classes, places)

    @cached_property
    def seen(self) -> NDArray[np.int64]:
        """How many words of each item the model read."""
        sizes = [len(item.words) if entry.seen is None else entry.seen for item, entry in self.pairs()]
        return np.array(sizes, dtype=np.int64)

    def pairs(self) -> list[tuple[Item, Prediction]]:
        return list(zip(self.items, self.predictions, strict=True))

    def positions(self) -> dict[str, list[frozenset[int] | None]]:
        """The right words of every part, asked once for all methods; None where an item is not counted."""
        parts = rewarded([(item, entry.predicted) for item, entry in self.pairs()], self.game)
        unsure = [self._unsure(*turn) for turn in self.pairs()]
        return {part: self._counted(of_seen(words, self.seen), unsure) for part, words in parts.items()}

    def _unsure(self, item: Item, prediction: Prediction) -> bool:
        """Whether the class that is explained has less than the probability that the game asks for."""
        explained = item.question or prediction.predicted
        if not self.game.confident or explained not in self.classes:
            return False
        p = special.softmax(np.array(prediction.scores, dtype=np.float64))[self.classes.index(explained)]
        return not p >= self.game.confident

    def _counted(self, words: Positions, unsure: Sequence[bool]) -> list[frozenset[int] | None]:
        """Without what the model is not sure of, and without items of which a companion is not counted."""
        sure = [None if out else positions for positions, out in zip(words, unsure, strict=True)]
        names = [item.facts.get(self.game.together, item.key) for item in self.items]
        lost = {name for name, positions in zip(names, sure, strict=True) if positions is None}
        return [None if name in lost else positions for name, positions in zip(names, sure, strict=True)]


def names_of(game: Game, parts: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Column -> (part, scorer): a part by its own scorer, ``part.scorer`` by each of the others.

    A game that asks about edited copies has no right words, so nothing can be scored but what it measures.
    """
    if isinstance(game, Measured):
        return {}
    primary = {part: (part, game.part(part).scorer) for part in parts}
    extra = {
        f"{part}.{scorer}": (part, scorer) for part in parts for scorer in SCORERS if scorer != game.part(part).scorer
    }
    return primary | extra


@dataclass(eq=False)
class Sheet:
    """Arrays [D, M] being filled in, a row per answered item; ``hits`` has a column per part and scorer.

    ``everything``: all items of the set, also those that the model gave no answer for.
    """

    pairing: Pairing
    turns: Turns
    everything: Sequence[Item]
    rmax: NDArray[np.int64] = field(init=False)
    ties: NDArray[np.bool_] = field(init=False)
    nonfinite: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        shape = (len(self.turns.items), len(self.pairing.methods))
        self.row_of = {place: row for row, place in enumerate(self.turns.places)}
        self.rewarded: Mapping[str, Positions] = self.turns.positions()
        self.columns = names_of(self.turns.game, tuple(self.rewarded))
        self.rmax = np.full(shape, -1, np.int64)
        self.ties, self.nonfinite = np.zeros(shape, bool), np.zeros(shape, bool)
        self.hits = {name: np.full(shape, np.nan) for name in self.columns}

    def enter(self, shard: Shard, table: Any) -> None:
        for column, relevances in enumerate(self.vectors(shard, table)):
            self._write(self.rows(shard), column, relevances)

    def rows(self, shard: Shard) -> list[int]:
        """The rows of the shard's items that were answered."""
        return [self.row_of[place] for place in shard.items if place in self.row_of]

    def vectors(self, shard: Shard, table: Any) -> list[NDArray[np.floating[Any]]]:
        """The relevances of each method, the words that the model read of the shard's answered items end to end."""
        width, rows = len(self.pairing.methods), self.rows(shard)
        self._check(shard, table, width)
        lists = table.column("relevances").combine_chunks()
        numbers = np.array([n for n, place in enumerate(shard.items) if place in self.row_of], dtype=np.int64)
        lengths = np.array([len(self.turns.items[row].words) for row in rows], dtype=np.int64)
        among_seen = _first(self.turns.seen[rows], lengths)
        return [lists.take(numbers * width + column).flatten().to_numpy()[among_seen] for column in range(width)]

    def layout(self, rows: Sequence[int]) -> Layout:
        sizes = self.turns.seen[list(rows)]
        excluded = [self.turns.items[row].excluded for row in rows]
        return Layout.of(sizes, [[t for t in out if t < n] for out, n in zip(excluded, sizes.tolist(), strict=True)])

    def gold(self, rows: Sequence[int], part: str, layout: Layout) -> Gold:
        return Gold.of(layout, [self.rewarded[part][row] for row in rows])

    def _check(self, shard: Shard, table: Any, width: int) -> None:
        """The rows are those of the plan, in its order."""
        keys = [self.everything[place].key for place in shard.items for _ in range(width)]
        methods = list(self.pairing.labels) * len(shard.items)
        if table.column("key").to_pylist() != keys or table.column("method").to_pylist() != methods:
            raise InputError(f"shard {shard.name}: its rows are not those of the plan")

    def _write(self, rows: list[int], column: int, relevances: NDArray[np.floating[Any]]) -> None:
        layout, uniform = self.layout(rows), self.pairing.methods[column].uniform
        points = point(relevances, layout.lengths, layout.counted)
        self.rmax[rows, column] = points.rmax
        if not uniform:  # the draw is for heat maps; it is not what is counted
            self.ties[rows, column], self.nonfinite[rows, column] = points.tie, points.nonfinite
        ranking = Ranking.of(layout, relevances)
        for name, (part, scorer) in self.columns.items():
            gold, scores = self.gold(rows, part, layout), SCORERS[scorer]
            self.hits[name][rows, column] = scores.chances(layout, gold) if uniform else scores.scores(ranking, gold)

    def chance(self) -> dict[str, float | None]:
        """What random order gets in every column."""
        rows = range(len(self.turns.items))
        layout = self.layout(rows)
        expected = {
            name: SCORERS[scorer].chances(layout, self.gold(rows, part, layout))
            for name, (part, scorer) in self.columns.items()
        }
        return {name: mean_counted(values) for name, values in expected.items()}

    def rescored(self, shard: Shard, part: str, column: int, change: Change, table: Any) -> NDArray[np.float64]:
        """What the method would get by the part's own scorer if its relevances were changed, [rows of the shard]."""
        rows = self.rows(shard)
        layout = self.layout(rows)
        keys = [self.turns.items[row].key for row in rows]
        relevances = change(self.vectors(shard, table)[column], layout.lengths, keys)
        scorer = SCORERS[self.turns.game.part(part).scorer]
        return scorer.scores(Ranking.of(layout, relevances), self.gold(rows, part, layout))


def _first(seen: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of the items' words, end to end, are among the first ``seen`` of their item."""
    starts = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(lengths.sum()) - np.repeat(starts, lengths) < np.repeat(seen, lengths))


def mean_counted(values: NDArray[np.float64]) -> float | None:
    """The mean over items that count; None where none does."""
    counted = values[~np.isnan(values)]
    return float(counted.sum()) / len(counted) if len(counted) else None
