"""Sums of neurons and constants, and everything that only moves numbers about: the gradient, no epsilon."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from whichword.operations.calls import Call, Rank, Role, is_signal, lowest, mapped, role, summed, with_rank, with_role
from whichword.rules import Ledger

# where an operation that adds may have a number of the code, by place and by name
ADDENDS: dict[str, tuple[int, ...]] = {
    "add": (0, 1),
    "sub": (0, 1),
    "subtract": (0, 1),
    "rsub": (0, 1),
    "where": (1, 2),
    "masked_fill": (2,),
    "index_fill": (3,),
    "scatter": (3,),
}
NAMED = ("other", "value")  # the same, given by name


def plain(call: Call) -> Any:
    """Compute what is linear in its first argument, and of its rank (expand_as takes just another one's shape)."""
    return with_rank(call.run(), role(call.moving[0]).rank, call.moving[0])


def packed(call: Call) -> Any:
    """Pack or unpack sequences; the whole numbers beside them are lengths, and do not depend on the words."""
    return with_role(call.run(), Role(role(call.moving[0]).rank))


def same(call: Call) -> Any:
    """Compute what is the first argument entry by entry, and so has its role."""
    return with_role(call.run(), role(call.moving[0]))


def added(call: Call) -> Any:
    """Add entry by entry; constants keep their shares."""
    return with_role(_with_leaves(call).run(), summed(call.roles))


def joined(call: Call) -> Any:
    """Put neurons and constants side by side; constants keep their shares."""
    return with_rank(_with_leaves(call).run(), lowest(call.roles), call.moving[0])


def _with_leaves(call: Call) -> Call:
    """Make leaves of constants that are added, numbers in the code included, where an account is kept."""
    ledger, places = call.ruler.ledger, ADDENDS.get(call.name, ())
    if ledger is None:
        return call
    like = call.moving[0]
    args = tuple(
        leaves(ledger, _tensor(value, like) if place in places else value) for place, value in enumerate(call.args)
    )
    kwargs = {
        name: leaves(ledger, _tensor(value, like) if places and name in NAMED else value)
        for name, value in call.kwargs.items()
    }
    return call.changed(args, kwargs)


def _tensor(value: Any, like: Tensor) -> Any:
    return like.new_tensor(float(value)) if isinstance(value, numbers.Real) else value


def leaves(ledger: Ledger | None, value: Any) -> Any:
    """Return the same arguments; constants, that is tensors without a gradient, are entered in the account."""
    if ledger is None:
        return value
    if isinstance(value, Tensor):
        constant = value.is_floating_point() and not value.requires_grad  # positions and masks are none
        return ledger.constant(value) if constant else value
    return mapped(lambda part: leaves(ledger, part), value)


def padded(call: Call) -> Any:
    """Put zeros around a neuron and add, as a constant of its own, what is to stand there instead."""
    pad, mode, value = call.bound("pad", "mode", "value", defaults=((), "constant", None))
    if mode != "constant" or not value:  # other modes repeat neurons
        return plain(call)
    around = torch.nn.functional.pad(torch.zeros_like(call.first), pad, value=value)
    zeros = plain(call.changed((call.first, pad), {}))
    return call.ruler.again(torch.add, zeros, around)


# ------------------------------------------------------------------------------------------------ values that change


def in_place(call: Call, rule: Callable[[Call], Any]) -> Any:
    """Apply the rule of the operation that changes nothing; write its result into the tensor that was to be changed."""
    target = call.first
    _enter(call.ruler.ledger, target)
    before = with_role(target.clone(), role(target))  # the target is about to be overwritten
    plainly = call.out_of_place()
    args = (before, *plainly.args[1:]) if call.args else ()
    kwargs = plainly.kwargs if call.args else plainly.kwargs | {"input": before}
    return _put(target, rule(plainly.changed(args, kwargs)), replaced=True)


def written(call: Call) -> Any:
    """Write x[index] = value."""
    target, index, value = call.args
    return _put_constants(call, target, value, index=index)


def copied(call: Call) -> Any:
    """Write x.copy_(value)."""
    target, value = call.args[:2]
    return _put_constants(call, target, value, replaced=True)


def filled(call: Call) -> Any:
    """Write x.fill_(value), x.zero_()."""
    (value,) = call.bound("value", defaults=(0.0,))
    return _put_constants(call, call.first, value, replaced=True)


def _put_constants(call: Call, target: Tensor, value: Any, replaced: bool = False, index: Any = None) -> Tensor:
    """Write a value; what stood there and what is written may be constants."""
    ledger = call.ruler.ledger
    if ledger is not None:
        _enter(ledger, target)
        value = leaves(ledger, _tensor(value, call.moving[0]))
    return _put(target, value, replaced, index)


def _enter(ledger: Ledger | None, target: Tensor) -> None:
    """Enter in the account, as a whole, a tensor of constants that neurons are about to be written into."""
    whole = target if target._base is None else target._base  # all views share its memory
    if ledger is not None and whole.is_floating_point() and not whole.requires_grad:
        whole.copy_(ledger.constant(whole))  # from here on made of the leaf
        with_role((whole, target), Role(Rank.WEIGHT))  # the highest rank, so that what is written decides


def _put(target: Tensor, value: Any, replaced: bool = False, index: Any = None) -> Tensor:
    """Write into a tensor; what it is a view of has changed as well, and all its other views have lost their roles."""
    wholes = [whole for whole in (target, target._base) if whole is not None]
    before = [[role(whole)] if is_signal(whole) else [] for whole in wholes]
    after = [role(value)] if is_signal(value) else []
    if index is None:
        target.copy_(torch.as_tensor(value, dtype=target.dtype))
    else:
        target[index] = value
    for whole, roles in zip(wholes, before, strict=True):
        with_role(whole, _lasting(after if replaced and whole is target else roles + after))
    return target


def _lasting(parts: list[Role]) -> Role:
    return parts[0] if len(parts) == 1 else Role(lowest(parts))
