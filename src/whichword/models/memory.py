"""The one recurrent call of a module, answered with states of our own: what is read out of them, and how?

Used to find out whether a gated memory is read out linearly (`models.traced`), and to see its gates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from whichword.errors import InputError
from whichword.operations.calls import Call
from whichword.operations.mode import Lookup, WordVectors


class NotLinearError(InputError):
    """The memory, or something beside it, is read out in another way."""


@dataclass(frozen=True)
class GatedRun:
    """One direction in its own order: m_t and the share of m_(t-1) in it, [n, P, H], o_T or None, h_T [n, H]."""

    memory: Tensor
    carry: Tensor
    out: Tensor | None
    last: Tensor


@dataclass(frozen=True)
class RecurrentCall:
    """The arguments of torch's lstm or gru, packed or not; ``steps`` [P, n, E]."""

    name: str
    steps: Tensor
    states: Sequence[Tensor]
    weights: Sequence[Tensor]
    biases: bool
    layers: int
    directions: int
    packed: bool
    batch_first: bool

    @staticmethod
    def of(call: Call) -> RecurrentCall:
        packed = isinstance(call.args[3], list | tuple)
        if packed:  # a single text: as many steps as rows
            data, _, hx, weights, biases, layers, _, _, both = call.args
            steps, batch_first = data[:, None], False
        else:
            data, hx, weights, biases, layers, _, _, both, batch_first = call.args
            steps = data.transpose(0, 1) if batch_first else data
        states = hx if isinstance(hx, list | tuple) else [hx]
        return RecurrentCall(call.name, steps, states, weights, biases, layers, 1 + both, packed, batch_first)

    def runs(self) -> list[GatedRun]:
        """Each direction in its own order."""
        width = len(self.weights) // self.directions
        if width != (4 if self.biases else 2):
            raise NotLinearError("its memory is projected")
        groups = [self.weights[i * width : (i + 1) * width] for i in range(self.directions)]
        turned = [self.steps, self.steps.flip(0)]
        return [_run(self.name, x, *arrays) for x, arrays in zip(turned, groups, strict=False)]

    def output(self, halves: Sequence[Tensor]) -> Tensor:
        """[P, n, H] of each direction, in the layout that the caller waits for."""
        joined = torch.cat(list(halves), -1)
        return joined[:, 0] if self.packed else joined.transpose(0, 1) if self.batch_first else joined


def _lstm(words: Tensor, state: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, ...]:
    """h, memory, carry, out."""
    i, f, g, o = (words + state).chunk(4, -1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c, f.sigmoid(), o.sigmoid()


def _gru(words: Tensor, state: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, ...]:
    """h is the memory, and read out as it is."""
    (w_r, w_z, w_n), (u_r, u_z, u_n) = words.chunk(3, -1), state.chunk(3, -1)
    z = (w_z + u_z).sigmoid()
    h = (1.0 - z) * (w_n + (w_r + u_r).sigmoid() * u_n).tanh() + z * h
    return h, h, z, torch.ones_like(h)


STEPS = {"lstm": _lstm, "gru": _gru}


def _run(
    name: str, x: Tensor, W: Tensor, U: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> GatedRun:
    """All words of x [P, n, E]."""
    h = c = x.new_zeros(x.shape[1], U.shape[1])
    memory, carries, out = [], [], h
    for words in functional.linear(x.detach(), W, b_ih):
        h, c, carry, out = STEPS[name](words, functional.linear(h, U, b_hh), h, c)
        memory.append(c)
        carries.append(carry)
    return GatedRun(torch.stack(memory, 1), torch.stack(carries, 1), out if name == "lstm" else None, h)


class MemoryMode(Lookup):
    """Answers the recurrent call. ``point`` 0: with h_T as it is; else with random numbers in its place.

    ``last`` [directions, n, H] are the leaves that stand for h_T; ``elsewhere`` are leaves in the place of all that the
    call gives beside it.
    """

    def __init__(self, words: WordVectors, point: int = 0) -> None:
        super().__init__(words)
        self._point = point
        self.runs: list[GatedRun] = []
        self.last = torch.zeros(0)
        self.elsewhere: list[Tensor] = []

    def _called(self, call: Call) -> Any:
        return self._recurrent(RecurrentCall.of(call)) if call.name in STEPS else super()._called(call)

    def _recurrent(self, call: RecurrentCall) -> Any:
        self._check(call)
        self.runs = call.runs()
        self.last = self._states(torch.stack([run.last for run in self.runs])).requires_grad_(True)
        self.elsewhere = [self._leaf(len(call.steps) - 1, *run.last.shape) for run in self.runs]
        halves = [
            torch.cat([before, state[None]] if forward else [state[None], before])
            for before, state, forward in zip(self.elsewhere, self.last, (True, False), strict=False)
        ]
        self.elsewhere.append(self._leaf(*self.last.shape))
        cells = [self.elsewhere[-1].clone()] if call.name == "lstm" else []
        return (call.output(halves), self.last.clone(), *cells)  # copies: a leaf would be taken for a parameter

    def _check(self, call: RecurrentCall) -> None:
        """One call, one layer, from zeros, of the word vectors themselves."""
        vectors = self.words.e.transpose(0, 1)
        if self.runs or call.layers != 1 or any(bool(state.any()) for state in call.states):
            raise NotLinearError("it has several layers, or a state to begin with")
        if call.steps.shape != vectors.shape or not torch.equal(call.steps, vectors):
            raise NotLinearError("its LSTM or GRU does not read the word vectors themselves")

    def _states(self, last: Tensor) -> Tensor:
        if not self._point:
            return last
        chance = torch.Generator().manual_seed(self._point)
        return torch.randn(last.shape, generator=chance, dtype=torch.float64).to(last)

    def _leaf(self, *shape: int) -> Tensor:
        return torch.zeros(shape, dtype=self.last.dtype, device=self.last.device, requires_grad=True)
