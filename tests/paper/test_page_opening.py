"""What the pages say first is what their tables say."""

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


def test_the_reproduction_says_from_how_many_documents_its_columns_are() -> None:
    """Each column has all documents but those of the reviews, which are a sample; a tenth would have to be said."""
    page = (DOCS / "reproduction.md").read_text(encoding="utf8")
    documents = {row[0]: tuple(map(int, row[3].split(" of "))) for row in rows(page, "Columns")}
    sampled = {column: played for column, (played, available) in documents.items() if played < available}
    assert {*sampled.values()} == {7554}
    assert [*sampled] == ["C01", "C02", "C03", "C04", "C05"]
    assert "every column is from all documents; those of the reviews from 7,554" in opening(page)
