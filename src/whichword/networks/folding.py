"""Looking up what is linear in a word, instead of computing it for every occurrence."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from whichword.sequences import Sequences

BYTES = 64 * 2**20  # of a table: the most frequent words, which come first, are nearly all of a text


@dataclass(frozen=True)
class Embedded(Sequences):
    """Embedded words [B, T, E] that know which words they are: ``ids`` [B, T], -1 for a zero vector."""

    ids: Tensor

    def filled(self, value: float = 0.0) -> Sequences:
        plain = super().filled(value)
        return Embedded(plain.data, self.lengths, torch.where(self.mask, self.ids, -1)) if value == 0 else plain

    def reversed(self) -> "Embedded":
        ids = Sequences(self.ids, self.lengths).reversed().data
        return Embedded(super().reversed().data, self.lengths, ids)

    def pick(self, rows: Tensor) -> "Embedded":
        plain = super().pick(rows)
        return Embedded(plain.data, plain.lengths, self.ids[rows, : plain.width])


@dataclass(frozen=True)
class Table:
    """e_w W of the first N words, and a last row for the zero vector, [N + 1, G]. It is a snapshot of both."""

    products: Tensor

    @staticmethod
    def of(embedding: Tensor, matrix: Tensor) -> "Table":
        rows = BYTES // (matrix.shape[1] * matrix.element_size())
        products = embedding[:rows] @ matrix
        return Table(torch.cat([products, products.new_zeros(1, matrix.shape[1])]))

    def look_up(self, x: Embedded, matrix: Tensor) -> Tensor:
        """As x.data @ matrix; words that the table lacks are multiplied."""
        last = len(self.products) - 1
        rare = x.ids >= last
        index = torch.where(rare | (x.ids < 0), last, x.ids)
        found = self.products.index_select(0, index.flatten()).view(*index.shape, -1)
        if bool(rare.any()):
            found[rare] = x.data[rare] @ matrix
        return found


def product(x: Sequences, matrix: Tensor, table: Table | None = None) -> Tensor:
    """e_t W at every word, [B, T, G], matrix W [E, G]; looked up where that can be done."""
    if table is None or not isinstance(x, Embedded):
        return x.data @ matrix
    return table.look_up(x, matrix)


def padded(x: Sequences, before: int, after: int) -> Sequences:
    """Zero vectors around the rows; the lengths are those of the rows with what is before them."""
    data = functional.pad(x.data, (0, 0, before, after))
    if isinstance(x, Embedded):
        return Embedded(data, x.lengths + before, functional.pad(x.ids, (before, after), value=-1))
    return Sequences(data, x.lengths + before)
