"""Rules of single operations: what each makes of relevance that comes back to its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from whichword.errors import InputError
from whichword.operations.calls import Call
from whichword.operations.roles import Rank, Role, is_signal, lowest, role, signals, tensors, with_role
from whichword.operations.walls import place, wall
from whichword.rules import Ledger, with_slope

# f(0)/0 of an x * f(x): its weight where x is 0
GATES_AT_ZERO = {"gelu": 0.5, "silu": 0.5, "swish": 0.5, "mish": 0.6, "hardswish": 0.5}


def plain(call: Call) -> Any:
    """The gradient, no epsilon; the result is what its input was."""
    return with_role(call.run(), _summed(call))


def added(call: Call) -> Any:
    """Sums of neurons and constants: the gradient, no epsilon; constants keep their shares."""
    call.args = call.ruler.constants(call.args)
    call.kwargs = call.ruler.constants(call.kwargs)
    result = call.run()
    if call.name in ("setitem", "copy_into"):  # the tensor that was written into depends on the words now
        with_role(call.args[0], _summed(call))
    return with_role(result, _summed(call))


def _summed(call: Call) -> Role:
    parts = [role(tensor) for tensor in signals((call.args, call.kwargs))]
    if len(parts) == 1 and parts[0] is not None:
        return parts[0]
    return Role(lowest(parts), _common_root(parts))


def _common_root(parts: list[Role | None]) -> Role | None:
    """The one that all others are made of: x in x + g(x)."""
    for root in parts:
        if root is not None and all(part is root or (part is not None and part.made_of(root)) for part in parts):
            return root
    return None


def activation(call: Call) -> Any:
    """f of a neuron: the chord f(z)/z instead of the slope."""
    return _applied(call, Rank.ACTIVATION)


def sigmoid(call: Call) -> Any:
    """An activation, unless it is multiplied with a neuron: there it is the weight."""
    return _applied(call, Rank.SIGMOID)


def _applied(call: Call, rank: Rank) -> Any:
    z = call.first
    before = role(z)
    value = call.rules.act(call.function, z)
    return with_role(value, Role(max(rank, Rank.SUM if before is None else before.rank), before))


def self_gated(call: Call) -> Any:
    """x * f(x): x is the neuron, f(x) the weight, of the input pass in DeepLIFT too."""
    x = call.first
    value = call.function(x.detach())
    at_zero = GATES_AT_ZERO[call.name]
    weight = torch.where(x == 0, at_zero, value / torch.where(x == 0, 1.0, x.detach()))
    before = role(x)
    result = with_slope(x, value, lambda: weight.detach())
    return with_role(result, Role(max(Rank.ACTIVATION, Rank.SUM if before is None else before.rank), before))


def softmax(call: Call) -> Any:
    """A weight. Under AttnLRP its ordinary gradient: R(z_i) = z_i (R(A_i) - A_i sum_j R(A_j))."""
    if call.ruler.attention != "attnlrp":
        return unknown(call)
    z, A = call.first, call.run().detach()
    (dim,) = call.bound("dim", defaults=(-1,))
    return with_role(_softmax_gradient(z, A, dim, call.ruler.ledger), Role(Rank.SUM))


class _SoftmaxGradient(torch.autograd.Function):
    """G(z_i) = A_i (G(A_i) - sum_j A_j G(A_j)); what R(A) has more than R(z) is entered in the account."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, A: Tensor, dim: int, ledger: Ledger | None) -> Tensor:
        ctx.save_for_backward(z.detach(), A)
        ctx.dim, ctx.ledger = dim, ledger
        return A.view_as(A)

    @staticmethod
    def backward(ctx: Any, *gradient: Tensor) -> tuple[Tensor, None, None, None]:
        z, A = ctx.saved_tensors
        relevance = A * gradient[0]
        back = relevance - A * relevance.sum(ctx.dim, keepdim=True)
        if ctx.ledger is not None:
            given = torch.where(back == 0, 0.0, z * back)  # masked scores are -inf
            ctx.ledger.softmax += float(relevance.double().sum() - given.double().sum())
        return back, None, None, None


def _softmax_gradient(z: Tensor, A: Tensor, dim: int, ledger: Ledger | None) -> Tensor:
    result: Tensor = _SoftmaxGradient.apply(z, A, dim, ledger)  # type: ignore[no-untyped-call]
    return result


def unknown(call: Call) -> Any:
    """No rule: the value goes behind a wall and may become part of a weight."""
    result, name, where = call.run(), call.name, place()
    if is_signal(result):
        parts = [role(tensor) for tensor in signals((call.args, call.kwargs))]
        return with_role(wall(result, name, where), Role(Rank.WEIGHT, _common_root(parts)))
    if isinstance(result, list | tuple) and signals(result):
        walls = [wall(part, name, where) if is_signal(part) else part for part in result]
        walled = type(result)(walls) if not hasattr(result, "_fields") else type(result)(*walls)
        return with_role(walled, Role(Rank.WEIGHT))
    if not any(True for _ in tensors(result)) or name not in ("detach", "get:data"):
        return result
    # the model's own detach: whatever would come back to it is refused, not lost
    (source,) = signals((call.args, call.kwargs))[:1]
    return with_role(wall(source, name, where), Role(Rank.WEIGHT))


