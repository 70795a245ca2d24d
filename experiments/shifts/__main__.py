"""The tables of docs/league.md about shifts. Run the same again to resume.

python -m experiments.shifts OUT.jsonl [--head FOLDER] [--only PART-OF-A-NAME]
python -m experiments.shifts OUT.jsonl --table
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from experiments.shifts.moved import trial
from experiments.shifts.subjects import subjects

TESTS = ("changes", "fits")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--head", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--table", action="store_true")
    chosen = parser.parse_args()
    rows = _rows(chosen.out)
    if not chosen.table:
        for name, (make, texts, methods) in subjects(chosen.head).items():
            if name not in {row["model"] for row in rows} and chosen.only in name:
                row = {"model": name, "told": trial(make(), texts(), methods)}
                with chosen.out.open("a") as file:
                    file.write(json.dumps(row) + "\n")
        rows = _rows(chosen.out)
    print("\n".join([*_by_model(rows), "", *_by_method(rows)]))


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _by_model(rows: Iterable[dict[str, Any]]) -> Iterable[str]:
    """Models of one kind that differ by their seed are one row."""
    yield "| model | methods | alarms | moved ones, told by changed words | alarms | moved ones, told by fits |"
    yield "|---|--:|--:|--:|--:|--:|"
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        kinds.setdefault(row["model"].partition(", seed")[0], []).append(row)
    for kind, members in kinds.items():
        title = kind if len(members) == 1 else f"{kind}, {len(members)} seeds"
        told = _told(members)
        yield f"| {title} | {len(told) // len(members)} | {_cells(told)} |"
    everything = _told([row for members in kinds.values() for row in members])
    yield f"| all | {len(everything)} | {_cells(everything)} |"


def _told(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [told for row in rows for told in row["told"].values()]


def _cells(told: Sequence[dict[str, Any]]) -> str:
    return " | ".join(cell for test in TESTS for cell in (_alarms(told, test), _power(told, test)))


def _by_method(rows: Iterable[dict[str, Any]]) -> Iterable[str]:
    yield "| method | moved ones, told by changed words | told by fits |"
    yield "|---|--:|--:|"
    methods: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        for method, told in row["told"].items():
            methods.setdefault(method, []).append(told)
    for method, told in methods.items():
        yield f"| `{method}` | {_power(told, 'changes')} | {_power(told, 'fits')} |"


def _alarms(told: Iterable[dict[str, Any]], test: str) -> str:
    """Methods that are in their place and were called shifted."""
    said = [methods[test]["0"] for methods in told if methods[test]]
    return f"{sum(lag != 0 for lag in said)} of {len(said)}"


def _power(told: Iterable[dict[str, Any]], test: str) -> str:
    """Moved methods that were called moved, to the right side."""
    said = [(int(by), lag) for methods in told for by, lag in methods[test].items() if by != "0"]
    wrong = sum(lag == -by for by, lag in said)
    right = sum(lag == by for by, lag in said)
    return f"{right} of {len(said)}" + (f", {wrong} to the wrong side" if wrong else "")


if __name__ == "__main__":
    main()
