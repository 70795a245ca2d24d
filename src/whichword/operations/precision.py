"""Casts inside a model, left out: some models round to single precision on the way, whatever they are given."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from whichword.operations.calls import Call, mapped

LOWER = (torch.float32, torch.float16, torch.bfloat16)
CASTS = ("to", "type", "type_as", "float", "half", "bfloat16")


def in_double(call: Call) -> Call:
    """The same call; where it would take a double to a lower precision, it does not."""
    x = call.args[0] if call.args else call.kwargs.get("input")
    if not isinstance(x, Tensor) or x.dtype != torch.float64:
        return call
    if call.name in CASTS and (call.name in ("float", "half", "bfloat16") or _like_lower(call.args[1:])):
        return Call(call.ruler, torch.Tensor.double, (x,))
    return call.changed(_raised(call.args), _raised(call.kwargs))


def _like_lower(args: tuple[Any, ...]) -> bool:
    """Whether a cast to another tensor's precision would lower it."""
    return any(isinstance(value, Tensor) and value.dtype in LOWER for value in args)


def _raised(value: Any) -> Any:
    if isinstance(value, torch.dtype):
        return torch.float64 if value in LOWER else value
    return mapped(_raised, value)
