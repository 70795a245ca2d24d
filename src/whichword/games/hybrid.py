"""Small context: documents put together from sentences of several classes (paper, section 2.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

from whichword.errors import InputError
from whichword.games.game import GAMES, Rewarded
from whichword.games.randomness import shuffled
from whichword.text import content_key, distinct_keys
from whichword.types import Document, Item

Sentence = tuple[tuple[str, ...], str]  # words, label of the document they come from


@GAMES.register("hybrid")
@dataclass(frozen=True)
class HybridGame:
    """hit = I[y(X, rmax) = f(X)], where y(X, t) is the label of the document that word t comes from.

    The sentences of all documents are shuffled and taken ``sentences`` at a time (the last group may be
    smaller); what exceeds ``cut`` words is left out. An item without a word of the predicted class is discarded.
    """

    sentences: int = 10
    cut: int | None = 1000

    parts: ClassVar[tuple[str, ...]] = ("hybrid",)

    def __post_init__(self) -> None:
        if self.sentences < 1:
            raise InputError(f"game hybrid: sentences must be at least 1, not {self.sentences}")
        if self.cut is not None and self.cut < 1:
            raise InputError(f"game hybrid: cut must be at least 1, not {self.cut}")

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        ordered = sorted(documents, key=lambda document: (document.key, document.label))
        pieces = [piece for document in ordered for piece in _sentences(document)]
        mixed = shuffled(pieces, seed, "hybrid")
        groups = (mixed[i : i + self.sentences] for i in range(0, len(mixed), self.sentences))
        made = [self._item(group) for group in groups]
        keys = distinct_keys(item.key for item in made)
        return tuple(replace(item, key=key) for item, key in zip(made, keys, strict=True))

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        inside = frozenset(t for t, label in enumerate(item.labels) if label == predicted)
        return {"hybrid": inside or None}

    def _item(self, group: Sequence[Sentence]) -> Item:
        words = tuple(word for piece, _ in group for word in piece)[: self.cut]
        labels = tuple(label for piece, label in group for _ in piece)[: self.cut]
        facts = {"sentences": str(len(group)), "classes": str(len(set(labels)))}
        return Item(content_key("hybrid", *words, *labels), words, labels=labels, facts=facts)


def _sentences(document: Document) -> Iterator[Sentence]:
    """The document's sentences that hold a word."""
    for start, end in pairwise((*document.starts, len(document.words))):
        if start < end:
            yield document.words[start:end], document.label
