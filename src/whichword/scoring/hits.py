"""Compute hits from a shard's arrays: which method names a right word of which item.

Items of a set are stored sorted by length, window by window; `in_order` puts their hits back into the set's own order,
so that judging takes no more memory for more documents.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from whichword.games.columns import rewarded
from whichword.games.game import Game, Measured
from whichword.games.noise import LEVELS, Noise
from whichword.games.scorers import SCORERS, Gold, Layout, Ranking
from whichword.runs.records import Pairing
from whichword.scoring.shard import Floats, ShardArrays
from whichword.types import Item

Lost = Mapping[str, set[str]]  # part -> names of groups of items of which one does not count
BLOCK = 32_768  # items that are handed on at once, at the least

Arrays = dict[str, NDArray[Any]]  # by part, or by column of hits


@dataclass(frozen=True, eq=False)
class Hits:
    """N answered items of a pairing and its M methods; arrays [N] or [N, M].

    ``hits`` and what random order gets, ``shares``, are by column (`Game.columns`). ``beside``: by part the rows
    [N, R] that a game which asks about edited copies has of its own.
    """

    places: NDArray[np.int64]
    keys: NDArray[np.object_]
    predicted: NDArray[np.object_]
    rmax: NDArray[np.int64]
    ties: NDArray[np.bool_]
    nonfinite: NDArray[np.bool_]
    hits: Arrays
    shares: Arrays
    beside: Arrays

    @staticmethod
    def joined(parts: Sequence["Hits"]) -> "Hits":
        return parts[0] if len(parts) == 1 else _merged(parts, np.concatenate)

    def taken(self, rows: NDArray[Any]) -> "Hits":
        """Select some of the items, in this order."""
        return _merged([self], lambda arrays: arrays[0][rows])


def _merged(parts: Sequence[Hits], merge: Callable[[list[NDArray[Any]]], NDArray[Any]]) -> Hits:
    """Merge parts field by field."""
    values: dict[str, Any] = {}
    for name, first in vars(parts[0]).items():
        entries = [getattr(part, name) for part in parts]
        by_column = isinstance(first, dict)
        values[name] = {key: merge([entry[key] for entry in entries]) for key in first} if by_column else merge(entries)
    return Hits(**values)


@dataclass(frozen=True, eq=False)
class ShardScorer:
    """A shard in a game: its words as scorers see them, the right ones by part, and what items share (`together`)."""

    shard: ShardArrays
    game: Game
    layout: Layout
    confidence: Floats  # [A], in the class that is explained
    gold: Mapping[str, Gold]
    companions: NDArray[np.object_]  # [A], empty where items count for themselves

    @staticmethod
    def of(shard: ShardArrays, game: Game) -> "ShardScorer":
        items, names = [shard.items[row] for row in shard.rows], shard.names
        layout = Layout.of(shard.seen, [item.excluded for item in items])  # words beyond `seen` have no relevance
        explained = [item.question or name for item, name in zip(items, names, strict=True)]  # no question: f(X)
        confidence = shard.confidence(explained)
        right = {part: Gold.of(layout, words) for part, words in rewarded(zip(items, names, strict=True), game).items()}
        gold = {
            part: replace(words, discarded=words.discarded | (confidence < game.confident))
            for part, words in right.items()
        }
        return ShardScorer(shard, game, layout, confidence, gold, _shared(items if game.together else (), game))

    def kept(self) -> "ShardScorer":
        """Keep what noise is mixed into: arrays by word, and none of what can be made from them again."""
        gold = {part: replace(words) for part, words in self.gold.items()}  # `replace` leaves cached properties behind
        return replace(self, shard=self.shard.without_texts(), layout=replace(self.layout), gold=gold)

    def hits(self, pairing: Pairing, lost: Lost = MappingProxyType({})) -> Hits:
        """Score the shard's items by every method; items of whose companions one is ``lost`` do not count."""
        shape = (len(self.shard.rows), len(pairing.methods))
        rmax, ties, nonfinite = np.full(shape, -1), np.zeros(shape, bool), np.zeros(shape, bool)  # -1: none is finite
        hits, shares, beside = self._measured(pairing) if self.game.rows else self._blank(shape)
        for column, method in enumerate(pairing.methods):
            ranking = Ranking.of(self.layout, self.shard.of_method(column))
            rmax[:, column] = ranking.points.rmax
            if not method.uniform:  # the draw is for heat maps; it is not what is counted
                ties[:, column], nonfinite[:, column] = ranking.points.tie, ranking.points.nonfinite
            if not self.game.rows:
                self._score(ranking, column, hits, shares if method.uniform else None)
        for name, (part, _) in self.game.columns.items() if lost else ():
            hits[name][self._out(part, lost)] = shares[name][self._out(part, lost)] = np.nan
        places, keys = self.shard.places[self.shard.rows], np.array(self.shard.keys, dtype=object)
        return Hits(places, keys, self.shard.names, rmax, ties, nonfinite, hits, shares, beside)

    def _score(self, ranking: Ranking, column: int, hits: Arrays, shares: Arrays | None) -> None:
        """Fill in one method's hits: its scores, or the ``shares`` where it points at random."""
        for name, (part, by) in self.game.columns.items():
            hits[name][:, column] = shares[name] if shares else SCORERS[by].scores(ranking, self.gold[part])

    def _blank(self, shape: tuple[int, int]) -> tuple[Arrays, Arrays, Arrays]:
        """Allocate hits to be filled in, and compute what random order gets."""
        columns = self.game.columns.items()
        shares: Arrays = {name: SCORERS[by].chances(self.layout, self.gold[part]) for name, (part, by) in columns}
        return {name: np.full(shape, np.nan) for name in shares}, shares, {}

    def _measured(self, pairing: Pairing) -> tuple[Arrays, Arrays, Arrays]:
        """Take hits from what was measured; a method that points at random gets what random orders get."""
        width, game = len(pairing.methods), cast("Measured", self.game)
        uniform = [column for column, method in enumerate(pairing.methods) if method.uniform]
        values = {part: self.shard.measured[part][self.shard.rows] for part in game.parts}
        beside: Arrays = {part: rows[:, width:] for part, rows in values.items()}
        shares: Arrays = {part: rows[:, pairing.measured.index(game.floor)] for part, rows in beside.items()}
        hits: Arrays = {part: rows[:, :width].copy() for part, rows in values.items()}  # columns are overwritten below
        for part, rows in hits.items():
            rows[:, uniform] = shares[part][:, None]
        return hits, shares, beside

    def lost(self) -> Lost:
        """Name, by part, the groups of which an item is discarded in this shard, or got no answer."""
        unanswered = np.delete(np.arange(len(self.shard.items)), self.shard.rows)
        failed = set(_shared([self.shard.items[row] for row in unanswered], self.game))
        return {part: failed | set(self.companions[gold.discarded]) for part, gold in self.gold.items()}

    def _out(self, part: str, lost: Lost) -> NDArray[np.bool_]:
        """Mark the items that do not count because a companion does not."""
        gone = lost.get(part, ())
        return np.array(
            [name in gone for name in self.companions] if gone else [False] * len(self.shard.rows), dtype=bool
        )

    def mixed(self, best: Mapping[str, int], lost: Lost) -> dict[str, tuple[Floats, NDArray[np.int64]]]:
        """Mix the best method of each part with noise: distinct scores [n, levels], and how many items have each."""
        mixed = {}
        for column in dict.fromkeys(best.values()):  # often one method is best in all
            relevances = self.shard.of_method(column)
            rankings = [Ranking.of(self.layout, self._noise.mixed(relevances, level)) for level in LEVELS]
            for part in (part for part in best if best[part] == column):
                scorer = SCORERS[self.game.part(part).scorer]
                scores = np.column_stack([scorer.scores(ranking, self.gold[part]) for ranking in rankings])
                counts = ~(np.isnan(scores).any(axis=1) | self._out(part, lost))
                mixed[part] = np.unique(scores[counts], axis=0, return_counts=True)
        return mixed

    @cached_property
    def _noise(self) -> Noise:
        return Noise.of(self.layout.lengths.tolist(), self.shard.keys)


