"""A method mixed with noise. At level q each word exchanges its relevance with others with probability q.

At 0 the method is itself, at 1 its relevances stand in random order. More noise exchanges the same words and more.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whichword.games.randomness import generator

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


def mixed(
    relevances: NDArray[np.floating[Any]], lengths: Sequence[int], keys: Sequence[str], level: float
) -> NDArray[np.floating[Any]]:
    """``relevances`` end to end; the draws of a document depend on its key alone."""
    pieces = np.split(relevances, np.cumsum(lengths)[:-1]) if len(lengths) else []
    documents = [exchanged(piece, key, level) for piece, key in zip(pieces, keys, strict=True)]
    return np.concatenate([relevances[:0], *documents])


def exchanged(values: NDArray[np.floating[Any]], key: str, level: float) -> NDArray[np.floating[Any]]:
    """One document: the chosen words' relevances in random order among themselves."""
    dice = generator(0, "degrade", key)
    chosen, order = dice.random(len(values)), dice.random(len(values))
    places = np.flatnonzero(chosen < level)
    changed = values.copy()
    changed[places] = values[places[np.argsort(order[places], kind="stable")]]
    return changed
