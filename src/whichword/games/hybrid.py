"""Play for small context: documents put together from sentences of several classes (paper, section 2.1).

With equal shares, they are put together from segments of the same number of words, each of another class.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from whichword.errors import SettingError
from whichword.games.game import GAMES, Game, Part, Rewarded
from whichword.games.noise import shuffled
from whichword.text.places import content_key, distinct_keys, head, parts
from whichword.types import Document, Item, Text


def equal_segments(documents: Sequence[Document], count: int) -> Iterator[list[tuple[Text, str, str]]]:
    """Yield groups of ``count`` (beginning of a document, label, key), each of another class, all equally long.

    Documents are taken in their order: each joins the first open group that lacks its class. What is left over in
    groups that never fill is left out.
    """
    waiting: list[list[Document]] = []
    for document in (document for document in documents if document.words):
        group = next((group for group in waiting if document.label not in {d.label for d in group}), None)
        if group is None:
            waiting.append(group := [])
        group.append(document)
        if len(group) == count:
            waiting.remove(group)
            yield _cut(group)


def _cut(group: Sequence[Document]) -> list[tuple[Text, str, str]]:
    size = min(len(document.words) for document in group)  # equal shares: chance is 1 / count
    return [(Text(document.words[:size], head(document, size)), document.label, document.key) for document in group]


class Fragment(NamedTuple):
    """A sentence as its document has it, the document's label and its key."""

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

    ``segments`` (2, 3, ...) puts documents together from so many beginnings of texts, equally long and each of another
    class, instead of sentences: chance is then 1 / segments. ``classes=all`` asks why every class that is present
    instead of why the predicted one, an item per class. ``confident`` counts items only where the model gives the
    class that is asked about at least this probability.
    """

    sentences: int = 10
    cut: int | None = 1000
    rounds: int = 1
    classes: str = "predicted"
    confident: float = 0.0
    segments: int = 0

    fragments: ClassVar[bool] = True
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
            raise SettingError(f"game hybrid: sentences must be at least 1, not {self.sentences}")
        if self.cut is not None and self.cut < 1:
            raise SettingError(f"game hybrid: cut must be at least 1, not {self.cut}")
        if self.rounds < 1:
            raise SettingError(f"game hybrid: rounds must be at least 1, not {self.rounds}")
        if self.classes not in ("predicted", "all"):
            raise SettingError(f"game hybrid: classes must be predicted or all, not {self.classes!r}")
        if not 0.0 <= self.confident <= 1.0:
            raise SettingError(f"game hybrid: confident is a probability, not {self.confident}")
        if self.segments < 0 or self.segments == 1:  # one segment would be right everywhere
            raise SettingError(f"game hybrid: segments must be 2 or more (0: sentences), not {self.segments}")

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        ordered = sorted(documents, key=lambda document: (document.key, document.label))  # files may come in any order
        groups = (group for number in range(self.rounds) for group in self._groups(ordered, seed, number))
        items = [item for group in groups for item in self._per_class(self._item(group))]
        keys = distinct_keys(item.key for item in items)  # equal sentences may make equal items
        return tuple(replace(item, key=key) for item, key in zip(items, keys, strict=True))

    def _groups(self, ordered: Sequence[Document], seed: int, number: int) -> Iterator[Sequence[Fragment]]:
        """Make the groups of round ``number``; the first round is the same with one round or with many."""
        names = ("hybrid", *([str(number)] if number else []))
        if self.segments:  # instead of sentences
            groups = equal_segments(shuffled(ordered, seed, *names), self.segments)
            return ([Fragment(*segment) for segment in group] for group in groups)
        fragments = [fragment for document in ordered for fragment in _fragments(document)]
        mixed = shuffled(fragments, seed, *names)
        return (mixed[i : i + self.sentences] for i in range(0, len(mixed), self.sentences))

    def _per_class(self, item: Item) -> Iterator[Item]:
        """Repeat the item for every class of its words with ``classes=all``."""
        if self.classes == "predicted":
            return iter([item])
        names = sorted(set(item.labels))
        return (replace(item, key=content_key(item.key, name), question=name) for name in names)

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        explained = item.question or predicted
        inside = frozenset(t for t, label in enumerate(item.labels) if label == explained)
        return {"hybrid": inside or None}

    @property
    def _shared(self) -> bool:
        """Whether several items are made from one document's words."""
        return self.rounds > 1 or self.classes == "all"

    def _item(self, group: Sequence[Fragment]) -> Item:
        joined = _joined([fragment.sentence for fragment in group])
        words = joined.words[: self.cut]
        labels = tuple(fragment.label for fragment in group for _ in fragment.sentence.words)[: self.cut]
        facts = {"sentences": str(len(group)), "classes": str(len(set(labels)))}
        key = content_key("hybrid", *words, *labels)
        sources = tuple(dict.fromkeys(fragment.source for fragment in group)) if self._shared else ()
        return Item(key, words, labels=labels, facts=facts, text=head(joined, self.cut), sources=sources)


def _joined(sentences: Sequence[Text]) -> Text:
    words = tuple(word for sentence in sentences for word in sentence.words)
    return Text(words, " ".join(sentence.text for sentence in sentences))


def _fragments(document: Document) -> Iterator[Fragment]:
    """Split a document into its sentences that hold a word."""
    return (Fragment(sentence, document.label, document.key) for sentence in parts(document, document.starts))
