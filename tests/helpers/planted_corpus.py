"""A corpus where the truth is known, and networks for it: the class word is in one sentence of a document."""

import random
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import ClassVar

import torch

from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.networks import Network
from whichword.networks.network import Config
from whichword.text import Vocabulary, content_key, distinct_keys
from whichword.types import Corpus, Document

CLASSES = ("apple", "brick", "cloud", "drum")
PLANTED = {name: tuple(f"{name}{i}" for i in range(3)) for name in CLASSES}
FILLER = tuple(f"w{i}" for i in range(40))


@CORPORA.register("planted")
@dataclass(frozen=True)
class PlantedCorpus:
    """``documents`` of some sentences; one of them holds one of the class's own words. ``shuffled``: wrong labels."""

    documents: int = 120
    sentences: int = 3
    salt: int = 0
    shuffled: bool = False

    about: ClassVar[CorpusAbout] = CorpusAbout(source="made here", licence="none")

    def read(self, data: Path | None, seed: int) -> Corpus:
        dice = random.Random(f"planted {self.salt}")
        made = [
            _document(CLASSES[i % len(CLASSES)], dice, self.sentences, self.shuffled) for i in range(self.documents)
        ]
        keys = distinct_keys(document.key for document in made)
        named = [Document(key, d.words, d.label, d.starts) for key, d in zip(keys, made, strict=True)]
        third = self.documents // 3
        parts = (tuple(named[:third]), tuple(named[third : 2 * third]), tuple(named[2 * third :]))
        return Corpus("planted", CLASSES, *parts, {"source": "made here"})


def _document(label: str, dice: random.Random, count: int, shuffled: bool) -> Document:
    sentences = [[dice.choice(FILLER) for _ in range(dice.randint(3, 7))] for _ in range(count)]
    sentences[dice.randrange(count)].insert(dice.randrange(3), dice.choice(PLANTED[label]))
    words = tuple(word for sentence in sentences for word in sentence)
    starts = tuple(accumulate((len(sentence) for sentence in sentences[:-1]), initial=0))
    shown = dice.choice(CLASSES) if shuffled else label
    return Document(content_key(*words, shown), words, shown, starts)


def tiny_network(folder: Path, kind: str = "lstm", seed: int = 0) -> Path:
    """An untrained network with random weights, saved: enough for everything that is not about being right."""
    vocabulary = Vocabulary((*FILLER[:30], *(word for words in PLANTED.values() for word in words)))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = Network(Config(kind, CLASSES, 4, 5), vocabulary)
        network.embedding.data.normal_()
    network.requires_grad_(False).save(folder)
    return folder
