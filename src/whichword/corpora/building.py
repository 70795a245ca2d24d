"""Documents from texts, their parts (train, heldout, test), and the intake of records.

Every record is accepted exactly or rejected with its file, line and reason, and all are counted.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain
from pathlib import Path
from typing import TypeVar

from whichword.errors import InputError
from whichword.text import content_key, distinct_keys, sentence_words, tokenize
from whichword.types import Document


def text_document(text: str, label: str) -> Document:
    """Cut a labelled text into sentences and words; its key is a hash of text and label."""
    words, starts = tokenize(text)
    return Document(content_key(text, label), words, label, starts, text=text)


def one_sentence(text: str, label: str) -> Document:
    """Cut a labelled text into words only."""
    return Document(content_key(text, label), tuple(sentence_words(text)), label, text=text)


def words_document(words: tuple[str, ...], label: str) -> Document:
    """Take ready-made words, in one sentence."""
    return Document(content_key(" ".join(words), label), words, label)


def lines_document(lines: Sequence[str], label: str) -> Document:
    """Cut a labelled text whose sentences are known: one per line."""
    text, words = "\n".join(lines), [sentence_words(line) for line in lines]
    starts = tuple(accumulate((len(sentence) for sentence in words[:-1]), initial=0))  # of sentences, in words
    return Document(content_key(text, label), tuple(chain.from_iterable(words)), label, starts, text=text)


def distinct(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Return the same documents; those with repeated contents get the keys key-2, key-3, ..."""
    keys = distinct_keys(document.key for document in documents)
    return tuple(
        document if document.key == key else replace(document, key=key)
        for document, key in zip(documents, keys, strict=True)
    )


Parts = tuple[tuple[Document, ...], tuple[Document, ...], tuple[Document, ...]]


def by_content(documents: Sequence[Document], shares: tuple[float, float, float]) -> Parts:
    """Put each document where the hash in its key says: the same part in every run, whatever else is there."""
    total = sum(shares)
    first, second = shares[0] / total, (shares[0] + shares[1]) / total
    parts: tuple[list[Document], ...] = ([], [], [])
    for document in documents:
        place = int(document.key[:12], 16) / 16**12  # the -2 of a repeated content is not in it: no leak
        parts[(place >= first) + (place >= second)].append(document)
    return tuple(parts[0]), tuple(parts[1]), tuple(parts[2])


def in_order(documents: Sequence[Document], train: int, heldout: int) -> Parts:
    """Return the first ``train``, the next ``heldout``, the rest."""
    return tuple(documents[:train]), tuple(documents[train : train + heldout]), tuple(documents[train + heldout :])


def shuffled(documents: Sequence[Document], seed: int) -> list[Document]:
    """Draw an order, the same for the same seed and the same documents (in whatever order they come)."""
    order = sorted(documents, key=lambda document: document.key)  # a hash of the content
    random.Random(seed).shuffle(order)
    return order


def by_name(documents: Sequence[Document], names: Sequence[str]) -> Parts:
    """Put each document into the part that its source names: train, heldout or test."""
    train, heldout, test = (
        tuple(document for document, name in zip(documents, names, strict=True) if name == part)
        for part in ("train", "heldout", "test")
    )
    return train, heldout, test


Raw = TypeVar("Raw")
Read = TypeVar("Read")


class Rejected(Exception):
    """A record that is broken, and why."""


class Dropped(Exception):
    """A sound record that the corpus leaves out by its definition, and why: an empty post, a review of three stars."""


@dataclass
class Intake:
    """Counts: accepted + rejected = seen; ``dropped`` are those accepted records that the corpus leaves out.

    A rejected record stops the reading (``strict``) or is skipped and counted.
    """

    strict: bool = True
    seen: int = 0
    rejected: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    first: str = ""  # the first rejected record
    line: int = 0  # of the record that was last read

    def read(self, path: Path, records: Iterable[tuple[int, Raw]], parse: Callable[[Raw], Read]) -> Iterator[Read]:
        """Parse each (line, record); ``parse`` raises `Rejected` or `Dropped`."""
        for self.line, raw in records:  # `own` asks for the line meanwhile
            self.seen += 1
            try:
                yield parse(raw)
            except Rejected as reason:
                self._reject(f"{path}:{self.line}: {reason}")
            except Dropped as reason:
                self.dropped[str(reason)] += 1

    def read_again(
        self, path: Path, accepted: Iterable[tuple[int, Read]], check: Callable[[Read], None]
    ) -> Iterator[Read]:
        """Yield what was accepted, by line, once all records are known: ``check`` raises `Rejected`."""
        for line, record in accepted:
            try:
                check(record)
                yield record
            except Rejected as reason:
                self._reject(f"{path}:{line}: {reason}")

    def _reject(self, message: str) -> None:
        if self.strict:
            raise InputError(message)
        self.rejected += 1
        self.first = self.first or message

    def record(self) -> dict[str, str]:
        """Return the counts for a corpus's record."""
        counts = {"seen": self.seen, "accepted": self.seen - self.rejected, "rejected": self.rejected}
        record = {name: str(count) for name, count in counts.items()}
        if self.first:
            record["first rejected"] = self.first
        if self.dropped:
            record["dropped"] = ", ".join(f"{count} {reason}" for reason, count in sorted(self.dropped.items()))
        return record


def counts_line(record: Mapping[str, str]) -> str:
    """Write a corpus's counts in one line."""
    line = f"{record.get('accepted', '0')} accepted"
    if "seen" in record:
        line += f" + {record['rejected']} rejected = {record['seen']} seen"
    extras = [f"{name}: {record[name]}" for name in ("dropped", "first rejected") if name in record]
    return "; ".join([line, *extras])
