"""Functions that torch computes at once, taken apart so that each of their steps meets its own rule."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor

from whichword.operations.calls import Call


def attention(call: Call) -> Any:
    """softmax(q k^T * scale + mask) v."""
    q, k, v, mask = call.bound("query", "key", "value", "attn_mask", defaults=(None,) * 4, after=0)
    dropout, causal = call.bound("dropout_p", "is_causal", defaults=(0.0, False), after=4)
    again, scale = call.ruler.again, call.kwargs.get("scale")
    if call.kwargs.get("enable_gqa"):
        k, v = (again(torch.repeat_interleave, x, q.shape[-3] // x.shape[-3], -3) for x in (k, v))
    scores = again(torch.matmul, q, again(torch.transpose, k, -2, -1))
    scores = again(torch.mul, scores, 1.0 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if causal:
        mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).tril()
    weights = again(torch.softmax, _masked(call, scores, mask), -1)
    return again(torch.matmul, again(torch.dropout, weights, dropout, dropout > 0), v)


def _masked(call: Call, scores: Any, mask: Tensor | None) -> Any:
    if mask is None:
        return scores
    if mask.dtype == torch.bool:
        return call.ruler.again(torch.masked_fill, scores, ~mask, -math.inf)
    return call.ruler.again(torch.add, scores, mask)


def entered(call: Call) -> Any:
    """A function of torch.nn.functional, gone through line by line in the same mode."""
    with call.ruler:  # type: ignore[attr-defined]
        return _body(call.func)(*call.args, **call.kwargs)


@cache
def _body(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function without its question whether a mode wants it as a whole. A copy: torch's own stays as it is."""
    no = {name: lambda *_: False for name in function.__globals__ if name.startswith("has_torch_function")}
    assert isinstance(function, types.FunctionType)
    body = types.FunctionType(
        function.__code__, function.__globals__ | no, function.__name__, function.__defaults__, function.__closure__
    )
    body.__kwdefaults__ = function.__kwdefaults__
    return body
