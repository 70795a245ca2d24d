"""Words that people marked as the reasons for a class: rationales, read from files in any of the usual forms."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from whichword.errors import InputError
from whichword.games.game import GAMES, Game, Part, Rewarded, item_of
from whichword.types import Document, Item


class TruthGame(Game):
    """hit = I[rmax in truth(f(X))]: the right words of a document are known for each class.

    Documents without right words for any class are left out, those that the model gets wrong are discarded. The
    seed plays no part.
    """

    name: ClassVar[str]

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        items = tuple(truth_item(document) for document in documents if any(document.truth.values()))
        if documents and not items:
            raise InputError(f"game {self.name}: no document says which of its words are right for a class")
        return items

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        words = item.truth.get(predicted) if predicted == item.gold else None
        return {self.parts[0]: frozenset(words) if words else None}


def truth_item(document: Document) -> Item:
    """The document as it stands, with what is known of its words."""
    return replace(item_of(document), truth={name: tuple(words) for name, words in document.truth.items() if words})


@GAMES.register("rationales")
@dataclass(frozen=True)
class RationalesGame(TruthGame):
    """Right are the words that people marked as reasons for the class that is predicted, if that is the document's."""

    name: ClassVar[str] = "rationales"
    counts: ClassVar[tuple[Part, ...]] = (
        Part("rationales", "people", truth="words that people marked as reasons for the predicted class"),
    )
    rules: ClassVar[str] = (
        "A network reads a document in which people marked the words that speak for its class. A method hits if its "
        "most relevant word is among them. Documents that the network gets wrong, and those without a marked word, "
        "are not counted."
    )
    caveats: ClassVar[tuple[str, ...]] = (
        "Rationales say what convinced people, which need not be what the network used: a method can be right about "
        "the network and wrong by this game.",
    )

    def fits(self, documents: Sequence[Document]) -> bool:
        return any(document.truth for document in documents) and not any(
            "pair" in document.facts or "plant" in document.facts for document in documents
        )
