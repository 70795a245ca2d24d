"""The first maximum is a selection: a weight of 1, no epsilon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from whichword.operations.calls import Call, lowest, with_rank
from whichword.operations.unruled import unknown

POOLS: dict[str, tuple[Callable[..., Any], int]] = {
    "max_pool1d": (functional.max_pool1d, 1),
    "max_pool2d": (functional.max_pool2d, 2),
    "adaptive_max_pool1d": (functional.adaptive_max_pool1d, 1),
    "adaptive_max_pool2d": (functional.adaptive_max_pool2d, 2),
}


def maximum(call: Call) -> Any:
    """max over a dimension, or over everything. Of two values that depend on the words: no rule."""
    x = call.first
    dim, keepdim = call.bound("dim", "keepdim", defaults=(None, False))
    dims = list(dim) if isinstance(dim, tuple | list) else [] if dim is None else [dim]
    if len(dims) > 1 or isinstance(dim, Tensor) or "other" in call.kwargs:
        return unknown(call)
    values, index = _selected(x, dims[0], keepdim) if dims else _selected(x.flatten(), 0, False)
    named = call.name == "max" and dims
    result = torch.return_types.max((values, index)) if named else values
    return with_rank(result, lowest(call.roles), x)


def _selected(x: Tensor, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    """Torch promises no order among equals: count the places before the first one that reaches the maximum."""
    highest = x.detach() == x.detach().amax(dim, keepdim=True)
    index = highest.to(torch.uint8).cummax(dim).values.eq(0).sum(dim, keepdim=True).clamp(max=x.shape[dim] - 1)
    values = x.gather(dim, index)
    return (values, index) if keepdim else (values.squeeze(dim), index.squeeze(dim))


def max_pool(call: Call) -> Any:
    """Max pooling: a selection by the indices of torch's own."""
    x = call.first
    pool, dims = POOLS[call.name.removesuffix("_with_indices")]
    kwargs = {name: value for name, value in call.kwargs.items() if name not in ("input", "return_indices")}
    _, index = pool(x.detach(), *call.args[1:], **kwargs | {"return_indices": True})
    values = x.flatten(-dims).gather(-1, index.flatten(-dims)).view(index.shape)
    wants_index = call.name.endswith("indices") or call.kwargs.get("return_indices")
    return with_rank((values, index) if wants_index else values, lowest(call.roles), x)
