"""Keys and values of documents, kept by transformers' own cache and handed out again as the beginnings of copies.

Imported by `models.prefixes` alone, and only where a model of transformers is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from math import prod
from typing import Any

import torch
from torch import Tensor

# untyped: these classes differ between the versions of transformers
CACHES: Any = import_module("transformers.cache_utils")


class Room:
    """Keys, or values, of the copies in a call, [n, heads, start + q, size]: all layers of all calls have it in turn.

    New memory for each of them would be asked of the system page by page, which takes longer than to fill it.
    """

    def __init__(self) -> None:
        self._memory = self._states = torch.zeros(0)
        self._starts: Sequence[int] = ()
        self._parts: list[Tensor] = []

    def joined(self, starts: Sequence[int], beginnings: Sequence[Tensor], endings: Tensor) -> Tensor:
        """Join beginnings [heads, start, size] of each copy, which end at one place, and [n, heads, q, size] behind.

        Before the shorter ones stand zeros: nothing may look at them.
        """
        count, heads, pieces, size = endings.shape
        shape = (count, heads, max(starts) + pieces, size)
        if self._states.shape != shape or self._starts != starts:
            self._furnish(shape, starts, endings)
        torch._foreach_copy_(self._parts, [endings, *beginnings])  # one call, not one per copy
        return self._states

    def _furnish(self, shape: tuple[int, ...], starts: Sequence[int], like: Tensor) -> None:
        """Lay the memory out for another call than the last one: its copies have other places."""
        if len(self._memory) < prod(shape):
            self._memory = like.new_empty(prod(shape))
        self._states, self._starts, width = self._memory[: prod(shape)].view(shape), starts, max(starts)
        self._states[:, :, : width - min(starts)] = 0.0
        copies = zip(self._states, starts, strict=True)
        self._parts = [self._states[:, :, width:], *(copy[:, width - start : width] for copy, start in copies)]


class BorrowedLayer(CACHES.DynamicLayer):  # type: ignore[misc]
    """The beginnings of some copies, of keys and of values [heads, start, size] each; what follows them is not kept.

    transformers' own layer keeps everything of all layers until the end of the pass, for a next one that never comes.
    """

    def __init__(self, starts: Sequence[int], beginnings: Sequence[list[Tensor]], rooms: Sequence[Room]) -> None:
        super().__init__()
        self.lazy_initialization(beginnings[0][0], beginnings[1][0])  # precision and device, as a first update would
        self._starts, self._beginnings, self._rooms = starts, beginnings, rooms

    def get_seq_length(self, *args: Any, **kwargs: Any) -> int:
        return max(self._starts)

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        sides = zip(self._rooms, self._beginnings, (key_states, value_states), strict=True)
        keys, values = (room.joined(self._starts, beginnings, endings) for room, beginnings, endings in sides)
        return keys, values


class KeysAndValues:
    """Of documents side by side, per layer [D, heads, P, size]; ``documents`` [D] are their rows in a batch."""

    def __init__(self, documents: Tensor, lengths: Tensor) -> None:
        self.documents, self.width = documents, int(lengths.max())
        self.layers: list[tuple[Tensor, Tensor]] = []
        self._rooms = (Room(), Room())  # keys, values

    def put(self, rows: Tensor, past: Any) -> None:
        """Keep what a pass over some of the documents, of one length, has kept."""
        layers = [(layer.keys, layer.values) for layer in past.layers]
        if not self.layers:
            self.layers = [(self._side_by_side(keys), self._side_by_side(values)) for keys, values in layers]
        for pair, new_pair in zip(self.layers, layers, strict=True):
            for stored, states in zip(pair, new_pair, strict=True):
                stored[rows, :, : states.shape[2]] = states

    def _side_by_side(self, states: Tensor) -> Tensor:
        return states.new_zeros(len(self.documents), states.shape[1], self.width, states.shape[3])

    def beginnings(self, rows: Tensor, starts: Tensor) -> Any:
        """Return the first ``starts`` [n] pieces of these rows of the batch, as a cache."""
        documents = (rows[:, None] == self.documents).int().argmax(1).tolist()  # exactly one is equal
        sizes = starts.tolist()
        places = list(zip(documents, sizes, strict=True))
        cache = CACHES.DynamicCache()
        for pair in self.layers:
            beginnings = [[stored[document, :, :size] for document, size in places] for stored in pair]
            cache.layers.append(BorrowedLayer(sizes, beginnings, self._rooms))
        return cache
