"""Norms: the scale is a weight, no epsilon; and dropout, which has to be off."""

from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.operations.calls import Call, Rank, Role, with_role
from whichword.operations.sums import leaves


def layer_norm(call: Call) -> Any:
    """(x - mean) * scale * w + b with scale = 1/sqrt(var + eps)."""
    shape, w, b, eps = call.bound("normalized_shape", "weight", "bias", "eps", defaults=(None, None, None, 1e-5))
    x = call.first.detach()
    value, _, scale = torch.native_layer_norm(x, shape, w, b, eps)  # layer_norm itself, which keeps the scale back
    return _normed(call, value, [scale.to(x.dtype)] + ([] if w is None else [w]), b, tuple(range(-len(shape), 0)))


def rms_norm(call: Call) -> Any:
    """x * w / sqrt(mean x^2 + eps)."""
    x = call.first
    shape, w, eps = call.bound("normalized_shape", "weight", "eps", defaults=(None, None, None))
    dims = tuple(range(-len(shape), 0))
    eps = torch.finfo(x.dtype).eps if eps is None else eps
    scale = (x.detach().square().mean(dims, keepdim=True) + eps).rsqrt()
    return _normed(call, call.value(), [scale] + ([] if w is None else [w]))


def batch_norm(call: Call) -> Any:
    """x * scale + shift with scale = w/sqrt(var + eps), shift = b - mean * scale: constants, in eval mode."""
    names = ("running_mean", "running_var", "weight", "bias")
    mean, var, w, b = call.bound(*names, defaults=(None,) * 4)
    (eps,) = call.bound("eps", defaults=(1e-5,), after=7)
    scale = (var + eps).rsqrt() * (1.0 if w is None else w)
    shift = (0.0 if b is None else b) - mean * scale
    sizes = [1, -1] + [1] * (call.first.dim() - 2)
    return _normed(call, call.value(), [scale.view(sizes)], shift.view(sizes))


def _normed(
    call: Call, value: Tensor, scales: list[Tensor], shift: Tensor | None = None, centred: tuple[int, ...] = ()
) -> Any:
    """(x - mean) * scales + shift going back; torch's own value going forward."""
    kept = None if call.ruler.ledger is None else leaves(call.ruler.ledger, shift)
    result: Tensor = _Normed.apply(call.first, kept, [value], scales, centred)  # type: ignore[no-untyped-call]
    return with_role(result, Role(Rank.SUM))


class _Normed(torch.autograd.Function):
    """G(x) = c - mean(c) with c = G(y) * scales, the mean over the dimensions that are centred; G(shift) = G(y)."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, shift: Tensor | None, value: list[Tensor], scales: list[Tensor], centred: tuple[int, ...]
    ) -> Tensor:
        ctx.scales, ctx.centred, ctx.shift = scales, centred, None if shift is None else shift.shape
        return value[0]

    @staticmethod
    def backward(ctx: Any, *gradient: Tensor) -> tuple[Tensor, Tensor | None, None, None, None]:
        back = prod(ctx.scales, start=gradient[0])
        if ctx.centred:
            back = back - back.mean(ctx.centred, keepdim=True)
        return back, None if ctx.shift is None else gradient[0].sum_to_size(ctx.shift), None, None, None


def dropout(call: Call) -> Any:
    """Off: the value itself."""
    return call.first


# -------------------------------------------------------------------------------------------------------- eval mode


def _dropout_is_on(call: Call) -> bool:
    (p,) = call.bound("p", defaults=(0.5,))
    named = call.kwargs.get("train", call.kwargs.get("training"))
    on = named if named is not None else call.args[2] if len(call.args) > 2 else True
    return bool(on) and p > 0


def _batch_norm_is_training(call: Call) -> bool:
    return bool(call.bound("training", defaults=(False,), after=5)[0])


DROPOUTS = "dropout alpha_dropout feature_dropout feature_alpha_dropout dropout1d dropout2d dropout3d"
SWITCHES = dict.fromkeys(DROPOUTS.split(), (_dropout_is_on, "dropout is on")) | {
    "batch_norm": (_batch_norm_is_training, "batch norm is in training mode"),
}


def check_switched_off(call: Call) -> None:
    """Dropout would make every answer another one, and it is not ours to switch the model."""
    is_on, message = SWITCHES.get(call.name.removesuffix("_"), (None, ""))
    if is_on is not None and is_on(call):
        raise InputError(f"{message}: call model.eval() first")
