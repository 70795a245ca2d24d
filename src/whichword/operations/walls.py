"""Where relevance must not go: behind a wall is a value that may become part of a weight and nothing else."""

import sys
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from whichword.errors import InputError

TORCH = str(Path(torch.__file__).parent)
OURS = str(Path(__file__).parent)


class NoRuleError(InputError):
    """An operation without a rule is in the way of relevance."""


class _Wall(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, value: Tensor, name: str, where: str) -> Tensor:
        ctx.operation, ctx.place = name, where
        return value.clone()

    @staticmethod
    def backward(ctx: Any, *gradient: Tensor) -> tuple[None, None, None]:
        raise NoRuleError(f"no relevance rule for {ctx.operation} ({ctx.place})")


def wall(value: Tensor, name: str, where: str) -> Tensor:
    """The value; a gradient that comes back to it is refused with the operation's name and place."""
    walled: Tensor = _Wall.apply(value, name, where)  # type: ignore[no-untyped-call]
    return walled


def place() -> str:
    """file:line of the call in the user's model: the nearest frame that is neither torch's nor ours."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((TORCH, OURS)):
        frame = frame.f_back
    path = Path(frame.f_code.co_filename)
    return f"{'/'.join(path.parts[-2:])}:{frame.f_lineno}"
