"""Content that names itself: JSON with one spelling, checksums, and files that appear whole or not at all."""

import hashlib
import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from whichword.base.files import naming, read, settle
from whichword.errors import DamagedError
from whichword.types import Corpus, Item

SELDOM = ("sources", "truth", "excluded", "question")  # fields that came later: items without them keep their hashes


def canonical(body: object) -> bytes:
    """JSON with one spelling: sorted keys, no spaces, UTF-8."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf8", "surrogatepass")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def item_bytes(item: Item) -> bytes:
    """Encode everything that is known about an item."""
    content = {**vars(item), "facts": dict(item.facts), "truth": dict(item.truth)}
    for name in SELDOM:  # as it was hashed before items could have them
        if not content[name]:
            del content[name]
    return canonical(content)


def record_hash(corpus: Corpus) -> str:
    """Hash the name, the classes and what the corpus says of itself."""
    return sha256(canonical([corpus.name, corpus.classes, dict(corpus.record)]))


Told = TypeVar("Told")  # what a writing function returns

AGAIN = "run the command that made it again to resume"  # what to do about a damaged run
PARTS = "parts"  # the folder for files in the making; what a kill leaves there is swept at the next start


def sealed(body: object) -> bytes:
    """Encode ``body`` with its checksum beside it."""
    envelope = {"body": body, "sha256": sha256(canonical(body))}
    text = json.dumps(envelope, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf8", "surrogatepass")


def unsealed(path: Path) -> dict[str, Any]:
    """Read the body of a sealed file; `DamagedError` unless it is whole."""
    try:
        envelope = json.loads(read(path).decode("utf8", "surrogatepass"))
    except OSError as error:
        raise DamagedError(f"{path.name}: {error.strerror}") from None
    except (ValueError, RecursionError):  # the second of JSON that is nested a thousand deep
        raise DamagedError(f"{path.name}: not JSON") from None
    if not isinstance(envelope, dict) or envelope.keys() != {"body", "sha256"} or envelope["sha256"] is None:
        raise DamagedError(f"{path.name}: not a sealed file")
    body = envelope["body"]
    if not isinstance(body, dict) or _checksum(body) != envelope["sha256"]:  # of the content: layout may differ
        raise DamagedError(f"{path.name}: the checksum does not fit")
    return body


def _checksum(body: object) -> str | None:
    try:
        return sha256(canonical(body))
    except ValueError:  # NaN and infinity, which no sealed file holds
        return None


def commit(folder: Path, name: str, data: bytes) -> None:
    """Write folder/name, whole or not at all."""
    commit_by(folder, name, lambda file: file.write(data))


def commit_by(folder: Path, name: str, write: Callable[[BinaryIO], Told]) -> Told:
    """Let ``write`` fill a part file, then fsync, rename, and fsync the folder that it appears in."""
    target = folder / name
    for needed in (folder / PARTS, target.parent):
        needed.mkdir(parents=True, exist_ok=True)
    part = folder / PARTS / f"{target.name}.{os.getpid()}.{secrets.token_hex(4)}"  # threads commit side by side
    with naming(target), part.open("xb") as file:
        told = write(file)
    commit_part(part, target)
    return told


def commit_part(part: Path, target: Path) -> None:
    """Move a file that was written under another name into place, once it is on the disk."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with naming(target):
        settle(part, target)


def sweep(folder: Path) -> None:
    """Remove what a kill left half-written; only under the run's lock."""
    parts = folder / PARTS
    if parts.is_dir() and not parts.is_symlink():  # a link would lead to files that are not ours
        for part in parts.iterdir():
            part.unlink(missing_ok=True)
        parts.rmdir()
