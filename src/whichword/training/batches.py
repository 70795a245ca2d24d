"""Documents as word ids, the batches of an epoch, and pretrained word vectors.

Vectors are in GloVe's text format: a word and its numbers per line, single spaces between.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from whichword.answering import first_maximum
from whichword.base.files import refuse_special
from whichword.errors import FileError, InputError
from whichword.model import Batch
from whichword.networks import Network
from whichword.sequences import Sequences, batches
from whichword.types import Document

TOGETHER = 64  # batches whose documents are sorted by length: little padding, and still a random order of batches


@dataclass(frozen=True)
class Examples:
    """Word ids and classes of some documents."""

    ids: tuple[list[int], ...]
    classes: tuple[int, ...]

    @staticmethod
    def of(documents: Sequence[Document], network: Network, cut: int) -> "Examples":
        """Look up documents, cut at ``cut`` words."""
        index = {name: k for k, name in enumerate(network.classes)}
        for document in documents:
            if document.label not in index:
                raise InputError(f"document {document.key}: {document.label!r} is not a class of the network")
        ids = tuple(network.vocabulary.ids(document.words[:cut]) for document in documents)
        return Examples(ids, tuple(index[document.label] for document in documents))

    def __len__(self) -> int:
        return len(self.ids)

    def pick(self, rows: Sequence[int]) -> tuple[Sequences, torch.Tensor]:
        """Return ids [B, T] and classes [B]."""
        return Sequences.of([self.ids[i] for i in rows]), torch.tensor([self.classes[i] for i in rows])


def random_numbers(*purpose: object) -> torch.Generator:
    """Make a generator that depends on (seed, epoch, step, ..) alone, so that training can be resumed at any step."""
    digest = hashlib.blake2b("\0".join(map(str, purpose)).encode(), digest_size=8).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest, "big") >> 1)


def epoch(examples: Examples, size: int, generator: torch.Generator) -> list[list[int]]:
    """Draw an order, cut into batches of documents of similar length, the batches in random order."""
    order = torch.randperm(len(examples), generator=generator).tolist()
    groups: list[list[int]] = []
    for first in range(0, len(order), size * TOGETHER):
        near = sorted(order[first : first + size * TOGETHER], key=lambda i: len(examples.ids[i]))
        groups += [near[i : i + size] for i in range(0, len(near), size)]
    return [groups[i] for i in torch.randperm(len(groups), generator=generator).tolist()]  # not the short ones first


def accuracy(network: Network, examples: Examples, batch_words: int = 16384) -> float:
    """Return the share of documents whose predicted class is their own."""
    return correct(network, examples, batch_words) / max(1, len(examples))


def correct(network: Network, examples: Examples, batch_words: int) -> int:
    """Count the documents that are classified correctly."""
    hits = 0
    with torch.no_grad():
        for ids, classes in _all(examples, batch_words):
            hits += int((first_maximum(network.score(Batch(ids, ids.lengths))) == classes).sum())
    return hits


def _all(examples: Examples, batch_words: int) -> Iterator[tuple[Sequences, torch.Tensor]]:
    for group in batches([len(ids) for ids in examples.ids], batch_words):
        yield examples.pick(group)


def fill_in(network: Network, path: str | Path) -> int:
    """Put the file's vectors into the embedding; a word that is missing is looked up in lower case. Returns how many.

    Rows of words that the file does not have keep their random values.
    """
    row_of = {word: row for row, word in enumerate(network.vocabulary.words)}
    lowered: dict[str, list[int]] = {}
    for word, row in row_of.items():
        lowered.setdefault(word.lower(), []).append(row)
    exact: set[int] = set()  # rows that a word of another case must not fill
    filled: set[int] = set()
    for number, line in _lines(Path(path)):
        word, _, numbers = line.partition(" ")
        rows = [row for row in lowered.get(word, []) if row not in exact]
        if word in row_of:
            exact.add(row_of[word])
            rows = [*rows, row_of[word]]
        if rows:
            network.embedding.data[rows] = _vector(numbers, network, f"{path}:{number}")
            filled.update(rows)
    return len(filled)


def file_hash(path: Path) -> str:
    """Hash the file's content."""
    try:
        refuse_special(path)
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from None


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        refuse_special(path)
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                yield number, line.rstrip(b"\n").decode("utf8")  # other line ends may be words
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: not UTF-8: {error.reason}") from None


def _vector(numbers: str, network: Network, where: str) -> torch.Tensor:
    try:
        vector = torch.tensor([float(number) for number in numbers.split(" ")], dtype=network.embedding.dtype)
    except ValueError:
        raise FileError(f"{where}: not a word and its numbers") from None
    if len(vector) != network.config.embedding:
        raise FileError(f"{where}: {len(vector)} numbers, but the embedding has {network.config.embedding}")
    if not bool(torch.isfinite(vector).all()):
        raise FileError(f"{where}: a number is not finite")
    return vector