def passive(call: Call) -> Any:
    """Nothing that relevance could flow through: shapes, comparisons, numbers for Python."""
    if call.name.startswith("get:") or "hook" in call.name or "grad" in call.name:
        return call.run()
    return call.func(*_detached(call.args), **_detached(call.kwargs))


def _detached(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach()
    if isinstance(value, list | tuple):
        return type(value)(_detached(part) for part in value)
    if isinstance(value, dict):
        return {name: _detached(part) for name, part in value.items()}
    return value


def layer_norm(call: Call) -> Any:
    """(x - mean) * scale * w + b with scale = 1/sqrt(var + eps) a weight; no epsilon."""
    x = call.first
    shape, w, b, eps = call.bound("normalized_shape", "weight", "bias", "eps", defaults=(None, None, None, 1e-5))
    dims = tuple(range(-len(shape), 0))
    centred = x - x.mean(dims, keepdim=True)
    scale = (x.detach().var(dims, unbiased=False, keepdim=True) + eps).rsqrt()
    return _normed(call, centred, scale, w, b)


def rms_norm(call: Call) -> Any:
    """x * w / sqrt(mean x^2 + eps), the divisor a weight; no epsilon."""
    x = call.first
    shape, w, eps = call.bound("normalized_shape", "weight", "eps", defaults=(None, None, None))
    dims = tuple(range(-len(shape), 0))
    eps = torch.finfo(x.dtype).eps if eps is None else eps
    return _normed(call, x, (x.detach().square().mean(dims, keepdim=True) + eps).rsqrt(), w, None)


def _normed(call: Call, x: Tensor, scale: Tensor, w: Tensor | None, b: Tensor | None) -> Any:
    value = call.run().detach()
    weighted = x * (scale if w is None else scale * w)
    if b is not None:
        weighted = weighted + call.ruler.constants(b)
    return with_role(with_slope(weighted, value, lambda: 1.0), Role(Rank.SUM))


def batch_norm(call: Call) -> Any:
    """In eval mode linear in x; in training mode refused."""
    (training,) = call.bound("training", defaults=(False,), after=5)
    if training:
        raise InputError("batch norm is in training mode: call model.eval() first")
    return with_role(call.run(), Role(Rank.SUM))


def dropout(call: Call) -> Any:
    """Off, or refused."""
    p, training = call.bound("p", "training", defaults=(0.5, True))
    if training and p > 0:
        raise InputError("dropout is on: call model.eval() first")
    return call.first


def maximum(call: Call) -> Any:
    """max over a dimension: the first maximum is selected. Of two values that depend on the words: no rule."""
    x = call.first
    dim, keepdim = call.bound("dim", "keepdim", defaults=(None, False))
    if isinstance(dim, Tensor) or (isinstance(dim, tuple | list) and len(dim) > 1):
        return unknown(call)
    dim = dim[0] if isinstance(dim, tuple | list) else dim
    if dim is None:
        return with_role(_selected(x.flatten(), 0, False)[0], _summed(call))
    values, index = _selected(x, dim, keepdim)
    if call.name == "amax":
        return with_role(values, _summed(call))
    return with_role(torch.return_types.max((values, index)), _summed(call))


def _selected(x: Tensor, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    """Torch promises no order among equals: count the places before the first one that reaches the maximum."""
    highest = x.detach() == x.detach().amax(dim, keepdim=True)
    index = highest.to(torch.uint8).cummax(dim).values.eq(0).sum(dim, keepdim=True).clamp(max=x.shape[dim] - 1)
    values = x.gather(dim, index)
    return (values, index) if keepdim else (values.squeeze(dim), index.squeeze(dim))


def max_pool(call: Call) -> Any:
    """Max pooling over positions: a selection by the indices of torch's own."""
    x = call.first
    pool = functional.adaptive_max_pool1d if call.name.startswith("adaptive") else functional.max_pool1d
    kwargs = {name: value for name, value in call.kwargs.items() if name not in ("input", "return_indices")}
    _, index = pool(x.detach(), *call.args[1:], **kwargs | {"return_indices": True})
    values = x.gather(-1, index)
    wants_index = call.name.endswith("indices") or call.kwargs.get("return_indices")
    return with_role((values, index) if wants_index else values, _summed(call))


def in_place(call: Call, rule: Callable[[Call], Any]) -> Any:
    """By the rule of the plain operation, the result put into the tensor that was to be changed."""
    target = call.first
    kept = target.clone()
    if is_signal(target):
        with_role(kept, role(target) or Role(Rank.SUM))
    call.args = (kept, *call.args[1:])
    call.kwargs = {name: value for name, value in call.kwargs.items() if name != "inplace"}
    call.func = call.out_of_place()
    result = rule(call)
    target.copy_(result)
    return with_role(target, role(result) or Role(Rank.SUM))
