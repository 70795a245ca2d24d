"""Words that people called relevant (paper, section 4.1: the manual evaluation benchmark)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from whichword.errors import InputError
from whichword.games.game import GAMES, Rewarded
from whichword.text import content_key
from whichword.types import Document, Item


@GAMES.register("manual")
@dataclass(frozen=True)
class ManualGame:
    """hit = I[rmax in gt(X)], gt(X) being the positions that a person's list names.

    What exceeds ``cut`` words is left out. Wrongly classified documents are discarded; a document without a
    relevant word stays in and is always a miss. The seed plays no part.
    """

    cut: int | None = 1000

    parts: ClassVar[tuple[str, ...]] = ("manual",)

    def __post_init__(self) -> None:
        if self.cut is not None and self.cut < 1:
            raise InputError(f"game manual: cut must be at least 1, not {self.cut}")

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        if documents and not any(document.relevant for document in documents):
            raise InputError("game manual: no document has a word that a person called relevant")
        return tuple(self._item(document) for document in documents)

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        return {"manual": frozenset(item.targets) if predicted == item.gold else None}

    def _item(self, document: Document) -> Item:
        words = document.words[: self.cut]
        whole = len(words) == len(document.words)
        return Item(
            key=document.key if whole else content_key(document.key, "cut", str(len(words))),
            words=words,
            gold=document.label,
            targets=tuple(t for t in document.relevant if 0 <= t < len(words)),
            facts=document.facts,
        )
