"""What a network has to be: words in, one vector out."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from whichword.registry import Registry
from whichword.rules import PLAIN, Rules
from whichword.sequences import Sequences


@dataclass(frozen=True)
class Dropout:
    """Training noise: masks of 0 and 1/(1-rate), drawn from a generator of their own."""

    rate: float
    generator: torch.Generator

    def mask(self, shape: tuple[int, ...], like: Tensor) -> Tensor:
        """A fresh mask of this shape."""
        drawn = torch.rand(shape, generator=self.generator, dtype=like.dtype, device=like.device)
        return (drawn >= self.rate).to(like.dtype) / (1.0 - self.rate)


class Encoder(nn.Module):
    """Turns embedded words into a document vector. Parameters bear the appendix's names and are saved under them.

    A subclass is made with (embedding size, hidden size), says in ``directional`` whether it may read backwards too,
    and defines `forward` in the three words of `rules`. ``dropout``, given in training only, is for connections inside.
    That is enough for every method; faster ways to the same numbers are kept apart, in `networks.fast`.
    """

    directional: ClassVar[bool] = False

    def __init__(self, embedding: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden

    def forward(self, x: Sequences, rules: Rules = PLAIN, dropout: Dropout | None = None) -> Tensor:
        """x [B, T, E] -> h [B, H]; padding is already zero."""
        raise TypeError(f"{type(self).__name__} defines no forward pass")


NETWORKS: Registry[type[Encoder]] = Registry("network", "whichword.networks")


def glorot(*shape: int, fan_in: int, fan_out: int) -> nn.Parameter:
    """Uniform on +-sqrt(6 / (fan_in + fan_out))."""
    bound = (6.0 / (fan_in + fan_out)) ** 0.5
    return nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))
