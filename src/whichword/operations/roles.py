"""What a value that depends on the words is: a neuron, or a weight, and how sure that is.

Of two factors the one of the higher rank is the weight. A role travels with its tensor as an attribute, and holds as
long as nobody changes the tensor unseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from torch import Tensor

from whichword.operations.echoes import with_echo


class Rank(IntEnum):
    """softmax, a statistic or anything made of weights > sigmoid > activation > sum; lost: nobody can tell."""

    SUM = 0
    ACTIVATION = 1
    SIGMOID = 2
    WEIGHT = 3
    LOST = 4


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


LOST = Role(Rank.LOST)


def is_signal(value: object) -> bool:
    """Whether a value depends on the words: it has a gradient and is no parameter."""
    return isinstance(value, Tensor) and value.requires_grad and not value.is_leaf


def role(tensor: Tensor) -> Role:
    """`LOST` where the tensor was made, or has been changed since, by something that the mode did not see."""
    tag = getattr(tensor, "_whichword_role", None)
    return tag[0] if tag is not None and tag[1] is tensor.grad_fn else LOST


def with_role(value: Any, of: Role) -> Any:
    """The same value; its tensors that depend on the words play this role."""
    for tensor in tensors(value):
        if is_signal(tensor):
            tensor._whichword_role = (of, tensor.grad_fn)  # type: ignore[attr-defined]
    return value


def with_rank(value: Any, rank: Rank, source: Tensor) -> Any:
    """The same value; its tensors are of this rank, each in a role of its own: two halves of x are not made of another.

    What has no gradient (positions of a maximum, a comparison) is marked as an echo of the words.
    """
    for tensor in tensors(value):
        if is_signal(tensor):
            with_role(tensor, Role(rank))
        elif not tensor.is_floating_point():
            with_echo(tensor, source)
    return value


def echo_of(value: Any) -> Tensor | None:
    """What the first echo among the arguments depends on."""
    sources = (getattr(tensor, "_whichword_echo", None) for tensor in tensors(value))
    return next((source for source in sources if source is not None), None)


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


def summed(parts: Iterable[Role]) -> Role:
    """The role of an elementwise sum: of one part, that part's; of several, of the lowest rank, lost if one is lost."""
    roles = list(parts)
    if len(roles) == 1:
        return roles[0]
    return Role(lowest(roles), common_root(roles))


def lowest(roles: Iterable[Role]) -> Rank:
    ranks = [part.rank for part in roles]
    return Rank.LOST if Rank.LOST in ranks else min(ranks, default=Rank.SUM)


def common_root(roles: Iterable[Role]) -> Role | None:
    """The one that all others are made of: x in x + g(x)."""
    parts = list(roles)
    for root in parts:
        if all(part is root or part.made_of(root) for part in parts):
            return root
    return None
