"""What the demo depends on, as one hash: where nothing of it has changed, there is nothing to look at again."""

import hashlib
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = ("torch", "numpy", "scipy", "pyarrow", "nltk")  # the prose of SciPy is a corpus of the demo


def stamp(folder: Path) -> str:
    """Over the package's files, the libraries' versions and the demo's networks and run. Imports none of them."""
    digest = hashlib.sha256(" ".join([platform.python_version(), *map(_version, LIBRARIES)]).encode())
    for file in (*_files(Path(__file__).parents[1]), *_files(folder / "models"), *_files(folder / "run")):
        digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _version(library: str) -> str:
    try:
        return f"{library} {version(library)}"
    except PackageNotFoundError:
        return library


def _files(folder: Path) -> Iterator[Path]:
    """In one order, without what Python leaves behind."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return (path for path in paths if "__pycache__" not in path.parts and path.name != "lock")
