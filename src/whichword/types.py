"""The values that flow between the stages: frozen, with hardly any logic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

CORPUS_LABEL = "label"  # the fact that says what a corpus calls a document whose label was mapped to another name
NUMBERS = ("singular", "plural")  # of a verb; facts of these names are the two forms of a sentence's verb


class Written(Protocol):
    """Words and the text they stand in, in order: word t is ``text[start : start + len(word)]`` at its place."""

    @property
    def words(self) -> tuple[str, ...]: ...

    @property
    def text(self) -> str: ...


@dataclass(slots=True, unsafe_hash=True)  # not frozen: there is one per text, and a frozen one takes twice as long
class Text:
    """A text and its words; nothing of it is ever changed."""

    words: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class About:
    """What a model says of itself. ``facts`` are for people: sizes, vocabulary, where it came from."""

    name: str  # lstm, bilstm, BertForSequenceClassification
    classes: tuple[str, ...]
    dtype: str = "float32"
    device: str = "cpu"
    facts: Mapping[str, str] = field(default_factory=dict)
    scores: str = "logit"  # what s is: "logit", "log p" of a black box, or "label" where only f is known


@dataclass(frozen=True)
class Document:
    """A labelled text. ``key`` is a hash of its content, so it names the same document in any order and any run."""

    key: str
    words: tuple[str, ...]
    label: str
    starts: tuple[int, ...] = (0,)  # the first word of each sentence
    tags: tuple[str, ...] = ()  # a part-of-speech tag for each word (agreement)
    subject: int | None = None  # the position of the subject, from 0 (agreement)
    relevant: tuple[int, ...] = ()  # positions that a person called relevant (manual benchmark)
    facts: Mapping[str, str] = field(default_factory=dict)  # what slices are made of: attractors, source, ...
    text: str = ""  # as it was written; "": the words joined by spaces
    truth: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # class -> the words that speak for it
    excluded: tuple[int, ...] = ()  # words that no judge looks at: they are neither right nor wrong

    def __post_init__(self) -> None:
        _join(self)


@dataclass(frozen=True)
class Corpus:
    """Three parts and what is known about them; ``record`` goes into a run's identity (source, tokeniser, counts).

    A part that is no tuple is made while it is gone through and may be larger than memory. If it has a
    ``fingerprint``, a text that differs whenever the settings or data differ that it is made from, a resumed run does
    not go through it again.
    """

    name: str
    classes: tuple[str, ...]
    train: Sequence[Document]
    heldout: Sequence[Document]
    test: Sequence[Document]
    record: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """One turn in a game: the words shown to the model and what is known about each of them.

    ``labels[t]`` is the class that word t speaks for ("" for none), ``targets`` are positions that are right whatever
    is predicted, ``truth`` the words that are right for a class. All are read by no other code than the game that made
    the item. ``excluded`` words take no part in any ranking. ``question``: the class to explain; None: f(X).
    """

    key: str
    words: tuple[str, ...]
    gold: str | None = None
    labels: tuple[str, ...] = ()
    targets: tuple[int, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    text: str = ""  # as it was written; "": the words joined by spaces
    sources: tuple[str, ...] = ()  # keys of the documents it was made from, where items share them; (): its own key
    truth: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    excluded: tuple[int, ...] = ()
    question: str | None = None

    def __post_init__(self) -> None:
        _join(self)


@dataclass(frozen=True)
class Tally:
    """Counts before ratios, so that shards and machines add up. ``hits`` is fractional for exact expectations."""

    hits: float = 0.0
    total: int = 0
    discarded: int = 0
    nonfinite: int = 0  # documents with a relevance that is not finite
    ties: int = 0  # documents whose largest relevance occurs more than once

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.hits + other.hits,
            self.total + other.total,
            self.discarded + other.discarded,
            self.nonfinite + other.nonfinite,
            self.ties + other.ties,
        )


def _join(written: Written) -> None:
    if not written.text and written.words:
        object.__setattr__(written, "text", " ".join(written.words))
