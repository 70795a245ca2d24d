"""A new corpus: the help texts of Python's own modules. Run me: python examples/add_a_corpus.py"""

import importlib
from dataclasses import dataclass
from pathlib import Path

from whichword.corpora import CORPORA, CorpusAbout, by_content, distinct, read_corpus, text_document
from whichword.types import Corpus


@CORPORA.register("help")
@dataclass(frozen=True)
class Help:
    """Which module does a help text come from? The modules are a setting: help[modules=random heapq]."""

    modules: str = "math decimal statistics"
    about = CorpusAbout(source="the running Python", licence="PSF-2.0")

    def read(self, data: Path, seed: int) -> Corpus:
        members = [(vars(importlib.import_module(name)).values(), name) for name in self.modules.split()]
        texts = [(member.__doc__, name) for found, name in members for member in found if callable(member)]
        documents = distinct([text_document(text, name) for text, name in texts if text])
        return Corpus("help", tuple(self.modules.split()), *by_content(documents, (60, 20, 20)))


corpus = read_corpus("help[modules=math statistics]")
print(corpus.name, len(corpus.train), len(corpus.heldout), len(corpus.test), corpus.test[0].words)
