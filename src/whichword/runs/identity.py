"""Name all that results depend on, each thing by itself, so that a refusal can say which of them changed."""

from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

import numpy
import pyarrow
import scipy
import torch

from whichword import models
from whichword.methods import METHODS
from whichword.models.loaders import foreign_code
from whichword.networks.arithmetic import arithmetic
from whichword.runs.records import Pairing, changes
from whichword.runs.sources import PACKAGE, SOURCE, sources_hash
from whichword.version import __version__

# what computes relevances; corpora and games are known by the items they make
ROOMS = ("extras/contestants", "methods", "models", "networks", "operations")
FILES = ("answering.py", "base/kernels.py", "model.py", "reading.py", "rules.py", "sequences.py")
COMPILED = ("_kernels.so", "_kernels_wide.so")  # also by content: a compiler may round otherwise
COMPUTING = (*ROOMS, *FILES, *COMPILED, "text/places.py", "text/vocabulary.py")
ARITHMETIC = "arithmetic"  # its name in an identity: the one part in which a mixed run may differ


def of_model(label: str, spelling: str) -> dict[str, str]:
    """Identify a model: its weights, its vocabulary, code that is not ours, as its loader says."""
    return {f"model {label}: {part}": value for part, value in models.identity(spelling).items()}


def computing(pairings: Iterable[Pairing]) -> dict[str, str]:
    """Identify code, libraries and arithmetic: what a process brings along, and has to bring along again."""
    labels = dict.fromkeys(label for pairing in pairings for label in pairing.labels)
    plugged = {f"method {label}": code for label in labels if (code := foreign_code(METHODS[label]))}
    return {"code": code_version(), **plugged, **versions(), **_libraries(labels), ARITHMETIC: arithmetic()}


def _libraries(labels: Iterable[str]) -> dict[str, str]:
    """Look up the versions of the libraries whose methods are asked."""
    names = {library for label in labels if (library := METHODS[label].library)}
    return {f"library {name}": metadata.version(name) for name in sorted(names)}


def differences(planned: Mapping[str, str], now: Mapping[str, str], mixed: bool = False) -> list[str]:
    """Say what is not as it was planned; in a mixed run the arithmetic may differ."""
    return changes(*({k: v for k, v in part.items() if _compared(k, mixed)} for part in (planned, now)))


def _compared(name: str, mixed: bool) -> bool:
    return not name.startswith(SOURCE) and not (mixed and name == ARITHMETIC)  # items have checksums of their own


def code_version() -> str:
    """Join the package's version and a hash over the sources that compute."""
    paths = [PACKAGE / name for name in COMPUTING]
    files = {file for path in paths for file in ([path] if path.is_file() else _loaded(path))}
    return f"{__version__}+{sources_hash(files)}"


def _loaded(folder: Path) -> list[Path]:
    """List sources, and what was compiled from sources: its sums may differ in the last bit."""
    return [file for file in folder.rglob("*") if file.suffix in {".py", ".so", ".pyd"}]


def versions() -> Mapping[str, str]:
    """Look up the libraries whose arithmetic shows in the results, and the one that turns them into bytes."""
    libraries = {"torch": torch, "numpy": numpy, "scipy": scipy, "pyarrow": pyarrow}
    return {name: str(library.__version__) for name, library in libraries.items()}
