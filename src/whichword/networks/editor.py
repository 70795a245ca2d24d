"""Scores of edited copies by encoders that know what an edit leaves unchanged (`Editing`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import torch
from torch import Tensor
from torch.nn import functional

from whichword.edits import Edits
from whichword.networks.encoder import Editing
from whichword.sequences import Sequences, batches

WORDS = 16384  # of originals at a time; the encoders bound the copies
PIECE = 4096  # words: longer documents are cut where only crops of them are asked for


@dataclass(frozen=True)
class Editor:
    """Encoders, one a direction, under the read-out s = w h + b."""

    encoders: Sequence[Editing]
    w: Tensor
    b: Tensor

    @torch.no_grad()
    def score(self, x: Sequences, *edits: Edits) -> Tensor:
        """s of every copy, of one kind of edits after the other, [n, K].

        Read out in double precision: what matters are small differences of s.
        """
        if x.width > PIECE and any(each.kind == "crop" for each in edits):
            return torch.cat([self._scored(*_in_pieces(x, each)) for each in edits])
        return self._scored(x, *edits)

    def _scored(self, x: Sequences, *edits: Edits) -> Tensor:
        """A bounded number of originals at a time."""
        if len(x) * x.width <= WORDS:
            return self._read(x.filled(), edits)
        scores = self.b.new_zeros(sum(map(len, edits)), len(self.b), dtype=torch.float64)
        for group in batches(x.lengths.tolist(), WORDS):
            rows = torch.as_tensor(group, device=x.data.device)
            place = torch.full_like(x.lengths, -1).index_copy(0, rows, torch.arange(len(rows), device=rows.device))
            chosen = [(place[each.rows] >= 0).nonzero()[:, 0] for each in edits]
            some = [each.pick(own) for each, own in zip(edits, chosen, strict=True)]
            here = [Edits(each.kind, place[each.rows], each.start, each.stop) for each in some]
            begin = accumulate(map(len, edits), initial=0)
            where = torch.cat([own + first for own, first in zip(chosen, begin, strict=False)])
            scores[where] = self._read(x.pick(rows).filled(), here)
        return scores

    def _read(self, x: Sequences, edits: Sequence[Edits]) -> Tensor:
        """s [n, K] from h [n, H]: the backward direction sees the mirrored edits of the reversed document."""
        edits = [each for each in edits if len(each)]
        if not edits:
            return self.b.new_zeros(0, len(self.b), dtype=torch.float64)
        forward, *backward = self.encoders
        found = [forward.encode_edits(x, *edits)]
        found += [encoder.encode_edits(x.reversed(), *(each.mirrored(x) for each in edits)) for encoder in backward]
        return functional.linear(torch.cat(found, -1).double(), self.w.double(), self.b.double())


def _in_pieces(x: Sequences, edits: Edits) -> tuple[Sequences, Edits]:
    """Crops as crops of shorter documents."""
    return edits.in_pieces(x, PIECE) if edits.kind == "crop" and len(edits) else (x, edits)
