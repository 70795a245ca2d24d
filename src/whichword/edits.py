"""Edited copies of documents: what omission, occlusion and LIMSSE ask a model about."""

from dataclasses import dataclass

import torch
from torch import Tensor

from whichword.sequences import Sequences

KINDS = {"cut": Sequences.cut, "blank": Sequences.blank, "crop": Sequences.crop}


@dataclass(frozen=True)
class Edits:
    """n copies of documents, edited at start..stop-1 in one way: "cut" out, "blank"ed by zeros, or "crop"ped to.

    ``rows``, ``start``, ``stop`` [n] whole numbers.
    """

    kind: str
    rows: Tensor
    start: Tensor
    stop: Tensor

    def __len__(self) -> int:
        return len(self.rows)

    def lengths(self, x: Sequences) -> Tensor:
        """The copies' lengths, [n]."""
        inside = self.stop - self.start
        return {"cut": x.lengths[self.rows] - inside, "blank": x.lengths[self.rows], "crop": inside}[self.kind]

    def pick(self, index: Tensor) -> "Edits":
        """Some of the edits."""
        return Edits(self.kind, self.rows[index], self.start[index], self.stop[index])

    def distinct(self) -> tuple["Edits", Tensor]:
        """Equal edits united, in order of row, start, stop; and where each of these went, [n]."""
        if not len(self):
            return self, self.rows
        base = int(self.stop.max()) + 1
        names, where = torch.unique((self.rows * base + self.start) * base + self.stop, return_inverse=True)
        places, stop = names // base, names % base
        return Edits(self.kind, places // base, places % base, stop), where

    def mirrored(self, x: Sequences) -> "Edits":
        """The same edits for `x.reversed()`."""
        ends = x.lengths[self.rows]
        return Edits(self.kind, self.rows, ends - self.stop, ends - self.start)

    def in_pieces(self, x: Sequences, words: int) -> tuple[Sequences, "Edits"]:
        """Crops as crops of pieces of their documents, of about ``words`` words: what is around a crop does not matter.

        Neighbouring pieces overlap, so that every crop lies within the one in which it begins.
        """
        longest = max(1, int((self.stop - self.start).max()))
        step = max(words, 2 * longest) - longest + 1
        number, base = self.start // step, x.width // step + 1
        names, where = torch.unique(self.rows * base + number, return_inverse=True)
        rows, first = names // base, names % base * step
        pieces = x.crop(rows, first, torch.minimum(first + step + longest - 1, x.lengths[rows]))
        return pieces, Edits(self.kind, where, self.start - number * step, self.stop - number * step)

    def apply(self, x: Sequences) -> Sequences:
        """The copies."""
        return KINDS[self.kind](x, self.rows, self.start, self.stop)
