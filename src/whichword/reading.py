"""Documents as a model reads them: pieces for the model, words for all others; alone, side by side, and edited.

Edited copies are what omission, occlusion and LIMSSE ask a model about. All their positions count words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from whichword.base.lazy import Tensor, torch
from whichword.sequences import Sequences
from whichword.text.places import edited

PLACEHOLDER = "_"  # what a text has in the place of a blanked word


@dataclass(slots=True)  # not frozen: there is one per document, and a frozen one takes twice as long to make
class Reading:
    """One document as a model reads it. ``words`` and ``text`` are as given, and nothing of it is ever changed.

    ``ids`` [P] are the model's pieces, ``word`` [P] the word of each (-1: outside the text, as special tokens are; a
    range: a piece per word), ``unknown`` [T] the words that the model does not know, and it reads the first ``seen``.
    """

    words: tuple[str, ...]
    text: str
    ids: Sequence[int]
    word: Sequence[int]
    unknown: Sequence[bool]
    seen: int


@dataclass(frozen=True, eq=False)
class Batch:
    """Readings side by side: pieces ``ids`` [B, P], the word of each piece, and the number of words read, [B].

    ``word`` is None where every word is one piece. ``expected`` says what methods will ask, and ``once``
    keeps what a model computes of the batch: the prediction's own pass serves the methods.
    """

    ids: Sequences
    words: Tensor
    word: Tensor | None = None
    readings: tuple[Reading, ...] = ()
    expected: tuple[Any, ...] = ()
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(readings: Sequence[Reading], device: torch.device | str = "cpu", expected: tuple[Any, ...] = ()) -> Batch:
        ids = Sequences.of([reading.ids for reading in readings], device)
        words = torch.tensor([reading.seen for reading in readings], dtype=torch.long, device=device)
        if all(isinstance(reading.word, range) for reading in readings):  # a piece per word: there is nothing to map
            return Batch(ids, words, None, tuple(readings), expected)
        word = Sequences.of([reading.word for reading in readings], device, padding=-1).data
        return Batch(ids, words, word, tuple(readings), expected)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def width(self) -> int:
        """T, the words of the longest document."""
        return int(self.words.max()) if len(self.words) else 0

    @property
    def mask(self) -> Tensor:
        """True where a document has a word, [B, T]."""
        return torch.arange(self.width, device=self.words.device) < self.words[:, None]

    @property
    def word_of(self) -> Tensor:
        """The word of each piece, [B, P]; -1 for specials and padding."""
        if self.word is not None:
            return self.word
        return self.ids.with_data(self.ids.positions.expand(len(self), -1)).filled(-1).data

    def pick(self, rows: Tensor) -> Batch:
        """Select some documents."""
        ids = self.ids.pick(rows)
        word = None if self.word is None else self.word[rows, : ids.width]
        readings = tuple(self.readings[row] for row in rows.tolist()) if self.readings else ()
        return Batch(ids, self.words[rows], word, readings)  # nothing is expected or kept: that was of all documents

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return what ``make`` gave the first time that this batch was asked under ``key``."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]


def by_word(values: Tensor, batch: Batch) -> tuple[Tensor, Tensor | None]:
    """Sum over the pieces of each word, [B, P] -> [B, T], and over the pieces outside the text, [B].

    So signed relevances keep their sum. Where a piece is a word, the values themselves, and nothing outside.
    """
    if batch.word is None:
        return values, None
    place = torch.where(batch.word < 0, batch.width, batch.word)  # pieces outside the text go to one more column
    shares = batch.ids.with_data(values).filled().data
    sums = shares.new_zeros(len(batch), batch.width + 1).scatter_add_(1, place, shares)
    return sums[:, :-1], sums[:, -1]


class Touched(NamedTuple):
    """Pieces of each copy that are taken out, and that are blanked, [n, P] each."""

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
        """Compute the copies' lengths, [n], where x has a piece per word."""
        inside = self.stop - self.start
        return {"cut": x.lengths[self.rows] - inside, "blank": x.lengths[self.rows], "crop": inside}[self.kind]

    def pick(self, index: Tensor) -> Edits:
        """Select some of the edits."""
        return Edits(self.kind, self.rows[index], self.start[index], self.stop[index])

    def distinct(self) -> tuple[Edits, Tensor]:
        """Unite equal edits, in order of row, start, stop; and say where each of these went, [n]."""
        if not len(self):
            return self, self.rows
        base = int(self.stop.max()) + 1
        # one number per edit: unique over rows of three would sort far slower
        names, where = torch.unique((self.rows * base + self.start) * base + self.stop, return_inverse=True)
        places, stop = names // base, names % base
        return Edits(self.kind, places // base, places % base, stop), where

    def mirrored(self, x: Sequences) -> Edits:
        """Mirror the edits for `x.reversed()`."""
        ends = x.lengths[self.rows]
        return Edits(self.kind, self.rows, ends - self.stop, ends - self.start)

    def in_pieces(self, x: Sequences, words: int) -> tuple[Sequences, Edits]:
        """Turn crops of documents into crops of pieces of about ``words`` words: what is around a crop does not matter.

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
        """Make the copies of word vectors, a vector per word; blanks are zero vectors."""
        edit = {"cut": Sequences.cut, "blank": Sequences.blank, "crop": Sequences.crop}[self.kind]
        return edit(x, self.rows, self.start, self.stop)

    def touched(self, word: Tensor) -> Touched:
        """Mark the pieces of edited words; ``word`` [B, P] is the word of each, -1 for pieces that stay as they are."""
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
        place = own.clamp(min=0)  # -1 would be refused as an index; such pieces are left out by `own >= 0`
        return Touched(*(self._of(flags, place) & (own >= 0) for flags in (self.cut, self.blank)))

    def _of(self, flags: Tensor, place: Tensor) -> Tensor:
        """Look up each piece's flag, [n, P]; documents without words have none to gather."""
        return flags.gather(1, place) if flags.shape[1] else torch.zeros_like(place, dtype=torch.bool)


AnyEdits = Edits | WordSets


def edited_texts(batch: Batch, edits: AnyEdits) -> list[tuple[tuple[str, ...], str]]:
    """Edit words and texts: a word that goes takes the gap before it along, a blanked one is replaced.

    Words that the model does not read go too: they would move up to where it does.
    """
    words = batch.words.new_ones(batch.width).cumsum(0) - 1  # 0..T-1: a piece per word
    touched = edits.touched(words.expand(len(batch), -1))
    readings = [batch.readings[row] for row in edits.rows.tolist()]
    flags = zip(readings, touched.cut.tolist(), touched.blank.tolist(), strict=True)
    return [edited(reading, _with_unread(cut, reading), blank, PLACEHOLDER) for reading, cut, blank in flags]


def _with_unread(cut: list[bool], reading: Reading) -> list[bool]:
    return cut[: reading.seen] + [True] * (len(reading.words) - reading.seen)


def copy_lengths(batch: Batch, edits: AnyEdits) -> Tensor:
    """Count the pieces of each copy, [n]."""
    own = batch.ids.mask[edits.rows]
    return (own & ~edits.touched(batch.word_of).cut).sum(1)


def edited_pieces(batch: Batch, edits: AnyEdits) -> tuple[Batch, Tensor]:
    """Make the copies as a batch, and mark its blanked pieces, [n, P]."""
    touched = edits.touched(batch.word_of)
    stays = batch.ids.mask[edits.rows] & ~touched.cut
    lengths = stays.sum(1)
    # a stable sort of 0 and 1 moves what stays to the front, in its order
    order = (~stays).to(torch.uint8).argsort(dim=1, stable=True)[:, : int(lengths.max()) if len(lengths) else 0]
    ids = Sequences(batch.ids.data[edits.rows].gather(1, order), lengths)
    blank = touched.blank.gather(1, order) & ids.mask
    readings = tuple(batch.readings[row] for row in edits.rows.tolist()) if batch.readings else ()
    if batch.word is None:
        return Batch(ids, lengths, None, readings), blank
    word = ids.with_data(batch.word[edits.rows].gather(1, order)).filled(-1).data
    return Batch(ids, batch.words[edits.rows], word, readings), blank
