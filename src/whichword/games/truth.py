"""Games with known words: rationales that people marked, pairs of texts that differ in the words that flip their label.

Also planted words that decide, by which a model that was trained to go by them must be explained, and words that people
called relevant (paper, section 4.1: the manual evaluation benchmark).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from whichword.errors import InputError, SettingError
from whichword.games.game import GAMES, Game, Part, Rewarded, cut_item, item_of
from whichword.types import Document, Item


class TruthGame(Game):
    """hit = I[rmax in truth(f(X))]: the right words of a document are known for each class.

    Documents without right words for any class are left out, those that the model gets wrong are discarded. The
    seed plays no part.
    """

    name: ClassVar[str]

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        items = tuple(truth_item(document) for document in documents if any(document.truth.values()))
        if documents and not items:  # a corpus without marks, or with the wrong column
            raise InputError(f"game {self.name}: no document says which of its words are right for a class")
        return items

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        words = item.truth.get(predicted) if predicted == item.gold else None
        return {self.parts[0]: frozenset(words) if words else None}  # nothing is right for this class: not counted


def truth_item(document: Document) -> Item:
    """Make an item of the whole document, with what is known of its words."""
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


@GAMES.register("manual")
@dataclass(frozen=True)
class ManualGame(Game):
    """hit = I[rmax in gt(X)], gt(X) being the positions that a person's list names.

    What exceeds ``cut`` words is left out. Wrongly classified documents are discarded; a document without a
    relevant word stays in and is always a miss. The seed plays no part.
    """

    cut: int | None = 1000

    counts: ClassVar[tuple[Part, ...]] = (Part("manual", truth="words that people called relevant"),)
    rules: ClassVar[str] = (
        "A network reads a document whose relevant words were listed by people. A method hits if its most relevant "
        "word is on the list. Documents that the network gets wrong are discarded."
    )
    caveats: ClassVar[tuple[str, ...]] = (
        "The human lists say what people find relevant, which need not be what the network used.",
    )

    def __post_init__(self) -> None:
        if self.cut is not None and self.cut < 1:
            raise SettingError(f"game manual: cut must be at least 1, not {self.cut}")

    def fits(self, documents: Sequence[Document]) -> bool:
        return any(document.relevant for document in documents)

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        if documents and not any(document.relevant for document in documents):
            raise InputError("game manual: no document has a word that a person called relevant")
        return tuple(self._item(document) for document in documents)

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        return {"manual": frozenset(item.targets) if predicted == item.gold else None}  # lists are of the true class

    def _item(self, document: Document) -> Item:
        item = cut_item(document, self.cut)
        return replace(item, targets=tuple(t for t in document.relevant if 0 <= t < len(item.words)))  # after the cut
