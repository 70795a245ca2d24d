"""A new method: how far is each word's vector from the average word's? Run me: python examples/add_a_method.py"""

from dataclasses import dataclass

import whichword
from whichword.methods import METHODS, Answer, Questions
from whichword.model import Differentiable, by_word
from whichword.networks import Config, Network
from whichword.text import Vocabulary


@METHODS.register("rarity")
@dataclass(frozen=True)
class Rarity:
    """phi(t) = ||e_t - mean||^power, summed over a word's pieces; the power is a setting: rarity[power=1]."""

    needs = Differentiable
    power: float = 2.0

    def explain(self, model: Differentiable, questions: Questions) -> Answer:
        e = questions.batch.ids.with_data(model.embed(questions.batch)).filled()
        mean = e.data.sum(1, keepdim=True) / e.lengths.clamp(min=1)[:, None, None]
        words, rest = by_word((e.data - mean).norm(dim=-1) ** self.power, questions.batch)
        return Answer(words, rest=rest)


network = Network.of(Config("cnn", ("no", "yes"), 8, 8), Vocabulary(("a", "good", "film"))).requires_grad_(False)
explanation = whichword.explain(network, ["a good film"], ["rarity", "rarity[power=1]", "lrp"])[0]
print({name: values.round(3).tolist() for name, values in explanation.relevance.items()})
