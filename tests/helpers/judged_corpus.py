"""A corpus on which every game can be played: one word of each text decides, and everybody knows which."""

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.text import content_key, distinct_keys
from whichword.types import Corpus, Document

CLASSES = ("plural", "singular")
DECISIVE = {"plural": ("dogs", "cats"), "singular": ("dog", "cat")}
FILLER = tuple(f"w{i}" for i in range(20))
TAGS = {"plural": "NNS", "singular": "NN"}


@CORPORA.register("judged")
@dataclass(frozen=True)
class JudgedCorpus:
    """``documents`` texts of six words, in pairs that differ in the word that decides.

    In training there are also texts of filler alone, each with both labels: the only answer to them is one half, so
    that a missing word says nothing and the other words move nothing. ``wrong``: test texts have the other label, so
    that whoever goes by the word is wrong.
    """

    documents: int = 400
    wrong: bool = False

    about: ClassVar[CorpusAbout] = CorpusAbout(source="made here", licence="none")

    def read(self, data: Path | None, seed: int) -> Corpus:
        dice = random.Random("judged")
        documents = [document for number in range(self.documents // 2) for document in _pair(number, dice)]
        keys = distinct_keys(document.key for document in documents)
        named = [_renamed(document, key) for document, key in zip(documents, keys, strict=True)]
        cut = self.documents * 3 // 5 // 2 * 2
        heldout = self.documents // 10 // 2 * 2
        test = named[cut + heldout :]
        parts = (named[:cut], named[cut : cut + heldout], [_mislabelled(d) for d in test] if self.wrong else test)
        parts[0].extend(document for number in range(self.documents // 3) for document in _undecided(number, dice))
        return Corpus("judged", CLASSES, *(tuple(part) for part in parts), {"source": "made here"})


def _pair(number: int, dice: random.Random) -> list[Document]:
    filler = [dice.choice(FILLER) for _ in range(5)]  # all equally long: segments of hybrid texts lose nothing
    place, choice = dice.randrange(len(filler) + 1), dice.randrange(2)
    return [_document(number, filler, place, DECISIVE[label][choice], label) for label in CLASSES]


def _undecided(number: int, dice: random.Random) -> list[Document]:
    words = tuple(dice.choice(FILLER) for _ in range(dice.randint(1, 6)))
    return [Document(content_key(*words, label, str(number)), words, label) for label in CLASSES]


def _document(number: int, filler: list[str], place: int, word: str, label: str) -> Document:
    words = (*filler[:place], word, *filler[place:])
    tags = tuple(TAGS[label] if t == place else "X" for t in range(len(words)))
    facts = {"pair": str(number), "plant": "single"}
    known = {"relevant": (place,), "truth": {label: (place,)}, "subject": place, "tags": tags}
    return Document(content_key(*words), words, label, facts=facts, **known)


def _mislabelled(document: Document) -> Document:
    return replace(document, label=CLASSES[1 - CLASSES.index(document.label)])


def _renamed(document: Document, key: str) -> Document:
    return replace(document, key=key)
