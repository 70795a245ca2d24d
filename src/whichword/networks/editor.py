"""Scores of edited copies by encoders that know what an edit leaves unchanged (`Editing`)."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    def score(self, x: Sequences, edits: Edits) -> Tensor:
        """s of every copy, [n, K], read out in double precision: what matters are small differences of s."""
        if edits.kind == "crop" and x.width > PIECE and len(edits):
            x, edits = edits.in_pieces(x, PIECE)
        w, b = self.w.double(), self.b.double()
        if len(x) * x.width <= WORDS:
            return functional.linear(self._encode(x.filled(), edits).double(), w, b)
        scores = b.new_zeros(len(edits), len(b))
        for group in batches(x.lengths.tolist(), WORDS):
            rows = torch.as_tensor(group, device=x.data.device)
            place = torch.full_like(x.lengths, -1).index_copy(0, rows, torch.arange(len(rows), device=rows.device))
            chosen = (place[edits.rows] >= 0).nonzero()[:, 0]
            if len(chosen):
                some = edits.pick(chosen)
                here = Edits(some.kind, place[some.rows], some.start, some.stop)
                scores[chosen] = functional.linear(self._encode(x.pick(rows).filled(), here).double(), w, b)
        return scores

    def _encode(self, x: Sequences, edits: Edits) -> Tensor:
        """h of every copy, [n, H]: the backward direction sees the mirrored edits of the reversed document."""
        forward, *backward = self.encoders
        found = [forward.encode_edits(x, edits)]
        found += [encoder.encode_edits(x.reversed(), edits.mirrored(x)) for encoder in backward]
        return torch.cat(found, -1)
