"""Norms: the scale is a weight, no epsilon; and dropout, which has to be off."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.operations.calls import Call
from whichword.operations.roles import Rank, Role, with_role
from whichword.operations.sums import leaves
from whichword.rules import with_slope


def layer_norm(call: Call) -> Any:
    """(x - mean) * scale * w + b with scale = 1/sqrt(var + eps)."""
    x = call.first
    shape, w, b, eps = call.bound("normalized_shape", "weight", "bias", "eps", defaults=(None, None, None, 1e-5))
    dims = tuple(range(-len(shape), 0))
    centred = x - x.mean(dims, keepdim=True)
    scale = (x.detach().var(dims, unbiased=False, keepdim=True) + eps).rsqrt()
    return _normed(call, centred, scale if w is None else scale * w, b)


def rms_norm(call: Call) -> Any:
    """x * w / sqrt(mean x^2 + eps)."""
    x = call.first
    shape, w, eps = call.bound("normalized_shape", "weight", "eps", defaults=(None, None, None))
    dims = tuple(range(-len(shape), 0))
    eps = torch.finfo(x.dtype).eps if eps is None else eps
    scale = (x.detach().square().mean(dims, keepdim=True) + eps).rsqrt()
    return _normed(call, x, scale if w is None else scale * w, None)


def batch_norm(call: Call) -> Any:
    """x * scale + shift with scale = w/sqrt(var + eps), shift = b - mean * scale: constants, in eval mode."""
    names = ("running_mean", "running_var", "weight", "bias")
    mean, var, w, b = call.bound(*names, defaults=(None,) * 4)
    (eps,) = call.bound("eps", defaults=(1e-5,), after=7)
    scale = (var + eps).rsqrt() * (1.0 if w is None else w)
    shift = (0.0 if b is None else b) - mean * scale
    sizes = [1, -1] + [1] * (call.first.dim() - 2)
    return _normed(call, call.first, scale.view(sizes), shift.view(sizes))


def _normed(call: Call, x: Tensor, scale: Tensor, shift: Tensor | None) -> Any:
    """x * scale + shift going back; torch's own value going forward."""
    value, moved = call.value(), x * scale
    if shift is not None:
        moved = moved + leaves(call.ruler.ledger, shift)
    return with_role(with_slope(moved, value, lambda: 1.0), Role(Rank.SUM))


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
