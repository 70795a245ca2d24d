"""Captum's methods that switch words off and on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from whichword.base.lazy import Tensor, torch
from whichword.extras.contestants.peer import FAMILY, Peer, at_least, check_output, seed_of, seeded
from whichword.extras.contestants.word_switches import WordSwitches
from whichword.methods.method import METHODS, Answer, Questions
from whichword.model import Model
from whichword.registry import fixed

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
        return "Shap" in self.name

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("samples", self.samples)

    @property
    def more(self) -> dict[str, Any]:
        return {"n_samples": self.samples}

    def passes(self, length: int) -> int:
        return self.samples * (length if self.name == "ShapleyValueSampling" else 1) + 2


METHODS.register("captum:FeatureAblation", SwitchPeer("FeatureAblation"), family=FAMILY)
METHODS.register("captum:ShapleyValueSampling", SamplingPeer("ShapleyValueSampling"), family=FAMILY)
METHODS.register("captum:KernelShap", SamplingPeer("KernelShap"), family=FAMILY)
METHODS.register("captum:Lime", SamplingPeer("Lime"), family=FAMILY)
