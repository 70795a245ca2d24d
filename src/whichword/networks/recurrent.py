"""GRU and LSTM over a whole sequence as one node of autograd: the fast way of `Recurrent.forward`.

    words [B, T, G]   V e_t, the gates in the order of `gated` and the candidate last
    bias  [G], U [G, H]   stacked in the same order
    mask  [B, H]      variational dropout of h_(t-1) on its way into U, or None
    ends  [B]         each row's own length; h of an empty row is 0

The steps are taken by the compiled kernels where they are usable, else by `recurrent_steps`. The gradients of U and
of the bias are one product and one sum after all steps.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from whichword.networks import kernels, recurrent_steps

Kept = tuple[Tensor, ...]  # what the way back needs: gates, h_(t-1), ..


@dataclass(frozen=True)
class Cell:
    """How one kind of cell runs over sequences, forwards and backwards."""

    gates: int  # how many blocks of H there are in G
    forward: Callable[[Tensor, Tensor, Tensor, Tensor | None, Tensor], tuple[Tensor, Kept]]
    backward: Callable[[Tensor, Tensor | None, Tensor, Kept, Tensor], Tensor]
    product: Callable[[Tensor, Tensor | None, Kept], Tensor]


class _Sequence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, cell: Cell, words: Tensor, bias: Tensor, U: Tensor, mask: Tensor | None, ends: Tensor
    ) -> Tensor:
        last, kept = cell.forward(words, bias, U, mask, ends)
        ctx.cell = cell
        ctx.save_for_backward(U, mask, ends, *kept)
        return last

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor, Tensor | None, Tensor | None, None, None]:
        U, mask, ends, *kept = ctx.saved_tensors
        d = ctx.cell.backward(U, mask, ends, tuple(kept), gradient)
        d_bias = d.sum((0, 1)) if ctx.needs_input_grad[2] else None
        dU = ctx.cell.product(d, mask, tuple(kept)) if ctx.needs_input_grad[3] else None
        return None, d, d_bias, dU, None, None


def run(cell: str, words: Tensor, bias: Tensor, U: Tensor, mask: Tensor | None, ends: Tensor) -> Tensor:
    """h [B, H] of the cell "gru" or "lstm"."""
    chosen = (KERNELS if kernels.usable(words) else STEPS)[cell]
    result: Tensor = _Sequence.apply(chosen, words, bias, U, mask, ends)  # type: ignore[no-untyped-call]
    return result


def _kernel_forward(
    name: str, kept: tuple[int, ...], words: Tensor, bias: Tensor, U: Tensor, mask: Tensor | None, ends: Tensor
) -> tuple[Tensor, Kept]:
    B, T, _ = words.shape
    H = U.shape[1]
    last, one = words.new_empty(B, H), words.new_ones(1)
    arrays = tuple(words.new_empty(B, T, blocks * H) for blocks in kept)
    inputs = (words.contiguous(), one, bias.contiguous(), U.contiguous(), mask, ends)
    kernels.call(f"{name}_forward", words, 1, B, T, H, *inputs, *arrays, last)
    return last, arrays


def _lstm_product(d: Tensor, mask: Tensor | None, kept: Kept) -> Tensor:
    return _outer(d, _seen(kept[1], mask))


def _gru_product(d: Tensor, mask: Tensor | None, kept: Kept) -> Tensor:
    gates, before = kept
    H = before.shape[-1]
    seen = _seen(before, mask)
    return torch.cat([_outer(d[..., : 2 * H], seen), _outer(d[..., 2 * H :], seen * gates[..., H : 2 * H])])


def _seen(before: Tensor, mask: Tensor | None) -> Tensor:
    return before if mask is None else before * mask[:, None]


def _outer(d: Tensor, source: Tensor) -> Tensor:
    """sum_(b,t) d_(b,t) x source_(b,t), [G, H]."""
    return d.flatten(0, 1).T @ source.flatten(0, 1)


def _lstm_forward(*inputs: Any) -> tuple[Tensor, Kept]:
    return _kernel_forward("lstm", (4, 1, 1, 1), *inputs)


def _gru_forward(*inputs: Any) -> tuple[Tensor, Kept]:
    return _kernel_forward("gru", (3, 1), *inputs)


def _lstm_backward(U: Tensor, mask: Tensor | None, ends: Tensor, kept: Kept, gradient: Tensor) -> Tensor:
    gates, _, memory, squashed = kept
    d = torch.empty_like(gates)
    sizes = (1, 1, *gates.shape[:2], U.shape[1])
    arrays = (U.contiguous(), mask, ends, gates, memory, squashed, gradient.contiguous(), d, None)
    kernels.call("lstm_backward", gates, *sizes, *arrays)
    return d


def _gru_backward(U: Tensor, mask: Tensor | None, ends: Tensor, kept: Kept, gradient: Tensor) -> Tensor:
    gates, before = kept
    d = torch.empty_like(gates)
    sizes = (1, 1, *gates.shape[:2], U.shape[1])
    arrays = (U.contiguous(), mask, ends, gates, before, gradient.contiguous(), d, None)
    kernels.call("gru_backward", gates, *sizes, *arrays)
    return d


STEPS = {
    "lstm": Cell(4, recurrent_steps.lstm_forward, recurrent_steps.lstm_backward, _lstm_product),
    "gru": Cell(3, recurrent_steps.gru_forward, recurrent_steps.gru_backward, _gru_product),
}
KERNELS = {
    "lstm": Cell(4, _lstm_forward, _lstm_backward, _lstm_product),
    "gru": Cell(3, _gru_forward, _gru_backward, _gru_product),
}
