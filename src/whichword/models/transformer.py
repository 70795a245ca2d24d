"""A model of Hugging Face's, and what of it is not computed where nobody reads it."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.model import Batch
from whichword.models.module import PretrainedModule
from whichword.models.prefixes import NotSharedError, SharedPrefixes
from whichword.models.read_out import read_out_of
from whichword.operations.mode import Lookup, WordVectors
from whichword.operations.positions import OnePosition, ReadOut
from whichword.reading import AnyEdits

SHARED = "share the keys and values of what stands before the edit"
ALONE = "at the position that is read out alone"


class TransformerModel(PretrainedModule):
    """Two things are saved where a probe gives the same scores, and ``about.facts`` tell which.

    ``prefixes``: edited copies of a causal model's documents share their beginnings. ``read_out``: the last layer is
    computed for one position, in gradients and edited copies; the prediction is the module's own.
    """

    prefixes: SharedPrefixes | None = None
    read_out: ReadOut | None = None

    def score_edits(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        work = None if self.prefixes is None else self.prefixes.plan(batch, edits)
        if self.prefixes is None or work is None:
            return self.score_whole_copies(batch, *edits)
        with torch.no_grad():
            return self.prefixes.score_edits(batch, edits, work)

    def lookup(self, words: WordVectors) -> Lookup:
        if self.read_out is None or self._reads_elsewhere(words.ids, self.read_out):
            return super().lookup(words)
        return OnePosition(words, self.read_out, self.unrounded)

    def _reads_elsewhere(self, ids: Tensor, read_out: ReadOut) -> bool:
        """Where a text ends with a piece that the read-out skips, it is not the last position that is read."""
        return read_out.position < 0 and self.passed_over is not None and bool((ids[:, -1:] == self.passed_over).any())

    def settle(self) -> None:
        """Find out on a probe what need not be computed."""
        if any(part.training for part in self.module.modules()):  # refused by whoever asks it for anything
            return
        self.read_out = read_out_of(self)
        facts = {} if self.read_out is None else {"last layer": ALONE}
        if self.keeps:
            facts["edited copies"] = self._share_prefixes()
        self.about = replace(self.about, facts={**self.about.facts, **facts})

    def _share_prefixes(self) -> str:
        """Whether, in words."""
        try:
            self.prefixes = SharedPrefixes.of(self)
        except NotSharedError as reason:
            return f"run whole: {reason}"
        except InputError:  # what is amiss will show on the user's texts
            return "run whole"
        return SHARED
