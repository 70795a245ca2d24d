"""Games that ask about edited copies: the model answers where the shard is made, and what rows got is stored."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.base.lazy import torch
from whichword.base.runtime import one_thread
from whichword.games import Measured
from whichword.games.game import Measurement
from whichword.games.searching import Ask
from whichword.model import Batch, Model
from whichword.reading import Reading, WordSets
from whichword.runs import shards as formats
from whichword.types import Item
from whichword.workers.sheet import Sheet


@dataclass(frozen=True, eq=False)
class Examiner:
    """A model that answers a game's questions about one document after the other."""

    model: Model
    game: Measured

    def measure(self, item: Item, sheet: Sheet, row: int) -> Mapping[str, Measurement]:
        """Row -> what it got; words that the model does not read take no part."""
        if row in sheet.failures:  # the model gave no answer
            nothing = Measurement(dict.fromkeys(self.game.parts, math.nan))
            return defaultdict(lambda: nothing)
        reading = self.model.read(item)
        phis = {label: sheet.vector(row, label)[: reading.seen] for label in sheet.labels}
        return self.game.measure(item, phis, probability_without(self.model, reading, int(sheet.target[row])))


def probability_without(model: Model, reading: Reading, target: int) -> Ask:
    """Sets of words [n, T] -> the probability [n] of class ``target`` where these words are taken away."""
    batch = Batch.of([reading], model.about.device)

    def probability(sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        cut = torch.as_tensor(sets, device=batch.words.device)
        rows = torch.zeros(len(cut), dtype=torch.long, device=cut.device)
        scores = model.score_edits(batch, WordSets(rows, cut, torch.zeros_like(cut)))
        values: NDArray[np.float64] = torch.softmax(scores.double(), 1)[:, target].cpu().numpy()
        return values

    return probability


def measured_file(model: Model, game: Measured, items: Sequence[Item], sheet: Sheet) -> bytes:
    """The shard's third file: what every row gets by a game that asks the model about edited copies."""
    examiner = Examiner(model, game)
    with one_thread():
        measured = [examiner.measure(item, sheet, row) for row, item in enumerate(items)]
    columns = _columns(game, items, measured, (*sheet.labels, *game.rows))
    return formats.parquet(columns, formats.measured_schema(game.parts))


def _columns(
    game: Measured, items: Sequence[Item], measured: Sequence[Mapping[str, Measurement]], rows: Sequence[str]
) -> dict[str, Any]:
    """A line per item and row."""
    lines = [(item, row, answers[row]) for item, answers in zip(items, measured, strict=True) for row in rows]
    return {
        "key": [item.key for item, _, _ in lines],
        "row": [row for _, row, _ in lines],
        **{part: [_number(line.values[part]) for _, _, line in lines] for part in game.parts},
        "edited": [line.edited for _, _, line in lines],
    }


def _number(value: float) -> float | None:
    return None if value != value else float(value)
