"""What a pass of a gated cell reads besides the words, and what it leaves for the way back."""

from typing import NamedTuple

from torch import Tensor

States = tuple[Tensor, ...]


class Inputs(NamedTuple):
    """bias [G], U [G, H] or None, mask [B, H] or None, ends [B]: each row's own length."""

    bias: Tensor
    U: Tensor | None
    mask: Tensor | None
    ends: Tensor
