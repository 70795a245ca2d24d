"""lime's text explainer, with a switch per word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whichword.base.lazy import torch
from whichword.extras.contestants.peer import FAMILY, Peer, at_least, check_output, seed_of, seeded
from whichword.extras.contestants.word_switches import GAP, WordSwitches
from whichword.methods.method import METHODS, Answer, Questions
from whichword.model import Model

OFF = "\x1a"  # in the place of a word that is off: a character that no word is made of


@METHODS.register("lime", family=FAMILY)
@dataclass(frozen=True)
class LimePeer(Peer):
    """lime's LimeTextExplainer, position by position (``bow=False``): weights of a ridge on random copies.

    ``samples`` are copies per document, lime's own default; ``output``: the probability p or the score s is explained.
    """

    library: ClassVar[str] = "lime"
    random: ClassVar[bool] = True

    output: str = "p"
    samples: int = 5000

    def __post_init__(self) -> None:
        check_output(self.output)
        at_least("samples", self.samples, 2)

    def passes(self, length: int) -> int:
        return self.samples

    def explain(self, model: Model, questions: Questions) -> Answer:
        from lime.lime_text import LimeTextExplainer

        switches, seed = WordSwitches(model, questions, self.output), seed_of(questions, "lime")
        explainer = LimeTextExplainer(
            bow=False, mask_string=OFF, split_expression=lambda text: text.split(GAP), random_state=seed
        )
        with torch.no_grad(), seeded(seed):
            explanation = explainer.explain_instance(
                GAP.join(switches.texts),
                _of_texts(switches),
                (0,),
                num_features=switches.words,
                num_samples=self.samples,
            )
        return switches.answer(_in_order(explanation.as_map()[0], switches.words))


def _of_texts(switches: WordSwitches) -> Any:
    """lime's own texts, read back as switches: o(k), [n, 1]."""

    def scored(texts: list[str]) -> NDArray[np.float64]:
        z = np.array([[part != OFF for part in text.split(GAP)] for text in texts], dtype=np.float64)
        return switches.of_array(z)[:, None]

    return scored


def _in_order(weights: list[tuple[int, float]], words: int) -> NDArray[np.float64]:
    values = np.zeros(words)
    for position, weight in weights:
        values[position] = weight
    return values
