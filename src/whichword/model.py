"""What a model is: what a method may ask of it. Any model, ours or anybody's, is one of four kinds.

    Model                   read, score, score_edits        omission, LIMSSE
    Differentiable(Model)   embed, forward                  gradients, occlusion by zero vectors
    Ruled(Differentiable)   forward under rules             lrp, deeplift
    Traced(Model)           trace                           decomp

A method says in ``needs`` which of them it takes. Words belong to the corpus, pieces to the model: whoever explains
counts in words, a model computes with the pieces that it made of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from whichword.edits import AnyEdits
from whichword.errors import InputError
from whichword.lazy import Tensor, torch
from whichword.sequences import Sequences, batches
from whichword.text.places import edited
from whichword.types import About, Text, Written

if TYPE_CHECKING:
    from whichword.rules import Relevance, Rules

PIECES = 8192  # of edited copies at a time: enough to fill a matrix product, few enough for the cache
PLACEHOLDER = "_"  # what a text has in the place of a blanked word


@dataclass(frozen=True)
class Reading:
    """One document as a model reads it. ``words`` and ``text`` are as given, never changed.

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

    ``word`` is None where every word is one piece. ``once`` keeps what a model computes of the batch for all methods.
    """

    ids: Sequences
    words: Tensor
    word: Tensor | None = None
    readings: tuple[Reading, ...] = ()
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(readings: Sequence[Reading], device: torch.device | str = "cpu") -> Batch:
        ids = Sequences.of([reading.ids for reading in readings], device)
        words = torch.tensor([reading.seen for reading in readings], dtype=torch.long, device=device)
        if all(isinstance(reading.word, range) for reading in readings):
            return Batch(ids, words, None, tuple(readings))
        word = Sequences.of([reading.word for reading in readings], device, padding=-1).data
        return Batch(ids, words, word, tuple(readings))

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
        """Some documents."""
        ids = self.ids.pick(rows)
        word = None if self.word is None else self.word[rows, : ids.width]
        readings = tuple(self.readings[row] for row in rows.tolist()) if self.readings else ()
        return Batch(ids, self.words[rows], word, readings)

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What ``make`` gave the first time that this batch was asked under ``key``."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]


def by_word(values: Tensor, batch: Batch) -> tuple[Tensor, Tensor | None]:
    """Sums over the pieces of each word, [B, P] -> [B, T], and over the pieces outside the text, [B].

    So signed relevances keep their sum. Where a piece is a word, the values themselves, and nothing outside.
    """
    if batch.word is None:
        return values, None
    place = torch.where(batch.word < 0, batch.width, batch.word)
    shares = batch.ids.with_data(values).filled().data
    sums = shares.new_zeros(len(batch), batch.width + 1).scatter_add_(1, place, shares)
    return sums[:, :-1], sums[:, -1]


class GradientKind(NamedTuple):
    """One gradient method: the mean over the points or the last one alone, of s or p, by norm or dot product."""

    integrated: bool
    output: str
    reduction: str


@dataclass(frozen=True)
class Trace:
    """What cell decomposition reads of one direction, in its own reading order; ``backward``: the last word first."""

    memory: Sequences  # m_t [B, T, H]
    carry: Sequences  # what is kept of m_(t-1), [B, T, H]
    out: Tensor | None  # o_T [B, H]; None: h_T = m_T
    w: Tensor  # w_k of this direction, [B, H]
    backward: bool = False


class Fast:
    """Faster exact ways to what methods define by `Model`, where a model has them; None: the method's own way is taken.

    ``local``: edited copies cost no more than the words around an edit. ``steady``: what an edit does not reach stays
    the same to the last bit. ``batch_words`` suit it at once. ``in_double``: the same model in double precision.
    """

    local: bool = False
    steady: bool = False
    batch_words: int = 4096
    integrate: Callable[[Batch, Tensor, int, Sequence[GradientKind]], dict[GradientKind, Tensor]] | None = None
    relevance: Callable[[Batch, Tensor, Relevance], Tensor] | None = None
    in_double: Callable[[], Model] | None = None


class Model(ABC):
    """s(k, X) of a text."""

    about: About
    lacking: ClassVar[str] = "it is no model"

    @property
    def fast(self) -> Fast | None:
        """Its faster ways, if it has any."""
        return None

    @abstractmethod
    def read(self, document: Written) -> Reading:
        """The document's pieces; called once per document."""

    @abstractmethod
    def score(self, batch: Batch) -> Tensor:
        """s(k, X), [B, K], in the order of ``about.classes``."""

    def score_edits(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        """s of edited copies, one kind of edits after the other, [n, K]. Here: texts without the words, read anew."""
        copies = [Text(*copy) for edit in edits for copy in _edited_texts(batch, edit)]
        with torch.no_grad():
            return self._scored(copies)

    def _scored(self, texts: Sequence[Text]) -> Tensor:
        readings = [self.read(text) for text in texts]
        scores: dict[int, Tensor] = {}
        for group in batches([len(reading.words) for reading in readings], PIECES):
            batch = Batch.of([readings[i] for i in group], self.about.device)
            scores |= dict(zip(group, self.score(batch), strict=True))
        return torch.stack([scores[i] for i in range(len(texts))]) if texts else torch.zeros(0, len(self.about.classes))

    def prepared(self, words: int) -> Model:
        """The same model, made ready to read about so many words in all; a function of their number alone."""
        return self

    def on(self, device: str) -> Model:
        """The model on this device; the caller's own model stays where it is."""
        if device != self.about.device:
            raise InputError(f"{self.about.name} is on {self.about.device} and cannot be moved to {device}")
        return self

    def lacks(self, need: type[Model]) -> str:
        """Why the model is not of this kind, for people."""
        return need.lacking


class Differentiable(Model):
    """A model that looks word vectors up and is differentiable from there on."""

    lacking = "it gives no gradients: it has no word vectors that can be changed"

    @abstractmethod
    def embed(self, batch: Batch) -> Tensor:
        """The vectors of the pieces, [B, P, E]; what stands in the padding never matters."""

    @abstractmethod
    def forward(self, e: Tensor, batch: Batch) -> Tensor:
        """s(k, X), [B, K], from these vectors."""

    def score(self, batch: Batch) -> Tensor:
        return self.forward(self.embed(batch), batch)

    def score_edits(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        """Pieces are taken out, their vectors blanked by zeros; special pieces stay."""
        with torch.no_grad():
            return torch.cat([self._score_copies(batch, edit) for edit in edits])

    def _score_copies(self, batch: Batch, edits: AnyEdits) -> Tensor:
        scores = torch.zeros(len(edits), len(self.about.classes), device=batch.words.device)
        sizes = _copy_lengths(batch, edits).tolist()
        for number, group in enumerate(batches(sizes, PIECES)):
            index = torch.as_tensor(group, device=batch.words.device)
            copies, blank = _edited_pieces(batch, edits.pick(index))
            s = self.forward(torch.where(blank[..., None], 0.0, self.embed(copies)), copies)
            scores = scores if number else scores.to(s.dtype)
            scores[index] = s
        return scores


class Ruled(Differentiable):
    """A model whose backward pass can be told what relevance is: written in the three words of `rules`."""

    lacking = "its operations have no relevance rules"

    @abstractmethod
    def forward(self, e: Tensor, batch: Batch, rules: Rules | None = None) -> Tensor:
        """As `Differentiable.forward`; ``rules`` change nothing but the way back."""


class Traced(Model):
    """A model that reads a gated memory out linearly."""

    lacking = "no gated memory is read out linearly"

    @abstractmethod
    def trace(self, batch: Batch, k: Tensor) -> list[Trace]:
        """A trace per direction, with the read-out weights of the classes k [B]."""


def _edited_texts(batch: Batch, edits: AnyEdits) -> list[tuple[tuple[str, ...], str]]:
    """Words and texts of the copies: a word that goes takes the gap before it along, a blanked one is replaced.

    Words that the model does not read go too: they would move up to where it does.
    """
    words = batch.words.new_ones(batch.width).cumsum(0) - 1
    touched = edits.touched(words.expand(len(batch), -1))
    readings = [batch.readings[row] for row in edits.rows.tolist()]
    flags = zip(readings, touched.cut.tolist(), touched.blank.tolist(), strict=True)
    return [edited(reading, _with_unread(cut, reading), blank, PLACEHOLDER) for reading, cut, blank in flags]


def _with_unread(cut: list[bool], reading: Reading) -> list[bool]:
    return cut[: reading.seen] + [True] * (len(reading.words) - reading.seen)


def _copy_lengths(batch: Batch, edits: AnyEdits) -> Tensor:
    """Pieces of each copy, [n]."""
    return (batch.ids.mask[edits.rows] & ~edits.touched(batch.word_of).cut).sum(1)


def _edited_pieces(batch: Batch, edits: AnyEdits) -> tuple[Batch, Tensor]:
    """The copies as a batch, and which of its pieces are blanked, [n, P]."""
    touched = edits.touched(batch.word_of)
    stays = batch.ids.mask[edits.rows] & ~touched.cut
    lengths = stays.sum(1)
    order = (~stays).to(torch.uint8).argsort(dim=1, stable=True)[:, : int(lengths.max()) if len(lengths) else 0]
    ids = Sequences(batch.ids.data[edits.rows].gather(1, order), lengths)
    blank = touched.blank.gather(1, order) & ids.mask
    if batch.word is None:
        return Batch(ids, lengths), blank
    word = ids.with_data(batch.word[edits.rows].gather(1, order)).filled(-1).data
    return Batch(ids, batch.words[edits.rows], word), blank
