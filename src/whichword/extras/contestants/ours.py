"""Methods of our own that are no part of the paper: attention weights, gradients at random points, sentences.

Attention weights are what many show, and a game can judge them like anything else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.errors import InputError
from whichword.extras.contestants.peer import FAMILY, at_least
from whichword.methods.gradient import gradients
from whichword.methods.method import METHODS, Answer, Method, Questions
from whichword.methods.perturbation import EMPTY
from whichword.methods.propagation import ATTENTION
from whichword.model import Batch, Differentiable, Model, Reading, Ruled, by_word
from whichword.reading import Edits
from whichword.text.places import spans
from whichword.text.words import split_sentences

NONE = "it has no attention from piece to piece"


class AttentionMaps(Method, ABC):
    """Takes one document at a time; ``maps`` are mean weights over heads, layer by layer, each [P, P]."""

    needs: ClassVar[type] = Ruled
    one_by_one: ClassVar[bool] = True

    def refuses(self, model: Ruled) -> str | None:
        if not model.has_attention:
            return NONE
        if all(model.without_rule(setting) for setting in ATTENTION):
            return model.without_rule()
        probe = getattr(model, "probe", None)
        return NONE if probe is not None and not attentions(model, probe()) else None

    def explain(self, model: Ruled, questions: Questions) -> Answer:
        maps = attentions(model, questions.batch)
        if not maps:
            raise InputError(NONE)
        weights = reading_row(self.joined(maps), questions.batch)
        words, outside = by_word(weights[None], questions.batch)
        return Answer(words, rest=outside)

    @abstractmethod
    def joined(self, maps: list[Tensor]) -> Tensor:
        """Join the maps of all layers into one, [P, P]."""


def attentions(model: Ruled, batch: Batch) -> list[Tensor]:
    """Return softmax(q k^T) of every layer, mean over heads, for a batch of one document."""
    from whichword.rules import Ledger, Relevance

    ledger = Ledger(weights=[])  # where rules write the maps down
    setting = next(setting for setting in ATTENTION if model.without_rule(setting) is None)
    with torch.enable_grad():  # rules see what depends on the words by its having a gradient
        e = model.embed(batch).detach().requires_grad_(True)
        model.forward(e, batch, Relevance(ledger=ledger, attention=setting))
    size = e.shape[1]
    maps = [weights.detach() for weights in ledger.weights or [] if weights.shape[-2:] == (size, size)]
    return [weights.reshape(-1, size, size).mean(0) for weights in maps if weights.dim() > 2]


def reading_row(map_: Tensor, batch: Batch) -> Tensor:
    """Take the row of the piece that the classifier reads, [P].

    A causal model reads its last piece, one that begins with a special piece reads that; of others take the mean.
    """
    if len(map_) > 1 and not bool(map_.triu(1).any()):  # no piece attends to a later one
        return map_[-1]
    return map_[0] if int(batch.word_of[0, 0]) < 0 else map_.mean(0)


@METHODS.register("attention_last", family=FAMILY)
@dataclass(frozen=True)
class AttentionLast(AttentionMaps):
    """phi(t) = the last layer's attention from the piece that is read to the pieces of word t, mean over heads."""

    def joined(self, maps: list[Tensor]) -> Tensor:
        return maps[-1]


@METHODS.register("attention_rollout", family=FAMILY)
@dataclass(frozen=True)
class AttentionRollout(AttentionMaps):
    """Attention rollout (Abnar and Zuidema 2020): the product over layers of (A + 1)/2, its rows adding up to 1."""

    def joined(self, maps: list[Tensor]) -> Tensor:
        identity = torch.eye(len(maps[0]), dtype=maps[0].dtype, device=maps[0].device)
        return reduce(lambda below, weights: (weights + identity) / 2 @ below, maps, identity)


