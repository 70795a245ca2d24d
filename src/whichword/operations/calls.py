"""One call of a torch function, as a rule sees it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Protocol

import torch
from torch import Tensor

from whichword.operations.roles import Role, role, signals
from whichword.rules import Ledger, Rules

# what Python asks of a tensor: numbers and truth, never a value that relevance could flow through
_PYTHON = ("float", "int", "bool", "index", "len", "complex", "format", "repr", "str", "hash", "contains", "array")
_SPELLINGS = {"radd": "add", "rmul": "mul", "iadd": "add_", "isub": "sub_", "imul": "mul_", "itruediv": "div_"}


class Ruler(Protocol):
    """The mode that a call was made in."""

    rules: Rules
    attention: str
    ledger: Ledger | None
    decisions: dict[str, str]
    halved: list[Any]

    def again(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Another call, by its own rule."""
        ...


@dataclass
class Call:
    """A call with a value that depends on the words among its arguments."""

    ruler: Ruler
    func: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)

    @property
    def rules(self) -> Rules:
        return self.ruler.rules

    @property
    def name(self) -> str:
        return name_of(self.func)

    @cached_property
    def moving(self) -> list[Tensor]:
        """The arguments that depend on the words, as they were when the call was made."""
        return signals((self.args, self.kwargs))

    @property
    def roles(self) -> list[Role]:
        return [role(tensor) for tensor in signals((self.args, self.kwargs))]

    @property
    def first(self) -> Tensor:
        """The first argument."""
        tensor: Tensor = self.args[0] if self.args else self.kwargs["input"]
        return tensor

    def function(self, z: Tensor) -> Tensor:
        """The call as a function of its first argument."""
        kwargs = {name: value for name, value in self.kwargs.items() if name != "input"}
        value: Tensor = self.func(z, *self.args[1:], **kwargs)
        return value

    def run(self) -> Any:
        """What torch makes of it."""
        return self.func(*self.args, **self.kwargs)

    def value(self) -> Any:
        """What torch makes of it, without a gradient."""
        return self.func(*detached(self.args), **detached(self.kwargs))

    def bound(self, *names: str, defaults: tuple[Any, ...], after: int = 1) -> list[Any]:
        """Arguments by name, or by place from ``after`` on."""
        places = range(after, after + len(names))
        return [
            self.kwargs.get(name, self.args[place] if place < len(self.args) else default)
            for name, place, default in zip(names, places, defaults, strict=True)
        ]

    def changed(self, args: Any = None, kwargs: Any = None) -> Call:
        """The same call of other arguments."""
        return Call(
            self.ruler, self.func, self.args if args is None else args, self.kwargs if kwargs is None else kwargs
        )

    def out_of_place(self) -> Call:
        """The same call without ``inplace``, and by the function that changes nothing."""
        parameter = inplace_parameter(self.func)
        if parameter is not None:
            kwargs = {name: value for name, value in self.kwargs.items() if name != "inplace"}
            return Call(self.ruler, self.func, self.args[:parameter], kwargs)
        plain: Callable[..., Any] = getattr(torch.Tensor, self.name.removesuffix("_"))
        return Call(self.ruler, plain, self.args, self.kwargs)

    @property
    def in_place(self) -> bool:
        """Whether it is to change its first argument, said by ``inplace`` in any spelling, or by the name."""
        parameter = inplace_parameter(self.func)
        if parameter is None:
            return self.name.endswith("_") and hasattr(torch.Tensor, self.name.removesuffix("_"))
        return bool(self.kwargs.get("inplace", len(self.args) > parameter and self.args[parameter]))


@lru_cache(maxsize=4096)
def name_of(func: Callable[..., Any]) -> str:
    """``add`` for add, __add__ and __radd__; ``add_`` in place; ``get:T``: a property; ``py:len``: Python asks."""
    name: str = getattr(func, "__name__", str(func))
    if name in ("__get__", "__set__"):
        return f"{name.strip('_')}:{func.__self__.__name__}"  # type: ignore[attr-defined]
    if name.startswith("__") and name.endswith("__"):
        name = name.strip("_")
        return f"py:{name}" if name in _PYTHON else _SPELLINGS.get(name, name)
    return name


@lru_cache(maxsize=4096)
def inplace_parameter(func: Callable[..., Any]) -> int | None:
    """The place of a parameter ``inplace``, where a function of torch.nn.functional has one."""
    try:
        names = list(inspect.signature(func).parameters)
    except (TypeError, ValueError):  # torch's built-in functions tell no signature
        return None
    return names.index("inplace") if "inplace" in names else None


def detached(value: Any) -> Any:
    """The same arguments without gradients."""
    if isinstance(value, Tensor):
        return value.detach()
    return mapped(detached, value)


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """``function`` of the parts of a list, tuple or dictionary; anything else as it is."""
    if isinstance(value, list):
        return [function(part) for part in value]
    if isinstance(value, tuple):
        parts = [function(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        return {name: function(part) for name, part in value.items()}
    return value
