"""One call of a torch function as a rule sees it, and the roles that its values play.

A value that depends on the words is a neuron or a weight; of two factors the one of the higher rank is the weight. A
role travels with its tensor as an attribute and holds as long as the tensor is not changed unseen. An echo depends on
the words although autograd does not see how: comparisons, positions, numbers read off. A value behind a wall may only
become part of a weight: relevance must not go there.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from whichword.errors import NoRuleError
from whichword.rules import Ledger, Rules

ARITHMETIC = ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow", "neg", "abs")


class NumberEcho(float):
    """A number that was read off a tensor. It may decide what is computed, and it may scale; where it is added to a
    neuron, relevance would have to go back to where it came from.
    """

    source: Tensor

    @staticmethod
    def of(value: float, source: Tensor) -> NumberEcho:
        number = NumberEcho(value)
        number.source = source
        return number

    @property
    def tensor(self) -> Tensor:
        return torch.tensor(float(self), dtype=self.source.dtype, device=self.source.device)


def _lifted(name: str) -> Any:
    """Lift arithmetic of floats: what comes out is an echo as well."""
    of_floats = getattr(float, name)

    def operate(number: NumberEcho, *operands: Any) -> Any:
        result = of_floats(number, *operands)
        return NumberEcho.of(result, number.source) if isinstance(result, float) else result  # else NotImplemented

    return operate


for _name in ARITHMETIC:  # float has no one hook for all of its operators
    setattr(NumberEcho, f"__{_name}__", _lifted(f"__{_name}__"))


def with_echo(value: Tensor, source: Tensor) -> Tensor:
    """Mark a value as an echo of its source."""
    value._whichword_echo = source  # type: ignore[attr-defined]
    return value


class Rank(IntEnum):
    """Ranks: softmax, a statistic or anything made of weights > sigmoid > activation > sum; lost: it cannot be told."""

    SUM = 0
    ACTIVATION = 1
    SIGMOID = 2
    WEIGHT = 3
    LOST = 4


@dataclass(frozen=True, eq=False)  # eq=False: two equal roles are still two values
class Role:
    """``root``: what an elementwise function was applied to, so that x * f(x) is known in any spelling."""

    rank: Rank
    root: Role | None = None

    def made_of(self, other: Role) -> bool:
        """Tell whether this is f(other), f(g(other)), ..."""
        above = self.root
        while above is not None and above is not other:
            above = above.root
        return above is other


LOST = Role(Rank.LOST)  # the mode recognises a value without a role by `is`


def is_signal(value: object) -> bool:
    """Tell whether a value depends on the words: it has a gradient and is no parameter."""
    return isinstance(value, Tensor) and value.requires_grad and not value.is_leaf


def role(tensor: Tensor) -> Role:
    """Return its role; `LOST` where the tensor was made, or changed since, by something that the mode did not see."""
    tag = getattr(tensor, "_whichword_role", None)
    return tag[0] if tag is not None and tag[1] is tensor.grad_fn else LOST


def with_role(value: Any, of: Role) -> Any:
    """Give this role to those tensors of a value that depend on the words."""
    for tensor in tensors(value):
        if is_signal(tensor):
            tensor._whichword_role = (of, tensor.grad_fn)  # type: ignore[attr-defined]
    return value


def with_rank(value: Any, rank: Rank, source: Tensor) -> Any:
    """Give this rank to a value's tensors, each in a role of its own: two halves of x are not made of one another.

    What has no gradient (positions of a maximum, a comparison) is marked as an echo of the words.
    """
    for tensor in tensors(value):
        if is_signal(tensor):
            with_role(tensor, Role(rank))
        elif not tensor.is_floating_point():
            with_echo(tensor, source)
    return value


def echo_of(value: Any) -> Tensor | None:
    """Return what the first echo among the arguments depends on."""
    sources = (getattr(tensor, "_whichword_echo", None) for tensor in tensors(value))
    return next((source for source in sources if source is not None), None)


def tensors(value: Any) -> Iterator[Tensor]:
    """Yield every tensor in arguments or results: alone, in lists and tuples, in keyword arguments."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from tensors(part)
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))


def signals(value: Any) -> list[Tensor]:
    """Return the tensors that depend on the words."""
    return [tensor for tensor in tensors(value) if is_signal(tensor)]


def summed(parts: Iterable[Role]) -> Role:
    """Return the role of an elementwise sum: one part's own; of several the lowest rank, lost if one is lost."""
    roles = list(parts)
    if len(roles) == 1:
        return roles[0]
    return Role(lowest(roles), common_root(roles))


def lowest(roles: Iterable[Role]) -> Rank:
    ranks = [part.rank for part in roles]
    return Rank.LOST if Rank.LOST in ranks else min(ranks, default=Rank.SUM)  # weight + neuron is a neuron


def common_root(roles: Iterable[Role]) -> Role | None:
    """Return the one that all others are made of: x in x + g(x)."""
    parts = list(roles)
    for root in parts:
        if all(part is root or part.made_of(root) for part in parts):
            return root
    return None


# what Python asks of a tensor: numbers and truth, never a value that relevance could flow through
_PYTHON = ("float", "int", "bool", "index", "len", "complex", "format", "repr", "str", "hash", "contains", "array")
# only those that commute or keep their operands in order: rsub is not sub
_SPELLINGS = {"radd": "add", "rmul": "mul", "iadd": "add_", "isub": "sub_", "imul": "mul_", "itruediv": "div_"}


