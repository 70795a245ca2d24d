"""GRU and LSTM on edited copies: a copy begins with the state that its document has where the edit begins.

The words' side of the pre-activations is computed once a document. Cut and blanked copies run from the edit to the
end; crops with one start are one run, each of them what the run has read at its stop.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from whichword.edits import Edits
from whichword.networks import kernels
from whichword.networks.recurrent_kernels import BEFORE, KERNELS, MEMORY, Kept
from whichword.networks.recurrent_words import RecurrentWords


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
    def each(row: Tensor, begin: Tensor, dark: Tensor, init: Tensor, stop: Tensor) -> "Runs":
        """One run a copy, the longest first."""
        order = (stop - begin).argsort(descending=True, stable=True)
        row, begin, dark, init, stop = (array[order] for array in (row, begin, dark, init, stop))
        return Runs(row, begin, dark, init, torch.arange(len(order) + 1), stop, order)

    @staticmethod
    def nested(row: Tensor, start: Tensor, stop: Tensor, width: int) -> "Runs":
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


def encode_edits(words: RecurrentWords, edits: Sequence[Edits]) -> Tensor:
    """h of every copy, [n, H], by the kernels; the documents themselves are run once."""
    own = cache(lambda: _own(words))
    return torch.cat([_crops(words, each) if each.kind == "crop" else _changed(words, each, *own()) for each in edits])


def _own(words: RecurrentWords) -> tuple[Tensor, Kept]:
    """The documents' last states [1, B, H], and those before every word."""
    z = words.words.data
    return KERNELS[words.cell].forward(z, z.new_ones(1), words.given, (BEFORE, MEMORY))


def _changed(words: RecurrentWords, edits: Edits, last: Tensor, states: Kept) -> Tensor:
    """What follows a cut or a blank, from the document's own state at its start."""
    ends = words.words.lengths[edits.rows]
    begin, dark = {"cut": (edits.stop, torch.zeros_like(ends)), "blank": (edits.start, edits.stop)}[edits.kind]
    untouched = edits.start == ends  # nothing follows, and there is no state before a word to begin with
    runs = Runs.each(edits.rows, begin, dark, torch.where(untouched, 0, edits.start), ends)
    return torch.where(untouched[:, None], last[0, edits.rows], _run(words, runs, states))


def _crops(words: RecurrentWords, edits: Edits) -> Tensor:
    """Every crop begins with the zero state, so there are no states to give."""
    runs = Runs.nested(edits.rows, edits.start, edits.stop, words.words.width)
    return _run(words, runs, [None for name in KERNELS[words.cell].arrays if name in (BEFORE, MEMORY)])


def _run(words: RecurrentWords, runs: Runs, states: Sequence[Tensor | None]) -> Tensor:
    z, given = words.words.data.contiguous(), words.given
    assert given.U is not None
    H = given.U.shape[1]
    found = z.new_empty(len(runs.slot), H)
    places = tuple(p.long() for p in (runs.row, runs.begin, runs.dark, runs.init, runs.offset, runs.stop, runs.slot))
    sizes = (len(runs.row), z.shape[1], H)
    kernels.call(f"{words.cell}_runs", z, *sizes, z, given.bias, given.U, *places, *states, found)
    return found
