"""The windows of a convolution: their sums, and what each of their words adds; computed, or looked up in a table."""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from whichword.networks.convolution import added, convolve, windows
from whichword.networks.folding import Embedded, WordTable
from whichword.sequences import Sequences


class WindowSums(Protocol):
    """V * e and its parts."""

    def sums(self) -> Tensor:
        """The convolution, [B, T, H]."""
        ...

    def parts(self, t: Tensor) -> Tensor:
        """What each word of the window at place t [B, N, H] adds to that feature, [B, N, H, F]."""
        ...


@dataclass(frozen=True)
class Computed:
    """By one matrix product, [B, T, F, H]."""

    each: Tensor

    def sums(self) -> Tensor:
        return added(self.each)

    def parts(self, t: Tensor) -> Tensor:
        index = t[..., None, :].expand(-1, -1, self.each.shape[2], -1)
        return self.each.gather(1, index).movedim(2, 3)


@dataclass(frozen=True)
class LookedUp:
    """From the table's rows [words, F, H]; ``words`` [B, T, F] are those of every window."""

    rows: Tensor
    words: Tensor

    def sums(self) -> Tensor:
        B, T, F = self.words.shape
        if T == 0:
            return self.rows.new_zeros(B, 0, self.rows.shape[2])
        index = self.words * F + torch.arange(F, device=self.words.device)
        return functional.embedding_bag(index.view(-1, F), self.rows.flatten(0, 1), mode="sum").view(B, T, -1)

    def parts(self, t: Tensor) -> Tensor:
        _, F, H = self.rows.shape
        documents = torch.arange(len(t), device=t.device)[:, None, None]
        words = self.words[documents, t]
        place, d = torch.arange(F, device=t.device), torch.arange(H, device=t.device)[:, None]
        return self.rows.flatten()[(words * F + place) * H + d]


def windows_of(x: Sequences, kernel: Tensor, ahead: int, table: WordTable | None) -> WindowSums:
    """Looked up where the table has all words, else computed."""
    words = table.rows(x) if table is not None and isinstance(x, Embedded) else None
    if table is None or words is None:
        return Computed(windows(x, kernel, ahead, table))
    width, _, hidden = kernel.shape
    padded = functional.pad(words, (width - 1 - ahead, ahead), value=len(table.products) - 1)
    return LookedUp(table.products.view(-1, width, hidden), padded.unfold(1, width, 1))


def convolved(x: Sequences, kernel: Tensor, ahead: int, table: WordTable | None) -> Tensor:
    """As `convolve`; by the table where there is one."""
    return convolve(x.data, kernel, ahead) if table is None else windows_of(x, kernel, ahead, table).sums()
