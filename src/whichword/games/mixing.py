"""A method mixed with noise. At level q each word exchanges its relevance with others with probability q.

At 0 the method is itself, at 1 its relevances stand in random order. More noise exchanges the same words and more.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.games.randomness import generator

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
REMEMBERED = 32_768  # documents, more than a shard has of short ones


def mixed(
    relevances: NDArray[np.floating[Any]], lengths: Sequence[int], keys: Sequence[str], level: float
) -> NDArray[np.floating[Any]]:
    """``relevances`` end to end; the draws of a document depend on its key alone."""
    pieces = np.split(relevances, np.cumsum(lengths)[:-1]) if len(lengths) else []
    documents = [exchanged(piece, key, level) for piece, key in zip(pieces, keys, strict=True)]
    return np.concatenate([relevances[:0], *documents])


def exchanged(values: NDArray[np.floating[Any]], key: str, level: float) -> NDArray[np.floating[Any]]:
    """One document: the chosen words' relevances in random order among themselves."""
    chosen, order = draws(key, len(values))
    places = np.flatnonzero(chosen < level)
    changed = values.copy()
    changed[places] = values[places[np.argsort(order[places], kind="stable")]]
    return changed


@lru_cache(maxsize=REMEMBERED)  # every method and level asks for them again: making a generator takes the longest
def draws(key: str, length: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Per word, what decides whether it is chosen, and its place among the chosen."""
    dice = generator(0, "degrade", key)
    return dice.random(length), dice.random(length)
