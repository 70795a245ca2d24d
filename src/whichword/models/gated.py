"""Modules that read a gated memory out linearly: for these there is cell decomposition (section 3.4 of the paper).

That is, s_k is affine in the last hidden states of exactly one nn.LSTM or nn.GRU of one layer, in one or two
directions, that reads the word vectors themselves and begins with zeros. Whether it is so shows on a probe: the
recurrent call is answered with states of our own, and s has to follow them, and nothing else, in a straight line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from whichword.errors import InputError
from whichword.model import Batch, Trace, Traced
from whichword.models.words import WordModule
from whichword.operations.calls import Call
from whichword.operations.mode import Lookup, WordVectors
from whichword.sequences import Sequences


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
        """Run each direction in its own order."""
        width = len(self.weights) // self.directions
        if width != (4 if self.biases else 2):  # W, U and their biases; W_hr beside them projects
            raise NotLinearError("its memory is projected")
        groups = [self.weights[i * width : (i + 1) * width] for i in range(self.directions)]
        turned = [self.steps, self.steps.flip(0)]  # one length: no padding to turn
        return [_run(self.name, x, *arrays) for x, arrays in zip(turned, groups, strict=False)]

    def output(self, halves: Sequence[Tensor]) -> Tensor:
        """Return [P, n, H] of each direction, in the layout that the caller waits for."""
        joined = torch.cat(list(halves), -1)
        return joined[:, 0] if self.packed else joined.transpose(0, 1) if self.batch_first else joined


def _lstm(words: Tensor, state: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, ...]:
    """Return h, memory, carry, out."""
    i, f, g, o = (words + state).chunk(4, -1)  # in torch's order
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c, f.sigmoid(), o.sigmoid()


def _gru(words: Tensor, state: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, ...]:
    """Return h, which is the memory, and read out as it is."""
    (w_r, w_z, w_n), (u_r, u_z, u_n) = words.chunk(3, -1), state.chunk(3, -1)  # r, z, n: in torch's order
    z = (w_z + u_z).sigmoid()
    h = (1.0 - z) * (w_n + (w_r + u_r).sigmoid() * u_n).tanh() + z * h
    return h, h, z, torch.ones_like(h)


STEPS = {"lstm": _lstm, "gru": _gru}


def _run(
    name: str, x: Tensor, W: Tensor, U: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> GatedRun:
    """Go through all words of x [P, n, E]."""
    h = c = x.new_zeros(x.shape[1], U.shape[1])
    memory, carries, out = [], [], h
    for words in functional.linear(x.detach(), W, b_ih):  # the words' side of all steps at once
        h, c, carry, out = STEPS[name](words, functional.linear(h, U, b_hh), h, c)
        memory.append(c)
        carries.append(carry)
    return GatedRun(torch.stack(memory, 1), torch.stack(carries, 1), out if name == "lstm" else None, h)


class MemoryMode(Lookup):
    """Answer the recurrent call. ``point`` 0: with h_T as it is; else with random numbers in its place.

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
        self.elsewhere = [self._leaf(len(call.steps) - 1, *run.last.shape) for run in self.runs]  # h_t but the last
        halves = [
            torch.cat([before, state[None]] if forward else [state[None], before])  # backward ends first
            for before, state, forward in zip(self.elsewhere, self.last, (True, False), strict=False)
        ]
        self.elsewhere.append(self._leaf(*self.last.shape))  # c_T
        cells = [self.elsewhere[-1].clone()] if call.name == "lstm" else []
        return (call.output(halves), self.last.clone(), *cells)  # copies: a leaf would be taken for a parameter

    def _check(self, call: RecurrentCall) -> None:
        """Refuse all but one call of one layer, from zeros, of the word vectors themselves."""
        vectors = self.words.e.transpose(0, 1)
        if self.runs or call.layers != 1 or any(bool(state.any()) for state in call.states):
            raise NotLinearError("it has several layers, or a state to begin with")
        if call.steps.shape != vectors.shape or not torch.equal(call.steps, vectors):
            raise NotLinearError("its LSTM or GRU does not read the word vectors themselves")

    def _states(self, last: Tensor) -> Tensor:
        if not self._point:
            return last
        chance = torch.Generator().manual_seed(self._point)
        return torch.randn(last.shape, generator=chance, dtype=torch.float64).to(last)  # the same in any precision

    def _leaf(self, *shape: int) -> Tensor:
        return torch.zeros(shape, dtype=self.last.dtype, device=self.last.device, requires_grad=True)


