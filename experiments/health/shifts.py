"""The tables of docs/league.md about shifts. Run the same command again to resume.

python -m experiments.health.shifts OUT.jsonl [--head FOLDER CORPUS]... [--only PART-OF-A-NAME] [--seeds 21 22]
python -m experiments.health.shifts OUT.jsonl --table
"""

from collections.abc import Iterable, Sequence
from typing import Any

from experiments.health.moved import trial
from experiments.health.records import Row, by_kind, rows_by_command

TESTS = {"asked": "by 24 texts", "stored": "by 96 texts"}


def main() -> None:
    rows = rows_by_command(__doc__, trial)
    print("\n".join([*_by_model(rows), "", *_by_method(rows)]))


def _by_model(rows: list[Row]) -> Iterable[str]:
    yield f"| model | methods | {' | '.join(f'alarms | told {title}' for title in TESTS.values())} |"
    yield "|---|" + "--:|" * (1 + 2 * len(TESTS))
    for title, members in by_kind(rows).items():
        told = _told(members)
        yield f"| {title} | {len(told) // len(members)} | {_cells(told)} |"
    yield f"| all | {len(_told(rows))} | {_cells(_told(rows))} |"


def _told(rows: Iterable[Row]) -> list[dict[str, Any]]:
    return [told for row in rows for told in row["told"].values()]


def _cells(told: Sequence[dict[str, Any]]) -> str:
    return " | ".join(cell for test in TESTS for cell in (_alarms(told, test), _power(told, test)))


def _by_method(rows: Iterable[Row]) -> Iterable[str]:
    yield f"| method | {' | '.join(f'told {title}' for title in TESTS.values())} |"
    yield "|---|" + "--:|" * len(TESTS)
    methods: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        for method, told in row["told"].items():
            methods.setdefault(method, []).append(told)
    for method, told in methods.items():
        yield f"| `{method}` | {' | '.join(_power(told, test) for test in TESTS)} |"


def _alarms(told: Iterable[dict[str, Any]], test: str) -> str:
    """Methods that are in their place and were called shifted."""
    said = [methods[test]["0"] for methods in told if test in methods]
    return f"{sum(lag != 0 for lag in said)} of {len(said)}"


def _power(told: Iterable[dict[str, Any]], test: str) -> str:
    """Moved methods that were called moved, to the right side."""
    said = [(int(by), lag) for methods in told for by, lag in methods.get(test, {}).items() if by != "0"]
    wrong = sum(lag == -by for by, lag in said)
    right = sum(lag == by for by, lag in said)
    return f"{right} of {len(said)}" + (f", {wrong} to the wrong side" if wrong else "")


if __name__ == "__main__":
    main()
