"""Small context: documents put together from sentences of several classes (paper, section 2.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from whichword.errors import InputError
from whichword.games.game import GAMES, Game, Part, Rewarded
from whichword.games.randomness import shuffled
from whichword.text.keys import content_key, distinct_keys
from whichword.text.places import head, parts
from whichword.types import Document, Item, Text


class Fragment(NamedTuple):
    """A sentence as it stands in its document, the document's label and its key."""

    sentence: Text
    label: str
    source: str


@GAMES.register("hybrid")
@dataclass(frozen=True)
class HybridGame(Game):
    """hit = I[y(X, rmax) = f(X)], where y(X, t) is the label of the document that word t comes from.

    The sentences of all documents are shuffled and taken ``sentences`` at a time (the last group may be
    smaller); what exceeds ``cut`` words is left out. An item without a word of the predicted class is discarded.
    With ``rounds`` > 1 this is done so many times, each time in another order: more items from the same documents.
    Such items are not independent, so each names its documents, and intervals go by these.
    """

    sentences: int = 10
    cut: int | None = 1000
    rounds: int = 1

    counts: ClassVar[tuple[Part, ...]] = (Part("hybrid", truth="words from fragments of the predicted class"),)
    rules: ClassVar[str] = (
        "A network reads a document that is put together from sentences of several classes. A method hits if its most "
        "relevant word comes from a document of the predicted class. Documents without such a word are discarded. "
        "Nothing is annotated by hand."
    )
    caveats: ClassVar[tuple[str, ...]] = (
        "The hybrid game takes for granted that the evidence for a class lies in its own fragments, and its documents "
        "are put together from pieces: it cannot tell how a method does where evidence is spread over a text.",
    )

    def __post_init__(self) -> None:
        if self.sentences < 1:
            raise InputError(f"game hybrid: sentences must be at least 1, not {self.sentences}")
        if self.cut is not None and self.cut < 1:
            raise InputError(f"game hybrid: cut must be at least 1, not {self.cut}")
        if self.rounds < 1:
            raise InputError(f"game hybrid: rounds must be at least 1, not {self.rounds}")

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        ordered = sorted(documents, key=lambda document: (document.key, document.label))
        fragments = [fragment for document in ordered for fragment in _fragments(document)]
        items = [self._item(group) for round in range(self.rounds) for group in self._groups(fragments, seed, round)]
        keys = distinct_keys(item.key for item in items)
        return tuple(replace(item, key=key) for item, key in zip(items, keys, strict=True))

    def _groups(self, fragments: Sequence[Fragment], seed: int, round: int) -> Iterator[Sequence[Fragment]]:
        """The first round is the same with one round or with many."""
        mixed = shuffled(fragments, seed, "hybrid", *([str(round)] if round else []))
        return (mixed[i : i + self.sentences] for i in range(0, len(mixed), self.sentences))

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        inside = frozenset(t for t, label in enumerate(item.labels) if label == predicted)
        return {"hybrid": inside or None}

    def _item(self, group: Sequence[Fragment]) -> Item:
        joined = _joined([fragment.sentence for fragment in group])
        words = joined.words[: self.cut]
        labels = tuple(fragment.label for fragment in group for _ in fragment.sentence.words)[: self.cut]
        facts = {"sentences": str(len(group)), "classes": str(len(set(labels)))}
        key = content_key("hybrid", *words, *labels)
        sources = tuple(dict.fromkeys(fragment.source for fragment in group)) if self.rounds > 1 else ()
        return Item(key, words, labels=labels, facts=facts, text=head(joined, self.cut), sources=sources)


def _joined(sentences: Sequence[Text]) -> Text:
    words = tuple(word for sentence in sentences for word in sentence.words)
    return Text(words, " ".join(sentence.text for sentence in sentences))


def _fragments(document: Document) -> Iterator[Fragment]:
    """The document's sentences that hold a word."""
    return (Fragment(sentence, document.label, document.key) for sentence in parts(document, document.starts))
