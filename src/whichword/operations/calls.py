"""One call of a torch function, as a rule sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor

from whichword.rules import Ledger, Rules

# what Python asks of a tensor: numbers and truth, never a value that relevance could flow through
_PYTHON = ("float", "int", "bool", "index", "len", "complex", "format", "repr", "str", "hash", "contains", "array")
_REVERSED = {"radd": "add", "rmul": "mul", "iadd": "add_", "isub": "sub_", "imul": "mul_", "itruediv": "div_"}


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

    def constants(self, value: Any) -> Any:
        """The same arguments, constants as leaves where an account is kept."""
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
        """``add`` for add, __add__ and __radd__; ``add_`` in place; ``get:T``: a property; ``py:len``: Python asks."""
        name: str = getattr(self.func, "__name__", str(self.func))
        if name == "__get__":
            return f"get:{self.func.__self__.__name__}"  # type: ignore[attr-defined]
        if name.startswith("__") and name.endswith("__"):
            name = name.strip("_")
            return f"py:{name}" if name in _PYTHON else _REVERSED.get(name, name)
        return name

    @property
    def first(self) -> Tensor:
        """The first argument."""
        tensor: Tensor = self.args[0] if self.args else self.kwargs["input"]
        return tensor

    def function(self, z: Tensor) -> Tensor:
        """The call as a function of its first argument; on a copy, since it may be in place."""
        kwargs = {name: value for name, value in self.kwargs.items() if name not in ("input", "inplace")}
        value: Tensor = self.func(z.clone(), *self.args[1:], **kwargs)
        return value

    def run(self) -> Any:
        """What torch makes of it."""
        return self.func(*self.args, **self.kwargs)

    def bound(self, *names: str, defaults: tuple[Any, ...], after: int = 1) -> list[Any]:
        """Arguments by name, or by place from ``after`` on."""
        places = range(after, after + len(names))
        return [
            self.kwargs.get(name, self.args[place] if place < len(self.args) else default)
            for name, place, default in zip(names, places, defaults, strict=True)
        ]

    def out_of_place(self) -> Callable[..., Any]:
        """The same function, not in place."""
        name = self.name
        if not name.endswith("_"):
            return self.func
        function: Callable[..., Any] = getattr(torch.Tensor, name[:-1])
        return function
