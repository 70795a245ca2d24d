"""Pairs of texts that differ in the words that flip their label: contrast sets, minimal pairs, templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from whichword.games.game import GAMES, Part
from whichword.games.rationales import TruthGame
from whichword.types import Document


@GAMES.register("twins")
@dataclass(frozen=True)
class TwinsGame(TruthGame):
    """Right are the words of a text that its twin, which has another label, does not have.

    A pair counts where the model gets both texts right: only then is the difference what it goes by.
    """

    name: ClassVar[str] = "twins"
    together: ClassVar[str] = "pair"
    counts: ClassVar[tuple[Part, ...]] = (Part("twins", truth="words in which the text differs from its twin"),)
    rules: ClassVar[str] = (
        "A network reads two texts that differ in a few words and have different labels. A method hits if its most "
        "relevant word is one of those. Pairs of which the network gets a text wrong are discarded."
    )
    caveats: ClassVar[tuple[str, ...]] = (
        "The twins game knows only evidence that was exchanged on purpose: a network may rest on words that both "
        "texts share, together with those that differ.",
    )

    def fits(self, documents: Sequence[Document]) -> bool:
        return any("pair" in document.facts for document in documents)
