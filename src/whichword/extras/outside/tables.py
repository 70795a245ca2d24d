"""Answers from elsewhere as the two tables of a shard: scores and words may be missing, so rows are made one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.runs import formats
from whichword.runs.plan import Pairing
from whichword.runs.receipts import Shortfall
from whichword.runs.store import FAILED
from whichword.types import Item


@dataclass(frozen=True, eq=False)
class StoredAnswer:
    """What is stored of one item: relevances by method, and why there is no answer where there is none."""

    predicted: str | None
    scores: Sequence[float] = ()
    unknown: Sequence[bool] = ()
    relevances: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    seen: int = 0
    failure: str | None = None

    def status(self, label: str) -> str:
        if self.failure:
            return FAILED
        return "ok" if bool(np.isfinite(self.relevances[label]).all()) else "not finite"


def shard_tables(
    pairing: Pairing, items: Sequence[Item], answers: Sequence[StoredAnswer], dtype: str
) -> tuple[dict[str, bytes], dict[str, int]]:
    """The shard's two files, and their numbers of rows."""
    stored = formats.stored_dtype(dtype)
    predictions, relevances = _predictions(items, answers), _relevances(pairing, items, answers)
    tables = {
        "predictions": formats.parquet(predictions, formats.predictions_schema(stored)),
        "relevances": formats.parquet(relevances, formats.relevances_schema(stored)),
    }
    return tables, {"predictions": len(items), "relevances": len(items) * len(pairing.labels)}


def _predictions(items: Sequence[Item], answers: Sequence[StoredAnswer]) -> dict[str, Any]:
    return {
        "key": [item.key for item in items],
        "predicted": [answer.predicted for answer in answers],
        "scores": [answer.scores for answer in answers],
        "unknown": [answer.unknown for answer in answers],
        "seen": [answer.seen for answer in answers],
    }


def _relevances(pairing: Pairing, items: Sequence[Item], answers: Sequence[StoredAnswer]) -> dict[str, Any]:
    rows = [(item, answer, label) for item, answer in zip(items, answers, strict=True) for label in pairing.labels]
    return {
        "key": [item.key for item, _, _ in rows],
        "method": [label for _, _, label in rows],
        "target": [answer.predicted for _, answer, _ in rows],
        "relevances": [answer.relevances.get(label, []) for _, answer, label in rows],
        "status": [answer.status(label) for _, answer, label in rows],
        "note": [answer.failure or answer.notes.get(label) for _, answer, label in rows],
    }


def shortfall(items: Sequence[Item], answers: Sequence[StoredAnswer]) -> Shortfall:
    """How many items have no answer, or were not read to their end."""
    unread = [len(item.words) - answer.seen for item, answer in zip(items, answers, strict=True) if not answer.failure]
    return Shortfall(sum(bool(answer.failure) for answer in answers), sum(map(bool, unread)), sum(unread))
