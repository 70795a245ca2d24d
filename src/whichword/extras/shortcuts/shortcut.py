"""The shortcut game from the corpus to the gates: plant, train two copies, see whether the game is valid."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whichword import models
from whichword.answering import first_maximum
from whichword.base import files
from whichword.base.lazy import torch
from whichword.corpora import read_corpus
from whichword.extras.shortcuts.planting import Planting
from whichword.model import Batch, Model
from whichword.passes import BATCH_WORDS
from whichword.sequences import batches
from whichword.statistics.intervals import wilson
from whichword.types import Corpus, Document

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
    planted = read_corpus(spelling)
    plain = _shortened(corpus, planting.cut)
    spellings = {PLANTED: learn(planted, folder / PLANTED), PLAIN: learn(plain, folder / PLAIN)}
    shares = {name: accuracy(models.load(place), planted.test) for name, place in spellings.items()}
    gates = Gates(len(planted.test), shares[PLANTED], shares[PLAIN], 1 / 2)
    return Shortcut(spelling, spellings[PLANTED], spellings[PLAIN], gates)


def write_planted(corpus: Corpus, path: Path) -> str:
    """The corpus as JSON lines; returns how it is spelled."""
    parts = {"train": corpus.train, "heldout": corpus.heldout, "test": corpus.test}
    lines = [json.dumps(_line(document, part), ensure_ascii=False) for part in parts for document in parts[part]]
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, "".join(f"{line}\n" for line in lines).encode("utf8"))
    return f"{path}[words=words,part=part,rationale=plant]"


def _line(document: Document, part: str) -> dict[str, object]:
    plant = {name: list(places) for name, places in document.truth.items()}
    return {"words": list(document.words), "label": document.label, "part": part, "plant": plant}


def _shortened(corpus: Corpus, cut: int) -> Corpus:
    """The plain corpus as the planted one was read: ready-made words, cut."""
    train, heldout, test = (
        tuple(replace(d, words=d.words[:cut], text=" ".join(d.words[:cut]), starts=(0,)) for d in part)
        for part in (corpus.train, corpus.heldout, corpus.test)
    )
    return replace(corpus, train=train, heldout=heldout, test=test)


def accuracy(model: Model, documents: Sequence[Document]) -> float:
    """The share of documents whose predicted class is their own."""
    readings = [model.read(document) for document in documents]
    correct = 0
    for group in batches([len(reading.ids) for reading in readings], BATCH_WORDS):
        with torch.no_grad():
            predicted = first_maximum(model.score(Batch.of([readings[i] for i in group], model.about.device)))
        names = [model.about.classes[k] for k in predicted.tolist()]
        correct += sum(name == documents[i].label for name, i in zip(names, group, strict=True))
    return correct / max(1, len(documents))
