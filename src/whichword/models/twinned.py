"""Modules that are one of our networks (`models.twins`), with that network's faster ways."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from whichword.model import Batch, Fast, Trace
from whichword.models.gated import MemoryModule, with_memory
from whichword.models.twins import twin_of
from whichword.models.words import WordModule
from whichword.networks import Network
from whichword.networks.network import GatedNetwork
from whichword.reading import AnyEdits, Edits, copy_lengths

COMPUTED = "our network of the same weights, equal on probes"


class TwinnedModule(WordModule):
    """Scores, edited copies and the methods' faster ways come from the twin; everything else is the module's own.

    Where the module's weights have changed since, the twin is made anew; if there is none any more, all is its own.
    """

    _weights: tuple[Tensor, ...] = ()
    _network: Network | None = None

    @property
    def twin(self) -> Network | None:
        now = [value for value in self.module.parameters() if value is not self.table]
        if len(now) != len(self._weights) or not all(map(torch.equal, now, self._weights)):
            self._weights = tuple(value.detach().clone() for value in now)
            self._network = twin_of(self)
        return self._network

    @property
    def fast(self) -> Fast | None:
        twin = self.twin
        return None if twin is None else twin.fast

    def score(self, batch: Batch) -> Tensor:
        twin = self.twin
        if twin is None or bool((batch.words == 0).any()):
            return super().score(batch)
        self.check_mode()
        with torch.no_grad():
            return twin.score(batch)

    def score_edits(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        """What a text without words scores is the module's own answer; it may have none."""
        twin = self.twin
        if twin is None:
            return super().score_edits(batch, *edits)
        s = twin.score_edits(batch, *edits)
        empty = torch.cat([_lengths(batch, edit) for edit in edits]) == 0
        if bool(empty.any()):
            s[empty] = self._without_words(batch).to(s)
        return s

    def _without_words(self, batch: Batch) -> Tensor:
        with torch.no_grad():
            return self._called(batch, batch.words.new_zeros(1), batch.ids.data[:1, :0])[0]

    def prepared(self, words: int) -> WordModule:
        twin = self.twin
        if twin is None:
            return self
        ready = copy.copy(self)
        ready._network = twin.prepared(words)
        return ready


class TwinnedMemory(TwinnedModule, MemoryModule):
    """The twin's memory is the module's."""

    def trace(self, batch: Batch, k: Tensor) -> list[Trace]:
        twin = self.twin
        return twin.trace(batch, k) if isinstance(twin, GatedNetwork) else super().trace(batch, k)


def _lengths(batch: Batch, edit: AnyEdits) -> Tensor:
    return edit.lengths(batch.ids) if isinstance(edit, Edits) else copy_lengths(batch, edit)


def with_twin(module: nn.Module, *settings: Any) -> WordModule:
    """The module as a model, with a trace and a twin where it has them; a piece per word."""
    plain = with_memory(module, *settings)
    twinned = (TwinnedMemory if isinstance(plain, MemoryModule) else TwinnedModule)(module, *settings)
    if twinned.twin is None:
        return plain
    facts = {**twinned.about.facts, "computed by": COMPUTED}
    twinned.about = replace(twinned.about, facts=facts)
    return twinned
