"""Cutting documents into train, heldout and test."""

import random
from collections.abc import Sequence

from whichword.types import Document

Parts = tuple[tuple[Document, ...], tuple[Document, ...], tuple[Document, ...]]


def by_content(documents: Sequence[Document], shares: tuple[float, float, float]) -> Parts:
    """Each document goes where the hash in its key says: the same part in every run, whatever else is there."""
    total = sum(shares)
    first, second = shares[0] / total, (shares[0] + shares[1]) / total
    parts: tuple[list[Document], ...] = ([], [], [])
    for document in documents:
        place = int(document.key[:12], 16) / 16**12  # the -2 of a repeated content is not in it: no leak
        parts[(place >= first) + (place >= second)].append(document)
    return tuple(parts[0]), tuple(parts[1]), tuple(parts[2])


def in_order(documents: Sequence[Document], train: int, heldout: int) -> Parts:
    """The first ``train``, the next ``heldout``, the rest."""
    return tuple(documents[:train]), tuple(documents[train : train + heldout]), tuple(documents[train + heldout :])


def shuffled(documents: Sequence[Document], seed: int) -> list[Document]:
    """A random order, the same for the same seed and the same documents (in whatever order they come)."""
    order = sorted(documents, key=lambda document: document.key)
    random.Random(seed).shuffle(order)
    return order


def by_name(documents: Sequence[Document], names: Sequence[str]) -> Parts:
    """Each document goes to the part that its source names: train, heldout or test."""
    train, heldout, test = (
        tuple(document for document, name in zip(documents, names, strict=True) if name == part)
        for part in ("train", "heldout", "test")
    )
    return train, heldout, test
