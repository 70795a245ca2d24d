"""Every complaint of every check about own methods. Run the same command again to resume.

python -m experiments.health.complaints OUT.jsonl [--head FOLDER CORPUS]... [--only PART-OF-A-NAME] [--seeds 21 22]
python -m experiments.health.complaints OUT.jsonl --table
"""

from collections.abc import Iterable
from typing import Any

import whichword
from experiments.health.records import Row, by_kind, rows_by_command
from experiments.health.subject import ASKED, Subject
from whichword.method_names import BASELINES


def main() -> None:
    rows = rows_by_command(__doc__, _examined)
    print("\n".join([*_table(rows), "", *_lines(rows)]))


def _examined(subject: Subject) -> dict[str, Any]:
    checkup = whichword.examine(subject.model(), subject.texts(ASKED), subject.methods)
    return checkup.to_dict() | {"complaints": checkup.complaints}


def _table(rows: list[Row]) -> Iterable[str]:
    yield "| model | methods examined | complained about |"
    yield "|---|--:|--:|"
    for title, members in by_kind(rows).items():
        yield f"| {title} | {_cells(members)} |"
    yield f"| all | {_cells(rows)} |"


def _cells(rows: Iterable[Row]) -> str:
    examined = [health["method"] for row in rows for health in row["told"]["methods"]]
    complaints = [method for row in rows for method in row["told"]["complaints"]]
    return f"{sum(method not in BASELINES for method in examined)} | {len(complaints)}"


def _lines(rows: Iterable[Row]) -> Iterable[str]:
    for row in rows:
        for method, lines in row["told"]["complaints"].items():
            yield from (f"{row['model']}: {method}: {line}" for line in lines)


if __name__ == "__main__":
    main()
