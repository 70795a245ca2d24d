"""Captum's methods: those that go back through a model to its word vectors, and those that switch words off and on."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.extras.contestants.peer import FAMILY, Peer, WordSwitches, at_least, check_output, seed_of, seeded
from whichword.methods.method import METHODS, Answer, Questions
from whichword.model import Batch, Differentiable, Model, by_word
from whichword.registry import fixed

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
        lent = duplicate(model) if self.hooks else model  # a copy: a failure would leave hooks in the user's model
        e, baseline = vectors(model, batch)
        scorer = FromVectors(lent, batch, questions.targets[0], self.output)
        with torch.enable_grad(), seeded(seed_of(questions, type(self).__name__)):  # it may be off around here
            attributions = self.attribute(scorer, e, baseline)
        words, outside = by_word(attributions.detach().sum(-1), batch)  # over E, then over a word's pieces
        return Answer(words, rest=outside)

    @abstractmethod
    def attribute(self, scorer: Any, e: Tensor, baseline: Tensor) -> Tensor:
        """Make Captum's own call, [1, P, E]."""


def vectors(model: Differentiable, batch: Batch) -> tuple[Tensor, Tensor]:
    """Return e and its baseline, [B, P, E] each."""
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
        return 3 * self.steps  # a pass back costs about two forward

    def attribute(self, scorer: Any, e: Tensor, baseline: Tensor) -> Tensor:
        from captum.attr import IntegratedGradients

        size = max(1, PIECES // e.shape[1])  # copies
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


AT_ONCE = 64  # copies per call; Captum's own choice is one, with the same results


@dataclass(frozen=True)
class SwitchPeer(Peer):
    """phi(t) = Captum's attribution to the switch of word t; ``output``: the score s or the probability p."""

    library: ClassVar[str] = "captum"

    name: str = fixed()
    output: str = "s"

    def __post_init__(self) -> None:
        check_output(self.output)

    @property
    def more(self) -> dict[str, Any]:
        """Settings of Captum's call."""
        return {}

    def passes(self, length: int) -> int:
        return length + 1

    def explain(self, model: Model, questions: Questions) -> Answer:
        import captum.attr

        switches = WordSwitches(model, questions, self.output)
        with torch.no_grad(), seeded(seed_of(questions, self.name)):
            values: Tensor = getattr(captum.attr, self.name)(switches).attribute(
                torch.ones(1, switches.words, dtype=torch.float64), perturbations_per_eval=AT_ONCE, **self.more
            )
        return switches.answer(values)


@dataclass(frozen=True)
class SamplingPeer(SwitchPeer):
    """phi(t) = Captum's attribution to the switch of word t, of random copies; ``samples`` as Captum's own default."""

    random: ClassVar[bool] = True

    samples: int = 25

    @property
    def adds_up(self) -> bool:
        """Shapley values do."""
        return "Shap" in self.name  # KernelShap, ShapleyValueSampling

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("samples", self.samples)

    @property
    def more(self) -> dict[str, Any]:
        return {"n_samples": self.samples}

    def passes(self, length: int) -> int:
        return self.samples * (length if self.name == "ShapleyValueSampling" else 1) + 2  # an order asks per word


METHODS.register("captum:FeatureAblation", SwitchPeer("FeatureAblation"), family=FAMILY)
METHODS.register("captum:ShapleyValueSampling", SamplingPeer("ShapleyValueSampling"), family=FAMILY)
METHODS.register("captum:KernelShap", SamplingPeer("KernelShap"), family=FAMILY)
METHODS.register("captum:Lime", SamplingPeer("Lime"), family=FAMILY)