class Ruler(Protocol):
    """The mode that a call was made in."""

    rules: Rules
    attention: str
    ledger: Ledger | None
    decisions: dict[str, str]  # call and place -> which factor became the weight
    halved: list[Any]  # autograd nodes of products of two neurons that AttnLRP halves

    def again(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Make another call, by its own rule."""
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
        tensor: Tensor = self.args[0] if self.args else self.kwargs["input"]  # torch names it so nearly everywhere
        return tensor

    def function(self, z: Tensor) -> Tensor:
        """Apply the call to another first argument."""
        kwargs = {name: value for name, value in self.kwargs.items() if name != "input"}
        value: Tensor = self.func(z, *self.args[1:], **kwargs)
        return value

    def run(self) -> Any:
        """Call torch."""
        return self.func(*self.args, **self.kwargs)

    def value(self) -> Any:
        """Call torch without gradients."""
        return self.func(*detached(self.args), **detached(self.kwargs))

    def bound(self, *names: str, defaults: tuple[Any, ...], after: int = 1) -> list[Any]:
        """Return arguments by name, or by place from ``after`` on."""
        places = range(after, after + len(names))
        return [
            self.kwargs.get(name, self.args[place] if place < len(self.args) else default)
            for name, place, default in zip(names, places, defaults, strict=True)
        ]

    def changed(self, args: Any = None, kwargs: Any = None) -> Call:
        """Return the same call of other arguments."""
        return Call(
            self.ruler, self.func, self.args if args is None else args, self.kwargs if kwargs is None else kwargs
        )

    def out_of_place(self) -> Call:
        """Return the same call without ``inplace``, by the function that changes nothing."""
        parameter = inplace_parameter(self.func)
        if parameter is not None:
            kwargs = {name: value for name, value in self.kwargs.items() if name != "inplace"}
            return Call(self.ruler, self.func, self.args[:parameter], kwargs)
        plain: Callable[..., Any] = getattr(torch.Tensor, self.name.removesuffix("_"))
        return Call(self.ruler, plain, self.args, self.kwargs)

    @property
    def in_place(self) -> bool:
        """Whether it changes its first argument, said by ``inplace`` in any spelling, or by the name."""
        parameter = inplace_parameter(self.func)
        if parameter is None:
            # fill_ and zero_ have no plain twin; they have rules of their own
            return self.name.endswith("_") and hasattr(torch.Tensor, self.name.removesuffix("_"))
        return bool(self.kwargs.get("inplace", len(self.args) > parameter and self.args[parameter]))


@lru_cache(maxsize=4096)  # asked for every call of a pass
def name_of(func: Callable[..., Any]) -> str:
    """Name a function: ``add`` for add, __add__, __radd__; ``add_`` in place; ``get:T`` a property; ``py:len``."""
    name: str = getattr(func, "__name__", str(func))
    if name in ("__get__", "__set__"):
        return f"{name.strip('_')}:{func.__self__.__name__}"  # type: ignore[attr-defined]
    if name.startswith("__") and name.endswith("__"):
        name = name.strip("_")
        return f"py:{name}" if name in _PYTHON else _SPELLINGS.get(name, name)
    return name


@lru_cache(maxsize=4096)
def inplace_parameter(func: Callable[..., Any]) -> int | None:
    """Return the place of a parameter ``inplace``, where a function of torch.nn.functional has one."""
    try:
        names = list(inspect.signature(func).parameters)
    except (TypeError, ValueError):  # torch's built-in functions tell no signature
        return None
    return names.index("inplace") if "inplace" in names else None


def detached(value: Any) -> Any:
    """Return the same arguments without gradients."""
    if isinstance(value, Tensor):
        return value.detach()
    return mapped(detached, value)


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """Apply ``function`` to the parts of a list, tuple or dictionary; return anything else as it is."""
    if isinstance(value, list):
        return [function(part) for part in value]
    if isinstance(value, tuple):
        parts = [function(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        return {name: function(part) for name, part in value.items()}
    return value


TORCH = str(Path(torch.__file__).parent)
OPERATIONS = str(Path(__file__).parent)
PACKAGE = str(Path(__file__).parent.parent)  # a model of torch's modules alone is called from here


class _Wall(torch.autograd.Function):
    """A value whose source is known, so that it counts as depending on the words; nothing goes back to the source."""

    @staticmethod
    def forward(ctx: Any, source: Tensor, value: list[Tensor], name: str, where: str) -> Tensor:
        ctx.operation, ctx.place = name, where
        return value[0]  # in a list: autograd would take an argument that is handed on for a view of it

    @staticmethod
    def backward(ctx: Any, *gradient: Tensor) -> tuple[None, None, None, None]:
        raise NoRuleError(f"no relevance rule for {ctx.operation} ({ctx.place})")


def wall(value: Tensor, source: Tensor, name: str, where: str) -> Tensor:
    """Return the value; a gradient that comes back to it is refused with the operation's name and place."""
    walled: Tensor = _Wall.apply(source, [value], name, where)  # type: ignore[no-untyped-call]
    return walled


def place() -> str:
    """Return file:line of the call in the user's model; in a model of torch's modules alone, torch's own."""
    frame, nearest = sys._getframe(1), None  # inspect.stack() would read the source of every frame
    while frame.f_back is not None:
        path = frame.f_code.co_filename
        if path.startswith(TORCH):
            nearest = nearest or (frame if "modules" in path else None)  # the innermost of torch's own modules
        elif not path.startswith(OPERATIONS):
            break
        frame = frame.f_back
    if nearest is not None and frame.f_code.co_filename.startswith(PACKAGE):  # no line of the user's in between
        frame = nearest
    return f"{_short(frame.f_code.co_filename)}:{frame.f_lineno}"


@lru_cache(maxsize=1024)
def _short(path: str) -> str:
    return "/".join(Path(path).parts[-2:])
