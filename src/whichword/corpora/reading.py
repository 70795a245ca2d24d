"""A corpus by its name, or from a file of the user's own."""

import os
from dataclasses import replace
from pathlib import Path

from whichword.corpora.registry import CORPORA
from whichword.types import Corpus


def data_folder(data: str | Path | None = None) -> Path:
    """Where corpora are looked for: ``data``, else $WHICHWORD_DATA, else ~/.cache/whichword."""
    return Path(data or os.environ.get("WHICHWORD_DATA") or "~/.cache/whichword").expanduser()


def read_corpus(spelling: str, data: str | Path | None = None, seed: int = 0) -> Corpus:
    """The corpus ``name`` or ``name[setting=value,...]``."""
    label, source = CORPORA.resolve(spelling)
    return replace(source.read(data_folder(data), seed), name=label)
