"""The prose of SciPy's documentation by subpackage: real text that every installation already has.

Prose is the sentences of docstrings in the NumPy style, without tables, code and formulas.
"""

import importlib
import inspect
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import scipy

from whichword.corpora.building import by_content, distinct, lines_document
from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.errors import SettingError
from whichword.text.places import content_key
from whichword.types import Corpus

_DESCRIBED = frozenset(("Parameters", "Other Parameters", "Returns", "Yields", "Raises", "Warns", "Attributes"))
_TOLD = frozenset(("", "Notes", "Warnings", "Summary", "Extended Summary"))

_UNDERLINE = re.compile(r"(-{3,}|={3,})")
_HEAD = re.compile(r"\s*\*{0,2}\w+(, *\*{0,2}\w+)* ?: .*")  # of a described parameter: its name and type
_BORDER = re.compile(r"\s*([-=+|]{3,}[-=+| ]*)|.*\S {3,}\S.* {3,}\S.*")
_LEFT_OUT = "{}"  # stands for a formula or code, so that no sentence with a hole passes for prose
_INLINE = (
    (re.compile(r"\b(in|see|from|of|by|and|to) \[[\w*, .]+\]_"), _LEFT_OUT),  # a citation that is part of its sentence
    (re.compile(r"\[[\w*, .]+\]_"), ""),
    (re.compile(r":math:`[^`]*`"), _LEFT_OUT),
    (re.compile(r":\w+(:\w+)?:`([^`<]*)[^`]*`"), r"`\2`"),  # a role: its text
    (re.compile(r"``([^`]*)``|`([^`]*)`_{0,2}"), lambda match: _word(match[1] or match[2] or "")),
    (re.compile(r"\*{1,2}(\w[^*]*)\*{1,2}"), r"\1"),
    (re.compile(r"\s+([.,;:)])"), r"\1"),
    (re.compile(r"\(\s*\)"), ""),
    (re.compile(r"\s+"), " "),
)
_END = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<! al\.)(?<! cf\.)(?<! vs\.)(?<! [A-Z]\.) (?=[A-Z])"
)  # of a sentence
_NAME = re.compile(r"~?(?:[A-Za-z_]\w*\.)*('\w+'|-?\d+(?:\.\d+)?|[A-Za-z_]\w*)(?:\(\))?")
_SYMBOL = re.compile(r"[=<>^|\\{}~]|\w\((?!s\))|\w\[|(?<!e)(?<!i)\.[a-z]|\.\.")


def _word(code: str) -> str:
    """Keep inline code if it is one name (of a dotted name the last part), number or quoted word."""
    name = _NAME.fullmatch(code)
    return name[1] if name else _LEFT_OUT


def sentences(docstring: str) -> list[str]:
    """Return the sentences of a docstring that are prose, in order."""
    prose: list[str] = []
    for title, lines in _sections(inspect.cleandoc(docstring).split("\n")):
        if title in _DESCRIBED:
            described = ["" if line[:1].strip() or _HEAD.fullmatch(line) else line for line in lines]
            prose.extend(_of_paragraphs(_paragraphs(described)))
        elif title in _TOLD:
            prose.extend(_of_paragraphs(_paragraphs(lines)))
    return prose


