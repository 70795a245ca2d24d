"""The table of corpora: what a corpus says about itself, whether it is in the data folder, how to get it.

A corpus that is missing is an error that says in one line how to get it; one with a public address can be fetched.
"""

import hashlib
import http.client
import os
import tarfile
import tempfile
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import ClassVar, Protocol

from whichword.base.files import expanded
from whichword.errors import FileError, SettingError
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
        """Read the corpus from the data folder; ``seed`` is the run's, for corpora that are split at random."""


CORPORA: Registry[Source] = Registry("corpus", "whichword.corpora")


def data_folder(data: str | Path | None = None) -> Path:
    """Return where corpora are looked for: ``data``, else $WHICHWORD_DATA, else ~/.cache/whichword."""
    return expanded(data or os.environ.get("WHICHWORD_DATA") or "~/.cache/whichword")


def present(data: Path, about: CorpusAbout) -> list[Path]:
    """Return the first alternative that is all there, file by file in the order of its names; else nothing."""
    for names in about.files:
        matches = [sorted(data.glob(name)) for name in names]
        if all(matches):
            return [path for paths in matches for path in paths]
    return []


def find(data: Path, name: str, about: CorpusAbout) -> list[Path]:
    """Return what `present` gives; a corpus that is not there is an error that says how to get it."""
    paths = present(data, about)
    if paths:
        return paths
    alternatives = ", or ".join(" and ".join(names) for names in about.files)
    how = f"fetch it with `whichword data {name} --fetch`" if about.address else about.how
    raise FileError(f"corpus {name} is not in {data}: no {alternatives}; {how}")


@dataclass(frozen=True)
class Listed:
    """One line of the list; ``size`` is in bytes, 0 for what takes no place in the data folder."""

    name: str
    state: str  # built in, present, missing, or elsewhere (on the Hugging Face hub)
    size: int
    licence: str
    source: str
    get: str  # how to get it if it is missing


def describe(data: str | Path | None = None) -> list[Listed]:
    """List every corpus with its state in the data folder."""
    folder = data_folder(data)
    return [_listed(name, folder) for name in CORPORA]


def _listed(name: str, folder: Path) -> Listed:
    about = CORPORA[name].about
    paths = present(folder, about)
    missing = "missing" if about.files else "elsewhere" if about.how else "built in"
    get = f"fetch from {about.address}" if about.address else about.how
    size = sum(_size(path) for path in paths)
    return Listed(name, "present" if paths else missing, size, about.licence, about.source, get)


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(_size(inside) for inside in path.iterdir())
    return path.stat().st_size


Progress = Callable[[int, int], None]  # bytes so far, bytes in all (0: not known)


def fetch(name: str, data: str | Path | None = None, progress: Progress = lambda done, total: None) -> list[Path]:
    """Put the corpus into the data folder, unless it is there; return the paths that it consists of.

    Everything is loaded and checked in a folder beside the final place and then renamed, so an interrupted fetch leaves
    nothing that looks like a corpus.
    """
    folder, about = data_folder(data), CORPORA[name].about
    if paths := present(folder, about):
        return paths
    if not about.address:
        raise SettingError(f"corpus {name} cannot be fetched: {about.how or 'it needs no file'}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder) as temporary:
            _place(_load(about, Path(temporary), progress), Path(temporary), folder)
    except (OSError, http.client.HTTPException, tarfile.TarError, EOFError, zlib.error) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
        raise FileError(f"corpus {name} cannot be fetched from {about.address}: {reason}") from None
    if not (paths := present(folder, about)):
        raise FileError(f"corpus {name}: what {about.address} gave is not it: no {about.files[0]}")
    return paths


def _load(about: CorpusAbout, temporary: Path, progress: Progress) -> Path:
    """Load the file at the address; its SHA-256 is checked where it is known."""
    path = temporary / PurePosixPath(about.address).name
    digest = hashlib.sha256()
    with urllib.request.urlopen(about.address, timeout=60) as answer, path.open("wb") as file:
        total, done = int(answer.headers.get("Content-Length") or 0), 0
        while block := answer.read(1 << 16):
            digest.update(block)
            done += file.write(block)
            progress(done, total)
    if total and done != total:
        raise OSError(f"{done} bytes came where {total} were announced")
    if about.checksum and digest.hexdigest() != about.checksum:
        raise OSError("the SHA-256 of what came is not the known one")
    return path


def _place(path: Path, temporary: Path, folder: Path) -> None:
    """Unpack an archive, or take a file as it is, and rename into place."""
    if not tarfile.is_tarfile(path):
        os.replace(path, folder / path.name)
        return
    unpacked = temporary / "unpacked"
    with tarfile.open(path) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # not in the first releases of Python 3.11
        members = [member for member in archive if _safe(member)]
        archive.extractall(unpacked, members)
    for top in sorted(unpacked.iterdir()):
        if not (folder / top.name).exists():
            os.replace(top, folder / top.name)


def _safe(member: tarfile.TarInfo) -> bool:
    """Accept plain files and folders inside the archive's own folders; no links, devices and ways out."""
    parts = PurePosixPath(member.name).parts
    return (member.isfile() or member.isdir()) and ".." not in parts and not member.name.startswith("/")
