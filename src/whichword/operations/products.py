"""Products: of a neuron with constants, and of two values that both depend on the words, of which one is the weight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from whichword.operations.calls import Call, Rank, Role, is_signal, lowest, mapped, place, role, signals, with_role
from whichword.operations.sums import leaves
from whichword.operations.walls import between, unknown
from whichword.rules import with_slope

Finish = Callable[[Call, Tensor, list[Tensor]], Any]

# what is added to a product of two, and the two, by name; the product alone
ADDED_PRODUCTS: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "addmm": (("input", "mat1", "mat2"), torch.mm),
    "addmv": (("input", "mat", "vec"), torch.mv),
    "baddbmm": (("input", "batch1", "batch2"), torch.bmm),
}


def linear(call: Call) -> Any:
    """Compute linear and convolutions: sums of weighted inputs and a bias, epsilon at the sum."""
    names = ("input", "weight", "bias")
    x, weight, bias = call.bound(*names, defaults=(None,) * 3, after=0)
    kwargs = {name: value for name, value in call.kwargs.items() if name not in names}
    simple = call.changed((x, weight, leaves(call.ruler.ledger, bias), *call.args[3:]), kwargs)
    if bias is not None and _halves(call, x, weight):  # halves are of a product alone, and here a bias is in it
        return unknown(call)
    return _summed(simple, x, weight)


def added_product(call: Call) -> Any:
    """Compute input * beta + alpha * (a @ b): one sum."""
    names, product = ADDED_PRODUCTS[call.name]
    added, a, b = call.bound(*names, defaults=(None,) * 3, after=0)
    kwargs = {name: value for name, value in call.kwargs.items() if name not in names}
    if _halves(call, a, b):
        return _apart(call, added, call.ruler.again(product, a, b))
    return _summed(call.changed((leaves(call.ruler.ledger, added), a, b), kwargs), a, b)


def _apart(call: Call, added: Tensor, product: Any) -> Any:
    """Compute the same in two steps: the halves are of the product alone."""
    again, (beta, alpha) = call.ruler.again, (call.kwargs.get(name, 1) for name in ("beta", "alpha"))
    scaled = again(torch.mul, product, alpha)
    return again(torch.add, scaled, again(torch.mul, added, beta)) if beta else scaled


def _summed(call: Call, a: Tensor, b: Tensor) -> Any:
    """Compute the product of two factors, and whatever is added to it."""
    moving = signals((a, b))
    if len(moving) < 2:
        return _node(call, call.run(), call.moving)
    return _two(call, moving, _node)


def matrix(call: Call) -> Any:
    """Multiply matrices: a neuron with a constant, or with a weight; epsilon at the sums."""
    if len(call.moving) == 1:
        return _node(call, call.run(), call.moving)
    return _two(call, call.moving, _node)


def elementwise(call: Call) -> Any:
    """Compute a * b: no sum, no epsilon."""
    if len(call.moving) == 1:
        return with_role(call.run(), role(call.moving[0]))  # scaled, x is still x: so x * f(2x) is known
    return _two(call, call.moving, _same)


def quotient(call: Call) -> Any:
    """Compute a / b: the divisor is a weight, and has to be one."""
    numerator, divisor = call.bound("input", "other", defaults=(None, None), after=0)
    if call.kwargs.get("rounding_mode") is not None:  # a step function, whose slope is 0
        return unknown(call)
    if not is_signal(divisor):
        return with_role(call.run(), role(numerator))
    if not is_signal(numerator) or decide(call, numerator, divisor) != 1:
        return unknown(call)
    return with_role(torch.div(numerator, divisor.detach()), role(numerator))


def glu(call: Call) -> Any:
    """Compute a * sigmoid(b) of the two halves."""
    (dim,) = call.bound("dim", defaults=(-1,))
    a, b = call.ruler.again(torch.chunk, call.first, 2, dim)
    return call.ruler.again(torch.mul, a, call.ruler.again(torch.sigmoid, b))


def addcmul(call: Call) -> Any:
    """Compute input + value * a * b."""
    a, b = call.bound("tensor1", "tensor2", defaults=(None, None))
    scaled = call.ruler.again(torch.mul, call.ruler.again(torch.mul, a, b), call.kwargs.get("value", 1))
    return call.ruler.again(torch.add, call.first, scaled)


def lerp(call: Call) -> Any:
    """Compute (1 - weight) * start + weight * end."""
    end, weight = call.bound("end", "weight", defaults=(None, None))
    again = call.ruler.again
    remainder = again(torch.rsub, weight, 1.0) if isinstance(weight, Tensor) else 1.0 - weight
    return again(torch.add, again(torch.mul, call.first, remainder), again(torch.mul, end, weight))


# ------------------------------------------------------------------------------------------------------- two factors


def decide(call: Call, a: Tensor, b: Tensor) -> int | None:
    """Say which of two factors is the weight, 0 or 1: the one made of the other, or the one of the higher rank."""
    first, second = role(a), role(b)
    if Rank.LOST in (first.rank, second.rank):
        return None
    if first.made_of(second) or second.made_of(first):  # whatever the ranks are
        weight = 0 if first.made_of(second) else 1
    elif first.rank != second.rank:
        weight = int(second.rank > first.rank)
    else:
        return None
    chosen = (first, second)[weight].rank.name.lower()
    call.ruler.decisions[f"{call.name} at {place()}"] = f"factor {weight + 1} is the weight ({chosen})"
    return weight


def _two(call: Call, moving: list[Tensor], finish: Finish) -> Any:
    """Multiply two values that depend on the words; for more, or for two alike, there is no rule."""
    if len(moving) != 2 or moving[0] is moving[1]:  # in x * x neither is the weight
        return unknown(call)
    if _halves(call, *moving):
        return _halved(call, moving, finish)
    weight = decide(call, *moving)
    if weight is None:
        return unknown(call)
    fixed = _replaced(call, moving[weight], moving[weight].detach())
    return finish(call, fixed.run(), signals((fixed.args, fixed.kwargs)))


def _halves(call: Call, a: Tensor, b: Tensor) -> bool:
    """Tell whether AttnLRP halves: ranks activation or sum, neither made of the other (x * f(x) stays self-gated)."""
    if call.ruler.attention != "attnlrp" or not (is_signal(a) and is_signal(b)):
        return False
    first, second = role(a), role(b)
    related = first.made_of(second) or second.made_of(first)
    return not related and max(first.rank, second.rank) <= Rank.ACTIVATION


def _halved(call: Call, moving: list[Tensor], finish: Finish) -> Any:
    """Give half of the relevance to each factor (AttnLRP)."""
    product = call.run()
    call.ruler.halved += between(product, moving)  # else the last look would refuse them
    half = with_slope(product, product.detach().clone(), lambda: 0.5)
    return finish(call, with_role(half, Role(Rank.SUM)), moving)


def _node(call: Call, z: Tensor, neurons: list[Tensor]) -> Any:
    """Put epsilon at the sum; a sum of weights is a weight."""
    rank = lowest(role(neuron) for neuron in neurons)
    if rank >= Rank.WEIGHT:  # or lost
        return with_role(z, Role(rank))
    return with_role(call.rules.node(z), Role(Rank.SUM))


def _same(call: Call, z: Tensor, neurons: list[Tensor]) -> Any:
    """Give a weighted neuron the neuron's rank; two halves make a sum."""
    return with_role(z, Role(role(neurons[0]).rank if len(neurons) == 1 else Rank.SUM))


def _replaced(call: Call, old: Tensor, new: Tensor) -> Call:
    """Return the same call with one tensor in the place of another."""

    def exchanged(value: Any) -> Any:
        return new if value is old else mapped(exchanged, value)

    return call.changed(exchanged(call.args), exchanged(call.kwargs))
