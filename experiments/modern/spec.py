"""What is played: models, and columns of the table, from a TOML file."""

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
class ColumnSpec:
    """One model in one game; ``part`` is the part of the game that the column shows, empty: its first."""

    name: str
    model: str
    corpus: str
    methods: tuple[str, ...]
    documents: int
    game: str = ""
    part: str = ""
    classes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Modern:
    """The whole file."""

    seed: int
    results: Path
    models: Mapping[str, ModelSpec]
    columns: Mapping[str, ColumnSpec]

    def chosen(self, names: tuple[str, ...]) -> list[ColumnSpec]:
        """The columns with these names or of these models; without names, all."""
        strangers = set(names) - {*self.columns, *self.models}
        if strangers:
            raise InputError(f"no column or model is called {', '.join(sorted(strangers))}")
        return [column for column in self.columns.values() if not names or {column.name, column.model} & set(names)]


def read_modern(path: Path) -> Modern:
    """The file, checked: every column names a model and sets of methods that are there."""
    body = tomllib.loads(path.read_text(encoding="utf8"))
    models = {name: _model(name, _inherited(body, name, path)) for name in body["model"]}
    columns = {name: _column(name, dict(table), body["methods"]) for name, table in body["column"].items()}
    for column in columns.values():
        if column.model not in models:
            raise InputError(f"{path}: {column.name}: no model is called {column.model}")
    return Modern(body["seed"], path.parent / body["results"], models, columns)


def _inherited(body: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    """The model's table, over that of the model which it is ``like``, over the file's seed."""
    table = dict(body["model"][name])
    like = table.pop("like", None)
    if like is None:
        return {"seed": body["seed"]} | table
    if like not in body["model"]:
        raise InputError(f"{path}: {name}: no model is called {like}")
    return {"seed": body["seed"]} | body["model"][like] | table


def _model(name: str, table: dict[str, Any]) -> ModelSpec:
    return ModelSpec(name, table.pop("build"), table.pop("title"), table.pop("seed"), table)


def _column(name: str, table: dict[str, Any], sets: Mapping[str, list[str]]) -> ColumnSpec:
    methods = tuple(method for part in table.pop("methods") for method in sets[part])
    return ColumnSpec(name=name, methods=methods, **table)
