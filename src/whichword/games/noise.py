"""Randomness as a function of a seed and names, never of what was drawn before; and methods mixed with noise.

At level q each word exchanges its relevance with others with probability q: at 0 the method is itself, at 1 its
relevances stand in random order. More noise exchanges the same words and more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise, permutations, repeat
from typing import Any, TypeVar

import numpy as np
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import NDArray

from whichword.games.scorers import Layout
from whichword.text.places import content_key

T = TypeVar("T")


def generator(seed: int, *names: str) -> np.random.Generator:
    """Make the random generator of (seed, names), the same in any order, process and machine."""
    return np.random.Generator(np.random.PCG64(int(content_key(str(seed), *names), 16)))


class _Seed(ISeedSequence):
    """A seed whose 256 bits of state are known already."""

    state: NDArray[np.uint64]

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> NDArray[Any]:
        return self.state  # numpy asks for nothing else


def generators(seed: int, name: str, keys: Sequence[str]) -> Iterator[np.random.Generator]:
    """Make `generator` of (seed, name, key) for each key: seeding thousands at once takes a quarter of the time."""
    entropy = bytes.fromhex("".join(content_key(str(seed), name, key) for key in keys))
    seeded = _Seed()
    for seeded.state in _states(np.frombuffer(entropy, ">u4").reshape(-1, 4)[:, ::-1].astype(np.uint32)):
        yield np.random.Generator(np.random.PCG64(seeded))  # type: ignore[arg-type]


U32 = np.uint32  # whose products wrap around, as `SeedSequence`'s do


def _states(entropy: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Generate, [n, 4] -> [n, 4], what `numpy.random.SeedSequence` does of 128 bits (its streams are frozen)."""
    series = _series(0x43B0D7E5, 0x931E8875)
    pool = [_hashed(words, series) for words in entropy.T]
    for source, into in permutations(range(4), 2):
        pool[into] = _folded(U32(0xCA01F9DD) * pool[into] - U32(0x4973F715) * _hashed(pool[source], series))
    series = _series(0x8B51F9DD, 0x58F38DED)
    return (
        np.column_stack([_hashed(pool[word % 4], series) for word in range(8)])
        .astype("<u4")
        .view("<u8")
        .astype(np.uint64)
    )


def _series(first: int, factor: int) -> Iterator[tuple[np.uint32, np.uint32]]:
    """Pair each number of a series with the next."""
    numbers = accumulate(repeat(factor), lambda number, factor: number * factor & 0xFFFFFFFF, initial=first)
    return pairwise(map(U32, numbers))


def _hashed(value: NDArray[np.uint32], series: Iterator[tuple[np.uint32, np.uint32]]) -> NDArray[np.uint32]:
    number, after = next(series)
    return _folded((value ^ number) * after)


def _folded(value: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return value ^ (value >> U32(16))


def shuffled(values: Sequence[T], seed: int, *names: str) -> list[T]:
    """Shuffle by random 64-bit keys, which numpy keeps from version to version, unlike `shuffle`."""
    keys = generator(seed, *names).bit_generator.random_raw(len(values))
    return [values[i] for i in np.argsort(keys, kind="stable")]


LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)  # shares of words that exchange their relevances


@dataclass(frozen=True, eq=False)
class Noise:
    """Draws for documents that stand end to end, W words together; a document's depend on its key alone.

    ``chosen`` [W]: a word takes part from this level on. ``order`` [W]: the words, document by document, shuffled.
    """

    chosen: NDArray[np.float64]
    order: NDArray[np.int64]

    @staticmethod
    def of(lengths: Sequence[int], keys: Sequence[str]) -> "Noise":
        layout, dice = Layout.of(lengths), generators(0, "degrade", keys)
        # per word two numbers: what decides whether it is chosen, and its place among the chosen
        draws = np.concatenate([np.empty(0), *(own.random(2 * size) for own, size in zip(dice, lengths, strict=True))])
        first = np.arange(len(layout.owner)) + layout.starts[layout.owner]
        places = draws[first + layout.lengths[layout.owner]]
        order = np.empty(len(places), np.int64)
        order[layout.starts[layout.owner] + layout.ranks(places) - 1] = np.arange(len(places))
        return Noise(draws[first], order)

    def mixed(self, relevances: NDArray[np.floating[Any]], level: float) -> NDArray[np.floating[Any]]:
        """Shuffle, [W] -> [W], the chosen words' relevances among themselves, within each document."""
        changed = relevances.copy()
        changed[self.chosen < level] = relevances[self.order[self.chosen[self.order] < level]]
        return changed


def exchanged(values: NDArray[np.floating[Any]], key: str, level: float) -> NDArray[np.floating[Any]]:
    """Mix the values of one document with noise."""
    return _of_document(key, len(values)).mixed(values, level)


@lru_cache(maxsize=16)  # the levels of a document are asked for in a row: making a generator takes the longest
def _of_document(key: str, length: int) -> Noise:
    return Noise.of([length], [key])
