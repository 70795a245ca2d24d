"""Randomness as a function of a seed and names, never of what was drawn before.

A method mixed with noise. At level q each word exchanges its relevance with others with probability q.

At 0 the method is itself, at 1 its relevances stand in random order. More noise exchanges the same words and more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from whichword.text.places import content_key

T = TypeVar("T")


def generator(seed: int, *names: str) -> np.random.Generator:
    """The random generator that belongs to (seed, names), the same in any order, process and machine."""
    return np.random.Generator(np.random.PCG64(int(content_key(str(seed), *names), 16)))


def shuffled(values: Sequence[T], seed: int, *names: str) -> list[T]:
    """The values in the order of random 64-bit keys: numpy keeps these from version to version, unlike `shuffle`."""
    keys = generator(seed, *names).bit_generator.random_raw(len(values))
    return [values[i] for i in np.argsort(keys, kind="stable")]


LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, eq=False)
class Noise:
    """What is drawn for documents that stand end to end, W words together; a document's draws depend on its key alone.

    ``chosen`` [W]: a word takes part from this level on. ``order`` [W]: the words, document by document, shuffled.
    """

    chosen: NDArray[np.float64]
    order: NDArray[np.int64]

    @staticmethod
    def of(lengths: Sequence[int], keys: Sequence[str]) -> "Noise":
        draws = [_draws(key, length) for key, length in zip(keys, lengths, strict=True)]
        chosen, places = (np.concatenate([np.empty(0), *(draw[kind] for draw in draws)]) for kind in (0, 1))
        owner = np.repeat(np.arange(len(lengths)), lengths)
        return Noise(chosen, np.lexsort((places, owner)))

    def mixed(self, relevances: NDArray[np.floating[Any]], level: float) -> NDArray[np.floating[Any]]:
        """[W] -> [W]: within each document, the chosen words' relevances in random order among themselves."""
        changed = relevances.copy()
        changed[self.chosen < level] = relevances[self.order[self.chosen[self.order] < level]]
        return changed


def exchanged(values: NDArray[np.floating[Any]], key: str, level: float) -> NDArray[np.floating[Any]]:
    """One document."""
    return _of_document(key, len(values)).mixed(values, level)


@lru_cache(maxsize=16)  # the levels of a document are asked for in a row: making a generator takes the longest
def _of_document(key: str, length: int) -> Noise:
    return Noise.of([length], [key])


def _draws(key: str, length: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Per word, what decides whether it is chosen, and its place among the chosen."""
    dice = generator(0, "degrade", key)
    return dice.random(length), dice.random(length)
