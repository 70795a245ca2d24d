"""A shard as it is judged: its items, what was stored of them, and which of them the model gave an answer for.

A shard as it is scored: every part of its game by every scorer.

What every method got on some items: scored shard by shard, handed on in the set's own order, never all at once.

A set's file is in the order of lengths window by window (`item_measures`), so the items of a window are all scored
once its shards are. Only what waits for its window is held: judging takes no more memory for more documents.

A stored shard on its way to whoever judges it.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow.compute
from numpy.typing import NDArray
from scipy import special

from whichword.errors import InputError
from whichword.games.columns import of_seen, point, rewarded
from whichword.games.game import Game, Measured
from whichword.games.noise import Noise
from whichword.games.scorers import SCORERS, Gold, Layout, Positions, Ranking
from whichword.runs.items import unpacked
from whichword.runs.records import Pairing, RunPlan, Shard
from whichword.runs.shards import row_keys, stored_table
from whichword.types import Item


@dataclass(frozen=True, eq=False)
class ShardTables:
    """A shard's items, where they stand in the set, and what was stored of them."""

    items: list[Item]
    places: NDArray[np.int64]
    predictions: Any
    relevances: Any

    def check(self, shard: Shard, pairing: Pairing) -> None:
        """The rows are those of the plan, in its order."""
        if self.relevances.column("method").to_pylist() != list(pairing.labels) * len(self.items):
            raise InputError(f"shard {shard.name}: its rows are not those of the plan")
        if not self._complete(len(pairing.methods)):
            raise InputError(f"shard {shard.name}: its relevances are not those of the items' words")

    def _complete(self, methods: int) -> bool:
        """Whether there is a relevance for every word of every answered item, and none of the others."""
        predicted = self.predictions.column("predicted").is_valid().to_numpy()
        words = np.array([len(item.words) for item in self.items], dtype=np.int64) * predicted
        expected = ((self.relevances, "relevances", np.repeat(words, methods)), (self.predictions, "unknown", words))
        return all(
            np.array_equal(pyarrow.compute.list_value_length(table.column(name)).to_numpy(), lengths)
            for table, name, lengths in expected
        )

    @property
    def answered(self) -> "AnsweredRows":
        """Those that the model gave an answer for."""
        predicted = self.predictions.column("predicted").to_pylist()
        rows = np.array([row for row, name in enumerate(predicted) if name is not None], dtype=np.int64)
        lengths = np.array([len(self.items[row].words) for row in rows], dtype=np.int64)
        seen = self.predictions.column("seen").to_numpy()[rows].astype(np.int64)
        items = [self.items[row] for row in rows]
        return AnsweredRows(rows, self.places[rows], items, [sys.intern(predicted[row]) for row in rows], lengths, seen)


@dataclass(frozen=True, eq=False)
class AnsweredRows:
    """Rows of a shard, their places in the set, items and predictions, words, and words that the model read."""

    rows: NDArray[np.int64]
    places: NDArray[np.int64]
    items: list[Item]
    predicted: list[str]
    lengths: NDArray[np.int64]
    seen: NDArray[np.int64]

    @cached_property
    def read_words(self) -> NDArray[np.bool_]:
        """Which of the items' words, end to end, were read: the first ``seen`` of each."""
        starts = np.cumsum(self.lengths) - self.lengths
        places = np.arange(self.lengths.sum()) - np.repeat(starts, self.lengths)
        return np.asarray(places < np.repeat(self.seen, self.lengths))


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


BLOCK = 32_768  # items that are handed on at once, at the least

