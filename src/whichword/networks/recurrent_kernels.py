"""The kernels of the four gated cells: forward passes at M points, and back from S gradients each.

words  [B, T, G]  the words' side of the pre-activations, alpha_m * words + bias + U h
scales [M], bias [G], U [G, H] (None: Quasi-networks), mask [B, H] or None, ends [B]
kept: gates [M, B, T, G], h_(t-1) [M, B, T, H], and for the LSTMs c_t and tanh(c_t); 0 where a row has ended
"""

from dataclasses import dataclass

from torch import Tensor

from whichword.networks import kernels

Kept = tuple[Tensor, ...]


@dataclass(frozen=True)
class Inputs:
    """What a pass reads besides the words; the arrays are made contiguous."""

    bias: Tensor
    U: Tensor | None
    mask: Tensor | None
    ends: Tensor

    @property
    def connection(self) -> tuple[Tensor | None, ...]:
        return tuple(array if array is None else array.contiguous() for array in (self.U, self.mask))


@dataclass(frozen=True)
class Kernel:
    """One kind of cell: ``gates`` blocks of H in G, and ``states`` arrays kept besides the gates."""

    name: str
    gates: int
    states: int
    recurrent: bool

    def forward(self, words: Tensor, scales: Tensor, given: Inputs, *, keep: bool = True) -> tuple[Tensor, Kept]:
        """h [M, B, H] and what is kept for the way back."""
        B, T, G = words.shape
        M, H = len(scales), G // self.gates
        last = words.new_empty(M, B, H)
        widths = [G, *[H] * self.states]
        kept = tuple(words.new_empty(M, B, T, width) for width in widths) if keep else ()
        arrays = (words.contiguous(), scales, given.bias.contiguous(), *self._connection(given), given.ends)
        nothing = () if keep else (None,) * len(widths)
        kernels.call(f"{self.name}_forward", words, M, B, T, H, *arrays, *kept, *nothing, last)
        return last, kept

    def backward(self, given: Inputs, kept: Kept, seeds: Tensor, *, both: bool = False) -> Tensor:
        """From gradients of h [M, S, B, H] to the pre-activations, summed over the points; [1 or 2, S, B, T, G].

        With ``both``, [1] is the gradient at the last point alone.
        """
        M, S, B, H = seeds.shape
        gates, before, *memory = kept
        T, G = gates.shape[2:]
        found = gates.new_empty(1 + both, S, B, T, G)
        states = memory or [before]
        arrays = (*self._connection(given), given.ends, gates, *states, seeds.contiguous(), found[0])
        kernels.call(f"{self.name}_backward", gates, M, S, B, T, H, *arrays, found[1] if both else None)
        return found

    def _connection(self, given: Inputs) -> tuple[Tensor | None, ...]:
        return given.connection if self.recurrent else ()


KERNELS = {
    "lstm": Kernel("lstm", 4, 3, True),
    "gru": Kernel("gru", 3, 1, True),
    "qlstm": Kernel("lstm", 4, 3, True),  # the LSTM's without U
    "qgru": Kernel("qgru", 2, 1, False),
}
