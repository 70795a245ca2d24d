"""The four gated cells, in one table: how each goes forward at M points, and back from S gradients each.

words  [B, T, G]  the words' side of the pre-activations, alpha_m * words + bias + U h
scales [M], bias [G], U [G, H] (None: Quasi-networks), mask [B, H] or None, ends [B]
states: gates [M, B, T, G], h_(t-1) [M, B, T, H], for the LSTM c_t and tanh(c_t) too; 0 where a row has ended.
The Quasi-LSTM has gates and c_t; its o, which only h_T is made of, at the end of a row alone

The compiled kernels do it where they are usable, else torch operations (`steps`). Large buffers are kept between
batches: the C library hands what is freed back to the system and asks for it again a moment later, page by page, which
takes as long as a forward pass over short sentences.
"""

import math
import threading
import weakref
from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from whichword.base import kernels
from whichword.networks.encoders import GRU, LSTM, QGRU, QLSTM, Encoder
from whichword.networks.fast import steps
from whichword.networks.fast.steps import GRUScan, Inputs, LSTMScan, States
from whichword.networks.fast.way import Opened
from whichword.rules import Relevance

PLACES = 4  # states and gradients in each direction
MOST = 16 * 2**20  # bytes of each that are kept


class _Place(threading.local):
    """Some memory of a thread's own; it is free again when the last tensor in it is dropped."""

    def __init__(self) -> None:
        self.memory = np.empty(0, dtype=np.uint8)
        self.borrower: weakref.ref[np.ndarray] | None = None

    @property
    def free(self) -> bool:
        return self.borrower is None or self.borrower() is None

    def lend(self, size: int) -> np.ndarray:
        if len(self.memory) < size:
            self.memory = np.empty(size, dtype=np.uint8)
        lent = self.memory[:size]
        self.borrower = weakref.ref(lent)  # alive as long as a tensor made of it
        return lent


_PLACES = [_Place() for _ in range(PLACES)]


def room(like: Tensor, *shape: int) -> Tensor:
    """Return ``like.new_empty(shape)``, in memory that was used before where some is free."""
    size = math.prod(shape) * like.element_size()
    place = next((place for place in _PLACES if place.free), None)
    if place is None or not 0 < size <= MOST or like.device.type != "cpu":
        return like.new_empty(shape)
    return torch.from_numpy(place.lend(size)).view(like.dtype).view(shape)


GATES, BEFORE, MEMORY, SQUASHED = "gates", "before", "memory", "squashed"
# how the kernels call what is shared out: (paired, read-out) -> mode
MODES = {(False, "literal"): 0, (False, "rescale"): 0, (True, "literal"): 1, (True, "rescale"): 2}


class Steps(Protocol):
    """How a cell runs over sequences in torch operations."""

    def forward(self, words: Tensor, inputs: Inputs) -> tuple[Tensor, States]:
        """Compute h [B, H]; gates [B, T, G], h_(t-1) [B, T, H], .."""
        ...

    def backward(self, inputs: Inputs, states: States, gradient: Tensor) -> Tensor:
        """Turn the gradient of h [B, H] into that of the pre-activations, [B, T, G]."""
        ...


