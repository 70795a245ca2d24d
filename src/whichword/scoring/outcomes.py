"""From judged pairings to the outcomes that a decision is made from."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whichword.scoring.judged import Judged
from whichword.statistics.outcomes import CHANCE, Outcomes
from whichword.types import Item

RANDOM = "random"  # the baseline whose hits are what a random word gets


def outcomes_of(judged: Judged, items: Sequence[Item]) -> Outcomes:
    """The rows of all parts that count, one part after the other, with a column for chance unless `random` played."""
    by_key = {item.key: item for item in items}
    texts = _texts([by_key[key] for key in judged.keys])  # items that failed have no row
    blocks, sources = [], []
    for part in judged.parts:
        hits = judged.hits[part]
        counted = np.flatnonzero(~np.isnan(hits).all(axis=1))
        blocks.append(_with_chance(judged, part, hits[counted]))
        sources += [texts[judged.keys[row]] for row in counted]
    names = judged.methods if RANDOM in judged.methods else (*judged.methods, CHANCE)
    return Outcomes(names, np.concatenate(blocks), sources)


def _with_chance(judged: Judged, part: str, hits: NDArray[np.float64]) -> NDArray[np.float64]:
    if RANDOM in judged.methods:
        return hits
    return np.column_stack([hits, np.full(len(hits), judged.chance[part] or 0.0)])


def _texts(items: Sequence[Item]) -> dict[str, tuple[int, ...]]:
    """Key -> the number of the item's text, or of the texts it was made from."""
    numbers: dict[str, int] = {}
    keys = {item.key: item.sources or (item.key,) for item in items}
    return {key: tuple({numbers.setdefault(text, len(numbers)): None for text in texts}) for key, texts in keys.items()}
