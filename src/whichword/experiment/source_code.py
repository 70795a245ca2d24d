"""Hashes over the package's own sources, by what they make."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from whichword.experiment.canonical import canonical, sha256

PACKAGE = Path(__file__).parents[1]
SOURCE = "source of "  # in an identity: what items were made from; another source may make the same items


def games_code() -> str:
    """A hash over the sources of the games, for runs whose shards hold what a game measured."""
    return sources_hash((PACKAGE / "games").glob("*.py"))


def judging_code() -> str:
    """A hash over the sources that go from stored shards to outcomes."""
    folders = [file for name in ("experiment", "games", "text") for file in (PACKAGE / name).glob("*.py")]
    return sources_hash([*folders, PACKAGE / "types.py"])


def items_code() -> str:
    """A hash over the sources that make items and their files."""
    folders = [file for name in ("corpora", "games", "text") for file in (PACKAGE / name).glob("*.py")]
    names = ("canonical.py", "formats.py")
    files = [*(PACKAGE / "experiment").glob("item_*.py"), *(PACKAGE / "experiment" / name for name in names)]
    return sources_hash([*folders, *files, PACKAGE / "types.py"])


def sources_hash(files: Iterable[Path]) -> str:
    """Over names and contents, in one order."""
    return _hashed(tuple(sorted(files)))


@cache  # what this process has loaded does not change when a file does
def _hashed(files: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(canonical([str(file.relative_to(PACKAGE)), sha256(file.read_bytes())]))
    return digest.hexdigest()[:16]
