"""Calls without a rule: the value goes behind a wall and may become part of a weight. Never silently the gradient."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from whichword.operations.calls import (
    Call,
    NoRuleError,
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
    """No rule."""
    return _walled(call, call.name)


def out_of_sight(call: Call) -> Any:
    """Computed under no_grad by the model itself: relevance must not be lost there."""
    return _walled(call, f"{call.name} under no_grad")


def _walled(call: Call, name: str) -> Any:
    lost = lowest(call.roles) == Rank.LOST
    of = Role(Rank.LOST if lost else Rank.WEIGHT, None if lost else common_root(call.roles))
    return behind_walls(_apart(call.value(), call.moving), call.moving[0], name, of)


def _apart(value: Any, moving: list[Tensor]) -> Any:
    """A copy of what shares its memory with an argument: to change it in place would change the neuron unseen."""
    if not isinstance(value, Tensor):
        return mapped(lambda part: _apart(part, moving), value)
    memory = value.untyped_storage().data_ptr()
    return value.clone() if any(memory == tensor.untyped_storage().data_ptr() for tensor in moving) else value


def behind_walls(value: Any, source: Tensor, name: str, of: Role) -> Any:
    """Every tensor that can hold relevance behind a wall of its own; whole numbers and truth marked as echoes."""
    if not isinstance(value, Tensor):
        return mapped(lambda part: behind_walls(part, source, name, of), value)
    if not value.is_floating_point():
        return with_echo(value, source)
    return with_role(wall(value, source, name.removeprefix("get:"), place()), of)


def shape_only(call: Call) -> Any:
    """A constant of the argument's shape, or a property of it: nothing that relevance could flow through."""
    return call.run()


def number(call: Call) -> Any:
    """A number for Python."""
    value = call.value()
    return NumberEcho.of(value, call.moving[0]) if type(value) is float else value


def leaves_torch(call: Call) -> Any:
    """Numbers for Python or another library that cannot be followed: they would come back as constants."""
    if call.first.is_floating_point():
        raise NoRuleError(f"no relevance rule for {call.name.removeprefix('py:')} ({place()})")
    return call.run()