@dataclass(frozen=True)
class Cell:
    """``blocks`` of H in G; the ``arrays`` that a pass can keep, and those ``needed`` on the way back.

    ``carry`` is the block of the gates that keeps the memory; ``out`` the one that lets it out, if there is one.
    """

    name: str
    blocks: int
    arrays: tuple[str, ...]
    needed: tuple[str, ...]
    steps: Steps
    carry: int
    out: int | None = None
    recurrent: bool = True

    def forward(
        self, words: Tensor, scales: Tensor, inputs: Inputs, keep: Collection[str] = ()
    ) -> tuple[Tensor, States]:
        """Run the kernels: h [M, B, H] and the arrays to be kept, in the order of ``arrays``."""
        B, T = (words if inputs.place is None else inputs.place).shape[:2]
        M, H = len(scales), words.shape[-1] // self.blocks
        last = words.new_empty(M, B, H)
        states = self._states(words, (M, B, T), keep)
        points, ends = scales.to(words.dtype).contiguous(), inputs.ends.long().contiguous()
        arrays = (*self.words(words, inputs), points, inputs.bias.contiguous(), *self._connection(inputs), ends)
        kernels.call(f"{self.name}_forward", words, M, B, T, H, *arrays, *states, last)
        return last, tuple(array for array in states if array is not None)

    def _states(self, like: Tensor, shape: tuple[int, ...], keep: Collection[str]) -> list[Tensor | None]:
        """Take memory for the arrays to be kept."""
        G = like.shape[-1]
        sizes = [(G if name == GATES else G // self.blocks) * (name in keep) for name in self.arrays]
        count = math.prod(shape)
        parts = torch.split(room(like, count * sum(sizes)), [count * size for size in sizes])
        return [part.view(*shape, size) if size else None for part, size in zip(parts, sizes, strict=True)]

    def backward(self, inputs: Inputs, states: States, seeds: Tensor, *, both: bool = False) -> Tensor:
        """Go back by the kernels: from gradients of h [M, S, B, H] to the pre-activations, summed over the points.

        ``states`` are the arrays that are needed. [1 or 2, S, B, T, G]; with ``both``, [1] is that of the last point.
        """
        gradients = seeds.new_empty(1 + both, seeds.shape[1], *states[0].shape[1:])
        self._back(inputs, states, seeds, None, (gradients[0], gradients[1] if both else None, None))
        return gradients

    def lifted(self, inputs: Inputs, states: States, seeds: Tensor, V: Tensor) -> Tensor:
        """Go back as `backward`, from the last point alone and times V [G, E]: to the words' vectors, [1, S, B, T, E].

        Gradients of the pre-activations are several times as large: here they never leave the cache.
        """
        vectors = room(seeds, 1, seeds.shape[1], *states[0].shape[1:3], V.shape[1])
        self._back(inputs, states, seeds, V.contiguous(), (None, None, vectors))
        return vectors

    def _back(
        self, inputs: Inputs, states: States, seeds: Tensor, V: Tensor | None, to: tuple[Tensor | None, ...]
    ) -> None:
        """Fill ``to``: the sum over the points, the last point, the last point lifted; without U there is no third."""
        M, S, B, H = seeds.shape
        T, ends, start = states[0].shape[2], inputs.ends.long().contiguous(), seeds.contiguous()
        sizes: tuple[int, ...] = (M, S, B, T, H)
        arrays: tuple[Tensor | None, ...] = ()
        if self.recurrent:
            sizes = (*sizes, 0 if V is None else V.shape[1])  # E; 0: not lifted
            arrays = (_contiguous(inputs.U), V, _contiguous(inputs.mask))
        kernels.call(f"{self.name}_backward", seeds, *sizes, *arrays, ends, *states, start, *to[: 2 + self.recurrent])

    def words(self, words: Tensor, inputs: Inputs) -> tuple[Tensor, ...]:
        """Lay out the words' side for the kernels: those with U look rows up, the others have them in order."""
        if not self.recurrent:
            return (words.contiguous(),)
        place = torch.arange(words.shape[:2].numel()) if inputs.place is None else inputs.place.contiguous()
        return words.contiguous(), place

    def _connection(self, inputs: Inputs) -> tuple[Tensor | None, ...]:
        """Lay out U and mask for the kernels."""
        return (_contiguous(inputs.U), _contiguous(inputs.mask)) if self.recurrent else ()

    def last(self, words: Tensor, inputs: Inputs) -> Tensor:
        """Compute h [B, H] of the documents themselves; nothing is kept."""
        if kernels.usable(words):
            return self.forward(words, words.new_ones(1), inputs)[0][0]
        return self.steps.forward(words, inputs)[0]

    def open(self, words: Tensor, scales: Tensor, inputs: Inputs) -> Opened:
        """Pass over alpha_m * words (+ bias, + U h), m = 1..M, under the ordinary gradient."""
        if kernels.usable(words):
            return CompiledPasses(self, inputs, *self.forward(words, scales, inputs, self.needed))
        rows = (scales[:, None, None, None] * words).flatten(0, 1)
        repeated = Inputs(inputs.bias, inputs.U, inputs.mask, inputs.ends.repeat(len(scales)))
        last, states = self.steps.forward(rows, repeated)
        return SteppedPasses(self, repeated, last.view(len(scales), -1, last.shape[-1]), states)


def _contiguous(array: Tensor | None) -> Tensor | None:
    return None if array is None else array.contiguous()


@dataclass(frozen=True)
class CompiledPasses:
    """Passes by the kernels."""

    cell: Cell
    inputs: Inputs
    hidden: Tensor
    states: States
    reference: None = None  # the ordinary gradient has none

    def pull(self, seeds: Tensor, last: bool = True) -> Tensor:
        gradients = self.cell.backward(self.inputs, self.states, seeds, both=last and len(seeds) > 1)
        return gradients.expand(2, *gradients.shape[1:])  # of one point, the sum is the point itself


@dataclass(frozen=True)
class SteppedPasses:
    """Passes by torch operations; the points are rows of one long batch."""

    cell: Cell
    inputs: Inputs
    hidden: Tensor
    states: States
    reference: None = None

    def pull(self, seeds: Tensor, last: bool = True) -> Tensor:
        back = self.cell.steps.backward
        pulled = [back(self.inputs, self.states, seed.flatten(0, 1)) for seed in seeds.unbind(1)]
        gradients = torch.stack(pulled).view(len(pulled), len(seeds), -1, *pulled[0].shape[1:]).movedim(1, 0)
        return torch.stack([gradients.sum(0), gradients[-1]])


@dataclass(frozen=True)
class RelevancePasses:
    """LRP and DeepLIFT by the kernels: ``factors`` [M, B, T, 4H] are what each step multiplies the gradient with.

    What is pulled is that of the candidate alone, [2, S, B, T, H]: under these rules nothing goes back through a gate.
    """

    cell: Cell
    inputs: Inputs
    hidden: Tensor
    reference: Tensor | None
    factors: Tensor

    @staticmethod
    def of(cell: Cell, words: Tensor, inputs: Inputs, scales: Tensor, rules: Relevance) -> "RelevancePasses":
        z = words.contiguous()
        M, B, T = len(scales), *z.shape[:2]
        assert inputs.U is not None
        H = inputs.U.shape[1]
        hidden, factors = z.new_empty(M, B, H), room(z, M, B, T, 4 * H)
        reference = z.new_empty(B, H) if rules.paired else None
        constants = torch.tensor([rules.eps], dtype=torch.float64)  # double in either precision
        weights = (scales.to(z.dtype), inputs.bias, inputs.U, inputs.ends.long().contiguous())
        sizes = (M, B, T, H, MODES[rules.paired, rules.readout])
        kernels.call(f"{cell.name}_relevance_forward", z, *sizes, z, *weights, constants, factors, hidden, reference)
        return RelevancePasses(cell, inputs, hidden, reference, factors)

    def pull(self, seeds: Tensor, last: bool = True) -> Tensor:
        M, S, B, H = seeds.shape
        T, inputs = self.factors.shape[2], self.inputs
        gradients = seeds.new_empty(1 + (M > 1), S, B, T, H)
        arrays = (inputs.U, inputs.ends.long().contiguous(), self.factors, seeds.contiguous(), gradients[0])
        end = gradients[1] if M > 1 else None
        kernels.call(f"{self.cell.name}_relevance_backward", seeds, M, S, B, T, H, *arrays, end)
        return gradients.expand(2, *gradients.shape[1:])  # of one point, the sum is the point itself


CELLS: dict[type[Encoder], Cell] = {
    LSTM: Cell(
        "lstm",
        4,  # i, f, o, g
        (GATES, BEFORE, MEMORY, SQUASHED),
        (GATES, MEMORY, SQUASHED),  # h_(t-1) is needed for dU alone
        steps.LSTMSteps(),
        carry=1,  # f
        out=2,  # o
    ),
    GRU: Cell("gru", 3, (GATES, BEFORE), (GATES, BEFORE), steps.GRUSteps(), carry=0),  # z, r, g
    QLSTM: Cell("qlstm", 4, (GATES, MEMORY), (GATES, MEMORY), LSTMScan(), carry=1, out=2, recurrent=False),
    QGRU: Cell("qgru", 2, (GATES, BEFORE), (GATES, BEFORE), GRUScan(), carry=0, recurrent=False),
}
