"""Quasi-GRU and Quasi-LSTM: the gated recurrence over a causal convolution (appendix, "Neural networks")."""

from collections.abc import Iterator

import torch
from torch import nn

from whichword.networks.convolution import WIDTH, convolve
from whichword.networks.encoder import Dropout, glorot
from whichword.networks.gated import Gated, GRUCell, LSTMCell, Step
from whichword.rules import Rules
from whichword.sequences import Sequences


class Quasi(Gated):
    """Pre-activations V * [0 .. e_1 .. e_T] + b, a causal convolution; V [5, E, H], row j for e_(t-j)."""

    _axis = 2

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__(embedding, hidden)
        for name in self.names("V"):
            fans = {"fan_in": WIDTH * embedding, "fan_out": WIDTH * hidden}
            self.register_parameter(name, glorot(WIDTH, embedding, hidden, **fans))
        for name in self.names("b"):
            self.register_parameter(name, nn.Parameter(torch.zeros(hidden)))

    def steps(self, x: Sequences, rules: Rules, dropout: Dropout | None = None) -> Iterator[Step]:
        z = convolve(x.data, self.stacked("V"), ahead=0) + self.stacked("b")
        memory = x.data.new_zeros(len(x), self.hidden)
        *gates, candidate = z.chunk(len(self.gates) + 1, -1)
        values = [rules.gate(torch.sigmoid, a).unbind(1) for a in gates]
        for t, g in enumerate(candidate.unbind(1)):
            step = self.advance(rules, memory, {n: v[t] for n, v in zip(self.gates, values, strict=True)}, g)
            memory = step.memory
            yield step


class QGRU(GRUCell, Quasi):
    """Quasi-GRU."""


class QLSTM(LSTMCell, Quasi):
    """Quasi-LSTM."""
