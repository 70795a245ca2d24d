"""The kernels of the four gated cells: forward passes at M points, and back from S gradients each.

words  [B, T, G]  the words' side of the pre-activations, alpha_m * words + bias + U h
scales [M], bias [G], U [G, H] (None: Quasi-networks), mask [B, H] or None, ends [B]
kept: gates [M, B, T, G], h_(t-1) [M, B, T, H], for the LSTM c_t and tanh(c_t) too; 0 where a row has ended.
The Quasi-LSTM keeps gates and c_t; its o, which only h_T is made of, at the end of a row alone
"""

from collections.abc import Collection
from dataclasses import dataclass

from torch import Tensor

from whichword.networks import kernels

Kept = tuple[Tensor, ...]


@dataclass(frozen=True)
class Inputs:
    """What a pass reads besides the words."""

    bias: Tensor
    U: Tensor | None
    mask: Tensor | None
    ends: Tensor

    @property
    def lengths(self) -> Tensor:
        return self.ends.long().contiguous()

    @property
    def connection(self) -> tuple[Tensor | None, ...]:
        return tuple(array if array is None else array.contiguous() for array in (self.U, self.mask))


@dataclass(frozen=True)
class Kernel:
    """One kind of cell: ``blocks`` of H in G; the ``arrays`` it can keep, and those ``needed`` on the way back."""

    name: str
    blocks: int
    arrays: tuple[str, ...]
    needed: tuple[str, ...]
    recurrent: bool = True

    def forward(self, words: Tensor, scales: Tensor, given: Inputs, keep: Collection[str]) -> tuple[Tensor, Kept]:
        """h [M, B, H] and the arrays to be kept, in the order of ``arrays``."""
        B, T, G = words.shape
        M, H = len(scales), G // self.blocks
        last = words.new_empty(M, B, H)
        kept = [words.new_empty(M, B, T, G if name == GATES else H) if name in keep else None for name in self.arrays]
        points = scales.to(words.dtype).contiguous()
        inputs = (words.contiguous(), points, given.bias.contiguous(), *self._connection(given), given.lengths)
        kernels.call(f"{self.name}_forward", words, M, B, T, H, *inputs, *kept, last)
        return last, tuple(array for array in kept if array is not None)

    def backward(self, given: Inputs, kept: Kept, seeds: Tensor, *, both: bool = False) -> Tensor:
        """From gradients of h [M, S, B, H] to the pre-activations, summed over the points; [1 or 2, S, B, T, G].

        ``kept`` are the arrays that are needed. With ``both``, [1] is the gradient at the last point alone.
        """
        M, S, B, H = seeds.shape
        T, G = kept[0].shape[2:]
        found = seeds.new_empty(1 + both, S, B, T, G)
        arrays = (*self._connection(given), given.lengths, *kept, seeds.contiguous(), found[0])
        kernels.call(f"{self.name}_backward", seeds, M, S, B, T, H, *arrays, found[1] if both else None)
        return found

    def _connection(self, given: Inputs) -> tuple[Tensor | None, ...]:
        return given.connection if self.recurrent else ()


GATES, BEFORE, MEMORY, SQUASHED = "gates", "before", "memory", "squashed"
KERNELS = {
    "lstm": Kernel("lstm", 4, (GATES, BEFORE, MEMORY, SQUASHED), (GATES, MEMORY, SQUASHED)),
    "gru": Kernel("gru", 3, (GATES, BEFORE), (GATES, BEFORE)),
    "qlstm": Kernel("qlstm", 4, (GATES, MEMORY), (GATES, MEMORY), recurrent=False),
    "qgru": Kernel("qgru", 2, (GATES, BEFORE), (GATES, BEFORE), recurrent=False),
}
