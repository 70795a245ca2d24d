"""Play for large context: the number of a verb, read off the words before it (paper, sections 2.2 and 4.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from whichword.errors import InputError
from whichword.games.game import GAMES, Game, Part, Rewarded, item_of
from whichword.types import CORPUS_LABEL, NUMBERS, Document, Item

# feat(X, t) by the paper's tags, by the values of Number in Universal Dependencies, and by name
NUMBER: Mapping[str, str] = {
    "VBZ": "singular",
    "NN": "singular",
    "VBP": "plural",
    "NNS": "plural",
    "Sing": "singular",
    "Plur": "plural",
    "singular": "singular",
    "plural": "plural",
}
FAR = 8  # words between subject and verb from which on distances are one slice


@GAMES.register("agreement")
@dataclass(frozen=True)
class AgreementGame(Game):
    """hit_target = I[rmax = target(X)], hit_feat = I[feat(X, rmax) = f(X)].

    target(X) is the subject, feat(X, t) the number by t's tag (VBZ, NN: singular; VBP, NNS: plural). hit_target
    and hit_feat_correct count sentences with the right prediction, hit_feat_wrong the others. A class may be
    called by its number or by a tag of that number; or otherwise, where labels were mapped to names of a model's own.
    The seed plays no part.

    ``feature`` names another feature in which a treebank's verbs agree with their subjects (Gender, Person): classes
    and tags are then its values unchanged. Sentences without tags play for the subject alone.
    """

    feature: str = "Number"

    counts: ClassVar[tuple[Part, ...]] = (
        Part("hit_target", "subject", "the subject of the verb"),
        Part("hit_feat_correct", "number, right predictions", "words that have the predicted number"),
        Part("hit_feat_wrong", "number, wrong predictions", "words that have the predicted number"),
    )
    rules: ClassVar[str] = (
        "A network reads a sentence up to its verb and says the verb's number. A method hits if its most relevant word "
        "is the subject (counted where the network is right), or a word that has the predicted number (counted apart "
        "where it is right and where it is wrong). Nothing is annotated by hand."
    )
    caveats: ClassVar[tuple[str, ...]] = (
        "The agreement game knows one kind of dependency: it cannot tell whether a method is right about other reasons "
        "for a prediction, and a network may be right by a word that is not the subject.",
    )

    def fits(self, documents: Sequence[Document]) -> bool:
        return any(document.subject is not None for document in documents)

    def items(self, documents: Sequence[Document], seed: int) -> tuple[Item, ...]:
        return tuple(self.turns(documents, seed))

    def turns(self, documents: Sequence[Document], seed: int) -> Iterable[Item]:
        classes = _class_names(documents) if self.feature == "Number" else {}
        return (self._item(document, classes) for document in documents)

    def rewarded(self, item: Item, predicted: str) -> Rewarded:
        gold = item.gold or ""
        value = predicted if gold not in NUMBER else _number(predicted)  # of another feature: the value itself
        untagged = bool(item.words) and not item.labels
        feat = None if untagged else frozenset(t for t, label in enumerate(item.labels) if label == value)
        correct = value == NUMBER.get(gold, gold)  # VBZ and singular are one class
        return {
            "hit_target": frozenset(item.targets) if correct else None,
            "hit_feat_correct": feat if correct else None,
            "hit_feat_wrong": None if correct else feat,
        }

    def slices(self, item: Item) -> Mapping[str, str]:
        """Slice by the words between the subject and the verb, which follows the last word."""
        between = len(item.words) - 1 - item.targets[0] if item.targets else None
        return {} if between is None else {"distance": str(between) if between < FAR else f"{FAR}+"}

    def _item(self, document: Document, classes: Mapping[str, str]) -> Item:
        """Build an item whose labels are the numbers' names in ``classes``."""
        subject = _checked_subject(document)
        if self.feature != "Number":
            return replace(item_of(document), labels=document.tags, targets=(subject,))
        _number(_corpus_label(document))  # a label that is no number is refused here, before any work
        numbers = (NUMBER.get(tag, "") for tag in document.tags)
        labels = tuple(classes.get(number, number) for number in numbers)
        return replace(item_of(document), labels=labels, targets=(subject,))


def _class_names(documents: Iterable[Document]) -> dict[str, str]:
    """Find what each number is called; documents are gone through until both are known."""
    classes: dict[str, str] = {}
    for document in documents:
        classes[_number(_corpus_label(document))] = NUMBER.get(document.label, document.label)
        if len(classes) == len(NUMBERS):  # often after a few: the corpus may be larger than memory
            break
    return classes


def _corpus_label(document: Document) -> str:
    return document.facts.get(CORPUS_LABEL, document.label)  # the label may be a model's name by now


def _checked_subject(document: Document) -> int:
    size = len(document.words)
    if document.tags and len(document.tags) != size:
        raise InputError(f"game agreement: document {document.key} has {size} words, but {len(document.tags)} tags")
    if document.subject is None or not 0 <= document.subject < size:
        raise InputError(f"game agreement: document {document.key} has no subject among its {size} words")
    return document.subject


def _number(name: str) -> str:
    if name not in NUMBER:
        called = f"it may be called {', '.join(NUMBER)}; for another feature say agreement[feature=NAME]"
        raise InputError(f"game agreement: class {name!r} is no number; {called}")
    return NUMBER[name]
