"""The prose of SciPy's documentation by subpackage: real text that every installation already has."""

import importlib
import inspect
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import scipy

from whichword.corpora.building import by_content, distinct, lines_document
from whichword.corpora.prose import sentences
from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.errors import InputError
from whichword.text.keys import content_key
from whichword.types import Corpus

Text = tuple[str, ...]  # its sentences

_TOPICS = {
    "cluster": ("cluster.vq", "cluster.hierarchy"),
    "fft": ("fft", "fftpack"),
    "integrate": ("integrate",),
    "interpolate": ("interpolate",),
    "linalg": ("linalg", "linalg.interpolative"),
    "ndimage": ("ndimage",),
    "optimize": ("optimize",),
    "signal": ("signal", "signal.windows"),
    "sparse": ("sparse", "sparse.linalg", "sparse.csgraph"),
    "spatial": ("spatial", "spatial.distance", "spatial.transform"),
    "special": ("special",),
    "stats": ("stats", "stats.mstats", "stats.qmc", "stats.contingency", "stats.sampling"),
}


@CORPORA.register("docstrings")
@dataclass(frozen=True)
class Docstrings:
    """One document for each public function, class and method; the topic is its subpackage.

    A sentence that occurs in two topics says nothing about either and is dropped; a sentence that occurs twice in one
    topic stays at its first place. The parts (60/20/20 %) are chosen by a hash of the text.
    """

    largest: int = 520  # documents in one topic at most
    shortest: int = 5  # words in a document at least

    about: ClassVar[CorpusAbout] = CorpusAbout(
        source="the documentation of the installed SciPy",
        licence="BSD-3-Clause",
    )

    def __post_init__(self) -> None:
        for name in ("largest", "shortest"):
            if getattr(self, name) < 1:
                raise InputError(f"corpus docstrings: {name} must be at least 1, not {getattr(self, name)}")

    def read(self, data: Path | None, seed: int) -> Corpus:
        """The seed is not used: every run has the same parts."""
        labelled = [(text, topic) for topic, texts in _without_repeats().items() for text in self._capped(texts)]
        documents = distinct([lines_document(text, topic) for text, topic in labelled])
        record = {"source": f"scipy {scipy.__version__}", "sentences": "one per line", "accepted": str(len(documents))}
        return Corpus("docstrings", tuple(_TOPICS), *by_content(documents, (60, 20, 20)), record)

    def _capped(self, texts: Iterable[Text]) -> list[Text]:
        """The largest topic is cut by a hash, so that the choice has nothing to do with names."""
        long = [text for text in texts if sum(len(sentence.split()) for sentence in text) >= self.shortest]
        chosen = set(sorted(long, key=lambda text: content_key(*text))[: self.largest])
        return [text for text in long if text in chosen]


def _without_repeats() -> dict[str, list[Text]]:
    """The texts of each topic: no sentence of two topics, and of one topic only where it comes first."""
    told = {topic: [_by_pattern(*described) for described in _docstrings(names)] for topic, names in _TOPICS.items()}
    fresh = _fresh(told)
    return _fresh({topic: [{"".join(s.split()): s for s in text} for text in texts] for topic, texts in fresh.items()})


def _fresh(topics: Mapping[str, list[dict[str, str]]]) -> dict[str, list[Text]]:
    """Each text is {what makes a sentence a repeated one: sentence}."""
    spread = Counter(pattern for texts in topics.values() for pattern in set(chain.from_iterable(texts)))
    fresh: dict[str, list[Text]] = {}
    for topic, texts in topics.items():
        first = {pattern: row for row, text in reversed(list(enumerate(texts))) for pattern in text}
        fresh[topic] = [
            tuple(sentence for pattern, sentence in text.items() if first[pattern] == row and spread[pattern] == 1)
            for row, text in enumerate(texts)
        ]
    return fresh


def _by_pattern(name: str, docstring: str) -> dict[str, str]:
    """{sentence without the name of what it describes: sentence}: "norm takes ..." and "expon takes ..." are one."""
    first: dict[str, str] = {}
    for sentence in sentences(docstring):
        first.setdefault(re.sub(rf"\b{re.escape(name)}\b", "", sentence), sentence)
    return first


def _docstrings(modules: Iterable[str]) -> list[tuple[str, str]]:
    """(name, docstring) of the modules' public members, in the order of their names, each docstring once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated members warn when they are looked at
        pairs = [pair for name in modules for pair in _of_module(importlib.import_module(f"scipy.{name}"))]
    return [(name, docstring) for docstring, name in {doc: name for name, doc in reversed(pairs)}.items()][::-1]


def _of_module(module: ModuleType) -> Iterator[tuple[str, str]]:
    for name in sorted(getattr(module, "__all__", None) or dir(module)):
        member = getattr(module, name, None)
        if not name.startswith("_") and member is not None and not inspect.ismodule(member):
            yield from _of_member(name, member)


def _of_member(name: str, member: object) -> Iterator[tuple[str, str]]:
    """The docstring of a member, and of its methods if it is a class of SciPy's or an instance of one."""
    owner = member if inspect.isclass(member) else type(member)
    methods = [name for name in sorted(dir(owner)) if owner.__module__.startswith("scipy") and not name.startswith("_")]
    described = [(name, member), *((method, inspect.getattr_static(owner, method)) for method in methods)]
    for known_as, thing in described:
        docstring = getattr(thing, "__doc__", None)
        if isinstance(docstring, str):
            yield known_as, docstring
