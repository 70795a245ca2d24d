"""What every method got on some items: scored shard by shard, handed on in the set's own order, never all at once.

A set's file is in the order of lengths window by window (`item_measures`), so the items of a window are all scored
once its shards are. Only what waits for its window is held: judging takes no more memory for more documents.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.games.columns import point
from whichword.games.game import Game
from whichword.games.scorers import SCORERS, Ranking
from whichword.runs.plan import Pairing
from whichword.scoring.judging_page import Floats, ShardPage, names_of

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
