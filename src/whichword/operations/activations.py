"""Functions of a neuron, entry by entry; and softmax, which makes weights."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from whichword.operations.calls import Call, Rank, Role, role, with_role
from whichword.operations.unruled import unknown
from whichword.rules import Ledger, with_slope

# f(0)/0 of an x * f(x): its weight where x is 0
GATES_AT_ZERO = {"gelu": 0.5, "silu": 0.5, "mish": 0.6, "hardswish": 0.5}


def activation(call: Call) -> Any:
    """f of a neuron: the chord f(z)/z instead of the slope."""
    return _applied(call, Rank.ACTIVATION)


def sigmoid(call: Call) -> Any:
    """An activation, unless it is multiplied with a neuron: there it is the weight."""
    return _applied(call, Rank.SIGMOID)


def _applied(call: Call, rank: Rank) -> Any:
    z = call.first
    value = call.rules.act(call.function, z)
    return with_role(value, _of(rank, z))


def _of(rank: Rank, z: Tensor) -> Role:
    """A function of a weight is a weight."""
    before = role(z)
    return Role(max(rank, before.rank), before)


def self_gated(call: Call) -> Any:
    """x * f(x): x is the neuron, f(x) the weight, of the input pass in DeepLIFT too."""
    x = call.first
    z = x.detach()
    value = call.function(z)
    weight = (value / z).masked_fill_(z == 0, GATES_AT_ZERO[call.name])
    return with_role(with_slope(x, value, lambda: weight), _of(Rank.ACTIVATION, x))


def softmax(call: Call) -> Any:
    """A weight. Under AttnLRP its ordinary gradient: R(z_i) = z_i (R(A_i) - A_i sum_j R(A_j))."""
    if call.ruler.ledger is not None:
        _enter(call, call.ruler.ledger)
    if call.ruler.attention != "attnlrp":
        return unknown(call)
    (dim,) = call.bound("dim", defaults=(-1,))
    return with_role(_softmax_gradient(call.first, call.value(), dim, call.ruler.ledger), Role(Rank.SUM))


def _enter(call: Call, ledger: Ledger) -> None:
    ledger.attention = True
    if ledger.weights is not None:
        ledger.weights.append(call.value())


class _SoftmaxGradient(torch.autograd.Function):
    """G(z_i) = A_i (G(A_i) - sum_j A_j G(A_j)); what R(A) has more than R(z) is entered in the account."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, A: Tensor, dim: int, ledger: Ledger | None) -> Tensor:
        ctx.save_for_backward(A, *([] if ledger is None else [z.detach()]))
        ctx.dim, ctx.ledger = dim, ledger
        return A.clone()

    @staticmethod
    def backward(ctx: Any, *gradient: Tensor) -> tuple[Tensor, None, None, None]:
        A, *scores = ctx.saved_tensors
        relevance = A * gradient[0]
        back = relevance - A * relevance.sum(ctx.dim, keepdim=True)
        if ctx.ledger is not None:
            passed = torch.where(back == 0, 0.0, scores[0] * back)  # masked scores are -inf
            ctx.ledger.softmax += float(relevance.double().sum() - passed.double().sum())
        return back, None, None, None


def _softmax_gradient(z: Tensor, A: Tensor, dim: int, ledger: Ledger | None) -> Tensor:
    result: Tensor = _SoftmaxGradient.apply(z, A, dim, ledger)  # type: ignore[no-untyped-call]
    return result
