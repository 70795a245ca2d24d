"""Pretrained word vectors from GloVe's text format: a word and its numbers per line, single spaces between."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import torch

from whichword.base.files import refuse_special
from whichword.errors import InputError
from whichword.networks import Network


def fill_in(network: Network, path: str | Path) -> int:
    """Put the file's vectors into the embedding; a word that is missing is looked up in lower case. Returns how many.

    Rows of words that the file does not have keep their random values.
    """
    row_of = {word: row for row, word in enumerate(network.vocabulary.words)}
    lowered: dict[str, list[int]] = {}
    for word, row in row_of.items():
        lowered.setdefault(word.lower(), []).append(row)
    exact: set[int] = set()
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
    """A hash of the file's content."""
    try:
        refuse_special(path)
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        refuse_special(path)
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                yield number, line.rstrip(b"\n").decode("utf8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8: {error.reason}") from None


def _vector(numbers: str, network: Network, where: str) -> torch.Tensor:
    try:
        vector = torch.tensor([float(number) for number in numbers.split(" ")], dtype=network.embedding.dtype)
    except ValueError:
        raise InputError(f"{where}: not a word and its numbers") from None
    if len(vector) != network.config.embedding:
        raise InputError(f"{where}: {len(vector)} numbers, but the embedding has {network.config.embedding}")
    if not bool(torch.isfinite(vector).all()):
        raise InputError(f"{where}: a number is not finite")
    return vector
