"""Gated networks over a whole sequence as one node of autograd: the fast way under the ordinary gradient.

    words [B, T, G]   V e_t or V * e, the gates in the order of `gated` and the candidate last
    bias  [G], U [G, H]   stacked in the same order; U is None for Quasi-networks
    mask  [B, H]      variational dropout of h_(t-1) on its way into U, or None
    ends  [B]         each row's own length; h of an empty row is 0

The steps are taken by the compiled kernels where they are usable, else by torch operations. The gradients of U and of
the bias are one product and one sum after all steps.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from whichword.networks import kernels, recurrent_steps, scan
from whichword.networks.recurrent_kernels import KERNELS, Inputs, Kept, Kernel


class Steps(Protocol):
    """How one kind of cell runs over sequences."""

    def forward(self, words: Tensor, given: Inputs) -> tuple[Tensor, Kept]:
        """h [B, H]; kept: gates [B, T, G], h_(t-1) [B, T, H], .."""
        ...

    def backward(self, given: Inputs, kept: Kept, gradient: Tensor) -> Tensor:
        """From the gradient of h [B, H] to that of the pre-activations, [B, T, G]."""
        ...


@dataclass(frozen=True)
class KernelSteps:
    """By the compiled kernels."""

    kernel: Kernel

    def forward(self, words: Tensor, given: Inputs) -> tuple[Tensor, Kept]:
        last, kept = self.kernel.forward(words, words.new_ones(1), given, self.kernel.arrays)
        return last[0], tuple(array[0] for array in kept)

    def backward(self, given: Inputs, kept: Kept, gradient: Tensor) -> Tensor:
        pairs = zip(self.kernel.arrays, kept, strict=True)
        needed = tuple(array[None] for name, array in pairs if name in self.kernel.needed)
        return self.kernel.backward(given, needed, gradient[None, None])[0, 0]


class _Sequence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, cell: str, words: Tensor, bias: Tensor, U: Tensor | None, mask: Tensor | None, ends: Tensor
    ) -> Tensor:
        ctx.cell, ctx.steps = cell, KernelSteps(KERNELS[cell]) if kernels.usable(words) else STEPS[cell]
        last, kept = ctx.steps.forward(words, Inputs(bias, U, mask, ends))
        ctx.save_for_backward(bias, U, mask, ends, *kept)
        return last  # type: ignore[no-any-return]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor, Tensor | None, Tensor | None, None, None]:
        bias, U, mask, ends, *kept = ctx.saved_tensors
        d = ctx.steps.backward(Inputs(bias, U, mask, ends), tuple(kept), gradient)
        d_bias = d.sum((0, 1)) if ctx.needs_input_grad[2] else None
        dU = PRODUCTS[ctx.cell](d, mask, kept) if ctx.needs_input_grad[3] else None
        return None, d, d_bias, dU, None, None


def run(
    cell: str, words: Tensor, bias: Tensor, ends: Tensor, U: Tensor | None = None, mask: Tensor | None = None
) -> Tensor:
    """h [B, H] of the cell "gru", "lstm", "qgru" or "qlstm"; where no gradient is wanted, nothing is kept."""
    wanted = torch.is_grad_enabled() and any(a is not None and a.requires_grad for a in (words, bias, U))
    if kernels.usable(words) and not wanted:
        return KERNELS[cell].forward(words, words.new_ones(1), Inputs(bias, U, mask, ends), ())[0][0]
    result: Tensor = _Sequence.apply(cell, words, bias, U, mask, ends)  # type: ignore[no-untyped-call]
    return result


def _lstm_product(d: Tensor, mask: Tensor | None, kept: list[Tensor]) -> Tensor:
    return _outer(d, _seen(kept[1], mask))


def _gru_product(d: Tensor, mask: Tensor | None, kept: list[Tensor]) -> Tensor:
    gates, before = kept
    H = before.shape[-1]
    seen = _seen(before, mask)
    return torch.cat([_outer(d[..., : 2 * H], seen), _outer(d[..., 2 * H :], seen * gates[..., H : 2 * H])])


def _seen(before: Tensor, mask: Tensor | None) -> Tensor:
    return before if mask is None else before * mask[:, None]


def _outer(d: Tensor, source: Tensor) -> Tensor:
    """sum_(b,t) d_(b,t) x source_(b,t), [G, H]."""
    return d.flatten(0, 1).T @ source.flatten(0, 1)


PRODUCTS = {"lstm": _lstm_product, "gru": _gru_product}
STEPS: dict[str, Steps] = {
    "lstm": recurrent_steps.LSTMSteps(),
    "gru": recurrent_steps.GRUSteps(),
    "qlstm": scan.LSTMScan(),
    "qgru": scan.GRUScan(),
}
