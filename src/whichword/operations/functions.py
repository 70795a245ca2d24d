"""Rules for functions of a neuron, and for what torch computes at once.

Activations go entry by entry; softmax makes weights; the first maximum is a selection, a weight of 1 without epsilon;
the scale of a norm is a weight without epsilon; dropout has to be off. Attention and the like are taken apart, so that
each of their steps meets its own rule.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from whichword.errors import InputError
from whichword.operations.calls import Call, Rank, Role, lowest, role, with_rank, with_role
from whichword.operations.sums import leaves
from whichword.operations.walls import unknown
from whichword.rules import Ledger, with_slope

# f(0)/0 of an x * f(x): its weight where x is 0
GATES_AT_ZERO = {"gelu": 0.5, "silu": 0.5, "mish": 0.6, "hardswish": 0.5}  # mish: tanh(ln 2) = 3/5


def activation(call: Call) -> Any:
    """Apply f to a neuron; going back, the chord f(z)/z instead of the slope."""
    return _applied(call, Rank.ACTIVATION)


def sigmoid(call: Call) -> Any:
    """Apply an activation that becomes the weight where it is multiplied with a neuron."""
    return _applied(call, Rank.SIGMOID)


def _applied(call: Call, rank: Rank) -> Any:
    z = call.first
    value = call.rules.act(call.function, z)
    return with_role(value, _of(rank, z))


def _of(rank: Rank, z: Tensor) -> Role:
    """Return the role of a function of z; a function of a weight is a weight."""
    before = role(z)
    return Role(max(rank, before.rank), before)


def self_gated(call: Call) -> Any:
    """Apply x * f(x): x is the neuron, f(x) the weight, of the input pass in DeepLIFT too."""
    x = call.first
    z = x.detach()
    value = call.function(z)
    weight = (value / z).masked_fill_(z == 0, GATES_AT_ZERO[call.name])  # 0/0 there
    return with_role(with_slope(x, value, lambda: weight), _of(Rank.ACTIVATION, x))


def softmax(call: Call) -> Any:
    """Make weights; under AttnLRP with the ordinary gradient: R(z_i) = z_i (R(A_i) - A_i sum_j R(A_j))."""
    if call.ruler.ledger is not None:
        _enter(call, call.ruler.ledger)
    if call.ruler.attention != "attnlrp":
        return unknown(call)  # as a weight, it gets no relevance
    (dim,) = call.bound("dim", defaults=(-1,))
    return with_role(_softmax_gradient(call.first, call.value(), dim, call.ruler.ledger), Role(Rank.SUM))


def _enter(call: Call, ledger: Ledger) -> None:
    ledger.attention = True
    if ledger.weights is not None:  # only where attention weights are to be shown
        ledger.weights.append(call.value())


class _SoftmaxGradient(torch.autograd.Function):
    """G(z_i) = A_i (G(A_i) - sum_j A_j G(A_j)); what R(A) has more than R(z) is entered in the account."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, A: Tensor, dim: int, ledger: Ledger | None) -> Tensor:
        ctx.save_for_backward(A, *([] if ledger is None else [z.detach()]))  # z: for the account alone
        ctx.dim, ctx.ledger = dim, ledger
        return A.clone()  # autograd would take an argument handed on for a view

    @staticmethod
    def backward(ctx: Any, *gradient: Tensor) -> tuple[Tensor, None, None, None]:
        A, *scores = ctx.saved_tensors
        relevance = A * gradient[0]
        back = relevance - A * relevance.sum(ctx.dim, keepdim=True)
        if ctx.ledger is not None:
            passed = torch.where(back == 0, 0.0, scores[0] * back)  # masked scores are -inf
            ctx.ledger.softmax += float(relevance.double().sum() - passed.double().sum())  # nearly equal: in double
        return back, None, None, None


def _softmax_gradient(z: Tensor, A: Tensor, dim: int, ledger: Ledger | None) -> Tensor:
    result: Tensor = _SoftmaxGradient.apply(z, A, dim, ledger)  # type: ignore[no-untyped-call]
    return result


