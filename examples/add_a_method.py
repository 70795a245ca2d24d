"""A new method: how far is each word's vector from the average word's? Run me: python examples/add_a_method.py"""

from dataclasses import dataclass

import torch

import whichword
from whichword.methods import METHODS, Questions
from whichword.networks import Config, Model, Network
from whichword.text import Vocabulary


@METHODS.register("rarity")
@dataclass(frozen=True)
class Rarity:
    """phi(t) = ||e_t - mean||^power; the power is a setting: rarity[power=1]."""

    power: float = 2.0

    def explain(self, model: Model, questions: Questions) -> torch.Tensor:
        e = model.embed(questions.ids)
        mean = e.data.sum(1, keepdim=True) / e.lengths.clamp(min=1)[:, None, None]
        return (e.data - mean).norm(dim=-1) ** self.power


network = Network(Config("cnn", ("no", "yes"), 8, 8), Vocabulary(("a", "very", "good", "film"))).requires_grad_(False)
explanation = whichword.explain(network, ["a very good film"], ["rarity", "rarity[power=1]", "lrp"])[0]
print({name: values.round(3).tolist() for name, values in explanation.relevance.items()})
