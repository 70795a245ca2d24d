"""The paper's figures, as facts: column, game, model, method, accuracy."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from whichword.errors import InputError

FIELDS = ("column", "game", "model", "method", "accuracy")


@dataclass(frozen=True)
class PublishedColumn:
    """One column of the paper's table; a method that was not measured is not in it."""

    column: str
    game: str
    model: str
    accuracies: Mapping[str, float]


def read_published(path: Path) -> dict[str, PublishedColumn]:
    """Column -> figures, from a CSV file."""
    try:
        with path.open(encoding="utf8", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    found: dict[str, tuple[str, str, dict[str, float]]] = {}
    for number, row in enumerate(rows, 2):
        column, game, model, method, accuracy = _fields(row, f"{path}:{number}")
        figures = found.setdefault(column, (game, model, {}))[2]
        if accuracy is not None:
            figures[method] = accuracy
    return {column: PublishedColumn(column, *found[column]) for column in sorted(found)}


def _fields(row: Mapping[str, str | None], where: str) -> tuple[str, str, str, str, float | None]:
    column, game, model, method, accuracy = (row.get(name) for name in FIELDS)
    if not (column and game and model and method) or accuracy is None:
        raise InputError(f"{where}: not {', '.join(FIELDS)}")
    try:
        return column, game, model, method, float(accuracy) if accuracy else None
    except ValueError:
        raise InputError(f"{where}: accuracy {accuracy!r} is not a number") from None
