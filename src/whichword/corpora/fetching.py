"""Fetching a corpus that has a public address."""

import hashlib
import http.client
import os
import tarfile
import tempfile
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from whichword.corpora.finding import data_folder, present
from whichword.corpora.registry import CORPORA, CorpusAbout
from whichword.errors import InputError

Progress = Callable[[int, int], None]  # bytes so far, bytes in all (0: not known)


def fetch(name: str, data: str | Path | None = None, progress: Progress = lambda done, total: None) -> list[Path]:
    """Put the corpus into the data folder, unless it is there; the paths that it consists of.

    Everything is loaded and checked in a folder beside the final place and then renamed, so an interrupted fetch leaves
    nothing that looks like a corpus.
    """
    folder, about = data_folder(data), CORPORA[name].about
    if paths := present(folder, about):
        return paths
    if not about.address:
        raise InputError(f"corpus {name} cannot be fetched: {about.how or 'it needs no file'}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder) as temporary:
            _place(_load(about, Path(temporary), progress), Path(temporary), folder)
    except (OSError, http.client.HTTPException, tarfile.TarError, EOFError, zlib.error) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
        raise InputError(f"corpus {name} cannot be fetched from {about.address}: {reason}") from None
    if not (paths := present(folder, about)):
        raise InputError(f"corpus {name}: what {about.address} gave is not it: no {about.files[0]}")
    return paths


def _load(about: CorpusAbout, temporary: Path, progress: Progress) -> Path:
    """The file at the address, its SHA-256 checked where it is known."""
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
    """Plain files and folders inside the archive's own folders; links, devices and ways out are left out."""
    parts = PurePosixPath(member.name).parts
    return (member.isfile() or member.isdir()) and ".." not in parts and not member.name.startswith("/")
