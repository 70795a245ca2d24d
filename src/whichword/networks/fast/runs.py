"""GRU and LSTM on edited copies: a copy begins with the state that its document has where the edit begins.

The words' side of the pre-activations is computed once per document. Cut and blanked copies run from the edit to the
end; crops with one start are one run, each of them what the run has read at its stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from whichword import kernels
from whichword.edits import Edits
from whichword.networks.fast.cells import BEFORE, MEMORY, Cell
from whichword.networks.fast.inputs import Inputs, States
from whichword.sequences import Sequences


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


def encode_edits(cell: Cell, words: Sequences, inputs: Inputs, edits: Sequence[Edits]) -> Tensor:
    """h of every copy, [n, H], by the kernels; the documents themselves are run once. ``words`` [B, T, G]: V e_t."""
    copies = _Copies(cell, words, inputs)
    unedited = cache(copies.unedited)
    hidden = [copies.crops(edit) if edit.kind == "crop" else copies.changed(edit, *unedited()) for edit in edits]
    return torch.cat(hidden) if len(hidden) > 1 else hidden[0]


@dataclass(frozen=True)
class _Copies:
    cell: Cell
    words: Sequences
    inputs: Inputs

    def unedited(self) -> tuple[Tensor, States]:
        """The documents' last states [1, B, H], and those before every word."""
        z = self.words.data
        return self.cell.forward(z, z.new_ones(1), self.inputs, (BEFORE, MEMORY))

    def changed(self, edits: Edits, last: Tensor, states: States) -> Tensor:
        """What follows a cut or a blank, from the document's own state at its start."""
        ends = self.words.lengths[edits.rows]
        begin, dark = {"cut": (edits.stop, torch.zeros_like(ends)), "blank": (edits.start, edits.stop)}[edits.kind]
        untouched = edits.start == ends  # nothing follows, and there is no state before a word to begin with
        runs = Runs.per_copy(edits.rows, begin, dark, torch.where(untouched, 0, edits.start), ends)
        return torch.where(untouched[:, None], last[0, edits.rows], self._run(runs, states))

    def crops(self, edits: Edits) -> Tensor:
        """Every crop begins with the zero state, so there are no states to give."""
        runs = Runs.nested(edits.rows, edits.start, edits.stop, self.words.width)
        return self._run(runs, [None for name in self.cell.arrays if name in (BEFORE, MEMORY)])

    def _run(self, runs: Runs, states: Sequence[Tensor | None]) -> Tensor:
        z, inputs = self.words.data.contiguous(), self.inputs
        assert inputs.U is not None
        H = inputs.U.shape[1]
        hidden = z.new_empty(len(runs.slot), H)
        places = (runs.row, runs.begin, runs.dark, runs.init, runs.offset, runs.stop, runs.slot)
        arrays = (z, inputs.bias, inputs.U, *(place.long() for place in places))
        sizes = (len(runs.row), z.shape[1], H)
        kernels.call(f"{self.cell.name}_runs", z, *sizes, *arrays, *states, hidden)
        return hidden
