"""Gated networks over a whole sequence as one node of autograd: for training, under the ordinary gradient.

    words [B, T, G]   V e_t or V * e, the gates in the order of `gated` and the candidate last
    bias  [G], U [G, H]   stacked in the same order; U is None for Quasi-networks
    mask  [B, H]      variational dropout of h_(t-1) on its way into U, or None
    ends  [B]         each row's own length; h of an empty row is 0

The gradients of U and of the bias are one product and one sum after all steps.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from whichword.base import kernels
from whichword.networks.fast.cells import Cell
from whichword.networks.fast.inputs import Inputs, States


def run(cell: Cell, words: Tensor, inputs: Inputs) -> Tensor:
    """h [B, H]; where no gradient is wanted, nothing is kept."""
    arrays = (words, inputs.bias, inputs.U)
    if not (torch.is_grad_enabled() and any(array is not None and array.requires_grad for array in arrays)):
        return cell.last(words, inputs)
    hidden: Tensor = _Sequence.apply(cell, *arrays, inputs.mask, inputs.ends)  # type: ignore[no-untyped-call]
    return hidden


class _Sequence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, cell: Cell, words: Tensor, bias: Tensor, U: Tensor | None, mask: Tensor | None, ends: Tensor
    ) -> Tensor:
        ctx.cell, ctx.compiled = cell, kernels.usable(words)
        last, states = _forward(cell, words, Inputs(bias, U, mask, ends), ctx.compiled)
        ctx.save_for_backward(bias, U, mask, ends, *states)
        return last

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor, Tensor | None, Tensor | None, None, None]:
        bias, U, mask, ends, *states = ctx.saved_tensors
        d = _backward(ctx.cell, Inputs(bias, U, mask, ends), tuple(states), gradient, ctx.compiled)
        d_bias = d.sum((0, 1)) if ctx.needs_input_grad[2] else None
        dU = _connection_gradient(ctx.cell, d, mask, states) if ctx.needs_input_grad[3] else None
        return None, d, d_bias, dU, None, None


def _forward(cell: Cell, words: Tensor, inputs: Inputs, compiled: bool) -> tuple[Tensor, States]:
    if not compiled:
        return cell.steps.forward(words, inputs)
    last, states = cell.forward(words, words.new_ones(1), inputs, cell.arrays)
    return last[0], tuple(array[0] for array in states)


def _backward(cell: Cell, inputs: Inputs, states: States, gradient: Tensor, compiled: bool) -> Tensor:
    """The gradient of the pre-activations, [B, T, G]."""
    if not compiled:
        return cell.steps.backward(inputs, states, gradient)
    pairs = zip(cell.arrays, states, strict=True)
    needed = tuple(array[None] for name, array in pairs if name in cell.needed)
    return cell.backward(inputs, needed, gradient[None, None])[0, 0]


def _connection_gradient(cell: Cell, d: Tensor, mask: Tensor | None, states: list[Tensor]) -> Tensor:
    """dU [G, H]: what multiplies h_(t-1), and in the GRU's candidate r_t * h_(t-1)."""
    gates, before = states[:2]
    H = before.shape[-1]
    source = before if mask is None else before * mask[:, None]
    if cell.blocks == 4:
        return _outer(d, source)
    return torch.cat([_outer(d[..., : 2 * H], source), _outer(d[..., 2 * H :], source * gates[..., H : 2 * H])])


def _outer(d: Tensor, source: Tensor) -> Tensor:
    """sum_(b,t) d_(b,t) x source_(b,t), [G, H]."""
    return d.flatten(0, 1).T @ source.flatten(0, 1)
