"""A corpus of the user's own: a CSV, TSV, JSON lines or Parquet file with a text and a label column.

Twins are two texts with different labels; the words in which they differ are the truth.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from whichword.base.files import expanded
from whichword.corpora import delimited, parquet
from whichword.corpora.building import (
    Dropped,
    Intake,
    Parts,
    Rejected,
    by_content,
    by_name,
    distinct,
    text_document,
    words_document,
)
from whichword.corpora.delimited import Dialect
from whichword.corpora.lines import (
    Labels,
    label_of,
    object_lines,
    parse_json,
    parse_object,
    required,
    text_of,
    words_of,
)
from whichword.corpora.marking import FORMS, OF_TEXT, check_classes, truth_of
from whichword.corpora.registry import CorpusAbout, Source
from whichword.errors import FileError, SettingError
from whichword.registry import Registry
from whichword.text import sentence_model
from whichword.text.places import content_key
from whichword.types import Corpus, Document


def twins(first: Document, second: Document) -> tuple[Document, Document]:
    """Join two texts in a pair; right for the label of each are the words that the other does not have."""
    if first.label == second.label:
        raise Rejected(f"both texts of a pair have the label {first.label!r}")
    early, late = sorted((first, second), key=lambda document: document.key)  # whichever comes first in the file
    words = dict(zip((early.key, late.key), differing(early.words, late.words), strict=True))
    if not any(words.values()):
        raise Rejected("the two texts of a pair are the same")
    pair = content_key(early.key, late.key)  # the same in either order
    return _twin(first, words[first.key], pair), _twin(second, words[second.key], pair)


def _twin(document: Document, words: tuple[int, ...], pair: str) -> Document:
    return replace(document, truth={document.label: words} if words else {}, facts={**document.facts, "pair": pair})


def differing(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the positions of each text that no longest matching run of the other covers."""
    changes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()  # it would skip frequent words
    changed = [change for change in changes if change[0] != "equal"]
    only_first = tuple(place for _, start, stop, _, _ in changed for place in range(start, stop))
    only_second = tuple(place for _, _, _, start, stop in changed for place in range(start, stop))
    return only_first, only_second


_SPELLING = re.compile(r"(?P<path>[^\[\]]+\.(?P<kind>csv|tsv|jsonl|parquet)(\.gz)?)(?P<settings>\[.*\])?")

NAMING = "another is named as in FILE[text=review,label=stars], a column of ready-made words as in FILE[words=tokens]"


class Entry(NamedTuple):
    """One record: its documents (two if it holds twins) and, where the file says so, their part and their pair."""

    documents: tuple[Document, ...]
    part: str = ""
    pair: str = ""


