"""What a model is: what a method may ask of it. Any model, from here or elsewhere, is one of four kinds.

    Model                   read, score, score_edits        omission, LIMSSE
    Differentiable(Model)   embed, forward                  gradients, occlusion by zero vectors
    Ruled(Differentiable)   forward under rules             lrp, deeplift
    Traced(Model)           trace                           decomp

A method says in ``needs`` which of them it takes. Words belong to the corpus, pieces to the model: relevances count
words, and a model computes with the pieces that it made of them. `Fast` is what a model may do faster.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from whichword.base.lazy import Tensor, torch
from whichword.errors import InputError
from whichword.reading import AnyEdits, Batch, Reading, by_word, copy_lengths, edited_pieces, edited_texts
from whichword.sequences import Sequences, batches
from whichword.types import About, Text, Written

if TYPE_CHECKING:
    from whichword.rules import Rules

__all__ = ["Batch", "Differentiable", "Model", "Reading", "Ruled", "Traced", "by_word", "stopwatch"]

# what a method will ask of a batch, so that the prediction's pass can serve it: one of these, or relevance rules
TRACE, GRADIENT, INTEGRAL = "trace", "gradient", "integral"
BATCH_WORDS = 4096  # words at once, where nothing is known of what suits a model
OUTPUTS = ("s", "p")  # what may be explained: the score s(k, X), the probability p(k | X)


class GradientKind(NamedTuple):
    """One gradient method: the mean over the points or the last one alone, of s or p, by norm or dot product."""

    integrated: bool
    output: str
    reduction: str


# (batch, classes [B], number of points, which gradients) -> phi of each, [B, T]
Integrate = Callable[[Any, Tensor, int, Sequence[GradientKind]], dict[GradientKind, Tensor]]


@dataclass(frozen=True)
class Trace:
    """The gates that decomposition reads of one direction, in its reading order; ``backward``: the last word first."""

    memory: Sequences  # m_t [B, T, H]
    carry: Sequences  # what is kept of m_(t-1), [B, T, H]
    out: Tensor | None  # o_T [B, H]; None: h_T = m_T
    w: Tensor  # w_k of this direction, [B, H]
    backward: bool = False


class Fast:
    """Faster exact ways to what methods define by `Model`; None: there is none, and the method's own way is taken.

    ``in_double``: the same model in double precision.
    """

    in_double: Callable[[], Any] | None = None

    @property
    def local(self) -> bool:
        """Whether edited copies cost no more than the words around an edit."""
        return False

    @property
    def steady(self) -> bool:
        """Whether what an edit does not reach stays the same to the last bit."""
        return False

    @property
    def batch_words(self) -> int:
        """The number of words that suit it at once."""
        return BATCH_WORDS

    @property
    def integrate(self) -> Integrate | None:
        """Gradients at the points of an integral, reduced to a number per word, [B, T] each."""
        return None

    @property
    def relevance(self) -> Callable[[Any, Tensor, Any], Tensor] | None:
        """(batch, classes [B], rules) -> phi of LRP and DeepLIFT, [B, T]."""
        return None


PIECES = 8192  # of edited copies at a time: enough to fill a matrix product, few enough for the cache


class Model(ABC):
    """s(k, X) of a text."""

    about: About
    lacking: ClassVar[str] = "it is no model"  # why a method that needs this kind cannot have another, for people
    also: tuple[str, ...] = ()  # methods with settings that "all" stands for too
    word_cost: int = 1  # what a word costs, roughly, in words of a small network: shards are cut by it

    @property
    def fast(self) -> Fast | None:
        """Faster ways, where the model has any."""
        return None

    @abstractmethod
    def read(self, document: Written) -> Reading:
        """Read a document into pieces; called once per document."""

    def refusal(self, document: Written) -> str:
        """Say why the model cannot be asked about a document, in the same words for like documents; "": it can.

        Runs leave such documents out and count them by these words.
        """
        return ""

    @abstractmethod
    def score(self, batch: Batch) -> Tensor:
        """Compute s(k, X), [B, K], in the order of ``about.classes``."""

    def score_edits(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        """Compute s of edited copies, one kind of edits after the other, [n, K]; here by texts that are read anew."""
        copies = [Text(*copy) for edit in edits for copy in edited_texts(batch, edit)]
        with torch.no_grad():
            return self._scored(copies)

    def _scored(self, texts: Sequence[Text]) -> Tensor:
        readings = [self.read(text) for text in texts]
        scores: dict[int, Tensor] = {}
        for group in batches([len(reading.words) for reading in readings], PIECES):
            batch = Batch.of([readings[i] for i in group], self.about.device)
            scores |= dict(zip(group, self.score(batch), strict=True))  # by place: batches go by length
        return torch.stack([scores[i] for i in range(len(texts))]) if texts else torch.zeros(0, len(self.about.classes))

    def prepared(self, words: int) -> Model:
        """Make the model ready to read about so many words; by their number alone, so that all workers do the same."""
        return self

    def on(self, device: str) -> Model:
        """Return the model on this device; the caller's own model stays where it is."""
        if device != self.about.device:  # a kind that can move says how itself
            raise InputError(f"{self.about.name} is on {self.about.device} and cannot be moved to {device}")
        return self

    def lacks(self, need: type[Model]) -> str:
        """Say why the model is not of this kind."""
        return need.lacking


