"""Documents as word ids, and the batches of an epoch."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from whichword.answering import first_maximum
from whichword.errors import InputError
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
        """Documents are cut at ``cut`` words."""
        index = {name: k for k, name in enumerate(network.classes)}
        for document in documents:
            if document.label not in index:
                raise InputError(f"document {document.key}: {document.label!r} is not a class of the network")
        ids = tuple(network.vocabulary.ids(document.words[:cut]) for document in documents)
        return Examples(ids, tuple(index[document.label] for document in documents))

    def __len__(self) -> int:
        return len(self.ids)

    def pick(self, rows: Sequence[int]) -> tuple[Sequences, torch.Tensor]:
        """Ids [B, T] and classes [B]."""
        return Sequences.of([self.ids[i] for i in rows]), torch.tensor([self.classes[i] for i in rows])


def random_numbers(*purpose: object) -> torch.Generator:
    """A generator that depends on (seed, epoch, step, ..) alone, so that training can be resumed at any step."""
    digest = hashlib.blake2b("\0".join(map(str, purpose)).encode(), digest_size=8).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest, "big") >> 1)


def epoch(examples: Examples, size: int, generator: torch.Generator) -> list[list[int]]:
    """A random order, cut into batches of documents of similar length, the batches in random order."""
    order = torch.randperm(len(examples), generator=generator).tolist()
    groups: list[list[int]] = []
    for first in range(0, len(order), size * TOGETHER):
        near = sorted(order[first : first + size * TOGETHER], key=lambda i: len(examples.ids[i]))
        groups += [near[i : i + size] for i in range(0, len(near), size)]
    return [groups[i] for i in torch.randperm(len(groups), generator=generator).tolist()]


def accuracy(network: Network, examples: Examples, batch_words: int = 16384) -> float:
    """The share of documents whose predicted class is their own."""
    return correct(network, examples, batch_words) / max(1, len(examples))


def correct(network: Network, examples: Examples, batch_words: int) -> int:
    """How many documents are classified correctly."""
    hits = 0
    with torch.no_grad():
        for ids, classes in _all(examples, batch_words):
            hits += int((first_maximum(network.score(Batch(ids, ids.lengths))) == classes).sum())
    return hits


def _all(examples: Examples, batch_words: int) -> Iterator[tuple[Sequences, torch.Tensor]]:
    for group in batches([len(ids) for ids in examples.ids], batch_words):
        yield examples.pick(group)
