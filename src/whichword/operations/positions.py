"""The last layer at one position: where a read-out takes one of the last hidden states, the others are not made.

Keys and values are needed of all positions, queries of one. From the last attention on, a value [n, P, ..] is computed
at that position and stands at all P of them (a view: nothing is copied), so that the module's own shapes remain right.
What is read at another position would be wrong: users have to compare the scores on a probe first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from whichword.errors import InputError
from whichword.operations.calls import Call, mapped
from whichword.operations.mode import Lookup, WordVectors

ATTENTION = "scaled_dot_product_attention"
COPIES = ("contiguous", "clone")  # of a view that stands for all positions: not needed
# what treats every position alone and keeps [n, P, ..]
LAYERS = ("linear", "layer_norm", "rms_norm", "dropout", "gelu", "silu", "relu", "tanh", "sigmoid", "softplus", "erf")
ARITHMETIC = ("add", "sub", "mul", "div", "pow", "square", "sqrt", "rsqrt", "neg", "float", "to", "type")
BY_POSITION = frozenset([*LAYERS, *ARITHMETIC])
BY_LAST_DIMENSION = ("mean", "var", "sum")  # a statistic of each position's own vector


@dataclass(frozen=True)
class ReadOut:
    """The number of attention calls in a pass, and the position that is read after the last of them: 0 or -1."""

    calls: int
    position: int


class AttentionCount(Lookup):
    """Count the attention calls of a pass."""

    count = 0

    def _called(self, call: Call) -> Any:
        self.count += call.name == ATTENTION
        return super()._called(call)


class OnePosition(Lookup):
    """``spared`` counts the products that were made at one position instead of all."""

    def __init__(self, words: WordVectors, read_out: ReadOut, unrounded: bool = False) -> None:
        super().__init__(words, unrounded)
        self._read_out, self._count, self._width = read_out, 0, 0
        self.spared = 0

    def _called(self, call: Call) -> Any:
        if call.name == ATTENTION:
            return self._attention(call)
        if not self._width or not any(map(self._stands_for_all, _tensors(call))):
            return super()._called(call)
        if call.name in COPIES:
            return call.first
        if call.name == "view":  # a view of a view that torch cannot make
            return super()._called(call.changed((call.first.contiguous(), *call.args[1:])))
        return self._at_position(call) if self._is_by_position(call) else super()._called(call)

    def _attention(self, call: Call) -> Any:
        self._count += 1
        if self._count > self._read_out.calls:
            raise InputError("the module calls attention more often for this text than for others")
        causal, position = call.bound("is_causal", defaults=(False,), after=5)[0], self._read_out.position
        width = call.first.shape[-2]
        if self._count < self._read_out.calls or width < 2 or (causal and position == 0):
            return super()._called(call)
        self._width = width
        output: Tensor = super()._called(call.changed(*self._one_query(call)))
        return output.expand(*output.shape[:-2], width, -1)

    def _one_query(self, call: Call) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Ask for one position: the last of a causal model sees everything, as any one of another model does."""
        query, key, value, mask = call.bound("query", "key", "value", "attn_mask", defaults=(None,) * 4, after=0)
        dropout, _, scale, grouped = call.bound(
            "dropout_p", "is_causal", "scale", "enable_gqa", defaults=(0.0, False, None, False), after=4
        )
        if mask is not None and mask.shape[-2] == self._width:
            mask = self._slice(mask, -2)
        # no is_causal: torch aligns its mask upper left, so one query would see the first key only
        options = {"attn_mask": mask, "dropout_p": dropout, "scale": scale, "enable_gqa": grouped}
        return (self._slice(query, -2), key, value), options

    def _slice(self, value: Tensor, dim: int) -> Tensor:
        return value.narrow(dim, self._read_out.position % value.shape[dim], 1)

    def _at_position(self, call: Call) -> Any:
        self.spared += call.name == "linear"
        value = super()._called(call.changed(self._sliced(call.args), self._sliced(call.kwargs)))
        return value.expand(-1, self._width, *[-1] * (value.dim() - 2))

    def _sliced(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return self._slice(value, 1) if value.dim() > 2 and value.shape[1] == self._width else value
        return mapped(self._sliced, value)

    def _stands_for_all(self, value: Tensor) -> bool:
        return value.dim() > 2 and value.shape[1] == self._width and value.stride(1) == 0  # by `expand`

    def _is_by_position(self, call: Call) -> bool:
        if call.name in BY_LAST_DIMENSION:
            dim, keep = call.bound("dim", "keepdim", defaults=(None, False))
            return keep and dim in (-1, (-1,), [-1])
        return call.name in BY_POSITION


def _tensors(call: Call) -> list[Tensor]:
    """Return arguments by place alone: what is handed over by name is computed at all positions."""
    return [value for value in call.args if isinstance(value, Tensor)]
