"""The Quasi-networks on edited copies.

The scan is linear, so what an edit leaves unchanged is the memory of a prefix and the map of a suffix,
m_T = product * m + sum. Only the windows inside the edit and the F - 1 after it are run again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from whichword.networks.fast.folding import WordTable
from whichword.networks.fast.windows import Parts
from whichword.reading import Edits
from whichword.sequences import Sequences

COPIES = 1024  # edits at a time


@dataclass(frozen=True)
class Scanning:
    """A Quasi-network after its convolution: with four blocks of ``hidden`` in its bias an LSTM, with two a GRU."""

    bias: Tensor
    hidden: int

    @property
    def is_lstm(self) -> bool:
        return len(self.bias) == 4 * self.hidden

    def scanned(self, z: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """carry, gain and out of m_t = carry * m_(t-1) + gain from pre-activations without bias, each [.., H]."""
        if self.is_lstm:
            i, f, o, g = _squashed(z + self.bias, self.hidden)
            return f, i * g, o
        carry, g = _squashed(z + self.bias, self.hidden)
        return carry, (1.0 - carry) * g, carry

    def read(self, memory: Tensor, out: Tensor) -> Tensor:
        """h from the last memory and the last out."""
        return out * memory.tanh() if self.is_lstm else memory


def _squashed(z: Tensor, hidden: int) -> tuple[Tensor, ...]:
    """sigmoid of the gates and tanh of the candidate, the last ``hidden`` columns, in z's own place.

    tanh(z) = 2 sigmoid(2 z) - 1, so that one sweep does both.
    """
    candidate = z[..., -hidden:]
    candidate *= 2.0
    z.sigmoid_()
    candidate.mul_(2.0).sub_(1.0)
    return torch.split(z, hidden, -1)


def encode_edits(
    x: Sequences, edits: Sequence[Edits], kernel: Tensor, bias: Tensor, hidden: int, table: WordTable | None
) -> Tensor:
    """h of every copy, [n, H]; what the kinds of edits leave unchanged is computed once for all of them."""
    network = Scanning(bias, hidden)
    if x.width == 0:
        return x.data.new_zeros(sum(map(len, edits)), network.hidden)
    parts = Parts.of(x, kernel, 0, table)
    ends = cache(lambda: _Ends.of(x, parts, network))
    return torch.cat(
        [_crops(x, edit, parts, network) if edit.kind == "crop" else ends().encode(edit) for edit in edits]
    )


@dataclass(frozen=True)
class _Ends:
    """``memory`` after t words; ``product`` and ``sum`` of the steps from t on; [B, T + 1, H]; ``out`` [B, T, H]."""

    parts: Parts
    network: Scanning
    lengths: Tensor
    memory: Tensor
    product: Tensor
    sum: Tensor
    out: Tensor

    @staticmethod
    def of(x: Sequences, parts: Parts, network: Scanning) -> "_Ends":
        carry, gain, out = network.scanned(parts.whole)
        carry, gain = x.with_data(carry).filled(1.0).data, x.with_data(gain).filled().data
        memory, total = carry.new_zeros(2, len(x), x.width + 1, carry.shape[2])
        product = torch.ones_like(memory)
        for t in range(x.width):
            torch.addcmul(gain[:, t], carry[:, t], memory[:, t], out=memory[:, t + 1])
        for t in range(x.width - 1, -1, -1):
            torch.addcmul(total[:, t + 1], product[:, t + 1], gain[:, t], out=total[:, t])
            torch.mul(product[:, t + 1], carry[:, t], out=product[:, t])
        return _Ends(parts, network, x.lengths, memory, product, total, out.contiguous())

    def encode(self, edits: Edits) -> Tensor:
        """h of every copy; the longest edits first: those that still have windows to run are always the first ones."""
        order = (edits.stop - edits.start).argsort(descending=True, stable=True)
        encode = {"cut": self.cut, "blank": self.blank}[edits.kind]
        hidden = torch.cat([encode(edits.pick(index)) for index in torch.split(order, COPIES)])
        return torch.empty_like(hidden).index_copy_(0, order, hidden)

    def cut(self, edits: Edits) -> Tensor:
        """After the gap, F - 1 windows still see it; if nothing follows, the word before it is the last."""
        gap = edits.stop - edits.start
        ends = self.lengths[edits.rows]
        last = torch.where(edits.stop == ends, edits.start, ends) - 1
        return self._run(edits, edits.start, gap, torch.full_like(gap, self.parts.size - 1), last)

    def blank(self, edits: Edits) -> Tensor:
        """The windows that begin in the gap see it too; F - 1 more do after it."""
        size = edits.stop - edits.start
        steps = torch.where(size > 0, size + self.parts.size - 1, 0)
        return self._run(edits, edits.start, torch.zeros_like(size), steps, self.lengths[edits.rows] - 1)

    def _run(self, edits: Edits, first: Tensor, gap: Tensor, steps: Tensor, last: Tensor) -> Tensor:
        """``steps`` windows from ``first`` on, read ``gap`` words later; then the rest of the document at once."""
        rows, ends = edits.rows, self.lengths[edits.rows]
        memory = _at(self.memory, rows, first)
        out = _at(self.out, rows, last.clamp(min=0))
        for step in range(int(steps.max())):
            n = int((steps > step).sum())
            place = first[:n] + step
            left = ends[:n] - place - gap[:n]  # words, this one included
            z = self.parts.without(rows[:n], place, edits.start[:n], edits.stop[:n], gap[:n], left > 0)
            carry, gain, now = self.network.scanned(z)
            over, final = (left <= 0).nonzero()[:, 0], (left == 1).nonzero()[:, 0]  # few
            memory[:n] = gain.addcmul_(carry, memory[:n]).index_copy_(0, over, memory[over])
            out[final] = now[final]
        rest = torch.minimum(first + gap + steps, ends)
        memory = torch.addcmul(_at(self.sum, rows, rest), _at(self.product, rows, rest), memory)
        return self.network.read(memory, out)


def _at(states: Tensor, rows: Tensor, place: Tensor) -> Tensor:
    """states[rows, place], [B, T, H] -> [n, H], about three times as fast."""
    return states.flatten(0, 1).index_select(0, rows * states.shape[1] + place)


def _crops(x: Sequences, edits: Edits, parts: Parts, network: Scanning) -> Tensor:
    """The crops from all starts at once, a word longer with every step; windows see no more words than the crop has."""
    h = x.data.new_zeros(len(edits), network.hidden)
    memory = x.data.new_zeros(len(x), x.width, network.hidden)
    sizes = edits.stop - edits.start
    for i in range(int(sizes.max())):
        if i < parts.size:
            carry, gain, out = network.scanned(parts.rightmost(i + 1))
        memory = torch.addcmul(gain[:, i:], carry[:, i:], memory[:, : x.width - i])
        chosen = (sizes == i + 1).nonzero()[:, 0]
        rows, start = edits.rows[chosen], edits.start[chosen]
        h[chosen] = network.read(_at(memory, rows, start), _at(out, rows, start + i))
    return h
