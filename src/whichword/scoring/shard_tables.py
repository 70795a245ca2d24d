"""A shard as it is judged: its items, what was stored of them, and which of them the model gave an answer for."""

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow.compute
from numpy.typing import NDArray

from whichword.errors import InputError
from whichword.runs.plan import Pairing, Shard
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
