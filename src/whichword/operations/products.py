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
    """linear, convolutions: sums of weighted inputs and a bias, epsilon at the sum."""
    names = ("input", "weight", "bias")
    x, weight, bias = call.bound(*names, defaults=(None,) * 3, after=0)
    kwargs = {name: value for name, value in call.kwargs.items() if name not in names}
    simple = call.changed((x, weight, leaves(call.ruler.ledger, bias), *call.args[3:]), kwargs)
    if bias is not None and _halves(call, x, weight):
        return unknown(call)
    return _summed(simple, x, weight)


def added_product(call: Call) -> Any:
    """input * beta + alpha * (a @ b): one sum."""
    names, product = ADDED_PRODUCTS[call.name]
    added, a, b = call.bound(*names, defaults=(None,) * 3, after=0)
    kwargs = {name: value for name, value in call.kwargs.items() if name not in names}
    if _halves(call, a, b):
        return _apart(call, added, call.ruler.again(product, a, b))
    return _summed(call.changed((leaves(call.ruler.ledger, added), a, b), kwargs), a, b)


def _apart(call: Call, added: Tensor, product: Any) -> Any:
    """The same in two steps: the halves are of the product alone."""
    again, (beta, alpha) = call.ruler.again, (call.kwargs.get(name, 1) for name in ("beta", "alpha"))
    scaled = again(torch.mul, product, alpha)
    return again(torch.add, scaled, again(torch.mul, added, beta)) if beta else scaled


def _summed(call: Call, a: Tensor, b: Tensor) -> Any:
    """The product of two factors, and whatever is added to it."""
    moving = signals((a, b))
    if len(moving) < 2:
        return _node(call, call.run(), call.moving)
    return _two(call, moving, _node)


def matrix(call: Call) -> Any:
    """Matrix products: of a neuron with a constant, or with a weight; epsilon at the sums."""
    if len(call.moving) == 1:
        return _node(call, call.run(), call.moving)
    return _two(call, call.moving, _node)


def elementwise(call: Call) -> Any:
    """a * b: no sum, no epsilon."""
    if len(call.moving) == 1:
        return with_role(call.run(), role(call.moving[0]))
    return _two(call, call.moving, _same)


def quotient(call: Call) -> Any:
    """a / b: the divisor is a weight, and has to be one."""
    numerator, divisor = call.bound("input", "other", defaults=(None, None), after=0)
    if call.kwargs.get("rounding_mode") is not None:
        return unknown(call)
    if not is_signal(divisor):
        return with_role(call.run(), role(numerator))
    if not is_signal(numerator) or decide(call, numerator, divisor) != 1:
        return unknown(call)
    return with_role(torch.div(numerator, divisor.detach()), role(numerator))


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
    """(1 - weight) * start + weight * end."""
    end, weight = call.bound("end", "weight", defaults=(None, None))
    again = call.ruler.again
    remainder = again(torch.rsub, weight, 1.0) if isinstance(weight, Tensor) else 1.0 - weight
    return again(torch.add, again(torch.mul, call.first, remainder), again(torch.mul, end, weight))


# ------------------------------------------------------------------------------------------------------- two factors


def decide(call: Call, a: Tensor, b: Tensor) -> int | None:
    """Which of two factors is the weight, 0 or 1: the one that is made of the other, or the one of the higher rank."""
    first, second = role(a), role(b)
    if Rank.LOST in (first.rank, second.rank):
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


def _two(call: Call, moving: list[Tensor], finish: Finish) -> Any:
    """A product of two values that depend on the words; of more, or of two alike, there is no rule."""
    if len(moving) != 2 or moving[0] is moving[1]:
        return unknown(call)
    if _halves(call, *moving):
        return _halved(call, moving, finish)
    weight = decide(call, *moving)
    if weight is None:
        return unknown(call)
    fixed = _replaced(call, moving[weight], moving[weight].detach())
    return finish(call, fixed.run(), signals((fixed.args, fixed.kwargs)))


def _halves(call: Call, a: Tensor, b: Tensor) -> bool:
    """AttnLRP, and two neurons: ranks activation or sum, neither made of the other (x * f(x) stays self-gated)."""
    if call.ruler.attention != "attnlrp" or not (is_signal(a) and is_signal(b)):
        return False
    first, second = role(a), role(b)
    related = first.made_of(second) or second.made_of(first)
    return not related and max(first.rank, second.rank) <= Rank.ACTIVATION


def _halved(call: Call, moving: list[Tensor], finish: Finish) -> Any:
    """AttnLRP: half of the relevance to each factor."""
    product = call.run()
    call.ruler.halved += between(product, moving)
    half = with_slope(product, product.detach().clone(), lambda: 0.5)
    return finish(call, with_role(half, Role(Rank.SUM)), moving)


def _node(call: Call, z: Tensor, neurons: list[Tensor]) -> Any:
    """Epsilon at the sum; a sum of weights is a weight."""
    rank = lowest(role(neuron) for neuron in neurons)
    if rank >= Rank.WEIGHT:
        return with_role(z, Role(rank))
    return with_role(call.rules.node(z), Role(Rank.SUM))


def _same(call: Call, z: Tensor, neurons: list[Tensor]) -> Any:
    """A weighted neuron is of the neuron's rank; of two halves, a sum."""
    return with_role(z, Role(role(neurons[0]).rank if len(neurons) == 1 else Rank.SUM))


def _replaced(call: Call, old: Tensor, new: Tensor) -> Call:
    """The same call with one tensor in the place of another."""

    def exchanged(value: Any) -> Any:
        return new if value is old else mapped(exchanged, value)

    return call.changed(exchanged(call.args), exchanged(call.kwargs))
