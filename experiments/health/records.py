"""A row per model in a file of JSON lines: what is there already is not computed again."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.health.subject import Subject
from experiments.health.subjects import SEEDS, subjects

Row = dict[str, Any]


def rows_by_command(description: str | None, examine: Callable[[Subject], Any]) -> list[Row]:
    """The command line, obeyed: {"model": name, "told": what ``examine`` says} for every subject that was asked for."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--head",
        nargs=2,
        action="append",
        default=[],
        metavar=("FOLDER", "CORPUS"),
        help="MiniLM with a head (experiments.any_model.head)",
    )
    parser.add_argument("--only", default="", help="models with this in their names")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, help="of random models")
    parser.add_argument("--table", action="store_true", help="show what is there")
    chosen = parser.parse_args()
    if not chosen.table:
        _complete(chosen.out, examine, chosen.only, subjects(chosen.seeds, chosen.head))
    return _rows(chosen.out)


def _complete(path: Path, examine: Callable[[Subject], Any], only: str, by_name: dict[str, Subject]) -> None:
    known = {row["model"] for row in _rows(path)}
    for name, subject in by_name.items():
        if name not in known and only in name:
            row = {"model": name, "told": examine(subject)}
            with path.open("a") as file:
                file.write(json.dumps(row) + "\n")


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def by_kind(rows: list[Row]) -> dict[str, list[Row]]:
    """Models of one kind that differ by their seed, under one title."""
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(row["model"].partition(", seed")[0], []).append(row)
    return {kind if len(rows) == 1 else f"{kind}, {len(rows)} seeds": rows for kind, rows in kinds.items()}
