"""A pairing's scores, filled in shard by shard: every part of its game by every scorer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from whichword.experiment.plan import Pairing, Shard
from whichword.experiment.shard_tables import AnsweredRows, ShardTables
from whichword.games.columns import mean_counted, point
from whichword.games.game import Game, Measured
from whichword.games.mixing import Noise
from whichword.games.scorers import SCORERS, Gold, Layout, Ranking

Floats = NDArray[np.float64]


def names_of(game: Game) -> dict[str, tuple[str, str]]:
    """Column -> (part, scorer): a part by its own scorer, ``part.scorer`` by each of the others.

    A game that asks about edited copies has no right words, so nothing can be scored but what it measures.
    """
    if isinstance(game, Measured):
        return {}
    primary = {part: (part, game.part(part).scorer) for part in game.parts}
    extra = {
        f"{part}.{scorer}": (part, scorer)
        for part in game.parts
        for scorer in SCORERS
        if scorer != game.part(part).scorer
    }
    return primary | extra


@dataclass(frozen=True, eq=False)
class ShardPage:
    """A shard's answered items as they are scored: their words end to end, the right ones of each part, relevances.

    ``confidence`` [D]: the probability of the class that is explained.
    """

    answered: AnsweredRows
    layout: Layout
    gold: Mapping[str, Gold]
    confidence: Floats
    lists: Any
    width: int

    @staticmethod
    def of(tables: ShardTables, game: Game, classes: Sequence[str], width: int) -> "ShardPage":
        answered = tables.answered
        sizes = answered.seen
        excluded = [[t for t in item.excluded if t < n] for item, n in zip(answered.items, sizes, strict=True)]
        layout = Layout.of(sizes, excluded)
        confidence = _confidence(tables, answered, classes)
        unsure = confidence < game.confident
        gold = {
            part: Gold.of(layout, [None if out else words for words, out in zip(positions, unsure, strict=True)])
            for part, positions in answered.rewarded(game).items()
        }
        lists = tables.relevances.column("relevances").combine_chunks()
        return ShardPage(answered, layout, gold, confidence, lists, width)

    def relevances(self, column: int) -> NDArray[np.floating[Any]]:
        """One method's, the words that the model read end to end."""
        rows = self.answered.rows * self.width + column
        values: NDArray[np.floating[Any]] = self.lists.take(rows).flatten().to_numpy()
        return values[self.answered.read_words]

    def with_noise(self, column: int, level: float) -> Ranking:
        """The method's relevances, mixed with noise."""
        return Ranking.of(self.layout, self._noise.mixed(self.relevances(column), level))

    @cached_property
    def _noise(self) -> Noise:
        return Noise.of(self.layout.lengths.tolist(), [item.key for item in self.answered.items])


def _confidence(tables: ShardTables, answered: AnsweredRows, classes: Sequence[str]) -> Floats:
    """1 where the class is none of the model's."""
    number = {name: k for k, name in enumerate(classes)}
    names = [item.question or name for item, name in zip(answered.items, answered.predicted, strict=True)]
    target = np.array([number.get(name, -1) for name in names], dtype=np.int64)
    scores = tables.predictions.column("scores").combine_chunks().take(answered.rows)
    complete = scores.value_lengths().to_numpy() == len(classes)
    known = np.flatnonzero(complete & (target >= 0))
    matrix = scores.take(known).flatten().to_numpy().astype(np.float64).reshape(len(known), len(classes))
    confidence = np.ones(len(names))
    confidence[known] = special.softmax(matrix, axis=1)[np.arange(len(known)), target[known]]
    return confidence


class ScoreSheet:
    """Arrays [D] or [D, M] being filled in, in the set's own order; ``hits`` has a column per part and scorer."""

    def __init__(self, pairing: Pairing, size: int, game: Game, classes: Sequence[str]) -> None:
        self.pairing, self.game, self.classes = pairing, game, classes
        shape = (size, len(pairing.methods))
        self.columns = names_of(game)
        self.rmax = np.full(shape, -1, np.int64)
        self.ties, self.nonfinite = np.zeros(shape, bool), np.zeros(shape, bool)
        self.hits = {name: np.full(shape, np.nan) for name in self.columns}
        self.shares = {name: np.full(size, np.nan) for name in self.columns}
        self.confidence = np.ones(size)
        self.keys, self.predicted, self.companions = [""] * size, [""] * size, [""] * size
        self.answered = np.zeros(size, bool)

    def page(self, tables: ShardTables) -> ShardPage:
        return ShardPage.of(tables, self.game, self.classes, len(self.pairing.methods))

    def enter(self, shard: Shard, tables: ShardTables) -> None:
        tables.check(shard, self.pairing)
        page = self.page(tables)
        self._name(page)
        for name, (part, scorer) in self.columns.items():
            self.shares[name][page.answered.places] = SCORERS[scorer].chances(page.layout, page.gold[part])
        for column in range(len(self.pairing.methods)):
            self._write(page, column)

    def _name(self, page: ShardPage) -> None:
        answered = page.answered
        self.answered[answered.places] = True
        self.confidence[answered.places] = page.confidence
        for place, item, name in zip(answered.places.tolist(), answered.items, answered.predicted, strict=True):
            self.keys[place], self.predicted[place] = item.key, name
            self.companions[place] = item.facts.get(self.game.together, item.key)

    def _write(self, page: ShardPage, column: int) -> None:
        rows, uniform = page.answered.places, self.pairing.methods[column].uniform
        relevances = page.relevances(column)
        points = point(relevances, page.layout.lengths, page.layout.counted)
        self.rmax[rows, column] = points.rmax
        if not uniform:  # the draw is for heat maps; it is not what is counted
            self.ties[rows, column], self.nonfinite[rows, column] = points.tie, points.nonfinite
        ranking = Ranking.of(page.layout, relevances)
        for name, (part, scorer) in self.columns.items():
            scores = SCORERS[scorer].scores(ranking, page.gold[part])
            self.hits[name][rows, column] = self.shares[name][rows] if uniform else scores

    def settle(self) -> None:
        """Items count only where all their companions do, whichever shard these are in."""
        if not self.game.together:
            return
        for name, shares in self.shares.items():
            lost = {self.companions[place] for place in np.flatnonzero(np.isnan(shares)).tolist()}
            out = [place for place, companion in enumerate(self.companions) if companion in lost]
            shares[out] = np.nan
            self.hits[name][out] = np.nan

    def chance(self) -> dict[str, float | None]:
        """What random order gets in every column."""
        return {name: mean_counted(values) for name, values in self.shares.items()}
