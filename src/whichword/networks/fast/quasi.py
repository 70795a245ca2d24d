"""The Quasi-networks' way back without autograd, and their way over edited copies.

One convolution serves all points. Under the ordinary gradient the scans are those of `cells`. Under `Relevance` the
gates are weights, so the gradient of the memory is a product over the steps that follow,

    G(m_t) = share(m_t) * prod_(j>t) carry_j share(m_j) * G(m_T),    G(z_t) = G(m_t) write_t chord(z_t) share(z_t),

and only the candidate's pre-activation z gets one.

The scan is linear, so what an edit leaves unchanged is the memory of a prefix and the map of a suffix,
m_T = product * m + sum. Only the windows inside the edit and the F - 1 after it are run again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar

import torch
from torch import Tensor

from whichword.model import GRADIENT, TRACE
from whichword.networks.encoders import Dropout, Memory, Quasi, convolve
from whichword.networks.fast import recurrent
from whichword.networks.fast.cells import Cell
from whichword.networks.fast.steps import Inputs, scan
from whichword.networks.fast.way import Embedded, Opened, WordTable, read_out
from whichword.networks.fast.windows import Parts, convolved, unrolled
from whichword.reading import Edits
from whichword.rules import PLAIN, Relevance, Rules, chord
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
        """Compute carry, gain, out of m_t = carry * m_(t-1) + gain from pre-activations without bias, each [.., H]."""
        if self.is_lstm:
            i, f, o, g = _squashed(z + self.bias, self.hidden)
            return f, i * g, o
        carry, g = _squashed(z + self.bias, self.hidden)
        return carry, (1.0 - carry) * g, carry  # h is m: the third only fills its place

    def read(self, memory: Tensor, out: Tensor) -> Tensor:
        """Compute h from the last memory and the last out."""
        return out * memory.tanh() if self.is_lstm else memory


def _squashed(z: Tensor, hidden: int) -> tuple[Tensor, ...]:
    """Apply sigmoid to the gates and tanh to the candidate, the last ``hidden`` columns, in z's own place.

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
    """Compute h of every copy, [n, H]; what the kinds of edits leave unchanged is computed once for all of them."""
    network = Scanning(bias, hidden)
    if x.width == 0:
        return x.data.new_zeros(sum(map(len, edits)), network.hidden)
    parts = Parts.of(x, kernel, 0, table)
    ends = cache(lambda: _Ends.of(x, parts, network))  # crops do not need them
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
        carry, gain = x.with_data(carry).filled(1.0).data, x.with_data(gain).filled().data  # in padding m_t = m_(t-1)
        memory, total = carry.new_zeros(2, len(x), x.width + 1, carry.shape[2])
        product = torch.ones_like(memory)
        for t in range(x.width):
            torch.addcmul(gain[:, t], carry[:, t], memory[:, t], out=memory[:, t + 1])
        for t in range(x.width - 1, -1, -1):
            torch.addcmul(total[:, t + 1], product[:, t + 1], gain[:, t], out=total[:, t])
            torch.mul(product[:, t + 1], carry[:, t], out=product[:, t])
        return _Ends(parts, network, x.lengths, memory, product, total, out.contiguous())  # as `_at` flattens it

    def encode(self, edits: Edits) -> Tensor:
        """Compute h of every copy, the longest edits first: those with windows left to run are always at the front."""
        order = (edits.stop - edits.start).argsort(descending=True, stable=True)
        encode = {"cut": self.cut, "blank": self.blank}[edits.kind]
        hidden = torch.cat([encode(edits.pick(index)) for index in torch.split(order, COPIES)])
        return torch.empty_like(hidden).index_copy_(0, order, hidden)  # in the caller's order

    def cut(self, edits: Edits) -> Tensor:
        """Run the F - 1 windows after the gap that still see it; if nothing follows, the word before it is the last."""
        gap = edits.stop - edits.start
        ends = self.lengths[edits.rows]
        last = torch.where(edits.stop == ends, edits.start, ends) - 1
        return self._run(edits, edits.start, gap, torch.full_like(gap, self.parts.size - 1), last)

    def blank(self, edits: Edits) -> Tensor:
        """Run the windows that begin in the gap, and the F - 1 after it."""
        size = edits.stop - edits.start
        steps = torch.where(size > 0, size + self.parts.size - 1, 0)
        return self._run(edits, edits.start, torch.zeros_like(size), steps, self.lengths[edits.rows] - 1)

    def _run(self, edits: Edits, first: Tensor, gap: Tensor, steps: Tensor, last: Tensor) -> Tensor:
        """Run ``steps`` windows from ``first`` on, read ``gap`` words later; then the rest of the document at once."""
        rows, ends = edits.rows, self.lengths[edits.rows]
        memory = _at(self.memory, rows, first)
        out = _at(self.out, rows, last.clamp(min=0))  # -1: no word is left, so m and h are 0
        for step in range(int(steps.max())):
            n = int((steps > step).sum())  # in falling order: the first n
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
    """Take states[rows, place], [B, T, H] -> [n, H], about three times as fast."""
    return states.flatten(0, 1).index_select(0, rows * states.shape[1] + place)


