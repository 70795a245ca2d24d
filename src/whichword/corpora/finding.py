"""Finding a corpus in the data folder, and saying in one line how to get one that is missing."""

import os
from pathlib import Path

from whichword.base.files import expanded
from whichword.corpora.registry import CorpusAbout
from whichword.errors import InputError


def data_folder(data: str | Path | None = None) -> Path:
    """Where corpora are looked for: ``data``, else $WHICHWORD_DATA, else ~/.cache/whichword."""
    return expanded(data or os.environ.get("WHICHWORD_DATA") or "~/.cache/whichword")


def present(data: Path, about: CorpusAbout) -> list[Path]:
    """The files and folders of the first alternative that is all there, in the order of its names; else nothing."""
    for names in about.files:
        matches = [sorted(data.glob(name)) for name in names]
        if all(matches):
            return [path for paths in matches for path in paths]
    return []


def find(data: Path, name: str, about: CorpusAbout) -> list[Path]:
    """What `present` gives; a corpus that is not there is an error that says how to get it."""
    paths = present(data, about)
    if paths:
        return paths
    alternatives = ", or ".join(" and ".join(names) for names in about.files)
    how = f"fetch it with `whichword data {name} --fetch`" if about.address else about.how
    raise InputError(f"corpus {name} is not in {data}: no {alternatives}; {how}")
