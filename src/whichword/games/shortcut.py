"""Planted words that decide: a model that was trained to go by them must be explained by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from whichword.games.game import GAMES, Part
from whichword.games.rationales import TruthGame
from whichword.types import Document


@GAMES.register("shortcut")
@dataclass(frozen=True)
class ShortcutGame(TruthGame):
    """Right are the planted words, which alone decide the label; see `whichword.extras.shortcuts`."""

    name: ClassVar[str] = "shortcut"
    counts: ClassVar[tuple[Part, ...]] = (Part("shortcut", truth="planted words that decide the class"),)
    rules: ClassVar[str] = (
        "Words that decide the label were planted in a copy of the training texts, and a copy of the network learnt to "
        "go by them. A method hits if its most relevant word is a planted one. The game is valid only if the copy is "
        "nearly always right on planted texts and the network without plants is at chance there."
    )
    caveats: ClassVar[tuple[str, ...]] = (
        "The shortcut game judges a copy of the network on a reason that it was taught: how a method does on the "
        "network itself, and on its own reasons, is only like it.",
    )

    def fits(self, documents: Sequence[Document]) -> bool:
        return any("plant" in document.facts for document in documents)
