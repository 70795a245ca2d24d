"""Passes under any rules, step by step under autograd: the plain way, from the words' side on."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from whichword.rules import Reference, Relevance, Rules

Walked = Callable[[Rules, Tensor], Tensor]  # the words' side [M, B, T, G], without bias -> h [M * B, H]


@dataclass(frozen=True)
class WalkedPasses:
    """An `Opened` with its graph."""

    hidden: Tensor
    reference: Tensor | None
    leaf: Tensor  # [M, B, T, G]
    scored: Tensor  # h with its graph, [M, B, H]

    @staticmethod
    def of(walked: Walked, words: Tensor, scales: Tensor, rules: Rules) -> "WalkedPasses":
        shape, reference = (len(scales), len(words), -1), None
        with torch.enable_grad():
            leaf = (scales[:, None, None, None] * words).requires_grad_()
            if isinstance(rules, Relevance) and rules.paired:
                notes = Reference()
                reference = walked(notes, torch.zeros_like(leaf)).detach().view(shape)[0]
                rules = replace(rules, reference=notes)
            h = walked(rules, leaf).view(shape)
        return WalkedPasses(h.detach(), reference, leaf, h)

    def pull(self, seeds: Tensor, last: bool = True) -> Tensor:
        graph = (self.scored, self.leaf)
        pulled = [torch.autograd.grad(*graph, seed, retain_graph=True)[0] for seed in seeds.unbind(1)]
        gradients = torch.stack(pulled, 1)  # [M, S, B, T, G]
        return torch.stack([gradients.sum(0), gradients[-1]])
