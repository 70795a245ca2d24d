"""A model as a torch module of vectors, for libraries that go in through modules."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import Tensor, nn

from whichword.extras.contestants.peer import chosen
from whichword.model import Batch, Differentiable


class FromVectors(nn.Module):
    """o(k) of one document as a function of its vectors: copies [n, P, E] -> [n].

    ``layers`` are the model's own, so that a library finds them; all but the word table, which stands before the
    vectors.
    """

    def __init__(self, model: Differentiable, batch: Batch, k: Tensor, output: str) -> None:
        super().__init__()
        self._held = (model, batch, k, output)  # in a tuple: torch takes no part of it for a submodule
        self.layers = nn.ModuleList(layers_of(model))
        self.eval()  # dropout would make every copy another

    def forward(self, e: Tensor) -> Tensor:
        model, batch, k, output = self._held
        copies = batch.pick(torch.zeros(len(e), dtype=torch.long, device=e.device))  # all of the one document
        return chosen(model.forward(e, copies), k, output)


def layers_of(model: Differentiable) -> list[nn.Module]:
    """List the modules without parts of their own, in the model's order, but the word table."""
    module = _module(model)
    if module is None:
        return []
    leaves = [part for part in module.modules() if not any(True for _ in part.children())]
    table = getattr(model, "table", None)
    return [part for part in leaves if table is None or getattr(part, "weight", None) is not table]


def _module(model: Any) -> nn.Module | None:
    inside = model if isinstance(model, nn.Module) else getattr(model, "module", None)
    return inside if isinstance(inside, nn.Module) else None


def duplicate(model: Any) -> Any:
    """Copy a model and its module: libraries hang hooks and rules on layers, and a failure leaves them there."""
    if isinstance(model, nn.Module):
        return copy.deepcopy(model)
    twin = copy.copy(model)  # shallow: what is no module is only read
    if _module(model) is not None:
        twin.module, twin.table = copy.deepcopy((model.module, model.table))  # at once: the table stays a part of it
    return twin
