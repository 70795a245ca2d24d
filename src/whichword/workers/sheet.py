"""A shard's answers in arrays, end to end, and as the tables that are stored: no Python object per number.

For games that ask about edited copies the model answers here, where the shard is made, and what rows got is stored.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import pyarrow
from numpy.typing import NDArray

from whichword.answering import Answers
from whichword.base.lazy import torch
from whichword.base.runtime import one_thread
from whichword.games import Measured
from whichword.games.game import Measurement
from whichword.games.searching import Ask
from whichword.model import Batch, Model
from whichword.reading import Reading, WordSets
from whichword.runs import shards
from whichword.runs.records import Shortfall
from whichword.runs.store import FAILED
from whichword.types import Item


@dataclass(frozen=True, eq=False)
class Sheet:
    """N items, M methods, K classes, W words in all: ``predicted``, ``target`` [N], ``scores`` [N, K], ``unknown`` [W].

    ``relevances`` [W * M]: item after item, within them method after method, as the rows of the table are. ``seen`` [N]
    words were read. ``notes`` maps (item, method) to remarks, ``failures`` items without an answer to the reason.
    """

    labels: tuple[str, ...]
    classes: tuple[str, ...]
    lengths: NDArray[np.int64]
    predicted: NDArray[np.int64]
    target: NDArray[np.int64]
    scores: NDArray[np.floating[Any]]
    unknown: NDArray[np.bool_]
    relevances: NDArray[np.floating[Any]]
    seen: NDArray[np.int64]
    notes: dict[tuple[int, int], str] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)

    @staticmethod
    def blank(readings: Sequence[Reading], labels: tuple[str, ...], classes: tuple[str, ...], dtype: str) -> Sheet:
        lengths = np.array([len(reading.words) for reading in readings], dtype=np.int64)
        words = int(lengths.sum())
        unknown = np.fromiter(chain.from_iterable(reading.unknown for reading in readings), bool, words)
        scores = np.zeros((len(readings), len(classes)), dtype)
        relevances = np.zeros(words * len(labels), dtype)
        seen = np.array([reading.seen for reading in readings], dtype=np.int64)
        predicted, target = (np.zeros(len(readings), np.int64) for _ in range(2))
        return Sheet(labels, classes, lengths, predicted, target, scores, unknown, relevances, seen)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """Where the relevances of an item's methods begin, [N, M]."""
        before = (np.cumsum(self.lengths) - self.lengths)[:, None] * len(self.labels)
        return before + self.lengths[:, None] * np.arange(len(self.labels))

    def enter(self, group: NDArray[np.int64], answers: Answers) -> None:
        """Enter a batch's answers, whose rows are these items. Words that the model did not read keep their zeros."""
        self.predicted[group] = answers.predicted
        self.target[group] = answers.target
        self.scores[group] = answers.scores
        for column, label in enumerate(self.labels):
            phi = answers.relevance[label]
            places = np.arange(phi.shape[1])
            inside = places < self.lengths[group][:, None]  # phi is padded to the longest of the batch
            self.relevances[(self._starts[group, column][:, None] + places)[inside]] = phi[inside]
            for row, note in answers.notes.get(label, {}).items():
                self.notes[int(group[row]), column] = note

    def vector(self, item: int, label: str) -> NDArray[np.floating[Any]]:
        """Return one item's relevances by one method, [T]."""
        start = self._starts[item, self.labels.index(label)]
        return self.relevances[start : start + self.lengths[item]]

    @property
    def _answered(self) -> NDArray[np.bool_]:
        """[N]; an item that failed has rows in the tables, and nulls in them."""
        answered = np.ones(len(self.lengths), bool)
        answered[list(self.failures)] = False
        return answered

    @property
    def shortfall(self) -> Shortfall:
        unread = (self.lengths - self.seen)[self._answered]
        return Shortfall(len(self.failures), int((unread > 0).sum()), int(unread.sum()))

    def tables(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Encode the shard's two files."""
        dtype = str(self.scores.dtype)
        return {
            "predictions": shards.parquet(self._predictions(keys), shards.predictions_schema(dtype)),
            "relevances": shards.parquet(self._relevances(keys), shards.relevances_schema(dtype)),
        }

    def _predictions(self, keys: Sequence[str]) -> dict[str, Any]:
        answered = self._answered
        return {
            "key": pyarrow.array(keys, pyarrow.string()),
            "predicted": _names(self.classes, self.predicted, answered),
            "scores": _lists(self.scores[answered].ravel(), len(self.classes) * answered),
            "unknown": _lists(self.unknown[np.repeat(answered, self.lengths)], self.lengths * answered),
            "seen": (self.seen * answered).astype(np.int32),
        }

    def _relevances(self, keys: Sequence[str]) -> dict[str, Any]:
        width, answered = len(self.labels), self._answered
        items = np.repeat(np.arange(len(keys)), width)
        lengths = self.lengths[items]
        return {
            "key": pyarrow.array(keys, pyarrow.string()).take(items),
            "method": _names(self.labels, np.tile(np.arange(width), len(keys))),
            "target": _names(self.classes, self.target[items], answered[items]),
            "relevances": _lists(self.relevances[np.repeat(answered[items], lengths)], lengths * answered[items]),
            "status": _names(("ok", "not finite", FAILED), np.where(answered[items], self._broken(), 2)),
            "note": self._notes(len(items)),
        }

    def _broken(self) -> NDArray[np.bool_]:
        """Tell which rows have a relevance that is not finite, [N * M]."""
        counts = np.concatenate([[0], np.cumsum(~np.isfinite(self.relevances))])  # not reduceat: rows may be empty
        starts = self._starts.ravel()
        return counts[starts + np.repeat(self.lengths, len(self.labels))] > counts[starts]

    def _notes(self, rows: int) -> Any:
        if not self.notes and not self.failures:
            return pyarrow.nulls(rows, pyarrow.string())
        notes = np.full((len(self.lengths), len(self.labels)), None, object)
        for place, note in self.notes.items():
            notes[place] = note
        for item, reason in self.failures.items():
            notes[item] = reason
        return pyarrow.array(notes.ravel(), pyarrow.string())


def _names(names: Sequence[str], numbers: NDArray[np.int64], there: NDArray[np.bool_] | None = None) -> Any:
    """Spell numbers as names, null where they are not ``there``."""
    return pyarrow.array(names, pyarrow.string()).take(pyarrow.array(numbers, mask=None if there is None else ~there))


def _lists(values: NDArray[Any], lengths: NDArray[np.int64]) -> Any:
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)  # Arrow's lists count in 32 bits
    return pyarrow.ListArray.from_arrays(offsets, pyarrow.array(values))


