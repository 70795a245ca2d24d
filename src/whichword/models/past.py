"""Keys and values of documents, kept by transformers' own cache and handed out again as the beginnings of copies.

Imported by `models.prefixes` alone, and only where a model of transformers is there.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

# types of another library that differ between its versions are nobody's to check here
CACHES: Any = import_module("transformers.cache_utils")


class BorrowedLayer(CACHES.DynamicLayer):  # type: ignore[misc]
    """The beginnings of some copies, keys and values [n, heads, start, size]; what follows them is not kept.

    transformers' own layer keeps everything of all layers until the end of the pass, for a next one that never comes.
    """

    def __init__(self, keys: Tensor, values: Tensor) -> None:
        super().__init__()
        self.lazy_initialization(keys, values)
        self.keys, self.values = keys, values

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        return torch.cat([self.keys, key_states], -2), torch.cat([self.values, value_states], -2)


class KeysAndValues:
    """Of documents side by side, per layer [D, heads, P, size]; ``documents`` [D] are their rows in a batch."""

    def __init__(self, documents: Tensor, lengths: Tensor) -> None:
        self.documents, self.width = documents, int(lengths.max())
        self.layers: list[tuple[Tensor, Tensor]] = []

    def put(self, rows: Tensor, past: Any) -> None:
        """What a pass over some of the documents, of one length, has kept."""
        layers = [(layer.keys, layer.values) for layer in past.layers]
        if not self.layers:
            self.layers = [(self._room(keys), self._room(values)) for keys, values in layers]
        for pair, new_pair in zip(self.layers, layers, strict=True):
            for room, states in zip(pair, new_pair, strict=True):
                room[rows, :, : states.shape[2]] = states

    def _room(self, states: Tensor) -> Tensor:
        return states.new_zeros(len(self.documents), states.shape[1], self.width, states.shape[3])

    def beginnings(self, rows: Tensor, starts: Tensor) -> Any:
        """The first ``starts`` [n] pieces of these rows of the batch, as a cache: all end at the same place.

        Before the shorter ones stand zeros: nothing may look at them.
        """
        documents, width = (rows[:, None] == self.documents).int().argmax(1), int(starts.max())
        alike = bool((documents == documents[0]).all() and (starts == width).all())
        places = list(zip(documents.tolist(), starts.tolist(), strict=True))

        def taken(stored: Tensor) -> Tensor:
            if alike:  # a view
                return stored[int(documents[0]), None, :, :width].expand(len(rows), -1, -1, -1)
            return torch.stack([functional.pad(stored[row, :, :end], (0, 0, width - end, 0)) for row, end in places])

        cache = CACHES.DynamicCache()
        cache.layers = [BorrowedLayer(taken(keys), taken(values)) for keys, values in self.layers]
        return cache
