"""How edited copies are read: in runs, the longest first, as the kernels want them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Runs:
    """Run r reads its row from ``begin`` on, zeros before ``dark``, from the state after ``init`` words; [R] each.

    Its copies are offset[r]..offset[r+1]-1: where they stop, in rising order, and which edit each of them is, [n].
    """

    row: Tensor
    begin: Tensor
    dark: Tensor
    init: Tensor
    offset: Tensor
    stop: Tensor
    slot: Tensor

    @staticmethod
    def per_copy(row: Tensor, begin: Tensor, dark: Tensor, init: Tensor, stop: Tensor) -> Runs:
        """One run per copy, the longest first."""
        order = (stop - begin).argsort(descending=True, stable=True)
        row, begin, dark, init, stop = (array[order] for array in (row, begin, dark, init, stop))
        return Runs(row, begin, dark, init, torch.arange(len(order) + 1), stop, order)

    @staticmethod
    def nested(row: Tensor, start: Tensor, stop: Tensor, width: int) -> Runs:
        """Crops, those with one row and start in one run."""
        name = row * (width + 1) + start
        count = torch.bincount(name)  # as torch.unique, without sorting: there are few names
        names = count.nonzero()[:, 0]
        run, sizes = ((count > 0).cumsum(0) - 1)[name], count[names]
        longest = torch.zeros_like(names).scatter_reduce_(0, run, stop - start, "amax")
        order = longest.argsort(descending=True, stable=True)
        rank = torch.empty_like(order).index_copy_(0, order, torch.arange(len(order)))
        slot = (rank[run] * (width + 1) + stop).argsort(stable=True)
        offset = torch.cat([sizes.new_zeros(1), sizes[order].cumsum(0)])
        row, begin = names[order] // (width + 1), names[order] % (width + 1)
        nothing = torch.zeros_like(begin)
        return Runs(row, begin, nothing, nothing, offset, stop[slot], slot)
