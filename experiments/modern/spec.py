"""What is played: models, columns of the table and panels of judges, from a TOML file."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whichword.errors import InputError


@dataclass(frozen=True)
class Folders:
    """Where things are: corpora, pretrained models, and what is made (models and runs)."""

    data: Path
    models: Path
    out: Path

    def fill(self, text: str) -> str:
        """``{data}`` and ``{models}`` in a spelling."""
        return text.replace("{data}", str(self.data)).replace("{models}", str(self.models))


@dataclass(frozen=True)
class ModelSpec:
    """``build`` is a name of `building.BUILDERS`; ``settings`` are the builder's; ``seed`` is of the training."""

    name: str
    build: str
    title: str
    seed: int
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Sitting:
    """One model before one judge (a column) or several (a panel).

    ``part`` is the part of the game that a column shows, empty: its first; ``table`` is where the column stands.
    """

    name: str
    model: str
    corpus: str
    games: tuple[str, ...]
    methods: tuple[str, ...]
    documents: int
    table: str = ""
    part: str = ""
    classes: Mapping[str, str] = field(default_factory=dict)

    @property
    def column(self) -> bool:
        return len(self.games) == 1


@dataclass(frozen=True)
class Modern:
    """The whole file."""

    seed: int
    results: Path
    models: Mapping[str, ModelSpec]
    sittings: Mapping[str, Sitting]

    @property
    def columns(self) -> list[str]:
        return [name for name, sitting in self.sittings.items() if sitting.column]

    def chosen(self, names: tuple[str, ...]) -> list[Sitting]:
        """The sittings with these names or of these models; without names, all."""
        unknown = set(names) - {*self.sittings, *self.models}
        if unknown:
            raise InputError(f"no column or model is called {', '.join(sorted(unknown))}")
        return [
            sitting for sitting in self.sittings.values() if not names or {sitting.name, sitting.model} & set(names)
        ]


def read_modern(path: Path) -> Modern:
    """The file, checked: every sitting names a model and sets of methods that are there."""
    body = tomllib.loads(path.read_text(encoding="utf8"))
    models = {name: _model(name, _inherited(body["model"], name, path), body["seed"]) for name in body["model"]}
    sittings = {name: _sitting(name, dict(table), body["methods"]) for name, table in body["sitting"].items()}
    for sitting in sittings.values():
        if sitting.model not in models:
            raise InputError(f"{path}: {sitting.name}: no model is called {sitting.model}")
    return Modern(body["seed"], path.parent / body["results"], models, sittings)


def _inherited(tables: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    """The model's table, over that of the model which it is ``like``."""
    table = dict(tables[name])
    like = table.pop("like", name)
    if like not in tables:
        raise InputError(f"{path}: {name}: no model is called {like}")
    return {**tables[like], **table}


def _model(name: str, table: dict[str, Any], seed: int) -> ModelSpec:
    return ModelSpec(name, table.pop("build"), table.pop("title"), table.pop("seed", seed), table)


def _sitting(name: str, table: dict[str, Any], sets: Mapping[str, list[str]]) -> Sitting:
    methods = tuple(method for part in table.pop("methods") for method in sets[part])
    return Sitting(name=name, methods=methods, games=tuple(table.pop("games")), **table)