@dataclass(frozen=True)
class NoisyGradient(Method):
    """phi(t) = e_t . mean of d s_k / d e_t at ``samples`` random points; ``noise`` in parts of max e - min e."""

    needs: ClassVar[type] = Differentiable
    random: ClassVar[bool] = True
    scaled: ClassVar[bool] = False  # whether a point lies anywhere between zero vectors and the text

    samples: int = 25
    noise: float = 0.1

    def __post_init__(self) -> None:
        at_least("samples", self.samples)
        if not 0.0 <= self.noise < float("inf"):
            raise InputError(f"noise must be a number from 0, not {self.noise}")

    def passes(self, length: int) -> int:
        return 3 * self.samples

    def explain(self, model: Differentiable, questions: Questions) -> Answer:
        batch = questions.batch
        e = batch.ids.with_data(model.embed(batch).detach()).filled().data  # zeros beside shorter texts
        total = torch.zeros_like(e)
        for point in self.points(e, questions):
            total += gradients(model, point, batch, questions.targets, ["s"])["s"]
        words, outside = by_word((total * e).sum(-1) / self.samples, batch)
        return Answer(words, rest=outside)

    def points(self, e: Tensor, questions: Questions) -> Iterator[Tensor]:
        """Yield word vectors with noise; pieces outside the text stay as they are."""
        words = (questions.batch.word_of >= 0)[..., None]
        reach = self.noise * _reach(e, words)
        for number in range(self.samples):
            noise, factor = self._drawn(e, questions, number)
            yield torch.where(words, (e + reach * noise) * (factor if self.scaled else 1.0), e)

    def _drawn(self, e: Tensor, questions: Questions, number: int) -> tuple[Tensor, Tensor]:
        """Draw standard normal noise [B, P, E] and a factor between 0 and 1 [B, 1, 1], each document's own."""
        noise, factor = torch.zeros_like(e), e.new_zeros(len(e), 1, 1)
        chances = questions.each_randomness(range(len(e)), f"{type(self).__name__} {number}")
        for row, (chance, size) in enumerate(zip(chances, questions.batch.ids.lengths.tolist(), strict=True)):
            factor[row] = chance.random()
            noise[row, :size] = torch.as_tensor(chance.standard_normal((size, e.shape[2])), dtype=e.dtype)
        return noise, factor


def _reach(e: Tensor, words: Tensor) -> Tensor:
    """Return max e - min e over the words of each document, [B, 1, 1]."""
    flat = torch.where(words, e, torch.nan).flatten(1)  # special pieces and padding do not count
    low, high = flat.nan_to_num(torch.inf).amin(1), flat.nan_to_num(-torch.inf).amax(1)
    return (high - low).clamp(min=0.0)[:, None, None]


@METHODS.register("smoothgrad", family=FAMILY)
@dataclass(frozen=True)
class SmoothGrad(NoisyGradient):
    """SmoothGrad (Smilkov et al. 2017): the gradient's mean over noisy copies of the word vectors, times the vector."""


@METHODS.register("gradient_shap", family=FAMILY)
@dataclass(frozen=True)
class GradientShap(NoisyGradient):
    """Expected gradients (Erion et al. 2021): at random points between zero vectors and the noisy text."""

    scaled: ClassVar[bool] = True


@METHODS.register("sentence_omit", family=FAMILY)
@dataclass(frozen=True)
class SentenceOmit(Method):
    """phi(t) = (D(S) / |S| + D(t)) / 2: S is the sentence of word t, D(.) what s(k, X) loses without it.

    A document's only sentence has no share where the model cannot read an empty text.
    """

    def passes(self, length: int) -> int:
        return length + 2

    def explain(self, model: Model, questions: Questions) -> Answer:
        values = questions.zeros()
        for row in range(len(questions)):
            alone = questions.pick([row])
            if alone.batch.width:  # a text may have no word
                values[row, : alone.batch.width] = _document(model, alone)
        unread = (values[:, :1].isnan().any(1) & (questions.batch.words.cpu() == 1)).nonzero()[:, 0]
        return Answer(values, dict.fromkeys(unread.tolist(), EMPTY))


def _document(model: Model, questions: Questions) -> Tensor:
    """Explain one document, [T]."""
    batch, count = questions.batch, questions.batch.width
    starts = sentence_starts(batch.readings[0], count)
    bounds = torch.tensor([*starts, count])
    sizes = bounds.diff()
    words = torch.arange(count)
    first, last = torch.cat([bounds[:-1], words]), torch.cat([bounds[1:], words + 1])
    places = (torch.zeros_like(first), first, last)
    edits = Edits("cut", *(place.to(questions.targets.device) for place in places))
    with torch.no_grad():
        whole = model.score(batch)[0, questions.targets[0]]
        left = model.score_edits(batch, edits)[:, questions.targets[0]]
    lost = (whole - left).double().cpu()  # of the sentences, then of the words
    shares = lost[: len(sizes)].nan_to_num(0.0) / sizes if len(sizes) == 1 else lost[: len(sizes)] / sizes
    return (shares.repeat_interleave(sizes) + lost[len(sizes) :]) / 2


def sentence_starts(reading: Reading, count: int) -> list[int]:
    """Find the first word of each sentence that has one, among the first ``count`` words."""
    places = [start for start, _ in spans(reading)][:count]
    begins = [start for start, _ in split_sentences(reading.text)] or [0]  # no sentence: the text is one
    sentence = [bisect_right(begins, place) for place in places]
    return [t for t in range(count) if t == 0 or sentence[t] != sentence[t - 1]]
