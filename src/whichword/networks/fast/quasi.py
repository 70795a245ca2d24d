"""The Quasi-networks' way back, without autograd.

One convolution serves all points. Under the ordinary gradient the scans are those of `cells`. Under `Relevance` the
gates are weights, so the gradient of the memory is a product over the steps that follow,

    G(m_t) = share(m_t) * prod_(j>t) carry_j share(m_j) * G(m_T),    G(z_t) = G(m_t) write_t chord(z_t) share(z_t),

and only the candidate's pre-activation z gets one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import torch
from torch import Tensor

from whichword.model import GRADIENT, TRACE
from whichword.networks.encoders import Dropout, Memory, Quasi, convolve
from whichword.networks.fast import sequence
from whichword.networks.fast.cells import Cell
from whichword.networks.fast.folding import Embedded, WordTable
from whichword.networks.fast.inputs import Inputs
from whichword.networks.fast.quasi_edits import encode_edits
from whichword.networks.fast.read_out import read_out
from whichword.networks.fast.scan import scan
from whichword.networks.fast.way import Opened
from whichword.networks.fast.windows import convolved, unrolled
from whichword.reading import Edits
from whichword.rules import PLAIN, Relevance, Rules, chord
from whichword.sequences import Sequences


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
        """V * e."""
        return x.once((self.encoder, "project"), lambda: self._project(x))  # type: ignore[no-any-return]

    def _project(self, x: Embedded) -> "QuasiWords":
        kernel = self.encoder.stacked("V")
        z = convolved(x, kernel, 0, self.table)
        return QuasiWords(x.bare(), z, kernel, self.encoder.stacked("b"), self.cell, self.encoder.hidden, self.table)

    def opened(self, x: Embedded, rules: Rules) -> Opened:
        return x.once((self.encoder, rules), lambda: self.project(x).open(x.data.new_ones(1), rules))  # type: ignore[no-any-return]

    def hidden(self, x: Embedded, expected: Sequence[Any] = ()) -> Tensor:
        if x.width and any(isinstance(hint, Relevance) or hint == TRACE for hint in expected):
            return self.project(x).passed.last(x).hidden
        if x.width and GRADIENT in expected:
            return self.opened(x, PLAIN).hidden[0]
        return self.cell.last(self.project(x).z, self._inputs(x))

    def _inputs(self, x: Sequences) -> Inputs:
        return Inputs(self.encoder.stacked("b"), None, None, x.lengths)

    def encode(self, x: Sequences, dropout: Dropout | None) -> Tensor:
        """All steps at once: what `Gated.forward` gives under the ordinary gradient."""
        if x.width == 0:
            return self.encoder(x, dropout=dropout)  # type: ignore[no-any-return]
        return sequence.run(self.cell, convolve(x.data, self.encoder.stacked("V"), ahead=0), self._inputs(x))

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
        """From all pre-activations [B, T, G], the candidate's last."""
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
        """z, g and memory, or their differences to the reference pass."""
        if reference is None:
            return self.z, self.g, self.memory
        return self.z - reference.z, self.g - reference.g, self.memory - reference.memory

    def last(self, x: Sequences) -> "Passed":
        """The last step of each row, [B, H]; zeros for an empty row."""
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
        zeros = self.bias.expand(1, self.x.width, -1)
        reference = Passed.of(zeros, self.hidden) if rules.paired else None
        return Weighted.of(self.x, self.passed, reference, rules)

    def lift(self, pulled: Tensor) -> Tensor:
        """A gradient of fewer than G columns is that of the candidate, which comes last."""
        transposed = self.kernel[..., -pulled.shape[-1] :].flip(0).transpose(1, 2)
        gradients = convolve(pulled.flatten(0, -3), transposed, ahead=len(self.kernel) - 1)
        return gradients.view(*pulled.shape[:-1], -1)

    def dot(self, pulled: Tensor) -> Tensor:
        """e_t . sum_j V_j^T d_(t+j) = sum_j (V_j e_t) . d_(t+j), where the table has all V_j e_t."""
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
        gradients = (seeds[0] * self.readout)[..., None, :] * self.slopes
        return gradients.expand(2, *gradients.shape)


def _readout(end: Passed, reference: Passed | None, rules: Relevance) -> Tensor:
    """The slope of h = o tanh(m) in m: chord and share; 1 where h is m."""
    if end.out is None:
        return torch.ones_like(end.memory)
    dm = end.less(reference)[2]
    df = end.memory.tanh() - (0.0 if reference is None else reference.memory.tanh())
    dh = end.hidden - (0.0 if reference is None else reference.hidden)
    return end.out * chord(dm, rules.spelled_out(torch.tanh, dm, df)) * rules.share(dh)
