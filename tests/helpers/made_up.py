"""Column results made of hits that are known, without a run."""

from collections.abc import Mapping

import numpy as np
from experiments.columns import ColumnResult, Figure


def column(name: str, hits: Mapping[str, list[int]], discarded: int = 0) -> ColumnResult:
    """A column in which every method has these hits on the same documents."""
    order = tuple(hits)
    right = np.array([hits[label] for label in order], dtype=int)
    wins = tuple(tuple(int((one * (1 - two)).sum()) for two in right) for one in right)
    size = right.shape[1]
    figures = {label: Figure(float(row.sum()), size, 0, 0, 1.0) for label, row in zip(order, right, strict=True)}
    played = size + discarded
    about = (name, "topic", "cnn", "made up", "hybrid", "hybrid", 0, 2 * played, played, discarded)
    return ColumnResult(*about, "run", {"code": "none"}, figures, (), order, wins)


def share(hits: int, total: int = 1000) -> list[int]:
    """So many hits, then misses: of two methods the weaker never hits alone."""
    return [1] * hits + [0] * (total - hits)
