"""A pairing's scores, filled in shard by shard: every part of its game by every scorer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from whichword.errors import InputError
from whichword.experiment.plan import Pairing, Shard
from whichword.experiment.reading import Prediction
from whichword.games.columns import point, rewarded
from whichword.games.game import Game, Measured
from whichword.games.scorers import SCORERS, Gold, Layout, Positions, Ranking
from whichword.types import Item


@dataclass(frozen=True, eq=False)
class Turns:
    """What was played: the items, what the model says of them (whose classes these are), and by which game."""

    game: Game
    items: tuple[Item, ...]
    predictions: Sequence[Prediction]
    classes: tuple[str, ...]

    def positions(self) -> dict[str, list[frozenset[int] | None]]:
        """The right words of every part, asked once for all methods; None where an item is not counted."""
        parts = rewarded([(item, said.predicted) for item, said in self.pairs()], self.game)
        unsure = [self._unsure(*turn) for turn in self.pairs()]
        sure = {
            part: [None if out else words for words, out in zip(parts[part], unsure, strict=True)] for part in parts
        }
        return {part: self._together(words) for part, words in sure.items()}

    def pairs(self) -> list[tuple[Item, Prediction]]:
        return list(zip(self.items, self.predictions, strict=True))

    def _unsure(self, item: Item, prediction: Prediction) -> bool:
        """Whether the class that is explained has less than the probability that the game asks for."""
        asked = item.asked or prediction.predicted
        if not self.game.confident or asked not in self.classes:
            return False
        p = special.softmax(np.array(prediction.scores, dtype=np.float64))[self.classes.index(asked)]
        return not p >= self.game.confident

    def _together(self, words: list[frozenset[int] | None]) -> list[frozenset[int] | None]:
        names = [item.facts.get(self.game.together, item.key) for item in self.items]
        lost = {name for name, positions in zip(names, words, strict=True) if positions is None}
        return [None if name in lost else positions for name, positions in zip(names, words, strict=True)]


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
    """Arrays [D, M] being filled in; ``hits`` has a column per part and scorer."""

    pairing: Pairing
    turns: Turns
    rmax: NDArray[np.int64] = field(init=False)
    ties: NDArray[np.bool_] = field(init=False)
    nonfinite: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        shape = (len(self.turns.items), len(self.pairing.methods))
        self.rewarded: Mapping[str, Positions] = self.turns.positions()
        self.columns = names_of(self.turns.game, tuple(self.rewarded))
        self.rmax = np.full(shape, -1, np.int64)
        self.ties, self.nonfinite = np.zeros(shape, bool), np.zeros(shape, bool)
        self.hits = {name: np.full(shape, np.nan) for name in self.columns}

    def enter(self, shard: Shard, table: Any) -> None:
        for column, relevances in enumerate(self.vectors(shard, table)):
            self._write(shard, column, relevances)

    def vectors(self, shard: Shard, table: Any) -> list[NDArray[np.floating[Any]]]:
        """The relevances of each method, the shard's documents end to end."""
        width = len(self.pairing.methods)
        self._check(shard, table, width)
        lists = table.column("relevances").combine_chunks()
        methods = range(width)
        return [lists.take(np.arange(column, len(lists), width)).flatten().to_numpy() for column in methods]

    def layout(self, shard: Shard) -> Layout:
        items = [self.turns.items[i] for i in shard.items]
        return Layout.of([len(item.words) for item in items], [item.excluded for item in items])

    def gold(self, shard: Shard, part: str, layout: Layout) -> Gold:
        return Gold.of(layout, [self.rewarded[part][i] for i in shard.items])

    def _check(self, shard: Shard, table: Any, width: int) -> None:
        """The rows are those of the plan, in its order."""
        keys = [self.turns.items[i].key for i in shard.items for _ in range(width)]
        methods = list(self.pairing.labels) * len(shard.items)
        if table.column("key").to_pylist() != keys or table.column("method").to_pylist() != methods:
            raise InputError(f"shard {shard.name}: its rows are not those of the plan")

    def _write(self, shard: Shard, column: int, relevances: NDArray[np.floating[Any]]) -> None:
        rows, layout = list(shard.items), self.layout(shard)
        points = point(relevances, layout.lengths, layout.counted)
        uniform = self.pairing.methods[column].uniform
        self.rmax[rows, column] = points.rmax
        if not uniform:  # the draw is for heat maps; it is not what is counted
            self.ties[rows, column], self.nonfinite[rows, column] = points.tie, points.nonfinite
        ranking = Ranking.of(layout, relevances)
        for name, (part, scorer) in self.columns.items():
            gold, scores = self.gold(shard, part, layout), SCORERS[scorer]
            self.hits[name][rows, column] = scores.chances(layout, gold) if uniform else scores.scores(ranking, gold)

    def chance(self) -> dict[str, float | None]:
        """What random order gets in every column."""
        everything = Shard("all", tuple(range(len(self.turns.items))))
        layout = self.layout(everything)
        expected = {
            name: SCORERS[scorer].chances(layout, self.gold(everything, part, layout))
            for name, (part, scorer) in self.columns.items()
        }
        return {name: mean_counted(values) for name, values in expected.items()}

    def rescored(self, shard: Shard, part: str, column: int, change: "Change", table: Any) -> NDArray[np.float64]:
        """What the method would get by the part's own scorer if its relevances were changed, [documents of shard]."""
        layout = self.layout(shard)
        keys = [self.turns.items[i].key for i in shard.items]
        relevances = change(self.vectors(shard, table)[column], layout.lengths, keys)
        scorer = SCORERS[self.turns.game.part(part).scorer]
        return scorer.scores(Ranking.of(layout, relevances), self.gold(shard, part, layout))


Change = Callable[[NDArray[np.floating[Any]], NDArray[np.int64], Sequence[str]], NDArray[np.floating[Any]]]


def mean_counted(values: NDArray[np.float64]) -> float | None:
    """The mean over items that count; None where none does."""
    counted = values[~np.isnan(values)]
    return float(counted.sum()) / len(counted) if len(counted) else None
