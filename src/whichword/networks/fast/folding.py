"""Looking up what is linear in a word, instead of computing it for every occurrence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from whichword.sequences import Sequences

BYTES = 64 * 2**20  # of a table: the most frequent words, which come first, are nearly all of a text


@dataclass(frozen=True)
class Embedded(Sequences):
    """Embedded words [B, T, E] that know which words they are: ``ids`` [B, T]. Padding is zero, its ids are -1.

    ``once`` keeps what is computed of them, so that the prediction and the methods share it.
    """

    ids: Tensor
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @staticmethod
    def look_up(ids: Sequences, embedding: Tensor, dtype: torch.dtype) -> Embedded:
        """Word ids [B, T] -> e."""
        if not bool((ids.lengths < ids.width).any()):
            return Embedded(functional.embedding(ids.data, embedding).to(dtype), ids.lengths, ids.data)
        padding = ~ids.mask
        data = functional.embedding(ids.data.masked_fill(padding, 0), embedding).to(dtype)
        data.flatten(0, 1).index_fill_(0, padding.flatten().nonzero()[:, 0], 0.0)  # of little padding, little work
        return Embedded(data, ids.lengths, ids.data.masked_fill(padding, -1))

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What ``make`` gave the first time under this key."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def bare(self) -> Embedded:
        """The same words without what was computed of them: for those who are kept there themselves."""
        return Embedded(self.data, self.lengths, self.ids)

    def filled(self, value: float = 0.0) -> Sequences:
        return self if value == 0 else super().filled(value)

    def reversed(self) -> Embedded:
        return self.once("reversed", self._reversed)  # type: ignore[no-any-return]

    def _reversed(self) -> Embedded:
        ids = Sequences(self.ids, self.lengths).reversed().data
        return Embedded(super().reversed().data, self.lengths, ids)

    def crop(self, rows: Tensor, start: Tensor, stop: Tensor) -> Embedded:
        plain = super().crop(rows, start, stop).filled()
        ids = Sequences(self.ids, self.lengths).crop(rows, start, stop).filled(-1)
        return Embedded(plain.data, plain.lengths, ids.data)

    def pick(self, rows: Tensor) -> Embedded:
        plain = super().pick(rows)
        return Embedded(plain.data, plain.lengths, self.ids[rows, : plain.width])


@dataclass(frozen=True)
class WordTable:
    """W e_w of the first N words w, and a last row for the zero vector, [N + 1, G]; W [G, E]. A snapshot of both."""

    products: Tensor
    W: Tensor

    @staticmethod
    def rows_for(embedding: Tensor, W: Tensor) -> int:
        """How many words a table would have."""
        return min(len(embedding), BYTES // (len(W) * W.element_size()))

    @staticmethod
    def of(embedding: Tensor, W: Tensor) -> WordTable:
        products = embedding[: WordTable.rows_for(embedding, W)] @ W.T
        return WordTable(torch.cat([products, products.new_zeros(1, len(W))]), W)

    def rows(self, x: Embedded) -> Tensor | None:
        """Each word's row, [B, T]; None where there is a word that the table lacks."""
        last = len(self.products) - 1
        return None if bool((x.ids >= last).any()) else torch.where(x.ids < 0, last, x.ids)

    def look_up(self, x: Embedded, before: int, after: int) -> Tensor:
        """As `product`; words that the table lacks are multiplied."""
        last = len(self.products) - 1
        rare = x.ids >= last
        rows = x.ids.masked_fill(rare | (x.ids < 0), last)
        index = functional.pad(rows, (before, after), value=last) if before or after else rows
        values = self.products.index_select(0, index.view(-1)).view(*index.shape, -1)
        if bool(rare.any()):
            values[:, before : before + x.width][rare] = x.data[rare] @ self.W.T
        return values


def product(x: Sequences, W: Tensor, table: WordTable | None = None, before: int = 0, after: int = 0) -> Tensor:
    """W e_t at every word, and at zero vectors ``before`` and ``after`` all of them, [B, .. + T + .., G]; W [G, E].

    It is looked up where that can be done.
    """
    if table is not None and isinstance(x, Embedded):
        return table.look_up(x, before, after)
    return functional.pad(x.data, (0, 0, before, after)) @ W.T
