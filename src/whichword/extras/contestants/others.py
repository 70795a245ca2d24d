"""The explainers of shap and of lime on words: a switch per word, off in the background."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from whichword.base.lazy import torch
from whichword.extras.contestants.peer import FAMILY, GAP, Peer, WordSwitches, at_least, check_output, seed_of, seeded
from whichword.methods.method import METHODS, Answer, Questions
from whichword.model import Model

OFF = "\x1a"  # in the place of a word that is off: a character that no word is made of


@dataclass(frozen=True)
class ShapPeer(Peer):
    """``evals`` bounds the copies of a document; ``output``: the score s or the probability p is explained."""

    library: ClassVar[str] = "shap"
    adds_up: ClassVar[bool] = True

    output: str = "s"
    evals: int = 500

    def __post_init__(self) -> None:
        check_output(self.output)
        at_least("evals", self.evals)

    def passes(self, length: int) -> int:
        return max(self.evals, 2 * length + 1)  # the least that Permutation takes

    def explain(self, model: Model, questions: Questions) -> Answer:
        switches = WordSwitches(model, questions, self.output)
        if switches.words == 1:  # shap refuses to share among one: it has all
            values = np.diff(switches.of_array(np.array([[0.0], [1.0]])))
            return switches.answer(values)
        seed = seed_of(questions, type(self).__name__)
        with torch.no_grad(), seeded(seed):
            values = self.values(switches, seed)
        return switches.answer(values)

    @abstractmethod
    def values(self, switches: WordSwitches, seed: int) -> Any:
        """Make shap's own call, [T]."""


@METHODS.register("shap:partition", family=FAMILY)
@dataclass(frozen=True)
class ShapPartition(ShapPeer):
    """shap's Partition explainer: Owen values along shap's own tree of the words."""

    def values(self, switches: WordSwitches, seed: int) -> Any:
        import shap

        off, on = np.zeros((1, switches.words)), np.ones((1, switches.words))
        masker = shap.maskers.Partition(off, clustering=word_tree(switches))  # off: the background
        explainer = shap.explainers.Partition(switches.of_array, masker)
        return explainer(on, max_evals=self.evals, silent=True).values[0]


@METHODS.register("shap:permutation", family=FAMILY)
@dataclass(frozen=True)
class ShapPermutation(ShapPeer):
    """shap's Permutation explainer: Shapley values by random orders of the words, forth and back."""

    random: ClassVar[bool] = True

    def values(self, switches: WordSwitches, seed: int) -> Any:
        import shap

        off, on = np.zeros((1, switches.words)), np.ones((1, switches.words))
        explainer = shap.explainers.Permutation(switches.of_array, shap.maskers.Independent(off), seed=seed)
        return explainer(on, max_evals=self.passes(switches.words), silent=True).values[0]


def word_tree(switches: WordSwitches) -> Any:
    """Ask shap how it joins the words of a text into larger and larger groups: a linkage [T-1, 4]."""
    import shap

    words = switches.texts
    text = " ".join(words)

    def tokens(part_of: str, return_offsets_mapping: bool = True) -> dict[str, list[Any]]:
        """Give words and their places, as shap asks a tokenizer; it also asks about texts of its own."""
        parts = words if part_of == text else [part_of] if part_of else []
        ends = np.cumsum([len(part) + 1 for part in parts]).tolist()  # a space after each
        places = [(end - 1 - len(part), end - 1) for part, end in zip(parts, ends, strict=True)]
        return {"input_ids": parts, "offset_mapping": places}

    return shap.maskers.Text(tokens).clustering(text)


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
                (0,),  # o(k) is the only column
                num_features=switches.words,  # all of them: lime would keep ten
                num_samples=self.samples,
            )
        return switches.answer(_in_order(explanation.as_map()[0], switches.words))


def _of_texts(switches: WordSwitches) -> Any:
    """Read lime's own texts back as switches: o(k), [n, 1]."""

    def scored(texts: list[str]) -> NDArray[np.float64]:
        z = np.array([[part != OFF for part in text.split(GAP)] for text in texts], dtype=np.float64)
        return switches.of_array(z)[:, None]

    return scored


def _in_order(weights: list[tuple[int, float]], words: int) -> NDArray[np.float64]:
    values = np.zeros(words)
    for position, weight in weights:  # lime sorts them by size
        values[position] = weight
    return values
