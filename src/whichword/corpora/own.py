"""A corpus of the user's own: a CSV, TSV, JSON lines or Parquet file with a text and a label column."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from whichword.corpora import delimited, jsonl, parquet
from whichword.corpora.building import distinct, text_document
from whichword.corpora.delimited import Dialect
from whichword.corpora.intake import Dropped, Intake, Rejected
from whichword.corpora.registry import CorpusAbout, Source
from whichword.corpora.splitting import Parts, by_content, by_name
from whichword.errors import InputError
from whichword.files import expanded
from whichword.registry import Registry
from whichword.text import sentence_model
from whichword.types import Corpus, Document

_SPELLING = re.compile(r"(?P<path>[^\[\]]+\.(?P<kind>csv|tsv|jsonl|parquet)(\.gz)?)(?P<settings>\[.*\])?")


class Example(NamedTuple):
    """One record: a text, its class and, where the file says so, its part."""

    text: str
    label: str
    part: str = ""


@dataclass(frozen=True)
class OwnFile:
    """``text``, ``label`` and ``part`` name columns.

    Without a part column (train, heldout, test) the shares say how much of the documents, chosen by a hash of their
    text, goes where. A broken record stops the reading, or, with ``strict=false``, is skipped and counted.
    """

    path: Path = field(default=Path(), metadata={"setting": False})
    text: str = "text"
    label: str = "label"
    part: str = ""
    train: float = 80.0
    heldout: float = 10.0
    test: float = 10.0
    strict: bool = True

    about: ClassVar[CorpusAbout] = CorpusAbout(source="a file of your own", licence="yours")

    def read(self, data: Path, seed: int) -> Corpus:
        """Neither the data folder nor the seed plays a part."""
        if min(self.train, self.heldout, self.test) < 0 or self.train <= 0:
            raise InputError(f"{self.path}: the shares train, heldout and test must not be negative, train not 0")
        intake = Intake(self.strict)
        examples = list(self._examples(intake))
        documents = distinct([text_document(example.text, example.label) for example in examples])
        parts = self._parts(documents, [example.part for example in examples])
        record = {"source": self.path.name, "sentences": sentence_model(), **intake.record()}
        return Corpus(self.path.name, self._classes(documents), *parts, record)

    @property
    def columns(self) -> list[str]:
        return [name for name in (self.text, self.label, self.part) if name]

    def _examples(self, intake: Intake) -> Iterator[Example]:
        raise NotImplementedError

    def _parts(self, documents: tuple[Document, ...], parts: list[str]) -> Parts:
        if self.part:
            return by_name(documents, parts)
        return by_content(documents, (self.train, self.heldout, self.test))

    def _classes(self, documents: tuple[Document, ...]) -> tuple[str, ...]:
        classes = tuple(sorted({document.label for document in documents}))
        if len(classes) < 2:
            raise InputError(f"{self.path}: column {self.label!r} has {len(classes)} classes: at least 2 are needed")
        return classes


def example(text: str, label: str, part: str = "") -> Example:
    """A checked example."""
    if not label:
        raise Rejected("the label is empty")
    if label != label.strip() or not label.isprintable():
        raise Rejected(f"the label {label!r} has white space around it or control characters in it")
    if part not in ("", "train", "heldout", "test"):
        raise Rejected(f"part {part!r} is none of train, heldout, test")
    if not text.strip():
        raise Dropped("without words")
    return Example(text, label, part)


@dataclass(frozen=True)
class DelimitedFile(OwnFile):
    """CSV or TSV; the dialect is a setting: quoting csv or none, ends any, lf or crlf."""

    quoting: str = "csv"
    ends: str = "any"
    delimiter: str = field(default=",", metadata={"setting": False})

    def _examples(self, intake: Intake) -> Iterator[Example]:
        dialect = Dialect(self.delimiter, self.quoting, self.ends)
        header, rows = delimited.rows(self.path, dialect)
        places = [self._place(name, header) for name in self.columns]

        def parse(row: bytes | list[str]) -> Example:
            fields = delimited.parsed(row, dialect, header)
            return example(*(fields[place] for place in places))

        yield from intake.read(self.path, rows, parse)

    def _place(self, name: str, header: list[str]) -> int:
        if name not in header:
            raise InputError(f"{self.path}:1: no column {name!r}; columns: {', '.join(header)}")
        return header.index(name)


@dataclass(frozen=True)
class JsonLinesFile(OwnFile):
    """One object per line."""

    def _examples(self, intake: Intake) -> Iterator[Example]:
        labels = jsonl.Labels(self.label)
        lines = jsonl.object_lines(self.path)
        yield from intake.read(self.path, lines, lambda line: self._of(jsonl.parse_object(line), labels))

    def _of(self, value: dict[str, Any], labels: jsonl.Labels) -> Example:
        part = jsonl.text_of(value, self.part) if self.part else ""
        return example(jsonl.text_of(value, self.text), labels.of(value), part)


@dataclass(frozen=True)
class ParquetFile(JsonLinesFile):
    """The values of a row are read as those of a JSON object."""

    def _examples(self, intake: Intake) -> Iterator[Example]:
        labels = jsonl.Labels(self.label)
        yield from intake.read(self.path, parquet.rows(self.path, self.columns), lambda row: self._of(row, labels))


_KINDS: dict[str, Callable[[], OwnFile]] = {
    "csv": DelimitedFile,
    "tsv": partial(DelimitedFile, delimiter="\t", quoting="none"),
    "jsonl": JsonLinesFile,
    "parquet": ParquetFile,
}


def own_file(spelling: str, columns: Mapping[str, str]) -> tuple[str, Source] | None:
    """(label, source) if the spelling is that of a file; the label has the file's name, not its folder."""
    match = _SPELLING.fullmatch(spelling.strip())
    if match is None:
        if columns:
            raise InputError(f"corpus {spelling}: only a file (.csv .tsv .jsonl .parquet) has columns to name")
        return None
    path = expanded(match["path"])
    files: Registry[Source] = Registry("corpus", "whichword.corpora")
    files.register(path.name, replace(_KINDS[match["kind"]](), path=path))
    named = ",".join(f"{name}={value}" for name, value in columns.items())
    settings = ",".join(filter(None, ((match["settings"] or "")[1:-1], named)))
    return files.resolve(f"{path.name}[{settings}]" if settings else path.name)
