"""What results depend on, each thing under its own name, so that a refusal can say which of them changed."""

import hashlib
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import numpy
import pyarrow
import scipy
import torch

from whichword.errors import InputError
from whichword.experiment.seal import canonical, sha256
from whichword.types import Corpus, Item
from whichword.version import __version__

MODEL_FILES = ("config.json", "vocabulary.txt", "weights.safetensors")
# what computes relevances; corpora and games are known by the items they make
COMPUTING = ("methods", "networks", "edits.py", "rules.py", "sequences.py")


def model_hash(folder: Path) -> str:
    """Over the three files of a network."""
    digest = hashlib.sha256()
    for name in MODEL_FILES:
        try:
            digest.update(hashlib.sha256((folder / name).read_bytes()).digest())
        except OSError as error:
            raise InputError(f"{folder} is not a saved network: {name}: {error.strerror}") from None
    return digest.hexdigest()


def items_hash(items: Iterable[Item]) -> str:
    """Over everything that is known about every item, in order."""
    digest = hashlib.sha256()
    for item in items:
        digest.update(canonical(asdict(replace(item, facts=dict(item.facts)))))
    return digest.hexdigest()


def record_hash(corpus: Corpus) -> str:
    """Over the name, the classes and what the corpus says of itself."""
    return sha256(canonical([corpus.name, corpus.classes, dict(corpus.record)]))


def code_version(methods: Iterable[object]) -> str:
    """The package's version and a hash over the sources that compute, those of plug-in methods included."""
    package = Path(__file__).parents[1]
    own = [package / name for name in COMPUTING]
    files = {file for path in own for file in ([path] if path.is_file() else _loaded(path))}
    foreign = {Path(inspect.getfile(type(method))) for method in methods}
    named = [(file.name, file) for file in sorted(foreign - files) if not file.is_relative_to(package)]
    named += [(str(file.relative_to(package)), file) for file in sorted(files)]
    return f"{__version__}+{_sources(tuple(named))}"


def _loaded(folder: Path) -> list[Path]:
    """Sources, and what was compiled from sources: its sums may differ in the last bit."""
    return [file for file in folder.rglob("*") if file.suffix in {".py", ".so", ".pyd"}]


@cache  # what this process has loaded does not change when a file does
def _sources(named: tuple[tuple[str, Path], ...]) -> str:
    digest = hashlib.sha256()
    for name, file in named:
        digest.update(canonical([name, sha256(file.read_bytes())]))
    return digest.hexdigest()[:16]


def versions() -> Mapping[str, str]:
    """The libraries whose arithmetic shows in the results, and the one that turns them into bytes."""
    libraries = {"torch": torch, "numpy": numpy, "scipy": scipy, "pyarrow": pyarrow}
    return {name: str(library.__version__) for name, library in libraries.items()}
