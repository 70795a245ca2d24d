"""A new game: does a method point at a word of negation? Run me: python examples/add_a_game.py"""

from dataclasses import dataclass

import whichword
from whichword.corpora import text_document
from whichword.games import GAMES, Game, Part
from whichword.networks import Config, Network
from whichword.text import Vocabulary
from whichword.types import Item


@GAMES.register("negation")
@dataclass(frozen=True)
class Negation(Game):
    """Texts without such a word are not counted. The words are a setting: negation[words=not nor]."""

    words: str = "no not never"
    counts = (Part("negation", truth="words of negation"),)

    def rewarded(self, item: Item, predicted: str) -> dict[str, frozenset[int] | None]:
        return {"negation": frozenset(t for t, word in enumerate(item.words) if word in self.words.split()) or None}


network = Network(Config("cnn", ("bad", "good"), 8, 8), Vocabulary(("a", "not", "good", "film"))).requires_grad_(False)
for item in GAMES["negation"].items([text_document(text, "bad") for text in ("not a good film!", "a film")], seed=0):
    explanation = whichword.explain(network, [item.words], ["lrp"])[0]
    rewards = GAMES["negation"].rewarded(item, explanation.predicted)["negation"]
    print(item.text, "->", "not counted" if rewards is None else explanation.rmax("lrp") in rewards)
