"""Words that people called relevant (paper, section 4.1: the manual evaluation benchmark)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from whichword.errors import InputError
from whichword.games.game import GAMES, Game, Part, Rewarded, cut_item
from whichword.types import Document, Item


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
            raise InputError(f"game manual: cut must be at least 1, not {self.cut}")

    def fits(self, documents: Sequence[Document]) -> bool:
        return any(document.relevant for document in documents)

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        if documents and not any(document.relevant for document in documents):
            raise InputError("game manual: no document has a word that a person called relevant")
        return tuple(self._item(document) for document in documents)

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        return {"manual": frozenset(item.targets) if predicted == item.gold else None}

    def _item(self, document: Document) -> Item:
        item = cut_item(document, self.cut)
        return replace(item, targets=tuple(t for t in document.relevant if 0 <= t < len(item.words)))
