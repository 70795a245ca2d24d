"""A shard as it is scored: every part of its game by every scorer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from whichword.games.columns import of_seen, rewarded
from whichword.games.game import Game, Measured
from whichword.games.noise import Noise
from whichword.games.scorers import SCORERS, Gold, Layout, Positions, Ranking
from whichword.scoring.shard_tables import AnsweredRows, ShardTables
from whichword.types import Item

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

    ``confidence`` [D]: the probability of the class that is explained. ``unanswered`` are the other items.
    """

    answered: AnsweredRows
    unanswered: list[Item]
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
            for part, positions in _rewarded(answered, game).items()
        }
        lists = tables.relevances.column("relevances").combine_chunks()
        failed = np.delete(np.arange(len(tables.items)), answered.rows)
        return ShardPage(answered, [tables.items[row] for row in failed], layout, gold, confidence, lists, width)

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


def _rewarded(answered: AnsweredRows, game: Game) -> dict[str, Positions]:
    turns = zip(answered.items, answered.predicted, strict=True)
    return {part: of_seen(positions, answered.seen) for part, positions in rewarded(turns, game).items()}


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
