"""An LSTM with the gates of the authors' code. A plug-in: ``--plugin experiments/paper/gates.py``."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from whichword.networks.encoders import LSTM, NETWORKS, Dropout, Step
from whichword.rules import Function, Rules
from whichword.sequences import Sequences


def piecewise(z: Tensor) -> Tensor:
    """max(0, min(1, z/5 + 1/2))."""
    return torch.clamp(z / 5.0 + 0.5, 0.0, 1.0)


@dataclass(frozen=True)
class PiecewiseGates:
    """Any rules, with piecewise linear functions in the place of the gates' logistic ones."""

    rules: Rules

    def gate(self, f: Function, z: Tensor) -> Tensor:
        return self.rules.gate(piecewise, z)

    def act(self, f: Function, z: Tensor, *, written_out: bool = False) -> Tensor:
        return self.rules.act(f, z, written_out=written_out)

    def node(self, z: Tensor) -> Tensor:
        return self.rules.node(z)


@NETWORKS.register("piecewise-lstm")
class PiecewiseLSTM(LSTM):
    """The paper's LSTM but for its gates; there are no faster ways through it."""

    def steps(self, x: Sequences, rules: Rules, dropout: Dropout | None = None) -> Iterator[Step]:
        yield from super().steps(x, PiecewiseGates(rules), dropout)
