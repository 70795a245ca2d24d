"""A new method: how long is each word's vector? Run me: python examples/add_a_method.py"""

from dataclasses import dataclass

import torch

import whichword
from whichword.methods import METHODS, Questions
from whichword.model import Differentiable, by_word
from whichword.networks import Config, Network
from whichword.text import Vocabulary


@METHODS.register("rarity")
@dataclass(frozen=True)
class Rarity:
    """phi(t) = ||e_t||^power: vectors of rare words are often shorter; the power is a setting: rarity[power=1]."""

    needs = Differentiable  # a model without word vectors says so
    power: float = 2.0

    def explain(self, model: Differentiable, questions: Questions) -> torch.Tensor:
        return by_word(model.embed(questions.batch).norm(dim=-1) ** self.power, questions.batch)[0]


network = Network.of(Config("cnn", ("no", "yes"), 8, 8), Vocabulary(("a", "very", "good", "film")))
explanation = whichword.explain(network, ["a very good film"], ["rarity", "rarity[power=1]", "lrp"])[0]
print({name: values.round(3).tolist() for name, values in explanation.relevance.items()})
