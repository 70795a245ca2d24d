"""Where relevance must not go: behind a wall is a value that may become part of a weight and nothing else."""

import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from whichword.errors import InputError

TORCH = str(Path(torch.__file__).parent)
OPERATIONS = str(Path(__file__).parent)
PACKAGE = str(Path(__file__).parent.parent)


class NoRuleError(InputError):
    """An operation without a rule is in the way of relevance."""


class _Wall(torch.autograd.Function):
    """A value whose source is known, so that it counts as depending on the words; nothing goes back to the source."""

    @staticmethod
    def forward(ctx: Any, source: Tensor, value: list[Tensor], name: str, where: str) -> Tensor:
        ctx.operation, ctx.place = name, where
        return value[0]

    @staticmethod
    def backward(ctx: Any, *gradient: Tensor) -> tuple[None, None, None, None]:
        raise NoRuleError(f"no relevance rule for {ctx.operation} ({ctx.place})")


def wall(value: Tensor, source: Tensor, name: str, where: str) -> Tensor:
    """The value; a gradient that comes back to it is refused with the operation's name and place."""
    walled: Tensor = _Wall.apply(source, [value], name, where)  # type: ignore[no-untyped-call]
    return walled


def place() -> str:
    """file:line of the call in the user's model; in a model made of torch's modules alone, torch's own."""
    frame, nearest = sys._getframe(1), None
    while frame.f_back is not None:
        path = frame.f_code.co_filename
        if path.startswith(TORCH):
            nearest = nearest or (frame if "modules" in path else None)
        elif not path.startswith(OPERATIONS):
            break
        frame = frame.f_back
    if nearest is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = nearest
    return f"{_short(frame.f_code.co_filename)}:{frame.f_lineno}"


@lru_cache(maxsize=1024)
def _short(path: str) -> str:
    return "/".join(Path(path).parts[-2:])
