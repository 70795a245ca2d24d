"""What a pass of a gated cell reads besides the words, and what it leaves for the way back."""

from dataclasses import dataclass

from torch import Tensor

States = tuple[Tensor, ...]


@dataclass(frozen=True)
class Inputs:
    """bias [G], U [G, H] or None, mask [B, H] or None, ends [B]: each row's own length."""

    bias: Tensor
    U: Tensor | None
    mask: Tensor | None
    ends: Tensor

    @property
    def lengths(self) -> Tensor:
        return self.ends.long().contiguous()

    @property
    def connection(self) -> tuple[Tensor | None, ...]:
        """U and mask, as the kernels read them."""
        return tuple(array if array is None else array.contiguous() for array in (self.U, self.mask))