class Differentiable(Model):
    """A model that looks word vectors up and is differentiable from there on.

    ``copy_pieces``: pieces of edited copies at a time.
    """

    copy_pieces: int = PIECES
    lacking = "it gives no gradients: it has no word vectors that can be changed"

    @abstractmethod
    def embed(self, batch: Batch) -> Tensor:
        """Look the pieces' vectors up, [B, P, E]; what stands in the padding never matters."""

    @abstractmethod
    def forward(self, e: Tensor, batch: Batch) -> Tensor:
        """Compute s(k, X), [B, K], from these vectors."""

    def score(self, batch: Batch) -> Tensor:
        return self.forward(self.embed(batch), batch)

    def score_edits(self, batch: Batch, *edits: AnyEdits) -> Tensor:
        """Score copies with pieces taken out, or their vectors blanked by zeros; special pieces stay."""
        with torch.no_grad():
            return torch.cat([self._score_copies(batch, edit) for edit in edits])

    def _score_copies(self, batch: Batch, edits: AnyEdits) -> Tensor:
        scores = torch.zeros(len(edits), len(self.about.classes), device=batch.words.device)
        sizes = copy_lengths(batch, edits).tolist()
        for number, group in enumerate(batches(sizes, self.copy_pieces)):
            index = torch.as_tensor(group, device=batch.words.device)
            copies, blank = edited_pieces(batch, edits.pick(index))
            s = self.forward(torch.where(blank[..., None], 0.0, self.embed(copies)), copies)
            scores = scores if number else scores.to(s.dtype)  # known with the first batch only
            scores[index] = s
        return scores


class Ruled(Differentiable):
    """A model whose backward pass can be told what relevance is: written in the three words of `rules`."""

    lacking = "its operations have no relevance rules"
    has_attention: bool = False

    def without_rule(self, attention: str = "weight") -> str | None:
        """Say why relevance cannot come back through it, if that can be told beforehand."""
        return None

    @abstractmethod
    def forward(self, e: Tensor, batch: Batch, rules: Rules | None = None) -> Tensor:
        """Compute s as `Differentiable.forward`; ``rules`` change nothing but the way back."""


class Traced(Model):
    """A model that reads a gated memory out linearly."""

    lacking = "no gated memory is read out linearly"

    @abstractmethod
    def trace(self, batch: Batch, k: Tensor) -> list[Trace]:
        """Trace each direction, with the read-out weights of the classes k [B]."""


def stopwatch(model: Model) -> Callable[[], float]:
    """Choose the clock for a model: seconds of a core, which other processes on this machine do not add to.

    Wall time where a device computes beside the process, and for a black box, which may wait for a server.
    """
    here = isinstance(model, Differentiable) and model.about.device == "cpu"  # it computes in this very process
    return time.process_time if here else time.perf_counter