def _shared(items: Iterable[Item], game: Game) -> NDArray[np.object_]:
    return np.array([item.facts.get(game.together, item.key) for item in items], dtype=object)


def united(losses: Iterable[Lost]) -> Lost:
    """Unite what shards lost: companions may be in any of them."""
    whole: dict[str, set[str]] = {}
    for lost in losses:
        for part, names in lost.items():
            whole.setdefault(part, set()).update(names)
    return whole


def in_order(scored: Iterable[tuple[NDArray[np.int64], Hits]], least: float) -> Iterator[Hits]:
    """Yield blocks in the set's order, from the places of each shard's items and the hits of those that were answered.

    A block is handed on when no place before its end is missing and it has ``least`` of them, the rest at last.
    """
    begin, places, waiting = 0, np.empty(0, np.int64), list[Hits]()
    for new, rows in scored:
        places = np.sort(np.concatenate([places, new]))  # with those of items that failed, or each would stay a gap
        waiting.append(rows)
        ready = int((places == begin + np.arange(len(places))).sum())  # sorted, none twice: equal up to the first gap
        if ready >= least:
            begin, places = begin + ready, places[ready:]
            block, late = _sorted(waiting, begin)
            waiting = [late]
            yield block
    if waiting:
        yield _sorted(waiting, begin + len(places))[0]


def _sorted(waiting: Sequence[Hits], end: int) -> tuple[Hits, Hits]:
    """Sort, and split into what stands before the end and the rest."""
    whole = Hits.joined(waiting)
    order = np.argsort(whole.places, kind="stable")
    early = int((whole.places < end).sum())
    return whole.taken(order[:early]), whole.taken(order[early:])
