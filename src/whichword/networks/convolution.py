"""Convolution over words, as the appendix writes it: V * [0 .. e_1 .. e_T .. 0]; whole, and in parts.

The parts serve edits: a window of F words that loses some of them keeps its i leftmost and its k rightmost ones.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from whichword.networks.folding import WordTable, product
from whichword.sequences import Sequences

WIDTH = 5  # F, the kernel width of the paper


def convolve(x: Tensor, kernel: Tensor, ahead: int) -> Tensor:
    """V * e: out_t = sum_j kernel_j e_(t + ahead - j), zero vectors around the ends.

    x [B, T, E], kernel [F, E, H] -> [B, T, H]. ``ahead`` = 0 is causal, (F - 1) / 2 centred ("same").
    """
    width = kernel.shape[0]
    if x.shape[1] == 0:
        return x.new_zeros(x.shape[0], 0, kernel.shape[2])
    padded = functional.pad(x, (0, 0, width - 1 - ahead, ahead))
    # conv1d correlates, so the kernel is turned round
    return functional.conv1d(padded.transpose(1, 2), kernel.flip(0).permute(2, 1, 0)).transpose(1, 2)


def unrolled(kernel: Tensor) -> Tensor:
    """The kernel [F, E, H] as one matrix [F * H, E], the part for a window's leftmost word first."""
    return kernel.flip(0).transpose(1, 2).flatten(0, 1)


def windows(x: Sequences, kernel: Tensor, ahead: int, table: WordTable | None = None) -> Tensor:
    """What each word of each window adds, [B, T, F, H], leftmost word first: out_t of `convolve` is the sum over F.

    One matrix product; the windows overlap in memory, so the result is for reading only.
    """
    width, _, hidden = kernel.shape
    W = unrolled(kernel) if table is None else table.W
    products = product(x, W, table, width - 1 - ahead, ahead)
    row = width * hidden
    strides = (products.shape[1] * row, row, row + hidden, 1)  # a window's next word meets the kernel's next row
    return products.as_strided((len(x), x.width, width, hidden), strides)


def added(each: Tensor) -> Tensor:
    """The sum over a window's words, [B, T, F, H] -> [B, T, H]."""
    first, second, *others = each.unbind(2)
    total = first + second
    for other in others:
        total += other
    return total


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
        each = windows(x, kernel, ahead, table).unbind(2)
        return Parts(_sums(each), _sums(each[::-1]), x.width, len(x) * x.width, len(each), ahead)

    @property
    def whole(self) -> Tensor:
        """The convolution itself, [B, T, H]."""
        return self.rightmost(self.size)

    def rightmost(self, number: int) -> Tensor:
        """The convolution over no more than ``number`` words from the right, [B, T, H]."""
        return self.right[:-2].view(self.size, -1, self.width, self.right.shape[1])[number - 1]

    def without(self, rows: Tensor, t: Tensor, start: Tensor, stop: Tensor, gap: Tensor, valid: Tensor) -> Tensor:
        """The convolution at place t of copies that lack start..stop-1, [n, H]; -inf where not ``valid``.

        ``gap`` = 0: zeros stand there; ``gap`` = stop - start: what follows has moved up.
        """
        behind = self.size - 1 - self.ahead
        left = self._index(rows, t, (start - t + behind).clamp(0, self.size))
        right = self._index(rows, t + gap, (t + gap + self.ahead + 1 - stop).clamp(0, self.size))
        zero, never = self.size * self.count, self.size * self.count + 1
        found = self.left.index_select(0, torch.where(valid, left, never))
        return found.add_(self.right.index_select(0, torch.where(valid, right, zero)))

    def _index(self, rows: Tensor, t: Tensor, number: Tensor) -> Tensor:
        place = (number - 1) * self.count + rows * self.width + t
        return torch.where(number == 0, self.size * self.count, place)


def _sums(each: tuple[Tensor, ...]) -> Tensor:
    B, T, H = each[0].shape
    table = each[0].new_empty(len(each) * B * T + 2, H)
    sums = table[:-2].view(len(each), B, T, H)
    sums[0] = each[0]
    for i in range(1, len(each)):
        torch.add(sums[i - 1], each[i], out=sums[i])
    table[-2], table[-1] = 0.0, -torch.inf
    return table
