"""Captum's methods that go back through a model to its word vectors."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.extras.contestants.peer import FAMILY, Peer, at_least, check_output, seed_of, seeded
from whichword.methods.method import METHODS, Answer, Questions
from whichword.model import Batch, Differentiable, by_word

PIECES = 8192  # of copies at a time, which bounds memory


@dataclass(frozen=True)
class VectorPeer(Peer):
    """phi(t) = the sum of Captum's attributions over the vectors of word t.

    The baseline has zero vectors for words; pieces outside the text are as they are. ``output``: the score s or the
    probability p is explained.
    """

    library: ClassVar[str] = "captum"
    needs: ClassVar[type] = Differentiable
    hooks: ClassVar[bool] = False  # hangs hooks on layers: the model lends a copy

    output: str = "s"

    def __post_init__(self) -> None:
        check_output(self.output)

    def explain(self, model: Differentiable, questions: Questions) -> Answer:
        from whichword.extras.contestants.layers import FromVectors, duplicate

        batch = questions.batch
        lent = duplicate(model) if self.hooks else model
        e, baseline = vectors(model, batch)
        scorer = FromVectors(lent, batch, questions.targets[0], self.output)
        with torch.enable_grad(), seeded(seed_of(questions, type(self).__name__)):
            attributions = self.attribute(scorer, e, baseline)
        words, outside = by_word(attributions.detach().sum(-1), batch)
        return Answer(words, rest=outside)

    @abstractmethod
    def attribute(self, scorer: Any, e: Tensor, baseline: Tensor) -> Tensor:
        """Captum's own call, [1, P, E]."""


def vectors(model: Differentiable, batch: Batch) -> tuple[Tensor, Tensor]:
    """e and its baseline, [B, P, E] each."""
    e = model.embed(batch).detach()
    return e, torch.where((batch.word_of >= 0)[..., None], 0.0, e)


@METHODS.register("captum:IntegratedGradients", family=FAMILY)
@dataclass(frozen=True)
class CaptumIntegratedGradients(VectorPeer):
    """Captum's IntegratedGradients, with its own rule of integration (Gauss-Legendre)."""

    adds_up: ClassVar[bool] = True

    steps: int = 50

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("steps", self.steps)

    def passes(self, length: int) -> int:
        return 3 * self.steps

    def attribute(self, scorer: Any, e: Tensor, baseline: Tensor) -> Tensor:
        from captum.attr import IntegratedGradients

        size = max(1, PIECES // e.shape[1])
        method = IntegratedGradients(scorer)
        values: Tensor = method.attribute(e, baselines=baseline, n_steps=self.steps, internal_batch_size=size)
        return values


@METHODS.register("captum:DeepLift", family=FAMILY)
@dataclass(frozen=True)
class CaptumDeepLift(VectorPeer):
    """Captum's DeepLift: rules on activation modules; whatever is no such module takes its ordinary gradient."""

    adds_up: ClassVar[bool] = True
    hooks: ClassVar[bool] = True

    def attribute(self, scorer: Any, e: Tensor, baseline: Tensor) -> Tensor:
        from captum.attr import DeepLift

        values: Tensor = DeepLift(scorer).attribute(e, baselines=baseline)
        return values


@METHODS.register("captum:LRP", family=FAMILY)
@dataclass(frozen=True)
class CaptumLRP(VectorPeer):
    """Captum's LRP: rules on linear and activation modules; a layer without a rule is its error."""

    hooks: ClassVar[bool] = True

    def attribute(self, scorer: Any, e: Tensor, baseline: Tensor) -> Tensor:
        from captum.attr import LRP

        values: Tensor = LRP(scorer).attribute(e)
        return values
