"""Gradients at random points around a document, or between it and nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.errors import InputError
from whichword.extras.contestants.peer import FAMILY, at_least
from whichword.methods.gradient import gradients
from whichword.methods.method import METHODS, Answer, Questions
from whichword.model import Differentiable, by_word


@dataclass(frozen=True)
class NoisyGradient:
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
        e = batch.ids.with_data(model.embed(batch).detach()).filled().data
        total = torch.zeros_like(e)
        for point in self.points(e, questions):
            total += gradients(model, point, batch, questions.targets, ["s"])["s"]
        words, outside = by_word((total * e).sum(-1) / self.samples, batch)
        return Answer(words, rest=outside)

    def points(self, e: Tensor, questions: Questions) -> Iterator[Tensor]:
        """Word vectors with noise; pieces outside the text stay as they are."""
        words = (questions.batch.word_of >= 0)[..., None]
        reach = self.noise * _reach(e, words)
        for number in range(self.samples):
            noise, factor = self._drawn(e, questions, number)
            yield torch.where(words, (e + reach * noise) * (factor if self.scaled else 1.0), e)

    def _drawn(self, e: Tensor, questions: Questions, number: int) -> tuple[Tensor, Tensor]:
        """Standard normal noise [B, P, E] and a factor between 0 and 1 [B, 1, 1], each document's own."""
        noise, factor = torch.zeros_like(e), e.new_zeros(len(e), 1, 1)
        chances = questions.each_randomness(range(len(e)), f"{type(self).__name__} {number}")
        for row, (chance, size) in enumerate(zip(chances, questions.batch.ids.lengths.tolist(), strict=True)):
            factor[row] = chance.random()
            noise[row, :size] = torch.as_tensor(chance.standard_normal((size, e.shape[2])), dtype=e.dtype)
        return noise, factor


def _reach(e: Tensor, words: Tensor) -> Tensor:
    """max e - min e over the words of each document, [B, 1, 1]."""
    flat = torch.where(words, e, torch.nan).flatten(1)
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
