"""What a value that depends on the words is: a neuron, or a weight, and how sure that is.

Of two factors the one of the higher rank is the weight. A role travels with its tensor as an attribute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from torch import Tensor


class Rank(IntEnum):
    """softmax, a statistic or anything made of weights > sigmoid > activation > sum."""

    SUM = 0
    ACTIVATION = 1
    SIGMOID = 2
    WEIGHT = 3


@dataclass(frozen=True, eq=False)
class Role:
    """``root``: what an elementwise function was applied to, so that x * f(x) is known in any spelling."""

    rank: Rank
    root: Role | None = None

    def made_of(self, other: Role) -> bool:
        """Whether this is f(other), f(g(other)), ..."""
        above = self.root
        while above is not None and above is not other:
            above = above.root
        return above is other


def is_signal(value: object) -> bool:
    """Whether a value depends on the words: it has a gradient and is no parameter."""
    return isinstance(value, Tensor) and value.requires_grad and not value.is_leaf


def role(tensor: Tensor) -> Role | None:
    """None: it was made by something that the mode did not see."""
    return getattr(tensor, "_whichword_role", None)


def with_role(value: Any, of: Role) -> Any:
    """The same value; its tensors that depend on the words play this role."""
    for tensor in tensors(value):
        if is_signal(tensor):
            tensor._whichword_role = of  # type: ignore[attr-defined]
    return value


def tensors(value: Any) -> Iterator[Tensor]:
    """Every tensor in arguments or results: alone, in lists and tuples, in keyword arguments."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from tensors(part)
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))


def signals(value: Any) -> list[Tensor]:
    """Those that depend on the words."""
    return [tensor for tensor in tensors(value) if is_signal(tensor)]


def lowest(roles: Iterable[Role | None]) -> Rank:
    """The rank of a sum: that of its lowest part; unseen values are sums."""
    return min((Rank.SUM if part is None else part.rank for part in roles), default=Rank.SUM)