POOLS: dict[str, tuple[Callable[..., Any], int]] = {
    "max_pool1d": (functional.max_pool1d, 1),
    "max_pool2d": (functional.max_pool2d, 2),
    "adaptive_max_pool1d": (functional.adaptive_max_pool1d, 1),
    "adaptive_max_pool2d": (functional.adaptive_max_pool2d, 2),
}


def maximum(call: Call) -> Any:
    """Take the maximum over a dimension, or over everything; of two values that depend on the words: no rule."""
    x = call.first
    dim, keepdim = call.bound("dim", "keepdim", defaults=(None, False))
    dims = list(dim) if isinstance(dim, tuple | list) else [] if dim is None else [dim]
    if len(dims) > 1 or isinstance(dim, Tensor) or "other" in call.kwargs:  # a tensor in the place of dim: max(x, y)
        return unknown(call)
    values, index = _selected(x, dims[0], keepdim) if dims else _selected(x.flatten(), 0, False)
    named = call.name == "max" and dims  # amax, and max over everything, give no positions
    result = torch.return_types.max((values, index)) if named else values
    return with_rank(result, lowest(call.roles), x)


def _selected(x: Tensor, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    """Select the first maximum and its place: torch promises no order among equals."""
    highest = x.detach() == x.detach().amax(dim, keepdim=True)
    # where NaN is the maximum no entry equals it, and all are counted: hence the clamp
    index = highest.to(torch.uint8).cummax(dim).values.eq(0).sum(dim, keepdim=True).clamp(max=x.shape[dim] - 1)
    values = x.gather(dim, index)
    return (values, index) if keepdim else (values.squeeze(dim), index.squeeze(dim))


def max_pool(call: Call) -> Any:
    """Select by the indices of torch's own max pooling."""
    x = call.first
    pool, dims = POOLS[call.name.removesuffix("_with_indices")]
    kwargs = {name: value for name, value in call.kwargs.items() if name not in ("input", "return_indices")}
    _, index = pool(x.detach(), *call.args[1:], **kwargs | {"return_indices": True})
    values = x.flatten(-dims).gather(-1, index.flatten(-dims)).view(index.shape)
    wants_index = call.name.endswith("indices") or call.kwargs.get("return_indices")
    return with_rank((values, index) if wants_index else values, lowest(call.roles), x)


def layer_norm(call: Call) -> Any:
    """Compute (x - mean) * scale * w + b with scale = 1/sqrt(var + eps)."""
    shape, w, b, eps = call.bound("normalized_shape", "weight", "bias", "eps", defaults=(None, None, None, 1e-5))
    x = call.first.detach()
    value, _, scale = torch.native_layer_norm(x, shape, w, b, eps)  # layer_norm itself, which keeps the scale back
    return _normed(call, value, [scale.to(x.dtype)] + ([] if w is None else [w]), b, tuple(range(-len(shape), 0)))


def rms_norm(call: Call) -> Any:
    """Compute x * w / sqrt(mean x^2 + eps)."""
    x = call.first
    shape, w, eps = call.bound("normalized_shape", "weight", "eps", defaults=(None, None, None))
    dims = tuple(range(-len(shape), 0))
    eps = torch.finfo(x.dtype).eps if eps is None else eps  # torch's default
    scale = (x.detach().square().mean(dims, keepdim=True) + eps).rsqrt()
    return _normed(call, call.value(), [scale] + ([] if w is None else [w]))


def batch_norm(call: Call) -> Any:
    """Compute x * scale + shift; scale = w/sqrt(var + eps), shift = b - mean * scale: constants, in eval mode."""
    names = ("running_mean", "running_var", "weight", "bias")
    mean, var, w, b = call.bound(*names, defaults=(None,) * 4)
    (eps,) = call.bound("eps", defaults=(1e-5,), after=7)  # training and momentum stand before it
    scale = (var + eps).rsqrt() * (1.0 if w is None else w)
    shift = (0.0 if b is None else b) - mean * scale
    sizes = [1, -1] + [1] * (call.first.dim() - 2)  # channels are the second dimension
    return _normed(call, call.value(), [scale.view(sizes)], shift.view(sizes))


def _normed(
    call: Call, value: Tensor, scales: list[Tensor], shift: Tensor | None = None, centred: tuple[int, ...] = ()
) -> Any:
    """Return torch's own value going forward; (x - mean) * scales + shift going back."""
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
        return value[0]  # in a list: see `with_slope`

    @staticmethod
    def backward(ctx: Any, *gradient: Tensor) -> tuple[Tensor, Tensor | None, None, None, None]:
        back = prod(ctx.scales, start=gradient[0])
        if ctx.centred:
            back = back - back.mean(ctx.centred, keepdim=True)
        return back, None if ctx.shift is None else gradient[0].sum_to_size(ctx.shift), None, None, None


def dropout(call: Call) -> Any:
    """Return the value itself: dropout is off."""
    return call.first


# -------------------------------------------------------------------------------------------------------- eval mode


def _dropout_is_on(call: Call) -> bool:
    (p,) = call.bound("p", defaults=(0.5,))
    named = call.kwargs.get("train", call.kwargs.get("training"))
    on = named if named is not None else call.args[2] if len(call.args) > 2 else True  # F.dropout's default is on
    return bool(on) and p > 0


def _batch_norm_is_training(call: Call) -> bool:
    return bool(call.bound("training", defaults=(False,), after=5)[0])


DROPOUTS = "dropout alpha_dropout feature_dropout feature_alpha_dropout dropout1d dropout2d dropout3d"
SWITCHES = dict.fromkeys(DROPOUTS.split(), (_dropout_is_on, "dropout is on")) | {
    "batch_norm": (_batch_norm_is_training, "batch norm is in training mode"),
}


def check_switched_off(call: Call) -> None:
    """Refuse dropout that is on: it would make every answer another one, and it is not ours to switch the model."""
    is_on, message = SWITCHES.get(call.name.removesuffix("_"), (None, ""))
    if is_on is not None and is_on(call):
        raise InputError(f"{message}: call model.eval() first")


def attention(call: Call) -> Any:
    """Compute softmax(q k^T * scale + mask) v, step by step."""
    q, k, v, mask = call.bound("query", "key", "value", "attn_mask", defaults=(None,) * 4, after=0)
    dropout, causal = call.bound("dropout_p", "is_causal", defaults=(0.0, False), after=4)
    again, scale = call.ruler.again, call.kwargs.get("scale")  # torch takes scale by name alone
    if call.kwargs.get("enable_gqa"):
        k, v = (again(torch.repeat_interleave, x, q.shape[-3] // x.shape[-3], -3) for x in (k, v))
    scores = again(torch.matmul, q, again(torch.transpose, k, -2, -1))
    scores = again(torch.mul, scores, 1.0 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if causal:
        mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).tril()  # aligned upper left
    weights = again(torch.softmax, _masked(call, scores, mask), -1)
    return again(torch.matmul, again(torch.dropout, weights, dropout, dropout > 0), v)  # refused where it is on


def _masked(call: Call, scores: Any, mask: Tensor | None) -> Any:
    if mask is None:
        return scores
    if mask.dtype == torch.bool:
        return call.ruler.again(torch.masked_fill, scores, ~mask, -math.inf)
    return call.ruler.again(torch.add, scores, mask)


def entered(call: Call) -> Any:
    """Go through a function of torch.nn.functional line by line in the same mode."""
    with call.ruler:  # type: ignore[attr-defined]
        return _body(call.func)(*call.args, **call.kwargs)


@cache
def _body(function: Callable[..., Any]) -> Callable[..., Any]:
    """Copy the function without its question whether a mode wants it as a whole; torch's own stays as it is."""
    no = {name: lambda *_: False for name in function.__globals__ if name.startswith("has_torch_function")}
    assert isinstance(function, types.FunctionType)
    body = types.FunctionType(
        function.__code__, function.__globals__ | no, function.__name__, function.__defaults__, function.__closure__
    )
    body.__kwdefaults__ = function.__kwdefaults__
    return body
