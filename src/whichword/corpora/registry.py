"""The table of corpora, and what a corpus says about itself."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from whichword.registry import Registry
from whichword.types import Corpus


@dataclass(frozen=True)
class About:
    """Where a corpus comes from; ``files`` are the names it looks for in the data folder (none: nothing is needed)."""

    source: str
    licence: str
    files: tuple[str, ...] = ()  # alternatives; the parts of one alternative are joined by "+"
    address: str = ""  # where the product can fetch it
    size: int = 0  # bytes at the address
    checksum: str = ""  # SHA-256 of what is at the address
    how: str = ""  # how a person gets it


class Source(Protocol):
    """A corpus that can be read: a frozen dataclass whose fields are its settings."""

    about: ClassVar[About]

    def read(self, data: Path | None, seed: int) -> Corpus:
        """The corpus from the data folder; ``seed`` is the run's, for corpora that are split at random."""


CORPORA: Registry[Source] = Registry("corpus", "whichword.corpora")
