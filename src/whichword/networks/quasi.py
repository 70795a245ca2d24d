"""Quasi-GRU and Quasi-LSTM: the gated recurrence over a causal convolution (appendix, "Neural networks")."""

from collections.abc import Iterator
from typing import ClassVar

import torch
from torch import Tensor, nn

from whichword.edits import Edits
from whichword.networks import recurrent
from whichword.networks.convolution import WIDTH, convolve, unrolled
from whichword.networks.encoder import Dropout, glorot
from whichword.networks.gated import Gated, GRUCell, LSTMCell, Step, Trace
from whichword.networks.quasi_edits import encode_edits
from whichword.networks.quasi_words import PASSES, QuasiWords
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences


class Quasi(Gated):
    """Pre-activations V * [0 .. e_1 .. e_T] + b, a causal convolution; V [5, E, H], row j for e_(t-j)."""

    _axis = 2
    local = True

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__(embedding, hidden)
        for name in self._names("V"):
            fans = {"fan_in": WIDTH * embedding, "fan_out": WIDTH * hidden}
            self.register_parameter(name, glorot(WIDTH, embedding, hidden, **fans))
        for name in self._names("b"):
            self.register_parameter(name, nn.Parameter(torch.zeros(hidden)))

    def steps(self, x: Sequences, rules: Rules, dropout: Dropout | None = None) -> Iterator[Step]:
        z = convolve(x.data, self._stacked("V"), ahead=0) + self._stacked("b")
        memory = x.data.new_zeros(len(x), self.hidden)
        *gates, candidate = z.chunk(len(self.gates) + 1, -1)
        values = [rules.gate(torch.sigmoid, a).unbind(1) for a in gates]
        for t, g in enumerate(candidate.unbind(1)):
            step = self.advance(rules, memory, {n: v[t] for n, v in zip(self.gates, values, strict=True)}, g)
            memory = step.memory
            yield step

    cell: ClassVar[str]  # its name in `recurrent`, which takes all steps at once under the ordinary gradient

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        """As the steps say; under the ordinary gradient all of them at once, which is faster."""
        if rules != PLAIN or x.width == 0:
            return super().forward(x, rules, dropout)
        words = convolve(x.data, self._stacked("V"), ahead=0)
        return recurrent.run(self.cell, words, self._stacked("b"), x.lengths)

    def project(self, x: Sequences) -> QuasiWords:
        return QuasiWords.of(x, self._stacked("V"), self._stacked("b"), self.cell, self.table)

    def encode_edits(self, x: Sequences, *edits: Edits) -> Tensor:
        return encode_edits(x, edits, self._stacked("V"), self, self.table)

    def word_matrix(self) -> Tensor:
        return unrolled(self._stacked("V"))

    def scanned(self, z: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """carry, gain and out of m_t = carry * m_(t-1) + gain from pre-activations without bias, each [.., H]."""
        raise TypeError(f"{type(self).__name__} defines no scan")

    def read(self, memory: Tensor, out: Tensor) -> Tensor:
        """h from the last memory and the last out."""
        raise TypeError(f"{type(self).__name__} defines no scan")

    def trace(self, x: Sequences) -> Trace:
        words = self.project(x)
        run = PASSES[self.cell](words.z + words.bias)
        out = None if run.out is None else x.with_data(run.out).last()
        return Trace(x.with_data(run.memory), x.with_data(run.carry), out)


def _squashed(z: Tensor, hidden: int) -> tuple[Tensor, ...]:
    """sigmoid of the gates and tanh of the candidate, the last ``hidden`` columns, in z's own place.

    tanh(z) = 2 sigmoid(2 z) - 1, so that one sweep does both.
    """
    candidate = z[..., -hidden:]
    candidate *= 2.0
    z.sigmoid_()
    candidate.mul_(2.0).sub_(1.0)
    return torch.split(z, hidden, -1)


class QGRU(GRUCell, Quasi):
    """Quasi-GRU."""

    cell = "qgru"

    def scanned(self, z: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        carry, g = _squashed(z + self._stacked("b"), self.hidden)
        return carry, (1.0 - carry) * g, carry

    def read(self, memory: Tensor, out: Tensor) -> Tensor:
        return memory


class QLSTM(LSTMCell, Quasi):
    """Quasi-LSTM."""

    cell = "qlstm"

    def scanned(self, z: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        i, f, o, g = _squashed(z + self._stacked("b"), self.hidden)
        return f, i * g, o

    def read(self, memory: Tensor, out: Tensor) -> Tensor:
        return out * memory.tanh()