def _sections(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield (title, lines) of each section; a title is a line over dashes as long as itself."""
    heads = [row for row, (over, under) in enumerate(pairwise(lines)) if over.strip() and _UNDERLINE.fullmatch(under)]
    yield "", lines[: heads[0] if heads else None]
    for head, end in pairwise([*heads, len(lines)]):
        yield lines[head].strip(), lines[head + 2 : end]


def _paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield runs of prose lines, without examples, directives and literal blocks (all that is indented under them)."""
    paragraph: list[str] = []
    hidden: int | None = None  # the indentation of what hides the lines under it
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line.strip() and hidden is not None and indent <= hidden:
            hidden = None
        opens = line.lstrip().startswith((".. ", ">>>")) or line.rstrip().endswith("::")
        if not line.strip() or hidden is not None or opens:
            yield paragraph
            paragraph = []
        else:
            paragraph.append(line)
        hidden = indent if opens else hidden
    yield paragraph


def _of_paragraphs(paragraphs: Iterable[list[str]]) -> Iterator[str]:
    for lines in paragraphs:
        if not any(_BORDER.fullmatch(line) for line in lines):
            for item in re.split(r"\n\s*(?:[-*]|\d+[.)]|\(\w+\)) ", "\n" + "\n".join(lines)):  # the items of a list
                yield from filter(_is_prose, _END.split(_plain(item)))


def _plain(text: str) -> str:
    for pattern, by in _INLINE:
        text = pattern.sub(by, text)
    return text.strip()


def _is_prose(sentence: str) -> bool:
    """Ask for four words or more, nearly all in letters, no symbol of code or formulas, and nothing left open."""
    words = sentence.split()
    plain = sum(word.strip(".,;:()\"'?!").replace("-", "").replace("'", "").isalpha() for word in words)
    open_end = sentence.endswith(":")  # what it led to was left out
    return len(words) >= 4 and not open_end and plain >= 0.8 * len(words) and _SYMBOL.search(sentence) is None


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
                raise SettingError(f"corpus docstrings: {name} must be at least 1, not {getattr(self, name)}")

    def read(self, data: Path | None, seed: int) -> Corpus:
        """Read the documents; the seed is not used: every run has the same parts."""
        labelled = [(text, topic) for topic, texts in _without_repeats().items() for text in self._capped(texts)]
        documents = distinct([lines_document(text, topic) for text, topic in labelled])
        record = {"source": f"scipy {scipy.__version__}", "sentences": "one per line", "accepted": str(len(documents))}
        return Corpus("docstrings", tuple(_TOPICS), *by_content(documents, (60, 20, 20)), record)

    def _capped(self, texts: Iterable[Text]) -> list[Text]:
        """Cut the largest topic by a hash, so that the choice has nothing to do with names."""
        long = [text for text in texts if sum(len(sentence.split()) for sentence in text) >= self.shortest]
        chosen = set(sorted(long, key=lambda text: content_key(*text))[: self.largest])
        return [text for text in long if text in chosen]


def _without_repeats() -> dict[str, list[Text]]:
    """Return the texts of each topic: no sentence of two topics, and of one topic only where it comes first."""
    told = {topic: [_by_pattern(*described) for described in _docstrings(names)] for topic, names in _TOPICS.items()}
    fresh = _fresh(told)
    return _fresh({topic: [{"".join(s.split()): s for s in text} for text in texts] for topic, texts in fresh.items()})


def _fresh(topics: Mapping[str, list[dict[str, str]]]) -> dict[str, list[Text]]:
    """Drop repeated sentences; each text is {what makes a sentence a repeated one: sentence}."""
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
    """Map sentences without the name of what they describe: "norm takes ..." and "expon takes ..." are one."""
    first: dict[str, str] = {}
    for sentence in sentences(docstring):
        first.setdefault(re.sub(rf"\b{re.escape(name)}\b", "", sentence), sentence)
    return first


def _docstrings(modules: Iterable[str]) -> list[tuple[str, str]]:
    """Return (name, docstring) of the modules' public members, in the order of their names, each docstring once."""
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
    """Yield the docstring of a member, and of its methods if it is a class of SciPy's or an instance of one."""
    owner = member if inspect.isclass(member) else type(member)
    methods = [name for name in sorted(dir(owner)) if owner.__module__.startswith("scipy") and not name.startswith("_")]
    described = [(name, member), *((method, inspect.getattr_static(owner, method)) for method in methods)]
    for known_as, thing in described:
        docstring = getattr(thing, "__doc__", None)
        if isinstance(docstring, str):
            yield known_as, docstring
