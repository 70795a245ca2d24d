"""A stored shard as arrays: each of its tables is decoded and checked once, for scoring and for reports alike."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray
from scipy import special

from whichword.errors import DamagedError, InputError
from whichword.runs.items import items_of
from whichword.runs.records import Pairing, Shard
from whichword.runs.run import Run
from whichword.runs.sealed import AGAIN
from whichword.runs.shards import MEASURED, kinds, stored_table
from whichword.types import Item

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ShardArrays:
    """N items, of which the model answered A, by M methods; texts that methods and words share are never repeated.

    ``places`` [N]: where the items stand in the set's own order; all other arrays are of the answered ``rows`` [A].
    ``predicted`` is a number of ``classes``, ``scores`` [A, C], ``lengths`` words, ``seen`` those that the model read.
    ``relevances`` and ``unknown`` stand end to end, item by item (and there method by method). ``notes`` [A * M].
    ``measured``, of games that ask about edited copies: part -> [N, M + the game's own rows]; ``edited`` [copies].
    """

    places: NDArray[np.int64]
    rows: NDArray[np.int64]
    table: Any  # of the items
    classes: tuple[str, ...]
    predicted: NDArray[np.int64]
    scores: NDArray[np.floating[Any]]
    lengths: NDArray[np.int64]
    seen: NDArray[np.int64]
    relevances: NDArray[np.floating[Any]]
    width: int
    unknown: NDArray[np.bool_]
    notes: Any
    measured: Mapping[str, Floats] = field(default_factory=dict)
    edited: Floats = field(default_factory=lambda: np.zeros(0))

    @cached_property
    def items(self) -> list[Item]:
        """All N items; games are asked about whole items, so these are the only Python objects of a shard."""
        return items_of(self.table)

    @property
    def keys(self) -> list[str]:
        """Keys of the answered items, [A]."""
        keys: list[str] = self.table.column("key").take(self.rows).to_pylist()
        return keys

    @property
    def names(self) -> NDArray[np.object_]:
        """Names of the predicted classes, [A]."""
        return np.array([*self.classes, ""], dtype=object)[self.predicted]  # -1, no class of the model, gives the last

    def confidence(self, explained: Sequence[str]) -> Floats:
        """Compute the probability of these classes, [A]; 1 where one is none of the model's: the item counts."""
        number = {name: k for k, name in enumerate(self.classes)}
        target = np.array([number.get(name, -1) for name in explained], dtype=np.int64)
        known, confidence = np.flatnonzero(target >= 0), np.ones(len(target))
        odds = special.softmax(self.scores[known].astype(np.float64), axis=1)  # of log p it gives p back
        confidence[known] = odds[np.arange(len(known)), target[known]]
        return confidence

    def of_method(self, column: int) -> NDArray[np.floating[Any]]:
        """Select one method's relevances of the words that the model read, end to end."""
        first, step = self._read
        values: NDArray[np.floating[Any]] = self.relevances[first + column * step]
        return values

    @cached_property
    def _read(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Of each word that was read, where its relevance by the first method is, and how far it is to the next's."""
        begins = (np.cumsum(self.lengths) - self.lengths) * self.width
        inside = np.arange(self.seen.sum()) - np.repeat(np.cumsum(self.seen) - self.seen, self.seen)
        return np.repeat(begins, self.seen) + inside, np.repeat(self.lengths, self.seen)

    def documents(self) -> Iterator[NDArray[np.floating[Any]]]:
        """Yield phi [M, T] of each answered item."""
        ends = np.cumsum(self.lengths * self.width).tolist()
        for begin, end in zip([0, *ends], ends, strict=False):
            yield self.relevances[begin:end].reshape(self.width, -1)

    def words_unknown(self) -> list[NDArray[np.bool_]]:
        """Split ``unknown`` into [T] for each answered item."""
        return np.split(self.unknown, np.cumsum(self.lengths))[:-1]  # the last cut is the end: nothing is after it

    def remarks(self) -> NDArray[np.object_]:
        """Decode what methods remark on items, [A, M]; None: nothing."""
        return np.array(self.notes.to_pylist(), dtype=object).reshape(-1, self.width)

    def without_texts(self) -> "ShardArrays":
        """Drop all but relevances and keys, so that many shards can be kept."""
        return replace(self, table=self.table.select(["key"]), unknown=np.zeros(0, bool), notes=None)


def read_shard(run: Run, pairing: Pairing, shard: Shard, table: Any = None) -> ShardArrays:
    """Read a shard's files; `InputError` where they are damaged or not of the plan. ``table``: its items' rows."""
    if table is None:
        table = item_rows(run, pairing, shard)
    try:
        receipt = run.store.receipt(shard.name)
        files = {kind: run.store.vouched(receipt, kind) for kind in kinds(pairing)}
        tables = {kind: stored_table(run.plan, shard.name, kind, data) for kind, data in files.items()}
        return shard_of(table, run.places(pairing, shard), tables, pairing, run.plan.model(pairing.model).classes)
    except DamagedError as damage:
        raise InputError(f"{run.folder}: {damage}; {AGAIN}") from None
    except _OtherRowsError as error:
        raise InputError(f"{run.folder}: shard {shard.name}: {error}; {AGAIN}") from None


def item_rows(run: Run, pairing: Pairing, shard: Shard) -> Any:
    """Read a shard's items as a table; shards share row groups, so one thread asks for them in order."""
    return run.item_file(pairing.set).table(shard.items.start, shard.items.stop)


class _OtherRowsError(Exception):
    """A table with other rows than the plan's."""


def shard_of(
    table: Any, places: NDArray[np.int64], tables: Mapping[str, Any], pairing: Pairing, classes: Sequence[str]
) -> ShardArrays:
    """Build arrays of decoded tables, whose columns have their types and whose rows are compared with the plan here."""
    predictions, relevances = (tables[kind].combine_chunks() for kind in ("predictions", "relevances"))
    _check(table, predictions, ())
    _check(table, relevances, pairing.labels)
    rows = np.flatnonzero(predictions.column("predicted").is_valid().to_numpy())
    answered = predictions.take(rows)
    lengths = _lengths(table.column("words").take(rows))
    if not _complete(predictions, relevances, rows, lengths, len(pairing.labels)):
        raise _OtherRowsError("its relevances are not those of the items' words")
    copies = tables[MEASURED].combine_chunks() if MEASURED in tables else None
    if copies is not None:
        _check(table, copies, pairing.labels + pairing.measured, "row")
    return ShardArrays(
        places=places,
        rows=rows,
        table=table,
        classes=tuple(classes),
        predicted=_numbers(answered.column("predicted"), classes),
        scores=_flat(answered.column("scores")).reshape(len(rows), len(classes)),
        lengths=lengths,
        seen=answered.column("seen").to_numpy().astype(np.int64),
        relevances=_flat(relevances.column("relevances")),
        width=len(pairing.labels),
        unknown=_flat(answered.column("unknown")).astype(bool),
        notes=relevances.column("note").take(_of_rows(rows, len(pairing.labels))) if len(rows) else pyarrow.nulls(0),
        measured={} if copies is None else _values(copies, len(table)),
        edited=np.zeros(0) if copies is None else _flat(copies.column("edited")).astype(np.float64),
    )


def _values(copies: Any, items: int) -> dict[str, Floats]:
    parts = [name for name in copies.column_names if name not in ("key", "row", "edited")]
    return {part: copies.column(part).to_numpy().astype(np.float64).reshape(items, -1) for part in parts}


def _check(table: Any, stored: Any, labels: Sequence[str], column: str = "method") -> None:
    """Refuse rows that are not the plan's, in its order; Arrow compares them: there is one per item and method."""
    width = max(1, len(labels))  # predictions have one row per item, whatever the methods
    keys = table.column("key").combine_chunks()
    expected = {"key": keys.take(np.repeat(np.arange(len(keys)), width))}
    if labels:
        expected[column] = pyarrow.array(labels, pyarrow.string()).take(np.tile(np.arange(width), len(keys)))
    for name, values in expected.items():
        if not stored.column(name).combine_chunks().equals(values):
            raise _OtherRowsError("its rows are not those of the plan")


def _complete(predictions: Any, relevances: Any, rows: Any, words: Any, methods: int) -> bool:
    """Tell whether there is a relevance for every word of every answered item, and none of the others."""
    lengths = np.zeros(predictions.num_rows, np.int64)
    lengths[rows] = words
    return np.array_equal(_lengths(predictions.column("unknown")), lengths) and np.array_equal(
        _lengths(relevances.column("relevances")), np.repeat(lengths, methods)
    )


def _of_rows(rows: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    return (rows[:, None] * width + np.arange(width)).ravel()


def _lengths(column: Any) -> NDArray[np.int64]:
    return np.asarray(pyarrow.compute.list_value_length(column).to_numpy()).astype(np.int64)


def _flat(column: Any) -> NDArray[Any]:
    """Lay the values of a list column end to end, a missing number as NaN."""
    flat: NDArray[Any] = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return flat


def _numbers(column: Any, classes: Sequence[str]) -> NDArray[np.int64]:
    numbers = pyarrow.compute.index_in(column, value_set=pyarrow.array(classes, pyarrow.string()))
    return np.asarray(numbers.to_numpy()).astype(np.int64)