@dataclass(frozen=True)
class OwnFile(ABC):
    """``text``, ``label`` and ``part`` name columns.

    Without a part column (train, heldout, test) the shares say how much of the documents, chosen by a hash of their
    text, goes where. A broken record stops the reading, or, with ``strict=false``, is skipped and counted.

    ``words`` names a column of ready-made words, to be taken instead of the text's. ``rationale`` names a column that
    says which words people marked, in the form ``marks`` (see `whichword.corpora.marking`). ``twin`` names a second
    text that has another label, from the column ``twin_label``; or ``pair`` a column that two records share. With a
    twin and ``label=none`` the classes are the names of the two text columns.
    """

    path: Path = field(default=Path(), metadata={"setting": False})  # the spelling says it
    text: str = "text"
    label: str = "label"
    part: str = ""
    words: str = ""
    rationale: str = ""
    marks: str = "positions"
    twin: str = ""
    twin_label: str = ""
    pair: str = ""
    train: float = 80.0
    heldout: float = 10.0
    test: float = 10.0
    strict: bool = True

    about: ClassVar[CorpusAbout] = CorpusAbout(source="a file of your own", licence="yours")

    def read(self, data: Path, seed: int) -> Corpus:
        """Read the file; neither the data folder nor the seed plays a part."""
        self._check()
        intake = Intake(self.strict)
        entries = self._paired(list(self._of_known_classes(intake)))
        documents = distinct([document for entry in entries for document in entry.documents])
        parts = self._parts(documents, [entry.part for entry in entries for _ in entry.documents])  # twins share one
        record = {"source": self.path.name, "sentences": sentence_model(), **intake.record()}
        return Corpus(self.path.name, self._classes(documents), *parts, record)

    def _check(self) -> None:
        if min(self.train, self.heldout, self.test) < 0 or self.train + self.heldout + self.test <= 0:
            raise SettingError(
                f"{self.path}: the shares train, heldout and test must not be negative, nor all of them 0"
            )
        if self.marks not in FORMS:
            raise SettingError(f"{self.path}: marks must be one of {', '.join(FORMS)}, not {self.marks!r}")
        if self.pair and self.twin:
            raise SettingError(f"{self.path}: twins stand in one record (twin) or in two (pair): give one of them")
        if self.twin and bool(self._label_column) != bool(self.twin_label):
            raise SettingError(f"{self.path}: give the columns of both labels, label and twin_label, or label=none")

    @property
    def _label_column(self) -> str:
        """The column of the labels; twins may have none."""
        return "" if self.twin and self.label == "none" else self.label

    @property
    def columns(self) -> list[str]:
        names = (
            self.words or self.text,
            self._label_column,
            self.part,
            self.rationale,
            self.pair,
            self.twin,
            self.twin_label,
        )
        return [name for name in names if name]

    @abstractmethod
    def _entries(self, intake: Intake) -> Iterator[Entry]:
        """Yield the records of the file, read in its own way."""

    def _of_known_classes(self, intake: Intake) -> Iterator[Entry]:
        entries = [(intake.line, entry) for entry in self._entries(intake)]  # only now are the classes known
        classes = {document.label for _, entry in entries for document in entry.documents}
        return intake.read_again(self.path, entries, lambda entry: check_classes(classes, entry.documents))

    def _paired(self, entries: list[Entry]) -> list[Entry]:
        """Make twins of records that share a pair; those without a twin, and texts that do not differ, are an error."""
        if not self.pair:
            return entries
        groups: dict[str, list[Entry]] = {}
        for entry in entries:
            groups.setdefault(entry.pair, []).append(entry)
        return [self._together(name, group) for name, group in groups.items()]

    def _together(self, name: str, group: list[Entry]) -> Entry:
        documents = [document for entry in group for document in entry.documents]
        try:
            if len(documents) != 2:
                raise Rejected(f"{len(documents)} records have it, not 2")
            return Entry(twins(documents[0], documents[1]), group[0].part)
        except Rejected as reason:
            raise FileError(f"{self.path}: pair {name!r}: {reason}") from None

    def _parts(self, documents: tuple[Document, ...], parts: list[str]) -> Parts:
        if self.part:
            return by_name(documents, parts)
        return by_content(documents, (self.train, self.heldout, self.test))

    def _classes(self, documents: tuple[Document, ...]) -> tuple[str, ...]:
        classes = tuple(sorted({document.label for document in documents}))
        if len(classes) < 2:
            raise FileError(f"{self.path}: column {self.label!r} has {len(classes)} classes: at least 2 are needed")
        return classes

    def _entry(self, value: Mapping[str, Any], labels: Labels) -> Entry:
        """Check a record: names of columns -> values as a JSON object has them."""
        part = text_of(value, self.part) if self.part else ""
        if part not in ("", "train", "heldout", "test"):
            raise Rejected(f"part {part!r} is none of train, heldout, test")
        document = self._document(value, self.text, self._label(value, self._label_column, self.text, labels))
        if self.rationale:
            truth = truth_of(required(value, self.rationale), self.marks, document)
            document = replace(document, truth={name: words for name, words in truth.items() if words})
        if not self.twin:
            return Entry((document,), part, label_of(value, self.pair) if self.pair else "")
        other = self._document(value, self.twin, self._label(value, self.twin_label, self.twin, labels))
        return Entry(twins(document, other), part)

    def _label(self, value: Mapping[str, Any], column: str, text: str, labels: Labels) -> str:
        label = labels.of(value, column) if column else text  # twins without labels: the column is the class
        if not label:
            raise Rejected("the label is empty")
        if label != label.strip() or not label.isprintable():
            raise Rejected(f"the label {label!r} has white space around it or control characters in it")
        return label

    def _document(self, value: Mapping[str, Any], column: str, label: str) -> Document:
        if self.words:
            return words_document(words_of(value, self.words), label)
        if column == self.text and column not in value:
            raise Rejected(f"no {column!r}; there is: {', '.join(map(repr, value))}; {NAMING}")
        text = text_of(value, column)
        if not text.strip():
            raise Dropped("without words")
        counted = self.rationale and self.marks not in OF_TEXT  # such marks count what stands between spaces
        return replace(words_document(tuple(text.split()), label), text=text) if counted else text_document(text, label)


