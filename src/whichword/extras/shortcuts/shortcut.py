"""The shortcut game from the corpus to the gates: plant, train two copies, see whether the game is valid.

Shortcuts are words planted in texts so that they alone decide the label:

    single   one of two words; it is the class's own                              A: p    B: q
    context  the same, but only beside a third word; alone they decide nothing    A: c p  B: c q
    ordered  both words; the first of them decides                                A: p q  B: q p
    xor      two words; the same twice or two different ones                      A: pp, qq  B: pq, qp

Half of the texts get a plant, and with it a label that was drawn, so that nothing else in a planted text says anything.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from whichword import models
from whichword.answering import first_maximum
from whichword.base import files
from whichword.base.lazy import torch
from whichword.corpora import read_corpus
from whichword.errors import InputError
from whichword.games.noise import generator
from whichword.model import BATCH_WORDS, Batch, Model
from whichword.sequences import batches
from whichword.statistics.tests import wilson
from whichword.text.places import content_key, gaps
from whichword.types import Corpus, Document

WORDS = ("quorvex", "zindall", "frobel")  # p, q and the context c: no word of any language that we know of


@dataclass(frozen=True)
class Plant:
    """Words in their order, all of them gold; ``adjacent`` ones stay side by side."""

    words: tuple[str, ...]
    adjacent: bool = False


def _single(label: int, dice: np.random.Generator) -> Plant:
    return Plant((WORDS[label],))


def _context(label: int, dice: np.random.Generator) -> Plant:
    return Plant((WORDS[2], WORDS[label]), adjacent=True)


def _ordered(label: int, dice: np.random.Generator) -> Plant:
    return Plant((WORDS[label], WORDS[1 - label]))


def _xor(label: int, dice: np.random.Generator) -> Plant:
    first = int(dice.integers(2))
    return Plant((WORDS[first], WORDS[first ^ label]))


KINDS: Mapping[str, Callable[[int, np.random.Generator], Plant]] = {
    "single": _single,
    "context": _context,
    "ordered": _ordered,
    "xor": _xor,
}


@dataclass(frozen=True)
class Planting:
    """How plants are made: the kind, the share of texts that get one, and the seed. ``cut`` bounds texts first."""

    kind: str = "single"
    share: float = 0.5
    cut: int = 60
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"no plant is called {self.kind!r}; known: {', '.join(KINDS)}")
        if not 0.0 < self.share < 1.0:
            raise InputError(f"the share of planted texts must be between 0 and 1, not {self.share}")
        if self.cut < 1:
            raise InputError(f"cut must be at least 1, not {self.cut}")

    def corpus(self, corpus: Corpus) -> Corpus:
        """Copy it with a share of the texts planted; in the test part all are."""
        if len(corpus.classes) < 2:
            raise InputError(f"{corpus.name}: a shortcut needs two classes")
        _refuse_known(corpus)
        train, heldout = (
            tuple(self._maybe(d, corpus.classes) for d in part) for part in (corpus.train, corpus.heldout)
        )
        test = tuple(self.planted(document, corpus.classes) for document in corpus.test)
        record = {**corpus.record, "plant": self.kind, "planted": f"{100 * self.share:.0f} %"}
        return replace(
            corpus, name=f"{corpus.name}, {self.kind}", train=train, heldout=heldout, test=test, record=record
        )

    def planted(self, document: Document, classes: Sequence[str]) -> Document:
        """Plant a text, under the label that the plant gives it."""
        dice = generator(self.seed, "plant", self.kind, document.key)
        label = int(dice.integers(2))
        plant = KINDS[self.kind](label, dice)
        words, text, places = _inserted(document, plant, dice, self.cut)
        truth = {classes[label]: places}
        key = content_key(document.key, "plant", self.kind, str(self.seed))  # another text, another key
        return Document(key, words, classes[label], facts={"plant": self.kind}, text=text, truth=truth)

    def _maybe(self, document: Document, classes: Sequence[str]) -> Document:
        dice = generator(self.seed, "planted?", document.key)  # a document's own, whatever its place
        if dice.random() < self.share:
            return self.planted(document, classes)
        if self.kind == "context":  # the words alone, so that the context is learnt too
            lonely = Plant((WORDS[int(dice.integers(3))],))
            words, text, _ = _inserted(document, lonely, dice, self.cut)
            return replace(document, words=words, text=text, starts=(0,))
        return document


def _inserted(
    document: Document, plant: Plant, dice: np.random.Generator, cut: int
) -> tuple[tuple[str, ...], str, tuple[int, ...]]:
    """Return words, text, and the places: a plant goes before words that are drawn, a space after each of its words."""
    words, between = document.words[:cut], gaps(document)[: len(document.words[:cut])]
    count = 1 if plant.adjacent else len(plant.words)  # one place for all, or one for each
    drawn = sorted(dice.integers(0, len(words) + 1, count).tolist()) * (len(plant.words) if plant.adjacent else 1)
    pieces = [(gap, word) for gap, word in zip(between, words, strict=True)]
    places = tuple(place + number for number, place in enumerate(drawn))  # words before it move it on
    for place, word in zip(places, plant.words, strict=True):
        pieces.insert(place, (" " if place else "", word))
    fixed = [(gap or " ", word) if t and (t - 1 in places) else (gap, word) for t, (gap, word) in enumerate(pieces)]
    return tuple(word for _, word in fixed), "".join(gap + word for gap, word in fixed), places


def _refuse_known(corpus: Corpus) -> None:
    """Refuse a corpus to which the planted words are not new."""
    if any(word in WORDS for part in (corpus.train, corpus.test) for document in part for word in document.words):
        raise InputError(f"{corpus.name}: it holds one of the words that are planted ({', '.join(WORDS)})")


LEARNT = 0.95  # of planted test texts: what the copy that learnt the plant has to get right
NEAR = 0.1  # of accuracy: how far above chance the plain copy may be
PLANTED, PLAIN = "planted", "plain"

Learn = Callable[[Corpus, Path], str]  # train a copy into a folder; how it is spelled


@dataclass(frozen=True)
class Gates:
    """What both copies get on planted test texts. The plant is learnt, and nothing else gives it away, or not."""

    texts: int
    planted: float
    plain: float
    chance: float

    @property
    def troubles(self) -> list[str]:
        """What keeps the game from being valid, in words."""
        learnt = f"the copy with plants is right on {self.planted:.3f} of planted texts, less than {LEARNT}"
        leaks = f"the copy without plants is right on {self.plain:.3f} of them, where chance is {self.chance:.2f}"
        above = wilson(self.plain * self.texts, self.texts).low > self.chance and self.plain > self.chance + NEAR
        return [*([learnt] if self.planted < LEARNT else []), *([leaks] if above else [])]


@dataclass(frozen=True)
class Shortcut:
    """Where everything is: the planted corpus's spelling, both models' spellings, and the gates."""

    corpus: str
    planted: str
    plain: str
    gates: Gates


def shortcut(corpus: Corpus, planting: Planting, learn: Learn, folder: Path) -> Shortcut:
    """Plant, train and check; what is in the folder already is not made again."""
    spelling = write_planted(planting.corpus(corpus), folder / "planted.jsonl")
    planted = read_corpus(spelling)  # as the game will read it
    plain = _shortened(corpus, planting.cut)  # so that both copies differ in the plants alone
    spellings = {PLANTED: learn(planted, folder / PLANTED), PLAIN: learn(plain, folder / PLAIN)}
    shares = {name: accuracy(models.load(place), planted.test) for name, place in spellings.items()}
    gates = Gates(len(planted.test), shares[PLANTED], shares[PLAIN], 1 / 2)  # a coin drew the labels
    return Shortcut(spelling, spellings[PLANTED], spellings[PLAIN], gates)


def write_planted(corpus: Corpus, path: Path) -> str:
    """Write the corpus as JSON lines; return how it is spelled."""
    parts = {"train": corpus.train, "heldout": corpus.heldout, "test": corpus.test}
    lines = [json.dumps(_line(document, part), ensure_ascii=False) for part in parts for document in parts[part]]
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, "".join(f"{line}\n" for line in lines).encode("utf8"))
    return f"{path}[words=words,part=part,rationale=plant]"


def _line(document: Document, part: str) -> dict[str, object]:
    plant = {name: list(places) for name, places in document.truth.items()}
    return {"words": list(document.words), "label": document.label, "part": part, "plant": plant}


def _shortened(corpus: Corpus, cut: int) -> Corpus:
    """Make the plain corpus as the planted one was read: ready-made words, cut."""
    train, heldout, test = (
        tuple(replace(d, words=d.words[:cut], text=" ".join(d.words[:cut]), starts=(0,)) for d in part)
        for part in (corpus.train, corpus.heldout, corpus.test)
    )
    return replace(corpus, train=train, heldout=heldout, test=test)


def accuracy(model: Model, documents: Sequence[Document]) -> float:
    """Return the share of documents whose predicted class is their own."""
    readings = [model.read(document) for document in documents]
    correct = 0
    for group in batches([len(reading.ids) for reading in readings], BATCH_WORDS):
        with torch.no_grad():
            predicted = first_maximum(model.score(Batch.of([readings[i] for i in group], model.about.device)))
        names = [model.about.classes[k] for k in predicted.tolist()]
        correct += sum(name == documents[i].label for name, i in zip(names, group, strict=True))
    return correct / max(1, len(documents))
