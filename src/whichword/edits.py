"""Edited copies of documents: what omission, occlusion and LIMSSE ask a model about. All positions count words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from whichword.lazy import Tensor, torch
from whichword.sequences import Sequences


class Touched(NamedTuple):
    """Which pieces of each copy are taken out, and which are blanked, [n, P] each."""

    cut: Tensor
    blank: Tensor


@dataclass(frozen=True)
class Edits:
    """n copies of documents, edited at words start..stop-1 in one way: "cut" out, "blank"ed, or "crop"ped to.

    ``rows``, ``start``, ``stop`` [n] whole numbers.
    """

    kind: str
    rows: Tensor
    start: Tensor
    stop: Tensor

    def __len__(self) -> int:
        return len(self.rows)

    def lengths(self, x: Sequences) -> Tensor:
        """The copies' lengths, [n], where x has a piece per word."""
        inside = self.stop - self.start
        return {"cut": x.lengths[self.rows] - inside, "blank": x.lengths[self.rows], "crop": inside}[self.kind]

    def pick(self, index: Tensor) -> Edits:
        """Some of the edits."""
        return Edits(self.kind, self.rows[index], self.start[index], self.stop[index])

    def distinct(self) -> tuple[Edits, Tensor]:
        """Equal edits united, in order of row, start, stop; and where each of these went, [n]."""
        if not len(self):
            return self, self.rows
        base = int(self.stop.max()) + 1
        names, where = torch.unique((self.rows * base + self.start) * base + self.stop, return_inverse=True)
        places, stop = names // base, names % base
        return Edits(self.kind, places // base, places % base, stop), where

    def mirrored(self, x: Sequences) -> Edits:
        """The same edits for `x.reversed()`."""
        ends = x.lengths[self.rows]
        return Edits(self.kind, self.rows, ends - self.stop, ends - self.start)

    def in_pieces(self, x: Sequences, words: int) -> tuple[Sequences, Edits]:
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
        """The copies of word vectors, a vector per word; blanks are zero vectors."""
        edit = {"cut": Sequences.cut, "blank": Sequences.blank, "crop": Sequences.crop}[self.kind]
        return edit(x, self.rows, self.start, self.stop)

    def touched(self, word: Tensor) -> Touched:
        """``word`` [B, P]: the word of each piece, -1 for pieces that are no word's and stay as they are."""
        own = word[self.rows]
        inside = (own >= self.start[:, None]) & (own < self.stop[:, None])
        nothing = torch.zeros_like(inside)
        cut, blank = {
            "cut": (inside, nothing),
            "blank": (nothing, inside),
            "crop": (~inside & (own >= 0), nothing),
        }[self.kind]
        return Touched(cut, blank)


@dataclass(frozen=True)
class WordSets:
    """n copies of documents, each without any set of its words: ``cut`` ones are taken out, ``blank`` ones blanked.

    ``rows`` [n]; ``cut``, ``blank`` [n, T] truth values.
    """

    rows: Tensor
    cut: Tensor
    blank: Tensor

    def __len__(self) -> int:
        return len(self.rows)

    def pick(self, index: Tensor) -> WordSets:
        return WordSets(self.rows[index], self.cut[index], self.blank[index])

    def touched(self, word: Tensor) -> Touched:
        own = word[self.rows]
        place = own.clamp(min=0)
        return Touched(*(self._of(flags, place) & (own >= 0) for flags in (self.cut, self.blank)))

    def _of(self, flags: Tensor, place: Tensor) -> Tensor:
        """Each piece's flag, [n, P]; a document of no word has none."""
        return flags.gather(1, place) if flags.shape[1] else torch.zeros_like(place, dtype=torch.bool)


AnyEdits = Edits | WordSets
