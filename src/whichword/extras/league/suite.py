"""A frozen suite: a folder with items of a game, models, and a sealed sheet with the hashes of all of it.

suite.json      sealed: name, game, hashes of items and models, what baselines get
items.parquet   the documents as the game shows them
models/NAME/    a saved network
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from whichword import models
from whichword.errors import InputError
from whichword.runs.canonical import canonical, item_bytes, sha256
from whichword.runs.item_files import ItemFile
from whichword.runs.seal import DamagedError, unsealed
from whichword.types import Item

FORMAT = "whichword suite 1"
SHEET, ITEMS, MODELS = "suite.json", "items.parquet", "models"
SUITES = Path(__file__).parent / "suites"

Hits = Mapping[str, float | int]  # hits and total


@dataclass(frozen=True)
class SuiteSheet:
    """What a suite vouches for. ``models`` maps labels to the hashes of their parts, ``items`` is a hash of content.

    ``baselines``: model -> part of the game -> method -> hits and total, as they were when it was frozen.
    """

    name: str
    title: str
    corpus: str
    game: str
    classes: tuple[str, ...]
    items: str
    documents: int
    seed: int
    models: Mapping[str, Mapping[str, str]]
    baselines: Mapping[str, Mapping[str, Mapping[str, Hits]]]
    format: str = FORMAT

    @cached_property
    def hash(self) -> str:
        """What a results folder names: over everything."""
        return sha256(canonical(self.to_json()))

    @property
    def baseline_methods(self) -> tuple[str, ...]:
        names = (name for parts in self.baselines.values() for methods in parts.values() for name in methods)
        return tuple(dict.fromkeys(names))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Suite:
    """A suite in its folder, with all hashes checked."""

    folder: Path
    sheet: SuiteSheet
    items: tuple[Item, ...]

    @property
    def spellings(self) -> dict[str, str]:
        """Where the models are."""
        return {label: str(self.folder / MODELS / label) for label in self.sheet.models}


def names() -> list[str]:
    """The suites that come with the package."""
    return sorted(path.name for path in SUITES.iterdir() if (path / SHEET).exists()) if SUITES.is_dir() else []


def open_suite(spelling: str) -> Suite:
    """A suite by its name, or by its folder; `InputError` unless every hash fits."""
    folder = Path(spelling) if (Path(spelling) / SHEET).exists() else SUITES / spelling
    if not (folder / SHEET).exists():
        raise InputError(f"no suite is called {spelling!r}; known: {', '.join(names()) or 'none'}, or a suite's folder")
    sheet = _sheet(folder)
    items = _items(folder)
    if items_hash(items) != sheet.items:
        raise InputError(f"{folder}: {ITEMS} is not what the suite was frozen with")
    for label, hashes in sheet.models.items():
        if model_hashes(folder / MODELS / label) != dict(hashes):
            raise InputError(f"{folder}: the model {label} is not what the suite was frozen with")
    return Suite(folder, sheet, items)


def _sheet(folder: Path) -> SuiteSheet:
    try:
        body = unsealed(folder / SHEET)
        sheet = SuiteSheet(**body | {"classes": tuple(body["classes"])})
    except (DamagedError, TypeError, KeyError) as damage:
        raise InputError(f"{folder}: {SHEET}: {damage}") from None
    if sheet.format != FORMAT:
        raise InputError(f"{folder}: {SHEET}: not a {FORMAT!r} but {sheet.format!r}")
    return sheet


def _items(folder: Path) -> tuple[Item, ...]:
    try:
        return ItemFile(folder / ITEMS).in_order()
    except (DamagedError, OSError) as damage:
        raise InputError(f"{folder}: {damage}") from None


def items_hash(items: Iterable[Item]) -> str:
    """Over everything that is known about every item, in order; how a file packs them plays no part."""
    digest = hashlib.sha256()
    for item in items:
        digest.update(item_bytes(item))
    return digest.hexdigest()


def model_hashes(folder: Path) -> dict[str, str]:
    """A hash per part: weights, vocabulary, config."""
    return dict(models.identity(folder))
