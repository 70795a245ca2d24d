"""What the pages say first is what their tables say."""

import re
from collections import Counter
from pathlib import Path
from statistics import median

DOCS = Path(__file__).parents[2] / "docs"


def rows(page: str, title: str) -> list[list[str]]:
    """The cells of the table under a heading, without its header."""
    section = page.split(f"### {title}\n", 1)[1].split("\n### ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def opening(page: str) -> str:
    return " ".join(page.split("    python -m", 1)[0].split())


def test_the_reproduction_opens_with_the_counts_of_its_claims() -> None:
    page = (DOCS / "reproduction.md").read_text(encoding="utf8")
    counts = Counter(row[2] for row in rows(page, "Claims"))
    total = sum(counts.values())
    words = f"{counts['confirmed']} are confirmed, {counts['refuted']} refuted and {counts['undecided']} undecided"
    assert f"Of the {total} sentences" in opening(page)
    assert words in opening(page)


def test_the_reproduction_opens_with_the_span_of_its_correlations() -> None:
    page = (DOCS / "reproduction.md").read_text(encoding="utf8")
    values = {row[0]: float(row[5]) for row in rows(page, "Columns")}
    assert len(values) == 27
    low, middle, high = (
        f"{value:.2f}"[1:] for value in (min(values.values()), median(values.values()), max(values.values()))
    )
    assert f"{low} to {high}, median {middle}" in opening(page)


def test_columns_from_a_tenth_are_named() -> None:
    page = (DOCS / "reproduction.md").read_text(encoding="utf8")
    tenth = [row[0] for row in rows(page, "Columns") if row[1].startswith("sentiment") and row[3].startswith("756 of")]
    assert re.search(rf"{tenth[0]} to {tenth[-1]} are from a tenth", opening(page))