Entered = tuple[NDArray[np.int64], "ScoredRows"]  # the places of a shard's items, and those that were answered
Lost = Mapping[str, set[str]]  # part -> what items share of which one does not count


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """N items that the model gave an answer for, M methods; ``places`` are those in the set's own order.

    Arrays [N] or [N, M]; ``hits`` and what random order gets, ``shares``, by column (`names_of`). Items that have a
    companion (`Game.together`) count only where it does.
    """

    places: NDArray[np.int64]
    keys: NDArray[np.object_]
    predicted: NDArray[np.object_]
    companions: NDArray[np.object_]
    confidence: Floats
    rmax: NDArray[np.int64]
    ties: NDArray[np.bool_]
    nonfinite: NDArray[np.bool_]
    hits: dict[str, Floats]
    shares: dict[str, Floats]

    @staticmethod
    def blank(size: int, methods: int, columns: Iterable[str]) -> "ScoredRows":
        names, shape = np.full(size, "", object), (size, methods)
        return ScoredRows(
            places=np.arange(size),
            keys=names,
            predicted=names,
            companions=names,
            confidence=np.ones(size),
            rmax=np.full(shape, -1, np.int64),
            ties=np.zeros(shape, bool),
            nonfinite=np.zeros(shape, bool),
            hits={name: np.full(shape, np.nan) for name in columns},
            shares={name: np.full(size, np.nan) for name in columns},
        )

    @staticmethod
    def of(page: ShardPage, pairing: Pairing, game: Game, lost: Lost) -> "ScoredRows":
        """A shard's; items of whose companions one is ``lost`` do not count."""
        columns, items = names_of(game), page.answered.items
        scored = replace(
            ScoredRows.blank(len(items), len(pairing.methods), columns),
            places=page.answered.places,
            keys=np.array([item.key for item in items], dtype=object),
            predicted=np.array(page.answered.predicted, dtype=object),
            companions=np.array([item.facts.get(game.together, item.key) for item in items], dtype=object),
            confidence=page.confidence,
            shares={name: SCORERS[by].chances(page.layout, page.gold[part]) for name, (part, by) in columns.items()},
        )
        for column in range(len(pairing.methods)):
            scored._write(page, column, pairing.methods[column].uniform, columns)
        scored._drop(lost, columns)
        return scored

    def _write(self, page: ShardPage, column: int, uniform: bool, columns: Mapping[str, tuple[str, str]]) -> None:
        relevances = page.relevances(column)
        points = point(relevances, page.layout.lengths, page.layout.counted)
        self.rmax[:, column] = points.rmax
        if not uniform:  # the draw is for heat maps; it is not what is counted
            self.ties[:, column], self.nonfinite[:, column] = points.tie, points.nonfinite
        ranking = Ranking.of(page.layout, relevances)
        for name, (part, scorer) in columns.items():
            scores = SCORERS[scorer].scores(ranking, page.gold[part])
            self.hits[name][:, column] = self.shares[name] if uniform else scores

    def _drop(self, lost: Lost, columns: Mapping[str, tuple[str, str]]) -> None:
        """Items whose companion does not count do not count either."""
        for name, (part, _) in columns.items():
            if lost.get(part):
                out = [companion in lost[part] for companion in self.companions]
                self.shares[name][out] = np.nan
                self.hits[name][out] = np.nan

    def with_hits(self, hits: dict[str, Floats]) -> "ScoredRows":
        return replace(self, hits=hits)

    def taken(self, rows: NDArray[Any]) -> "ScoredRows":
        """Some of them, in this order."""
        return _merged([self], lambda arrays: arrays[0][rows])

    @staticmethod
    def joined(parts: Sequence["ScoredRows"]) -> "ScoredRows":
        return parts[0] if len(parts) == 1 else _merged(parts, np.concatenate)


def _merged(parts: Sequence[ScoredRows], merge: Callable[[list[NDArray[Any]]], NDArray[Any]]) -> ScoredRows:
    """Field by field."""
    values = {entry.name: [getattr(part, entry.name) for part in parts] for entry in fields(ScoredRows)}
    by_column = {name: values.pop(name) for name in ("hits", "shares")}
    arrays: dict[str, Any] = {name: merge(entries) for name, entries in values.items()}
    for name, entries in by_column.items():
        arrays[name] = {column: merge([entry[column] for entry in entries]) for column in entries[0]}
    return ScoredRows(**arrays)


# ---------------------------------------------------------------------------------------------------------------------


def lost_in(page: ShardPage, game: Game) -> Lost:
    """By part, what is shared by items of which one is discarded in this shard, or got no answer."""
    answered, failed = page.answered, page.unanswered
    lost: dict[str, set[str]] = {}
    for part, gold in page.gold.items():
        out = [*(answered.items[row] for row in np.flatnonzero(gold.discarded)), *failed]
        lost[part] = {item.facts.get(game.together, item.key) for item in out}
    return lost


def united(losses: Iterable[Lost]) -> Lost:
    """Companions may be in any shards."""
    whole: dict[str, set[str]] = {}
    for lost in losses:
        for part, names in lost.items():
            whole.setdefault(part, set()).update(names)
    return whole


def in_order(scored: Iterable[Entered]) -> Iterator[ScoredRows]:
    """Blocks of rows by place: one is handed on when no place before its end is missing, the rest at last."""
    begin, places, waiting = 0, np.empty(0, np.int64), list[ScoredRows]()
    for new, rows in scored:
        places = np.sort(np.concatenate([places, new]))
        waiting.append(rows)
        ready = int((places == begin + np.arange(len(places))).sum())  # sorted, none twice: equal up to the first gap
        if ready >= BLOCK:
            begin, places = begin + ready, places[ready:]
            whole = _sorted(waiting)
            early = whole.places < begin
            yield whole.taken(early)
            waiting = [whole.taken(~early)]
    if waiting:
        yield _sorted(waiting)


def _sorted(waiting: Sequence[ScoredRows]) -> ScoredRows:
    whole = ScoredRows.joined(waiting)
    return whole.taken(np.argsort(whole.places, kind="stable"))


@dataclass(frozen=True, eq=False)
class ShardBytes:
    """Its items (`item_files.packed`) and the bytes of its files.

    ``places`` [D]: where the items stand in the set's own order.
    """

    items: bytes
    places: NDArray[np.int64]
    files: Mapping[str, bytes]  # kind -> Parquet

    def tables(self, plan: RunPlan, shard: str) -> ShardTables:
        """`DamagedError` or `InputError` where they are not those of the plan."""
        (pairing, planned), items = plan.shards[shard], unpacked(self.items)
        tables = {kind: stored_table(plan, shard, kind, data) for kind, data in self.files.items()}
        keys = [item.key for item in items]
        if any(table.column("key").to_pylist() != row_keys(pairing, kind, keys) for kind, table in tables.items()):
            raise InputError(f"shard {shard}: its rows are not those of the plan")
        stored = ShardTables(items, self.places, tables["predictions"], tables["relevances"])
        stored.check(planned, pairing)
        return stored