POINTS = (1, 2, 3)  # random states at which a straight line is looked for
STRAIGHT = {torch.float64: 1e-9, torch.float32: 1e-4}  # of 1 + |s|


class MemoryModule(WordModule, Traced):
    """A `WordModule` whose scores are affine in the last hidden states of its LSTM or GRU."""

    def trace(self, batch: Batch, k: Tensor) -> list[Trace]:
        """Trace document by document, so that packed sequences need no sorting."""
        texts = list(batch.ids.split())
        passes = [self._read_out(text[None], batch, row) for row, text in enumerate(texts) if len(text)]
        rows = [row for row, text in enumerate(texts) if len(text)]
        slopes = [_slope(mode, s, int(k[row])) for row, (mode, s) in zip(rows, passes, strict=True)]
        runs = [mode.runs for mode, _ in passes]
        return [
            _trace(batch, rows, [run[number] for run in runs], [w[number] for w in slopes], backward=bool(number))
            for number in range(len(runs[0]) if runs else 0)
        ]

    def _read_out(self, ids: Tensor, batch: Batch, row: int, point: int = 0) -> tuple[MemoryMode, Tensor]:
        """Pass over one text: the mode with its states, and s [1, K]."""
        with torch.enable_grad():
            e = functional.embedding(ids, self.table.detach()).requires_grad_(True)
            mode = MemoryMode(WordVectors(self.table, ids, e), point)
            with mode:
                s = self._called(batch, torch.tensor([row], device=ids.device), ids)
        if not mode.runs or not s.requires_grad:
            raise NotLinearError("no LSTM or GRU is read out")
        return mode, s

    def check_linear(self) -> None:
        """Check s(h') = s(h) + w . (h' - h) for random h' and every class; else `NotLinearError`."""
        batch = self.probe()
        mode, s = self._read_out(batch.ids.data, batch, 0)
        away = [self._read_out(batch.ids.data, batch, 0, point) for point in POINTS]
        for k in range(len(self.about.classes)):
            w = _slope(mode, s, k)
            for moved, score in away:
                _slope(moved, score, k)
                straight = s[0, k] + (w * (moved.last - mode.last)).sum()
                if (score[0, k] - straight).abs() > STRAIGHT.get(s.dtype, 1e-2) * (1.0 + straight.abs()):
                    raise NotLinearError("the last hidden states are not read out in a straight line")


def with_memory(module: nn.Module, *settings: Any) -> WordModule:
    """Make a model of the module; with a trace, if its memory is read out linearly."""
    plain = WordModule(module, *settings)
    plain.check_mode()
    if not any(isinstance(part, nn.LSTM | nn.GRU) for part in module.modules()):
        return plain
    traced = MemoryModule(module, *settings)
    try:
        traced.check_linear()
    except InputError:
        return plain
    return traced


def _slope(mode: MemoryMode, s: Tensor, k: int) -> Tensor:
    """Compute w_k = d s_k / d h_T, [directions, 1, H]; nothing else may have a slope."""
    leaves = [mode.last, mode.words.e, *mode.elsewhere]
    chosen = functional.one_hot(torch.full((1,), k, device=s.device), s.shape[1]).to(s.dtype)
    w, *slopes = torch.autograd.grad(s, leaves, chosen, allow_unused=True, retain_graph=True)
    if any(slope is not None and bool(slope.any()) for slope in slopes):
        raise NotLinearError("something beside the last hidden states is read out")
    return torch.zeros_like(mode.last) if w is None else w


def _trace(batch: Batch, rows: list[int], runs: list[GatedRun], slopes: list[Tensor], backward: bool) -> Trace:
    """Put one direction of all documents side by side."""

    def padded(values: list[Tensor]) -> Sequences:
        data = values[0].new_zeros(len(batch), batch.ids.width, values[0].shape[-1])
        for row, value in zip(rows, values, strict=True):
            data[row, : value.shape[1]] = value[0]
        return Sequences(data, batch.ids.lengths)

    def stacked(values: list[Tensor]) -> Tensor:
        data = values[0].new_zeros(len(batch), values[0].shape[-1])
        data[rows] = torch.cat(values)
        return data

    outs = [run.out for run in runs if run.out is not None]
    memory, carry = padded([run.memory for run in runs]), padded([run.carry for run in runs])
    return Trace(memory, carry, stacked(outs) if outs else None, stacked(slopes), backward)
