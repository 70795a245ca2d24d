"""The windows of a convolution: their sums, and what each of their words adds; computed, or looked up in a table.

`Parts` serve edits: a window of F words that loses some of them keeps its i leftmost and its k rightmost ones.
"""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from whichword.networks.encoders import convolve
from whichword.networks.fast.way import Embedded, WordTable, product
from whichword.sequences import Sequences


def unrolled(kernel: Tensor) -> Tensor:
    """Unroll the kernel [F, E, H] as one matrix [F * H, E], the part for a window's leftmost word first."""
    return kernel.flip(0).transpose(1, 2).flatten(0, 1)


def windows(x: Sequences, kernel: Tensor, ahead: int, table: WordTable | None = None) -> Tensor:
    """Return what each word of a window adds, [B, T, F, H], leftmost first: out_t of `convolve` is the sum over F.

    One matrix product; the windows overlap in memory, so the result is for reading only.
    """
    width, _, hidden = kernel.shape
    W = unrolled(kernel) if table is None else table.W
    products = product(x, W, table, width - 1 - ahead, ahead)
    row = width * hidden
    strides = (products.shape[1] * row, row, row + hidden, 1)  # a window's next word meets the kernel's next row
    return products.as_strided((len(x), x.width, width, hidden), strides)


def added(products: Tensor) -> Tensor:
    """Sum over a window's words, [B, T, F, H] -> [B, T, H]."""
    first, second, *more = products.unbind(2)
    total = first + second
    for word in more:
        total += word
    return total


class WindowSums(Protocol):
    """V * e and its parts."""

    def sums(self) -> Tensor:
        """Sum up the convolution, [B, T, H]."""
        ...

    def parts(self, t: Tensor) -> Tensor:
        """Return what each word of the window at place t [B, N, H] adds to that feature, [B, N, H, F]."""
        ...


@dataclass(frozen=True)
class Computed:
    """Window sums by one matrix product, [B, T, F, H]."""

    products: Tensor

    def sums(self) -> Tensor:
        return added(self.products)

    def parts(self, t: Tensor) -> Tensor:
        index = t[..., None, :].expand(-1, -1, self.products.shape[2], -1)
        return self.products.gather(1, index).movedim(2, 3)


@dataclass(frozen=True)
class LookedUp:
    """Window sums from the table's rows [words, F, H]; ``words`` [B, T, F] are those of every window."""

    rows: Tensor
    words: Tensor

    def sums(self) -> Tensor:
        B, T, F = self.words.shape
        if T == 0:
            return self.rows.new_zeros(B, 0, self.rows.shape[2])
        index = self.words * F + torch.arange(F, device=self.words.device)  # the bag adds rows up without copying them
        return functional.embedding_bag(index.reshape(-1, F), self.rows.flatten(0, 1), mode="sum").view(B, T, -1)

    def parts(self, t: Tensor) -> Tensor:
        _, F, H = self.rows.shape
        documents = torch.arange(len(t), device=t.device)[:, None, None]
        words = self.words[documents, t]
        place, d = torch.arange(F, device=t.device), torch.arange(H, device=t.device)[:, None]
        return self.rows.flatten()[(words * F + place) * H + d]


def windows_of(x: Sequences, kernel: Tensor, ahead: int, table: WordTable | None) -> WindowSums:
    """Look windows up where the table has all words, else compute them."""
    words = table.rows(x) if table is not None and isinstance(x, Embedded) else None
    if table is None or words is None:
        return Computed(windows(x, kernel, ahead, table))
    width, _, hidden = kernel.shape
    padded = functional.pad(words, (width - 1 - ahead, ahead), value=len(table.products) - 1)
    return LookedUp(table.products.view(-1, width, hidden), padded.unfold(1, width, 1))


def convolved(x: Sequences, kernel: Tensor, ahead: int, table: WordTable | None) -> Tensor:
    """Convolve as `convolve` does; by the table where there is one."""
    return convolve(x.data, kernel, ahead) if table is None else windows_of(x, kernel, ahead, table).sums()


@dataclass(frozen=True)
class Parts:
    """Sums over the i leftmost, and over the k rightmost, words of every window of ``lengths`` documents, i, k = 0..F.

    ``left`` and ``right`` are [F * B * T + 2, H]: after the sums of 1..F words come a row of 0 and one of -inf.
    """

    left: Tensor
    right: Tensor
    width: int  # T
    count: int  # B * T
    size: int  # F
    ahead: int

    @staticmethod
    def of(x: Sequences, kernel: Tensor, ahead: int, table: WordTable | None = None) -> "Parts":
        words = windows(x, kernel, ahead, table).unbind(2)
        return Parts(_sums(words), _sums(words[::-1]), x.width, len(x) * x.width, len(words), ahead)

    @property
    def whole(self) -> Tensor:
        """The convolution itself, [B, T, H]."""
        return self.rightmost(self.size)

    def rightmost(self, number: int) -> Tensor:
        """Return the convolution over no more than ``number`` words from the right, [B, T, H]."""
        return self.right[:-2].view(self.size, -1, self.width, self.right.shape[1])[number - 1]

    def without(self, rows: Tensor, t: Tensor, start: Tensor, stop: Tensor, gap: Tensor, valid: Tensor) -> Tensor:
        """Return the convolution at place t of copies that lack start..stop-1, [n, H]; -inf where not ``valid``.

        ``gap`` = 0: zeros stand there; ``gap`` = stop - start: what follows has moved up.
        """
        behind = self.size - 1 - self.ahead
        left = self._index(rows, t, (start - t + behind).clamp(0, self.size))  # words before the gap
        right = self._index(rows, t + gap, (t + gap + self.ahead + 1 - stop).clamp(0, self.size))
        zero, never = self.size * self.count, self.size * self.count + 1
        sums = self.left.index_select(0, torch.where(valid, left, never))
        return sums.add_(self.right.index_select(0, torch.where(valid, right, zero)))

    def _index(self, rows: Tensor, t: Tensor, number: Tensor) -> Tensor:
        place = (number - 1) * self.count + rows * self.width + t
        return torch.where(number == 0, self.size * self.count, place)


def _sums(words: tuple[Tensor, ...]) -> Tensor:
    B, T, H = words[0].shape
    table = words[0].new_empty(len(words) * B * T + 2, H)
    sums = table[:-2].view(len(words), B, T, H)
    sums[0] = words[0]
    for i in range(1, len(words)):
        torch.add(sums[i - 1], words[i], out=sums[i])
    table[-2], table[-1] = 0.0, -torch.inf  # of no words; of no window
    return table
