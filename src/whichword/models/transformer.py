"""A model of Hugging Face's, and what of it need not be computed: a probe shows.

Which position a transformer reads out, if it is one, and whether edited copies can share their beginnings.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from whichword.errors import InputError
from whichword.model import Batch
from whichword.models.module import PretrainedModule
from whichword.models.prefixes import NotSharedError, SharedPrefixes
from whichword.operations.mode import Lookup, WordVectors
from whichword.operations.positions import AttentionCount, OnePosition, ReadOut
from whichword.reading import AnyEdits

POSITIONS = (0, -1)  # [CLS] of encoders, the last piece of decoders
CLOSE = {torch.float64: 1e-6, torch.float32: 1e-4}  # of the largest score; any other position is far away from that


@torch.no_grad()
def read_out_of(model: PretrainedModule) -> ReadOut | None:
    """Find the read-out; None: several positions are read, or attention is not computed by torch's function."""
    try:
        batch = model.varied_probe()
        ((rows, ids),) = model.groups(batch)
        words = WordVectors(model.table, ids, model.embed(batch))
        counting = AttentionCount(words, model.unrounded)
        s = model.looked_up(counting, batch, rows, ids)
    except InputError:  # what is amiss will show on the user's texts
        return None
    choices = [ReadOut(counting.count, position) for position in POSITIONS if counting.count]
    for choice in choices:
        mode = OnePosition(words, choice, model.unrounded)
        try:
            narrow = model.looked_up(mode, batch, rows, ids)
        except InputError:
            continue
        if mode.spared and torch.allclose(s, narrow, rtol=0, atol=CLOSE.get(s.dtype, 2e-2) * float(s.abs().max())):
            return choice
    return None


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
        """Tell whether a text ends with a piece that the read-out skips: then another position is read."""
        return read_out.position < 0 and self.passed_over is not None and bool((ids[:, -1:] == self.passed_over).any())

    def settle(self) -> None:
        """Find out on a probe what need not be computed."""
        if any(part.training for part in self.module.modules()):  # refused as soon as it is asked for anything
            return
        self.read_out = read_out_of(self)
        facts = {} if self.read_out is None else {"last layer": ALONE}
        if self.keeps:
            facts["edited copies"] = self._share_prefixes()
        self.about = replace(self.about, facts={**self.about.facts, **facts})

    def _share_prefixes(self) -> str:
        """Try to share prefixes; say in words whether it worked."""
        try:
            self.prefixes = SharedPrefixes.of(self)
        except NotSharedError as reason:
            return f"run whole: {reason}"
        except InputError:  # what is amiss will show on the user's texts
            return "run whole"
        return SHARED