@dataclass(frozen=True)
class DelimitedFile(OwnFile):
    """CSV or TSV; the dialect is a setting: quoting csv or none, ends any, lf or crlf."""

    quoting: str = "csv"
    ends: str = "any"
    delimiter: str = field(default=",", metadata={"setting": False})

    def _entries(self, intake: Intake) -> Iterator[Entry]:
        dialect = Dialect(self.delimiter, self.quoting, self.ends)
        header, rows = delimited.rows(self.path, dialect)
        places, labels = {name: self._place(name, header) for name in self.columns}, Labels()

        def parse(row: bytes | list[str]) -> Entry:
            fields = delimited.parsed(row, dialect, header)
            return self._entry(self._values({name: fields[place] for name, place in places.items()}), labels)

        yield from intake.read(self.path, rows, parse)

    def _values(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Split words at spaces and parse a rationale as JSON; all else is text."""
        if self.words:
            fields[self.words] = fields[self.words].split(" ")  # two spaces make an empty word, which is rejected
        if self.rationale:
            fields[self.rationale] = parse_json(fields[self.rationale])
        return fields

    def _place(self, name: str, header: list[str]) -> int:
        if name not in header:
            raise FileError(f"{self.path}:1: no column {name!r}; columns: {', '.join(header)}; {NAMING}")
        return header.index(name)


@dataclass(frozen=True)
class JsonLinesFile(OwnFile):
    """JSON lines: one object per line."""

    def _entries(self, intake: Intake) -> Iterator[Entry]:
        labels, lines = Labels(), object_lines(self.path)
        yield from intake.read(self.path, lines, lambda line: self._entry(parse_object(line), labels))


@dataclass(frozen=True)
class ParquetFile(JsonLinesFile):
    """Parquet: the values of a row are read as those of a JSON object."""

    def _entries(self, intake: Intake) -> Iterator[Entry]:
        labels, rows = Labels(), parquet.rows(self.path, self.columns)
        yield from intake.read(self.path, rows, lambda row: self._entry(row, labels))


_KINDS: dict[str, Callable[[], OwnFile]] = {
    "csv": DelimitedFile,
    "tsv": partial(DelimitedFile, delimiter="\t", quoting="none"),  # a quote is a letter there
    "jsonl": JsonLinesFile,
    "parquet": ParquetFile,
}


def own_file(spelling: str, columns: Mapping[str, str]) -> tuple[str, Source] | None:
    """Return (label, source) if the spelling is that of a file; the label has the file's name, not its folder."""
    match = _SPELLING.fullmatch(spelling.strip())
    if match is None:
        if columns:
            raise SettingError(f"corpus {spelling}: only a file (.csv .tsv .jsonl .parquet) has columns to name")
        return None
    path = expanded(match["path"])
    files: Registry[Source] = Registry("corpus", "whichword.corpora")  # a table of one, for the settings in brackets
    files.register(path.name, replace(_KINDS[match["kind"]](), path=path))
    named = ",".join(f"{name}={value}" for name, value in columns.items())
    settings = ",".join(filter(None, ((match["settings"] or "")[1:-1], named)))
    return files.resolve(f"{path.name}[{settings}]" if settings else path.name)
