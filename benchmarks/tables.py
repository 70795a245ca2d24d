"""Tables in Markdown."""

from collections.abc import Iterable, Sequence


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join([row_of(head), "|" + "---|" * len(head), *map(row_of, rows)])


def row_of(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