def _crops(x: Sequences, edits: Edits, parts: Parts, network: Scanning) -> Tensor:
    """Encode crops from all starts at once, a word longer with every step; windows see no more words than the crop."""
    h = x.data.new_zeros(len(edits), network.hidden)
    memory = x.data.new_zeros(len(x), x.width, network.hidden)
    sizes = edits.stop - edits.start
    for i in range(int(sizes.max())):
        if i < parts.size:  # from then on windows are whole
            carry, gain, out = network.scanned(parts.rightmost(i + 1))
        memory = torch.addcmul(gain[:, i:], carry[:, i:], memory[:, : x.width - i])
        chosen = (sizes == i + 1).nonzero()[:, 0]
        rows, start = edits.rows[chosen], edits.start[chosen]
        h[chosen] = network.read(_at(memory, rows, start), _at(out, rows, start + i))
    return h


@dataclass(frozen=True)
class QuasiWay:
    """The way through a Quasi-GRU or Quasi-LSTM."""

    encoder: Quasi
    cell: Cell
    table: WordTable | None = None
    local: ClassVar[bool] = True
    steady: ClassVar[bool] = False
    batch: ClassVar[int] = 8192
    capacity: ClassVar[int] = 16384

    def word_matrix(self) -> Tensor:
        return unrolled(self.encoder.stacked("V"))

    def project(self, x: Embedded) -> "QuasiWords":
        """Convolve: V * e."""
        return x.once((self.encoder, "project"), lambda: self._project(x))  # type: ignore[no-any-return]

    def _project(self, x: Embedded) -> "QuasiWords":
        kernel = self.encoder.stacked("V")
        z = convolved(x, kernel, 0, self.table)
        return QuasiWords(x.bare(), z, kernel, self.encoder.stacked("b"), self.cell, self.encoder.hidden, self.table)

    def opened(self, x: Embedded, rules: Rules) -> Opened:
        return x.once((self.encoder, rules), lambda: self.project(x).open(x.data.new_ones(1), rules))  # type: ignore[no-any-return]

    def hidden(self, x: Embedded, expected: Sequence[Any] = ()) -> Tensor:
        if x.width and any(isinstance(hint, Relevance) or hint == TRACE for hint in expected):
            return self.project(x).passed.last(x).hidden  # whatever is hinted at needs all of it
        if x.width and GRADIENT in expected:
            return self.opened(x, PLAIN).hidden[0]
        return self.cell.last(self.project(x).z, self._inputs(x))

    def _inputs(self, x: Sequences) -> Inputs:
        return Inputs(self.encoder.stacked("b"), None, None, x.lengths)

    def encode(self, x: Sequences, dropout: Dropout | None) -> Tensor:
        """Run all steps at once: what `Gated.forward` gives under the ordinary gradient."""
        if x.width == 0:
            return self.encoder(x, dropout=dropout)  # type: ignore[no-any-return]
        return recurrent.run(self.cell, convolve(x.data, self.encoder.stacked("V"), ahead=0), self._inputs(x))

    def remember(self, x: Embedded) -> Memory:
        run = self.project(x).passed
        out = None if run.out is None else x.with_data(run.out).last()
        return Memory(x.with_data(run.memory), x.with_data(run.carry), out)

    def read_edits(self, x: Embedded, w: Tensor, *edits: Edits) -> Tensor:
        V, bias = self.encoder.stacked("V"), self.encoder.stacked("b")
        return read_out(encode_edits(x, edits, V, bias, self.encoder.hidden, self.table), w)


@dataclass(frozen=True)
class Passed:
    """One pass: z and g of the candidate, gates and memory, [B, T, H]; ``out`` is None where h_t = m_t."""

    z: Tensor
    g: Tensor
    carry: Tensor
    write: Tensor
    memory: Tensor
    out: Tensor | None

    @staticmethod
    def of(z: Tensor, hidden: int) -> "Passed":
        """Make a pass from all pre-activations [B, T, G], the candidate's last."""
        return Passed.lstm(z) if z.shape[-1] == 4 * hidden else Passed.gru(z)

    @staticmethod
    def lstm(z: Tensor) -> "Passed":
        *gates, candidate = z.chunk(4, -1)
        i, f, o = (gate.sigmoid() for gate in gates)
        g = candidate.tanh()
        return Passed(candidate, g, f, i, scan(f, i * g), o)

    @staticmethod
    def gru(z: Tensor) -> "Passed":
        gate, candidate = z.chunk(2, -1)
        carry, g = gate.sigmoid(), candidate.tanh()
        return Passed(candidate, g, carry, 1.0 - carry, scan(carry, (1.0 - carry) * g), None)

    def less(self, reference: "Passed | None") -> tuple[Tensor, Tensor, Tensor]:
        """Return z, g and memory, or their differences to the reference pass."""
        if reference is None:
            return self.z, self.g, self.memory
        return self.z - reference.z, self.g - reference.g, self.memory - reference.memory

    def last(self, x: Sequences) -> "Passed":
        """Take the last step of each row, [B, H]; zeros for an empty row."""
        arrays = (self.z, self.g, self.carry, self.write, self.memory, self.out)
        return Passed(*(a if a is None else x.with_data(a.expand(len(x), -1, -1)).last() for a in arrays))  # type: ignore[arg-type]

    @property
    def hidden(self) -> Tensor:
        """h_t = out_t tanh(m_t), or m_t."""
        return self.memory if self.out is None else self.out * self.memory.tanh()


