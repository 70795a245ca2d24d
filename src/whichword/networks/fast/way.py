"""What a faster way through an encoder offers; `forward` of the encoder defines what each of these has to give.

What is linear in a word is looked up instead of computed for every occurrence. Edited copies are read out in double
precision: what matters of them are small differences of s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import torch
from torch import Tensor
from torch.nn import functional

from whichword.networks.encoders import Dropout
from whichword.reading import Edits
from whichword.rules import Rules
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
        """Look up word ids [B, T] -> e."""
        if not bool((ids.lengths < ids.width).any()):  # there is no padding to blank
            return Embedded(functional.embedding(ids.data, embedding).to(dtype), ids.lengths, ids.data)
        padding = ~ids.mask
        data = functional.embedding(ids.data.masked_fill(padding, 0), embedding).to(dtype)
        data.flatten(0, 1).index_fill_(0, padding.flatten().nonzero()[:, 0], 0.0)  # of little padding, little work
        return Embedded(data, ids.lengths, ids.data.masked_fill(padding, -1))

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return what ``make`` gave the first time under this key."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def bare(self) -> Embedded:
        """Return the words without what was computed of them: for results that are kept there themselves."""
        return Embedded(self.data, self.lengths, self.ids)

    def filled(self, value: float = 0.0) -> Sequences:
        return self if value == 0 else super().filled(value)  # padding is zero already

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
        """Return how many words a table would have."""
        return min(len(embedding), BYTES // (len(W) * W.element_size()))

    @staticmethod
    def of(embedding: Tensor, W: Tensor) -> WordTable:
        products = embedding[: WordTable.rows_for(embedding, W)] @ W.T
        return WordTable(torch.cat([products, products.new_zeros(1, len(W))]), W)  # the zero vector's row

    def rows(self, x: Embedded) -> Tensor | None:
        """Return each word's row, [B, T]; None where there is a word that the table lacks."""
        last = len(self.products) - 1
        return None if bool((x.ids >= last).any()) else torch.where(x.ids < 0, last, x.ids)

    def look_up(self, x: Embedded, before: int, after: int) -> Tensor:
        """Look up what `product` gives; words that the table lacks are multiplied."""
        last = len(self.products) - 1
        rare = x.ids >= last
        rows = x.ids.masked_fill(rare | (x.ids < 0), last)  # padding has the id -1
        index = functional.pad(rows, (before, after), value=last) if before or after else rows
        values = self.products.index_select(0, index.view(-1)).view(*index.shape, -1)
        if bool(rare.any()):
            values[:, before : before + x.width][rare] = x.data[rare] @ self.W.T
        return values


def product(x: Sequences, W: Tensor, table: WordTable | None = None, before: int = 0, after: int = 0) -> Tensor:
    """Compute W e_t at all words and at zero vectors ``before`` and ``after``, [B, .. + T + .., G]; W [G, E].

    It is looked up where that can be done.
    """
    if table is not None and isinstance(x, Embedded):
        return table.look_up(x, before, after)
    return functional.pad(x.data, (0, 0, before, after)) @ W.T


class Opened(Protocol):
    """Forward passes at M points alpha_m X, with what is needed to go back."""

    @property
    def hidden(self) -> Tensor:
        """h(alpha_m X), [M, B, H]."""
        ...

    @property
    def reference(self) -> Tensor | None:
        """Under paired rules (DeepLIFT): h of zero embeddings, as many as the row has words, [B, H]."""
        ...

    def pull(self, seeds: Tensor, last: bool = True) -> Tensor:
        """Turn gradients in h [M, S, B, H] into gradients in the words' side z [2, S, ...], under the rules.

        z = alpha_m * projection is what enters the pre-activations. [0] is the sum over the points, [1] the last point
        alone, which may be missing unless it is the ``last`` of all. The form of ... is the encoder's own; padding gets
        zeros.
        """
        ...


class Projected(Protocol):
    """The words' side of the pre-activations, linear in X and without bias, shared by all points (zero baseline)."""

    def open(self, scales: Tensor, rules: Rules) -> Opened:
        """Pass forward at ``scales`` [M], all above 0."""
        ...

    def lift(self, pulled: Tensor) -> Tensor:
        """Transpose the projection: gradients in z [..., ...] -> gradients in e [..., B, T, E]."""
        ...

    def dot(self, pulled: Tensor) -> Tensor:
        """Compute e_t . lift(pulled)_t, [..., B, T], in the cheapest way: where z belongs to one word, z . pulled."""
        ...


class Way(Protocol):
    """One encoder, gone through faster.

    ``local``: edited copies cost the words around an edit, whatever the document's length. ``steady``: features that an
    edit does not reach stay as they are, bit by bit. ``batch`` words suit it at once, and ``capacity`` words x points.
    """

    local: ClassVar[bool]
    steady: ClassVar[bool]
    batch: ClassVar[int]
    capacity: ClassVar[int]

    def word_matrix(self) -> Tensor:
        """Return W [G, E]: everything begins with W e_t at every word, so it can be looked up."""
        ...

    def project(self, x: Embedded) -> Projected:
        """Compute W e_t, once per batch and shared by the prediction and all methods."""
        ...

    def opened(self, x: Embedded, rules: Rules) -> Opened:
        """Pass over the documents themselves, at one point, once per batch."""
        ...

    def hidden(self, x: Embedded, expected: Sequence[Any] = ()) -> Tensor:
        """Compute h [B, H], without a gradient: the prediction's pass, by one that will be asked for where that is."""
        ...

    def encode(self, x: Sequences, dropout: Dropout | None) -> Tensor:
        """Compute h [B, H] with a gradient, for training."""
        ...

    def read_edits(self, x: Embedded, w: Tensor, *edits: Edits) -> Tensor:
        """Score edited copies, w h [n, K] in double, one kind of edits after the other; each has a copy. w [K, H]."""
        ...


READ_OUT = 2048  # copies at a time, so that their states in double precision stay in the cache


def read_out(hidden: Tensor, w: Tensor) -> Tensor:
    """Read out h [n, H] of any precision by w [K, H] in double -> [n, K].

    The same memory holds the states of one piece after the other: new memory is not in the cache.
    """
    states, scores = w.new_empty(min(len(hidden), READ_OUT), w.shape[1]), w.new_empty(len(hidden), len(w))
    for s, h in zip(torch.split(scores, READ_OUT), torch.split(hidden, READ_OUT), strict=True):
        torch.mm(states[: len(s)].copy_(h), w.T, out=s)
    return scores
