"""What is known of a set after its items were gone through once, and the order of its file."""

import hashlib
import os
import secrets
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from whichword.base.files import naming
from whichword.runs.canonical import item_bytes
from whichword.runs.item_files import items_sha256
from whichword.runs.item_rows import Row
from whichword.runs.seal import PARTS
from whichword.types import Item

WINDOW = 32_768  # items that are put in the order of their lengths at once


@dataclass(frozen=True)
class ItemMeasures:
    """``identity`` is over all that were ``available``; ``lengths`` are words per item in the order of the file.

    ``spooled``: where the file is already, under another name.
    """

    available: int
    identity: str
    sha256: str
    lengths: Sequence[int]
    spooled: Path | None = None


def measure(items: Iterable[Item], taken: Iterable[Item], folder: Path | None = None) -> ItemMeasures:
    """Go through the items once; those that are ``taken`` are spooled into this folder's parts, if there is one."""
    tap, lengths = _Tap(), array("q")
    if taken is not items:
        for _ in tap.through(items):
            pass
    rows = _noting(by_length(tap.through(items) if taken is items else taken), lengths)
    if folder is None:
        return ItemMeasures(sha256=items_sha256(rows), available=tap.count, identity=tap.value, lengths=lengths)
    path = folder / PARTS / f"items.{os.getpid()}.{secrets.token_hex(4)}"
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path), path.open("xb") as file:
        checksum = items_sha256(rows, file)
    return ItemMeasures(tap.count, tap.value, checksum, lengths, path)


class _Tap:
    """Counts and hashes the items that go through."""

    def __init__(self) -> None:
        self.count, self.digest = 0, hashlib.sha256()

    @property
    def value(self) -> str:
        return self.digest.hexdigest()

    def through(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            self.count += 1
            self.digest.update(item_bytes(item))
            yield item


def _noting(rows: Iterable[Row], lengths: "array[int]") -> Iterator[Row]:
    for row in rows:
        lengths.append(len(row[1].words))
        yield row


def by_length(items: Iterable[Item]) -> Iterator[Row]:
    """The order of the set's file: neighbours in length together, window by window, so that any number will do."""
    numbered = enumerate(items)
    while window := list(islice(numbered, WINDOW)):
        yield from sorted(window, key=lambda row: len(row[1].words))