@dataclass(frozen=True, eq=False)
class Examiner:
    """Put a game's questions about one document after the other to a model."""

    model: Model
    game: Measured

    def measure(self, item: Item, sheet: Sheet, row: int) -> Mapping[str, Measurement]:
        """Measure every row of an item; words that the model does not read take no part."""
        if row in sheet.failures:  # the model gave no answer
            nothing = Measurement(dict.fromkeys(self.game.parts, math.nan))
            return defaultdict(lambda: nothing)
        reading = self.model.read(item)
        phis = {label: sheet.vector(row, label)[: reading.seen] for label in sheet.labels}
        return self.game.measure(item, phis, probability_without(self.model, reading, int(sheet.target[row])))


def probability_without(model: Model, reading: Reading, target: int) -> Ask:
    """Return the function from sets of words [n, T] to the probability [n] of ``target`` without these words."""
    batch = Batch.of([reading], model.about.device)

    def probability(sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        cut = torch.as_tensor(sets, device=batch.words.device)
        rows = torch.zeros(len(cut), dtype=torch.long, device=cut.device)
        scores = model.score_edits(batch, WordSets(rows, cut, torch.zeros_like(cut)))
        values: NDArray[np.float64] = torch.softmax(scores.double(), 1)[:, target].cpu().numpy()
        return values

    return probability


def measured_file(model: Model, game: Measured, items: Sequence[Item], sheet: Sheet) -> bytes:
    """Encode the shard's third file: what every row gets by a game that asks the model about edited copies."""
    examiner = Examiner(model, game)
    with one_thread():
        measured = [examiner.measure(item, sheet, row) for row, item in enumerate(items)]
    columns = _columns(game, items, measured, (*sheet.labels, *game.rows))
    return shards.parquet(columns, shards.measured_schema(game.parts))


def _columns(
    game: Measured, items: Sequence[Item], measured: Sequence[Mapping[str, Measurement]], rows: Sequence[str]
) -> dict[str, Any]:
    """Build columns with a line per item and row."""
    lines = [(item, row, answers[row]) for item, answers in zip(items, measured, strict=True) for row in rows]
    return {
        "key": [item.key for item, _, _ in lines],
        "row": [row for _, row, _ in lines],
        **{part: [_number(line.values[part]) for _, _, line in lines] for part in game.parts},
        "edited": [line.edited for _, _, line in lines],
    }


def _number(value: float) -> float | None:
    return None if value != value else float(value)  # NaN, where nothing was measured, is stored as null
