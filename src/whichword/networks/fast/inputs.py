"""What a pass of a gated cell reads besides the words, and what it leaves for the way back."""

from typing import NamedTuple

from torch import Tensor

States = tuple[Tensor, ...]


class Inputs(NamedTuple):
    """bias [G], U [G, H] or None, mask [B, H] or None, ends [B]: each row's own length.

    ``place`` [B, T]: the words' side is [N, G], and each word is one of its rows; None: it is [B, T, G].
    """

    bias: Tensor
    U: Tensor | None
    mask: Tensor | None
    ends: Tensor
    place: Tensor | None = None
