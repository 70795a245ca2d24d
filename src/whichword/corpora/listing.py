"""What corpora there are, and whether they are here."""

from dataclasses import dataclass
from pathlib import Path

from whichword.corpora.finding import data_folder, present
from whichword.corpora.registry import CORPORA


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
    """Every corpus with its state in the data folder."""
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
