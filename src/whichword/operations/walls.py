"""Calls without a rule, and the last look before relevance goes back.

The value of a call without a rule goes behind a wall and may become part of a weight: never silently the gradient.
Functions that no mode sees (scripted ones, custom autograd functions, vmap) would pass the ordinary gradient on, so
every node between the score and the word vectors has to be linear, or ours.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from torch import Tensor

from whichword.errors import NoRuleError
from whichword.operations.calls import (
    Call,
    NumberEcho,
    Rank,
    Role,
    common_root,
    lowest,
    mapped,
    place,
    wall,
    with_echo,
    with_role,
)


def unknown(call: Call) -> Any:
    """Put the value behind a wall: there is no rule."""
    return _walled(call, call.name)


def out_of_sight(call: Call) -> Any:
    """Wall off what the model itself computed under no_grad: relevance must not be lost there."""
    return _walled(call, f"{call.name} under no_grad")


def _walled(call: Call, name: str) -> Any:
    lost = lowest(call.roles) == Rank.LOST
    of = Role(Rank.LOST if lost else Rank.WEIGHT, None if lost else common_root(call.roles))
    return behind_walls(_apart(call.value(), call.moving), call.moving[0], name, of)


def _apart(value: Any, moving: list[Tensor]) -> Any:
    """Copy what shares its memory with an argument: to change it in place would change the neuron unseen."""
    if not isinstance(value, Tensor):
        return mapped(lambda part: _apart(part, moving), value)
    memory = value.untyped_storage().data_ptr()
    return value.clone() if any(memory == tensor.untyped_storage().data_ptr() for tensor in moving) else value


def behind_walls(value: Any, source: Tensor, name: str, of: Role) -> Any:
    """Put every tensor that can hold relevance behind a wall of its own; mark whole numbers and truth as echoes."""
    if not isinstance(value, Tensor):
        return mapped(lambda part: behind_walls(part, source, name, of), value)
    if not value.is_floating_point():
        return with_echo(value, source)
    return with_role(wall(value, source, name.removeprefix("get:"), place()), of)


def shape_only(call: Call) -> Any:
    """Return a constant of the argument's shape, or a property of it: relevance cannot flow through it."""
    return call.run()


def number(call: Call) -> Any:
    """Read off a number for Python."""
    value = call.value()
    return NumberEcho.of(value, call.moving[0]) if type(value) is float else value


def leaves_torch(call: Call) -> Any:
    """Refuse numbers for Python or another library that cannot be followed: they would come back as constants."""
    if call.first.is_floating_point():  # positions and masks may go
        raise NoRuleError(f"no relevance rule for {call.name.removeprefix('py:')} ({place()})")
    return call.run()


_LINEAR = """
    Add Sub Rsub Neg View UnsafeView ReshapeAlias Transpose T Permute Expand Repeat Slice Select Index IndexSelect
    Gather MaskedSelect Diagonal Split SplitWithSizes Unbind Stack Cat Squeeze Unsqueeze Clone ToCopy CopySlices
    AsStrided Mean Sum Cumsum MaskedFill Where ConstantPadNd Flip Roll Tril Triu Unfold AdaptiveAvgPool2D AvgPool2D
    IndexPut IndexAdd IndexFill IndexCopy Scatter ScatterAdd Topk Sort PackPaddedSequence
"""
_PRODUCTS = "Mul Div Mm Bmm Addmm Baddbmm Mv Dot Addmv Convolution"
LINEAR, PRODUCTS = frozenset(_LINEAR.split()), frozenset(_PRODUCTS.split())
OURS = frozenset(["_WithSlopeBackward", "_SoftmaxGradientBackward", "_NormedBackward"])
WALL = "_WallBackward"


def check(s: Tensor, halved: Collection[Any] = ()) -> None:
    """Walk from s [B, K] to the word vectors; `NoRuleError` names a node that is neither linear nor ours."""
    allowed, waiting = set(halved), [s.grad_fn]
    seen: set[Any] = set()  # the nodes themselves: an id would be given to another one when its node is gone
    while waiting:
        node = waiting.pop()
        if node is None or node in seen or node.name() == WALL:  # it refuses by itself, with file and line
            continue
        seen.add(node)
        _check_node(node, node in allowed)
        waiting += [following for following, _ in node.next_functions]


def between(result: Tensor, inputs: Collection[Tensor]) -> list[Any]:
    """Return the nodes of one operation: from its result to, and without, those of its inputs."""
    ends = {tensor.grad_fn for tensor in inputs}
    waiting: list[Any] = [result.grad_fn]
    nodes = []
    while waiting:
        node = waiting.pop()
        if node is not None and node not in ends:
            nodes.append(node)
            waiting += [following for following, _ in node.next_functions]
    return nodes


def reaches(tensor: Tensor, ends: Collection[Any]) -> bool:
    """Tell whether a tensor was computed from what these nodes gave."""
    waiting: list[Any] = [tensor.grad_fn]
    seen: set[Any] = set()
    while waiting:
        node = waiting.pop()
        if node in ends:
            return True
        if node is not None and node not in seen:
            seen.add(node)
            waiting += [following for following, _ in node.next_functions]
    return False


def _check_node(node: Any, halved: bool) -> None:
    name = node.name().rpartition("::")[2]  # torch::autograd::CopySlices
    if name in OURS or name in ("AccumulateGrad", "CopyBackwards", "CopySlices"):
        return
    kind = name.rstrip("0123456789").removesuffix("Backward")  # AddBackward0 -> Add
    if kind in PRODUCTS:
        moving = sum(following is not None for following, _ in _factors(node, kind))
        if moving > 1 and not halved:
            raise NoRuleError(f"no relevance rule for a product of two values that both depend on the words ({name})")
    elif kind not in LINEAR:
        raise NoRuleError(f"no relevance rule for {name}: it was computed by something that cannot be seen into")


def _factors(node: Any, kind: str) -> list[Any]:
    """Return the inputs that are multiplied; what is added comes first in addmm and the like, last in convolutions."""
    inputs = list(node.next_functions)
    return inputs[1:] if kind.startswith(("Add", "Badd")) else inputs[:2] if kind == "Convolution" else inputs
