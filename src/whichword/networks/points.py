"""A gated network at many points alpha_m X, under the ordinary gradient."""

from dataclasses import dataclass

import torch
from torch import Tensor

from whichword.networks import kernels
from whichword.networks.encoder import Opened
from whichword.networks.recurrent import STEPS
from whichword.networks.recurrent_kernels import KERNELS, Inputs, Kept


def open_points(cell: str, words: Tensor, scales: Tensor, given: Inputs) -> Opened:
    """Forward passes over alpha_m * words [B, T, G] (+ bias, + U h), m = 1..M."""
    if kernels.usable(words):
        kernel = KERNELS[cell]
        return _Compiled(cell, given, *kernel.forward(words, scales, given, kernel.needed))
    rows = (scales[:, None, None, None] * words).flatten(0, 1)
    each = Inputs(given.bias, given.U, given.mask, given.ends.repeat(len(scales)))
    last, kept = STEPS[cell].forward(rows, each)
    return _Stepped(cell, each, last.view(len(scales), -1, last.shape[-1]), kept)


@dataclass(frozen=True)
class _Compiled:
    cell: str
    given: Inputs
    hidden: Tensor
    kept: Kept
    reference: None = None

    def pull(self, seeds: Tensor) -> Tensor:
        found = KERNELS[self.cell].backward(self.given, self.kept, seeds, both=len(seeds) > 1)
        return found.expand(2, *found.shape[1:])  # of one point, the sum is the point itself


@dataclass(frozen=True)
class _Stepped:
    """The points are rows of one long batch."""

    cell: str
    given: Inputs
    hidden: Tensor
    kept: Kept
    reference: None = None

    def pull(self, seeds: Tensor) -> Tensor:
        found = [STEPS[self.cell].backward(self.given, self.kept, seed.flatten(0, 1)) for seed in seeds.unbind(1)]
        gradients = torch.stack(found).view(len(found), len(seeds), -1, *found[0].shape[1:]).movedim(1, 0)
        return torch.stack([gradients.sum(0), gradients[-1]])
