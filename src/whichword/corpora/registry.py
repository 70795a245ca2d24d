"""The table of corpora, and what a corpus says about itself."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from whichword.registry import Registry
from whichword.types import Corpus


@dataclass(frozen=True)
class CorpusAbout:
    """Where a corpus comes from, what it looks for and how to get it."""

    source: str
    licence: str
    files: tuple[tuple[str, ...], ...] = ()  # alternatives; each is the names (or patterns) that must all be there
    how: str = ""  # how a person gets it, in a few words
    address: str = ""  # where the product can fetch it: an archive (.tar.gz) or a file
    checksum: str = ""  # SHA-256 of what is at the address


class Source(Protocol):
    """A corpus that can be read: a frozen dataclass whose fields are its settings."""

    about: ClassVar[CorpusAbout]

    def read(self, data: Path, seed: int) -> Corpus:
        """The corpus from the data folder; ``seed`` is the run's, for corpora that are split at random."""


CORPORA: Registry[Source] = Registry("corpus", "whichword.corpora")
