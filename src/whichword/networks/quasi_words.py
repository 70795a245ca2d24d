"""The Quasi-networks' way back, without autograd.

One convolution serves all points. Under the ordinary gradient the scans are those of `points`. Under `Relevance` the
gates are weights, so the gradient of the memory is a product over the steps that follow,

    G(m_t) = share(m_t) * prod_(j>t) carry_j share(m_j) * G(m_T),    G(z_t) = G(m_t) write_t chord(z_t) share(z_t),

and only the candidate's pre-activation z gets one.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from whichword.networks.convolution import convolve
from whichword.networks.encoder import Opened
from whichword.networks.folding import Embedded, WordTable
from whichword.networks.points import open_points
from whichword.networks.recurrent_kernels import Inputs
from whichword.networks.scan import following_product, scan
from whichword.networks.windows import convolved
from whichword.rules import Relevance, Rules, chord
from whichword.sequences import Sequences


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
        own = (self.z, self.g, self.memory)
        if reference is None:
            return own
        return self.z - reference.z, self.g - reference.g, self.memory - reference.memory

    def last(self, x: Sequences) -> "Passed":
        """The last step of each row, [B, H]; zeros for an empty row."""
        arrays = (self.z, self.g, self.carry, self.write, self.memory, self.out)
        return Passed(*(a if a is None else x.with_data(a.expand(len(x), -1, -1)).last() for a in arrays))  # type: ignore[arg-type]

    @property
    def hidden(self) -> Tensor:
        """h_t = out_t tanh(m_t), or m_t."""
        return self.memory if self.out is None else self.out * self.memory.tanh()


PASSES = {"qlstm": Passed.lstm, "qgru": Passed.gru}


@dataclass(frozen=True)
class QuasiWords:
    """``z`` [B, T, G]: the convolution V * e, whose transpose brings gradients [.., B, T, G] back to the words."""

    x: Sequences
    z: Tensor
    kernel: Tensor
    bias: Tensor
    cell: str
    table: WordTable | None = None

    @staticmethod
    def of(x: Sequences, kernel: Tensor, bias: Tensor, cell: str, table: WordTable | None = None) -> "QuasiWords":
        return QuasiWords(x, convolved(x, kernel, 0, table), kernel, bias, cell, table)

    def open(self, scales: Tensor, rules: Rules) -> Opened:
        if not isinstance(rules, Relevance):
            return open_points(self.cell, self.z, scales, Inputs(self.bias, None, None, self.x.lengths))
        run = PASSES[self.cell]
        reference = run(self.bias.expand(1, self.x.width, -1)) if rules.paired else None
        return Weighted.of(self.x, run(self.z + self.bias), reference, rules)

    def lift(self, pulled: Tensor) -> Tensor:
        """A gradient of fewer than G columns is that of the candidate, which comes last."""
        transposed = self.kernel[..., -pulled.shape[-1] :].flip(0).transpose(1, 2)
        found = convolve(pulled.flatten(0, -3), transposed, ahead=len(self.kernel) - 1)
        return found.view(*pulled.shape[:-1], -1)

    def dot(self, pulled: Tensor) -> Tensor:
        """e_t . sum_j V_j^T d_(t+j) = sum_j (V_j e_t) . d_(t+j), where the table has all V_j e_t."""
        words = self.table.rows(self.x) if self.table is not None and isinstance(self.x, Embedded) else None
        if self.table is None or words is None:
            return (self.lift(pulled) * self.x.data).sum(-1)
        width, _, hidden = self.kernel.shape
        products = self.table.products.view(-1, width, hidden)[..., -pulled.shape[-1] :]
        found = pulled.new_zeros(pulled.shape[:-1])
        for j in range(min(width, self.x.width)):
            last = self.x.width - j
            part = products[words[:, :last], width - 1 - j]  # a window's rightmost word meets V_0
            found[..., :last] += (part * pulled[..., j:, :]).sum(-1)
        return found


@dataclass(frozen=True)
class Weighted:
    """The pass under `Relevance`: the slope of h in the last memory [B, H], and of that in every z [B, T, H]."""

    hidden: Tensor
    reference: Tensor | None
    readout: Tensor
    slopes: Tensor

    @staticmethod
    def of(x: Sequences, own: Passed, reference: Passed | None, rules: Relevance) -> "Weighted":
        dz, dg, dm = own.less(reference)
        share = rules.share(dm)
        following = following_product(x.with_data(own.carry * share))
        slopes = x.with_data(following * share * own.write * chord(dz, dg) * rules.share(dz)).filled().data
        end, end_ref = own.last(x), reference and reference.last(x)
        h_ref = None if end_ref is None else end_ref.hidden
        return Weighted(end.hidden[None], h_ref, _readout(end, end_ref, rules), slopes)

    def pull(self, seeds: Tensor) -> Tensor:
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
