"""Any torch module that looks words up in a table: explained as it is, with nothing patched."""

from __future__ import annotations

from abc import abstractmethod

import torch
from torch import Tensor, nn
from torch.nn import functional

from whichword.errors import InputError
from whichword.model import Batch, Ruled
from whichword.operations import graph
from whichword.operations.mode import Lookup, Ruling, WordVectors
from whichword.operations.walls import NoRuleError
from whichword.rules import PLAIN, Rules


class ModuleModel(Ruled):
    """A module and its word table; subclasses say how texts are read and how the module is called.

    The module runs inside a mode (`operations.mode`) that answers look-ups of the word table with vectors of ours and,
    for LRP and DeepLIFT, puts a rule on every operation. It is never switched, hooked, patched or copied.
    """

    def __init__(self, module: nn.Module, table: nn.Parameter) -> None:
        self.module, self.table = module, table

    @abstractmethod
    def call(self, batch: Batch) -> Tensor:
        """The module's own scores s(k, X) for the batch's ids, [B, K]."""

    def embed(self, batch: Batch) -> Tensor:
        return functional.embedding(batch.ids.data, self.table.detach())

    def score(self, batch: Batch) -> Tensor:
        self.check_mode()
        with torch.no_grad():
            return self.call(batch)

    def forward(self, e: Tensor, batch: Batch, rules: Rules | None = None) -> Tensor:
        """The module's own pass from these vectors on; under rules, every operation by its rule."""
        self.check_mode()
        # a value that depends on the words is known by having a gradient without being a parameter, which is a leaf
        given = e.view_as(e) if e.requires_grad and e.is_leaf else e
        words = WordVectors(self.table, batch.ids.data, given)
        if rules is None or rules == PLAIN:
            with Lookup(words):
                return self.call(batch)
        with Ruling(words, rules) as ruling:
            s = self.call(batch)
        if e.requires_grad:
            graph.check(s, e, ruling.halved)
        return s

    def check_mode(self) -> None:
        """Dropout would make every answer another one, and it is not ours to switch the model."""
        if self.module.training:
            raise InputError("the model is in training mode: call model.eval() first")


__all__ = ["ModuleModel", "NoRuleError"]
