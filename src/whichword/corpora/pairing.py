"""Twins: two texts with different labels, and the words in which they differ."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from whichword.corpora.building import Rejected
from whichword.text.keys import content_key
from whichword.types import Document


def twins(first: Document, second: Document) -> tuple[Document, Document]:
    """Both texts under the name of their pair; right for its label are the words that the other does not have."""
    if first.label == second.label:
        raise Rejected(f"both texts of a pair have the label {first.label!r}")
    early, late = sorted((first, second), key=lambda document: document.key)  # whichever comes first in the file
    words = dict(zip((early.key, late.key), differing(early.words, late.words), strict=True))
    if not any(words.values()):
        raise Rejected("the two texts of a pair are the same")
    pair = content_key(early.key, late.key)
    return _twin(first, words[first.key], pair), _twin(second, words[second.key], pair)


def _twin(document: Document, words: tuple[int, ...], pair: str) -> Document:
    return replace(document, truth={document.label: words} if words else {}, facts={**document.facts, "pair": pair})


def differing(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The positions of each text that no longest matching run of the other covers."""
    changes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    changed = [change for change in changes if change[0] != "equal"]
    only_first = tuple(place for _, start, stop, _, _ in changed for place in range(start, stop))
    only_second = tuple(place for _, _, _, start, stop in changed for place in range(start, stop))
    return only_first, only_second