@dataclass(frozen=True)
class QuasiWords:
    """``z`` [B, T, G]: the convolution V * e, whose transpose brings gradients [.., B, T, G] back to the words."""

    x: Sequences
    z: Tensor
    kernel: Tensor
    bias: Tensor
    cell: Cell
    hidden: int
    table: WordTable | None = None

    @cached_property
    def passed(self) -> Passed:
        """The pass over the documents, which LRP, DeepLIFT and cell decomposition share."""
        return Passed.of(self.z + self.bias, self.hidden)

    def open(self, scales: Tensor, rules: Rules) -> Opened:
        if not isinstance(rules, Relevance):
            return self.cell.open(self.z, scales, Inputs(self.bias, None, None, self.x.lengths))
        zeros = self.bias.expand(1, self.x.width, -1)  # X = 0: the bias at every word of every row
        reference = Passed.of(zeros, self.hidden) if rules.paired else None
        return Weighted.of(self.x, self.passed, reference, rules)

    def lift(self, pulled: Tensor) -> Tensor:
        """Bring gradients back to the words; fewer than G columns are the candidate's, which come last."""
        transposed = self.kernel[..., -pulled.shape[-1] :].flip(0).transpose(1, 2)  # turned round, it looks ahead
        gradients = convolve(pulled.flatten(0, -3), transposed, ahead=len(self.kernel) - 1)
        return gradients.view(*pulled.shape[:-1], -1)

    def dot(self, pulled: Tensor) -> Tensor:
        """Compute e_t . sum_j V_j^T d_(t+j) = sum_j (V_j e_t) . d_(t+j), where the table has all V_j e_t."""
        words = self.table.rows(self.x) if self.table is not None and isinstance(self.x, Embedded) else None
        if self.table is None or words is None:
            return (self.lift(pulled) * self.x.data).sum(-1)
        width, _, hidden = self.kernel.shape
        products = self.table.products.view(-1, width, hidden)[..., -pulled.shape[-1] :]
        dots = pulled.new_zeros(pulled.shape[:-1])
        for j in range(min(width, self.x.width)):
            last = self.x.width - j
            part = products[words[:, :last], width - 1 - j]  # a window's rightmost word meets V_0
            dots[..., :last] += (part * pulled[..., j:, :]).sum(-1)
        return dots


@dataclass(frozen=True)
class Weighted:
    """The pass under `Relevance`: the slope of h in the last memory [B, H], and of that in every z [B, T, H]."""

    hidden: Tensor
    reference: Tensor | None
    readout: Tensor
    slopes: Tensor

    @staticmethod
    def of(x: Sequences, run: Passed, reference: Passed | None, rules: Relevance) -> "Weighted":
        dz, dg, dm = run.less(reference)
        share = rules.share(dm)
        following = x.with_data(run.carry * share).following_product()
        slopes = Sequences(following * share * run.write * chord(dz, dg) * rules.share(dz), x.lengths).filled().data
        end, end_ref = run.last(x), reference and reference.last(x)
        h_ref = None if end_ref is None else end_ref.hidden
        return Weighted(end.hidden[None], h_ref, _readout(end, end_ref, rules), slopes)

    def pull(self, seeds: Tensor, last: bool = True) -> Tensor:
        gradients = (seeds[0] * self.readout)[..., None, :] * self.slopes  # relevance is asked for at one point only
        return gradients.expand(2, *gradients.shape)  # of one point, the sum is the point itself


def _readout(end: Passed, reference: Passed | None, rules: Relevance) -> Tensor:
    """Return the slope of h = o tanh(m) in m: chord and share; 1 where h is m."""
    if end.out is None:
        return torch.ones_like(end.memory)
    dm = end.less(reference)[2]
    df = end.memory.tanh() - (0.0 if reference is None else reference.memory.tanh())
    dh = end.hidden - (0.0 if reference is None else reference.hidden)
    return end.out * chord(dm, rules.spelled_out(torch.tanh, dm, df)) * rules.share(dh)
