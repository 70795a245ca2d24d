"""Randomness as a function of a seed and names, never of what was drawn before."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from whichword.text.keys import content_key

T = TypeVar("T")


def generator(seed: int, *names: str) -> np.random.Generator:
    """The random generator that belongs to (seed, names), the same in any order, process and machine."""
    return np.random.Generator(np.random.PCG64(int(content_key(str(seed), *names), 16)))


def shuffled(values: Sequence[T], seed: int, *names: str) -> list[T]:
    """The values in the order of random 64-bit keys: numpy keeps these from version to version, unlike `shuffle`."""
    keys = generator(seed, *names).bit_generator.random_raw(len(values))
    return [values[i] for i in np.argsort(keys, kind="stable")]
