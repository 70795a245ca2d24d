"""nn.LSTM, nn.GRU, nn.RNN and their cells, step by step in the words of `rules`, by torch's equations.

LSTM  i f g o in torch's order, both biases added; epsilon at g' = W x + U h + b, c = f c + i g, h = o tanh(c)
      and at a projection
GRU   n' = W_n x + b_in + r (U_n h + b_hn) is one sum, h = (1 - z) n + z h; r and z are weights
RNN   h = f(W x + U h + b)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from whichword.errors import InputError
from whichword.operations.calls import Call, Rank, with_rank
from whichword.operations.sums import leaves

State = tuple[Tensor, ...]  # h, or h and c; each [B, H]


@dataclass(frozen=True)
class Layer:
    """One layer in one direction: W [G, I], U [G, H], biases or None, the projection or None."""

    call: Call
    W: Tensor
    U: Tensor
    b_ih: Tensor | None
    b_hh: Tensor | None
    W_hr: Tensor | None

    @property
    def size(self) -> int:
        """H, of the memory."""
        return self.U.shape[0] // BLOCKS[cell_of(self.call)]  # U.shape[1] is the projection's, where there is one

    def rows(self, block: int) -> slice:
        return slice(block * self.size, (block + 1) * self.size)

    def words(self, x: Tensor, block: int) -> Tensor:
        """Compute W x of one block of rows, without bias."""
        return functional.linear(x, self.W[self.rows(block)])

    def gate(self, x: Tensor, h: Tensor, block: int) -> Tensor:
        """Compute a sigmoid used as a weight; nothing goes back through it."""
        return self.call.rules.gate(torch.sigmoid, self._preactivation(x.detach(), h.detach(), block))

    def _preactivation(self, x: Tensor, h: Tensor, block: int) -> Tensor:
        z = self.words(x, block) + functional.linear(h, self.U[self.rows(block)])
        return z if self.b_ih is None or self.b_hh is None else z + (self.b_ih + self.b_hh)[self.rows(block)]

    def bias(self, which: Tensor | None, block: int) -> Tensor | float:
        """Return a constant that is added, entered in the account."""
        return 0.0 if which is None else leaves(self.call.ruler.ledger, which[self.rows(block)])

    def sum(self, x: Tensor, h: Tensor, block: int) -> Tensor:
        """Compute W x + U h + b of one block."""
        z = self.words(x, block) + functional.linear(h, self.U[self.rows(block)])
        return z if self.b_ih is None or self.b_hh is None else z + self.bias(self.b_ih + self.b_hh, block)


def _lstm(layer: Layer, x: Tensor, state: State) -> State:
    rules, (h, c) = layer.call.rules, state
    i, f, o = (layer.gate(x, h, block) for block in (0, 1, 3))  # block 2 is g, a neuron
    g = rules.act(torch.tanh, rules.node(layer.sum(x, h, 2)))
    c = rules.node(f * c + i * g)
    h = rules.node(o * rules.act(torch.tanh, c, written_out=True))  # the appendix gives tanh(c) no letter
    return (h if layer.W_hr is None else rules.node(functional.linear(h, layer.W_hr))), c


def _gru(layer: Layer, x: Tensor, state: State) -> State:
    rules, (h,) = layer.call.rules, state
    r, z = (layer.gate(x, h, block) for block in (0, 1))
    recurrent = functional.linear(h, layer.U[layer.rows(2)]) + layer.bias(layer.b_hh, 2)  # r scales b_hn, too
    n = rules.act(torch.tanh, rules.node(layer.words(x, 2) + layer.bias(layer.b_ih, 2) + r * recurrent))
    return (rules.node((1.0 - z) * n + z * h),)


def _rnn(function: Callable[[Tensor], Tensor]) -> Callable[[Layer, Tensor, State], State]:
    def step(layer: Layer, x: Tensor, state: State) -> State:
        rules = layer.call.rules
        return (rules.act(function, rules.node(layer.sum(x, state[0], 0))),)

    return step


STEPS: dict[str, Callable[[Layer, Tensor, State], State]] = {
    "lstm": _lstm,
    "gru": _gru,
    "rnn_tanh": _rnn(torch.tanh),
    "rnn_relu": _rnn(torch.relu),
}
BLOCKS = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}  # of H rows, in W and U


def cell_of(call: Call) -> str:
    return call.name.removesuffix("_cell")


def cell(call: Call) -> Any:
    """Compute one step: (input, state, W, U, b_ih, b_hh)."""
    x, state, W, U, b_ih, b_hh = [*call.args, None, None][:6]  # biases may be left out
    states = tuple(state) if isinstance(state, list | tuple) else (state,)
    after = STEPS[cell_of(call)](Layer(call, W, U, b_ih, b_hh, None), x, states)
    return with_rank(after if len(after) > 1 else after[0], Rank.SUM, call.moving[0])


def sequence(call: Call) -> Any:
    """Run (input, hx, weights, has_biases, layers, dropout, training, bidirectional, batch_first), or packed."""
    packed = isinstance(call.args[3], list | tuple)
    if packed:
        data, sizes, hx, weights, biases, layers, dropout, training, both = call.args
        steps = list(data.split(sizes.tolist()))  # the number of texts that are as long
    else:
        data, hx, weights, biases, layers, dropout, training, both, batch_first = call.args
        steps = list(data.unbind(1 if batch_first else 0))
    if training and dropout > 0:
        raise InputError("dropout is on: call model.eval() first")
    states = tuple(hx) if isinstance(hx, list | tuple) else (hx,)
    outputs, last = _stack(call, steps, states, _layers(call, weights, biases, layers * (1 + both)), 1 + both)
    joined = torch.cat(outputs) if packed else torch.stack(outputs, 1 if batch_first else 0)
    return with_rank((joined, *last), Rank.SUM, call.moving[0])


def _layers(call: Call, weights: Sequence[Tensor], biases: bool, count: int) -> list[Layer]:
    """Cut the flat list of weights, layer by layer, direction by direction."""
    width = len(weights) // count
    groups = [list(weights[i * width : (i + 1) * width]) for i in range(count)]
    layers = []
    for W, U, *more in groups:
        b_ih, b_hh = (more.pop(0), more.pop(0)) if biases else (None, None)
        layers.append(Layer(call, W, U, b_ih, b_hh, more[0] if more else None))  # the LSTM's projection
    return layers


def _stack(
    call: Call, steps: list[Tensor], states: State, layers: list[Layer], directions: int
) -> tuple[list[Tensor], list[Tensor]]:
    """Run all layers: the last one's output at every step, and all last states, each [layers * directions, B, H]."""
    last: list[State] = []
    for number in range(0, len(layers), directions):
        outputs = []
        for direction in range(directions):
            begin = tuple(leaves(call.ruler.ledger, state[number + direction]) for state in states)
            output, end = _run(layers[number + direction], steps, begin, backward=bool(direction))
            outputs.append(output)
            last.append(end)
        steps = [torch.cat(parts, -1) if directions > 1 else parts[0] for parts in zip(*outputs, strict=True)]
    return steps, [torch.stack(parts) for parts in zip(*last, strict=True)]


def _run(layer: Layer, steps: list[Tensor], state: State, backward: bool) -> tuple[list[Tensor], State]:
    """Run one layer in one direction; where a step has fewer rows (packed), the others keep their state."""
    outputs: list[Tensor] = []
    for x in reversed(steps) if backward else steps:
        rows = x.shape[0]
        after = STEPS[cell_of(layer.call)](layer, x, tuple(part[:rows] for part in state))
        outputs.append(after[0])
        whole = rows == state[0].shape[0]
        state = after if whole else tuple(torch.cat([new, old[rows:]]) for new, old in zip(after, state, strict=True))
    return outputs[::-1] if backward else outputs, state
