"""Values that depend on the words although autograd does not see how: comparisons, positions, numbers read off."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

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
    """Arithmetic of floats; what comes out is an echo as well."""
    of_floats = getattr(float, name)

    def operate(number: NumberEcho, *operands: Any) -> Any:
        result = of_floats(number, *operands)
        return NumberEcho.of(result, number.source) if isinstance(result, float) else result

    return operate


for _name in ARITHMETIC:
    setattr(NumberEcho, f"__{_name}__", _lifted(f"__{_name}__"))


def with_echo(value: Tensor, source: Tensor) -> Tensor:
    """Marked as an echo of its source."""
    value._whichword_echo = source  # type: ignore[attr-defined]
    return value
