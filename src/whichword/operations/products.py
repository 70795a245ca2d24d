"""Products: of a neuron with constants, and of two values that both depend on the words, of which one is the weight."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from whichword.operations.calls import Call
from whichword.operations.graph import between
from whichword.operations.roles import Rank, Role, is_signal, role, signals, with_role
from whichword.operations.rules_of import unknown
from whichword.operations.walls import place
from whichword.rules import with_slope

# the two factors and what is added to their product, by name and place
SHAPES = {
    "addmm": ("mat1", "mat2", "input"),
    "addmv": ("mat", "vec", "input"),
    "baddbmm": ("batch1", "batch2", "input"),
    "addbmm": ("batch1", "batch2", "input"),
}
LAYER = ("input", "weight", "bias")


def linear(call: Call) -> Any:
    """Sums of weighted inputs and a bias: epsilon at the sum."""
    names = SHAPES.get(call.name, LAYER)
    order = (names[2], names[0], names[1]) if call.name in SHAPES else names
    parts = dict(zip(order, call.bound(*order, defaults=(None, None, None), after=0), strict=True))
    first, second, bias = names
    if len(signals([parts[first], parts[second]])) == 2:
        weight = decide(call, parts[first], parts[second])
        if weight is None:
            return unknown(call)
        parts[names[weight]] = parts[names[weight]].detach()
    parts[bias] = call.ruler.constants(parts[bias])
    kwargs = {name: value for name, value in call.kwargs.items() if name not in parts}
    return _node(call, call.func(*(parts[name] for name in order), *call.args[3:], **kwargs), signals(parts))


def matrix(call: Call) -> Any:
    """Matrix products: of a neuron with a constant, or with a weight; epsilon at the sums."""
    moving = signals((call.args, call.kwargs))
    if len(moving) == 1:
        return _node(call, call.run(), moving)
    return _two(call, moving, _node)


def elementwise(call: Call) -> Any:
    """a * b: no sum, no epsilon."""
    moving = signals((call.args, call.kwargs))
    if len(moving) == 1:
        return with_role(call.run(), role(moving[0]) or Role(Rank.SUM))
    return _two(call, moving, _same)


def quotient(call: Call) -> Any:
    """a / b: the divisor is a weight, and has to be one."""
    numerator, divisor = call.bound("input", "other", defaults=(None, None), after=0)
    if call.name in ("rdiv", "rtruediv"):
        numerator, divisor = divisor, numerator
    if not is_signal(divisor):
        return with_role(call.run(), role(numerator) or Role(Rank.SUM))
    if not is_signal(numerator) or decide(call, numerator, divisor) != 1:
        return unknown(call)
    return with_role(torch.div(numerator, divisor.detach(), **_rounding(call)), role(numerator) or Role(Rank.SUM))


def _rounding(call: Call) -> dict[str, Any]:
    return {name: value for name, value in call.kwargs.items() if name == "rounding_mode"}


def glu(call: Call) -> Any:
    """a * sigmoid(b) of the two halves."""
    (dim,) = call.bound("dim", defaults=(-1,))
    a, b = call.ruler.again(torch.chunk, call.first, 2, dim)
    return call.ruler.again(torch.mul, a, call.ruler.again(torch.sigmoid, b))


def addcmul(call: Call) -> Any:
    """input + value * a * b."""
    a, b = call.bound("tensor1", "tensor2", defaults=(None, None))
    scaled = call.ruler.again(torch.mul, call.ruler.again(torch.mul, a, b), call.kwargs.get("value", 1))
    return call.ruler.again(torch.add, call.first, scaled)


def lerp(call: Call) -> Any:
    """start + weight * (end - start)."""
    end, weight = call.bound("end", "weight", defaults=(None, None))
    again = call.ruler.again
    if not isinstance(weight, Tensor):
        return again(torch.add, again(torch.mul, call.first, 1.0 - weight), again(torch.mul, end, weight))
    kept = again(torch.mul, call.first, again(torch.rsub, weight, 1.0))
    return again(torch.add, kept, again(torch.mul, end, weight))


# ---------------------------------------------------------------------------------------------------------------------


def decide(call: Call, a: Tensor, b: Tensor) -> int | None:
    """Which of two factors is the weight, 0 or 1: the one of the higher rank, or the one that is made of the other."""
    first, second = role(a), role(b)
    if first is None or second is None:
        return None
    if first.made_of(second) or second.made_of(first):
        weight = 0 if first.made_of(second) else 1
    elif first.rank != second.rank:
        weight = int(second.rank > first.rank)
    else:
        return None
    chosen = (first, second)[weight].rank.name.lower()
    call.ruler.decisions[f"{call.name} at {place()}"] = f"factor {weight + 1} is the weight ({chosen})"
    return weight


def _two(call: Call, moving: list[Tensor], finish: Callable[[Call, Tensor, list[Tensor]], Any]) -> Any:
    """A product of two values that depend on the words; of more, or of two alike, there is no rule."""
    if len(moving) != 2 or moving[0] is moving[1]:
        return unknown(call)
    if call.ruler.attention == "attnlrp" and _both_neurons(*moving):
        return _halved(call, moving, finish)
    weight = decide(call, *moving)
    if weight is None:
        return unknown(call)
    detached, neuron = moving[weight].detach(), moving[1 - weight]
    call.args = _replaced(call.args, moving[weight], detached)
    call.kwargs = _replaced(call.kwargs, moving[weight], detached)
    return finish(call, call.run(), [neuron])


def _both_neurons(a: Tensor, b: Tensor) -> bool:
    """Ranks activation or sum, and neither made of the other (x * f(x) stays self-gated)."""
    first, second = role(a), role(b)
    if first is None or second is None or first.made_of(second) or second.made_of(first):
        return False
    return max(first.rank, second.rank) <= Rank.ACTIVATION


def _halved(call: Call, moving: list[Tensor], finish: Callable[[Call, Tensor, list[Tensor]], Any]) -> Any:
    """AttnLRP: half of the relevance to each factor."""
    product = call.run()
    call.ruler.halved += between(product, moving)
    return finish(call, with_role(with_slope(product, product.detach().clone(), lambda: 0.5), Role(Rank.SUM)), moving)


def _node(call: Call, z: Tensor, neurons: list[Tensor]) -> Any:
    """Epsilon at the sum; a sum of weights is a weight."""
    ranks = [Rank.SUM if (part := role(neuron)) is None else part.rank for neuron in neurons]
    if min(ranks) == Rank.WEIGHT:
        return with_role(z, Role(Rank.WEIGHT))
    return with_role(call.rules.node(z), Role(Rank.SUM))


def _same(call: Call, z: Tensor, neurons: list[Tensor]) -> Any:
    """A weighted neuron is what the neuron was; of two halves, a sum."""
    return with_role(z, (role(neurons[0]) if len(neurons) == 1 else None) or Role(Rank.SUM))


def _replaced(value: Any, old: Tensor, new: Tensor) -> Any:
    """The same arguments with one tensor in the place of another."""
    if value is old:
        return new
    if isinstance(value, list | tuple):
        return type(value)(_replaced(part, old, new) for part in value)
    if isinstance(value, dict):
        return {name: _replaced(part, old, new) for name, part in value.items()}
    return value
