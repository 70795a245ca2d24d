"""Any torch module that looks words up in a table: explained as it is, with nothing patched."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from whichword.errors import InputError
from whichword.model import Batch, Ruled
from whichword.operations import graph
from whichword.operations.mode import Lookup, Ruling, WordVectors
from whichword.rules import PLAIN, Relevance, Rules


class ModuleModel(Ruled):
    """A module and its word table; subclasses say how texts are read and how the module is called.

    The module runs inside a mode (`operations.mode`) that answers look-ups of the word table with vectors of ours and,
    for LRP and DeepLIFT, puts a rule on every operation. It is never switched, hooked, patched or copied. Documents of
    one length go together and nothing is padded: an answer does not depend on what else is in the batch.
    """

    def __init__(self, module: Any, table: Tensor, has_attention: bool) -> None:
        self.module, self.table, self.has_attention = module, table, has_attention
        self.also = ("lrp[attention=attnlrp]",) if has_attention else ()

    @abstractmethod
    def call(self, ids: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        """The module's own scores for documents of one length, ids [n, P] -> s [n, K]; ``rows`` of the batch."""

    def embed(self, batch: Batch) -> Tensor:
        return functional.embedding(batch.ids.filled(0).data, self.table.detach())

    def score(self, batch: Batch) -> Tensor:
        with torch.no_grad():
            return self._gathered(batch, [self._called(batch, rows, ids) for rows, ids in self._groups(batch)])

    def forward(self, e: Tensor, batch: Batch, rules: Rules | None = None) -> Tensor:
        """The module's own pass from these vectors on; under rules, every operation by its rule."""
        parts = [self._passed(e[rows, : ids.shape[1]], batch, rows, ids, rules) for rows, ids in self._groups(batch)]
        return self._gathered(batch, parts)

    def _passed(self, e: Tensor, batch: Batch, rows: Tensor, ids: Tensor, rules: Rules | None) -> Tensor:
        # a value that depends on the words is known by its gradient and by being no leaf, which parameters are
        words = WordVectors(self.table, ids, e.view_as(e) if e.is_leaf else e)
        if rules is None or rules == PLAIN:
            with Lookup(words):
                return self._called(batch, rows, ids)
        with Ruling(words, rules) as ruling:
            s = self._called(batch, rows, ids)
        if e.requires_grad and isinstance(rules, Relevance):
            graph.check(s, ruling.halved)
        return s

    def _called(self, batch: Batch, rows: Tensor, ids: Tensor) -> Tensor:
        self._check_mode()
        s = self.call(ids, batch, rows)
        if s.shape != (len(ids), len(self.about.classes)):
            expected = [len(ids), len(self.about.classes)]
            raise InputError(f"{self.about.name} gave scores of shape {list(s.shape)}, not {expected}")
        return s

    def _check_mode(self) -> None:
        """Dropout would make every answer another one, and it is not ours to switch the model."""
        if self.module.training:
            raise InputError("the model is in training mode: call model.eval() first")

    def _groups(self, batch: Batch) -> Iterator[tuple[Tensor, Tensor]]:
        """Rows of one length, and their ids [n, P]."""
        for length in torch.unique(batch.ids.lengths).tolist():
            rows = (batch.ids.lengths == length).nonzero()[:, 0]
            yield rows, batch.ids.data[rows, :length]

    def _gathered(self, batch: Batch, parts: list[Tensor]) -> Tensor:
        """The groups' scores in the order of the batch."""
        if not parts:
            return torch.zeros(0, len(self.about.classes))
        order = torch.cat([rows for rows, _ in self._groups(batch)])
        return torch.cat(parts)[order.argsort()]


def word_table(module: nn.Module, named: Any = None) -> Tensor:
    """The embedding that words are looked up in: the named one, or the only one that there is."""
    if isinstance(named, nn.Embedding):
        return named.weight
    tables = {name: part for name, part in module.named_modules() if isinstance(part, nn.Embedding)}
    if named is not None:
        if named not in tables:
            raise InputError(f"the module has no embedding {named!r}; it has: {', '.join(tables) or 'none'}")
        return tables[named].weight
    if len(tables) != 1:
        count = "no embedding" if not tables else f"{len(tables)} embeddings ({', '.join(tables)})"
        raise InputError(f"the module has {count}: name the words' table by embedding=...")
    return next(iter(tables.values())).weight
