"""Sequences, the one batch type: right-padded rows and their lengths.

Masks are derived, never stored. Length zero is legal. What stands in the padding never matters: code that computes with
`data` calls `filled` first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from whichword.base.lazy import Tensor, torch

BLOCK = 256  # words that a product over the words takes at once


@dataclass(frozen=True)
class Sequences:
    """``data`` [B, T, ...] and ``lengths`` [B], 0 <= lengths <= T."""

    data: Tensor
    lengths: Tensor

    @staticmethod
    def of(rows: Sequence[Sequence[int]], device: torch.device | str = "cpu", padding: int = 0) -> Sequences:
        """Pad rows of whole numbers."""
        sizes = list(map(len, rows))
        lengths = torch.tensor(sizes, dtype=torch.long)
        flat = torch.from_numpy(np.fromiter(chain.from_iterable(rows), np.int64, sum(sizes)))
        width = max(sizes, default=0)
        if min(sizes, default=0) == width:  # equal lengths: no padding to fill
            return Sequences(flat.view(len(rows), width).to(device), lengths.to(device))
        data = torch.full((len(rows), width), padding, dtype=torch.long)
        data[torch.arange(width) < lengths[:, None]] = flat
        return Sequences(data.to(device), lengths.to(device))

    def __len__(self) -> int:
        return self.data.shape[0]

    @property
    def width(self) -> int:
        """T, the padded length."""
        return self.data.shape[1]

    @property
    def positions(self) -> Tensor:
        """0..T-1, [1, T]."""
        return torch.arange(self.width, device=self.data.device)[None]

    @property
    def mask(self) -> Tensor:
        """True on words, False on padding, [B, T]."""
        return self.positions < self.lengths[:, None]

    def with_data(self, data: Tensor) -> Sequences:
        """Give the same rows other contents."""
        return Sequences(data, self.lengths)

    def filled(self, value: float = 0.0) -> Sequences:
        """Set the padding to ``value``; no gradient reaches what was there."""
        mask = self.mask.view(*self.data.shape[:2], *[1] * (self.data.dim() - 2))
        return self.with_data(torch.where(mask, self.data, value))

    def reversed(self) -> Sequences:
        """Reverse each row within its own length; padding stays at the end."""
        index = torch.where(self.mask, self.lengths[:, None] - 1 - self.positions, self.positions)
        return self.with_data(_take(self.data, index))

    def last(self) -> Tensor:
        """Take the last own position of each row, [B, ...]; zeros for an empty row."""
        if self.width == 0:
            return self.data.new_zeros(len(self), *self.data.shape[2:])
        taken = _take(self.data, (self.lengths - 1).clamp(min=0)[:, None])[:, 0]
        empty = (self.lengths == 0).reshape(-1, *[1] * (taken.dim() - 1))
        return torch.where(empty, 0.0, taken)  # not taken * mask: NaN times 0 is NaN

    def argmax(self) -> Tensor:
        """Find the first maximum over each row's own positions, [B, ...] (0 for an empty row)."""
        own = self.filled(-torch.inf).data
        if self.width == 0:
            return own.new_zeros(len(self), *own.shape[2:], dtype=torch.long)
        return first_maximum(own)

    def pick(self, rows: Tensor) -> Sequences:
        """Select rows, in any order and number, no wider than they need."""
        lengths = self.lengths[rows]
        width = int(lengths.max()) if len(lengths) else 0
        return Sequences(self.data[rows, :width], lengths)

    def crop(self, rows: Tensor, start: Tensor, stop: Tensor) -> Sequences:
        """Copy ``rows`` so that only start..stop-1 remains; all three [n]."""
        lengths = stop - start
        return self._gather(rows, lengths, lambda p: p + start[:, None])

    def cut(self, rows: Tensor, start: Tensor, stop: Tensor) -> Sequences:
        """Copy ``rows`` without start..stop-1."""
        gap = (stop - start)[:, None]
        return self._gather(rows, self.lengths[rows] - gap[:, 0], lambda p: p + gap * (p >= start[:, None]))

    def blank(self, rows: Tensor, start: Tensor, stop: Tensor) -> Sequences:
        """Copy ``rows`` with zeros at start..stop-1."""
        copies = self.pick(rows)
        inside = (copies.positions >= start[:, None]) & (copies.positions < stop[:, None])
        inside = inside.reshape(*inside.shape, *[1] * (self.data.dim() - 2))
        return copies.with_data(torch.where(inside, 0.0, copies.data))

    def _gather(self, rows: Tensor, lengths: Tensor, index_of: Callable[[Tensor], Tensor]) -> Sequences:
        width = int(lengths.max()) if len(lengths) else 0
        places = torch.arange(width, device=self.data.device)[None]
        index = index_of(places).expand(len(rows), width).clamp(max=max(self.width - 1, 0))  # padding may hold anything
        return Sequences(self.data[rows[:, None], index], lengths)

    def split(self) -> Iterator[Tensor]:
        """Yield each row without its padding."""
        for row, length in zip(self.data, self.lengths.tolist(), strict=True):
            yield row[:length]

    def following_product(self) -> Tensor:
        """Compute prod_(j>t) of data_j over each row's own positions, [B, T, H]."""
        own = self.filled(1.0).data
        following = torch.cat([own[:, 1:], torch.ones_like(own[:, :1])], 1)  # after the last word the product is empty
        return _running_product(following.flip(1)).flip(1)


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Group indices so that rows x longest row stays within ``budget`` words (one row is always allowed).

    Neighbours in length go together: with little padding a batch costs what its words cost. Bounded by words, never by
    documents, so memory does not grow with T.
    """
    group: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        # sorted upwards: the newcomer is the widest
        if group and (len(group) + 1) * max(1, lengths[index]) > budget:
            yield group
            group = []
        group.append(index)
    if group:
        yield group


def first_maximum(values: Tensor) -> Tensor:
    """Find where values [B, T, H] are highest over T, the first place if several are equal; [B, H].

    Of `max` torch says that it is the first. Block by block, because it goes through the words feature by feature,
    which is slow where they leave the cache.
    """
    if values.shape[1] <= BLOCK:
        return values.max(1).indices
    blocks = [block.max(1) for block in torch.split(values, BLOCK, 1)]
    block = torch.stack([highest.values for highest in blocks]).max(0).indices
    within = torch.stack([highest.indices for highest in blocks]).gather(0, block[None])[0]
    return block * BLOCK + within


def _take(data: Tensor, index: Tensor) -> Tensor:
    """Take data [B, T, ...] at index [B, n] -> [B, n, ...]."""
    return data[torch.arange(data.shape[0], device=data.device)[:, None], index]


def _running_product(factors: Tensor) -> Tensor:
    """Compute prod_(j<=t) of factors_j, [B, T, H].

    Block by block: torch goes through the words feature by feature, which is slow where they leave the cache.
    """
    blocks: list[Tensor] = []
    for block in torch.split(factors, BLOCK, 1):
        products = block.cumprod(1)
        blocks.append(products * blocks[-1][:, -1:] if blocks else products)
    return torch.cat(blocks, 1)
