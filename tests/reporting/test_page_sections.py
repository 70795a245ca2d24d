"""Sections from outside stand where they say, escape nothing away from ours, and fail alone."""

import re
from pathlib import Path

import pytest
from synthetic_run import Recipe, make_run

from whichword.errors import InputError
from whichword.reporting.page.page import report_page
from whichword.reporting.page.sections import SECTIONS, Report, Section

OURS = ["verdict", "results", "accuracy", "cost", "agreement", "judges", "difference", "slices", "health", "documents"]


def counted(report: Report) -> str:
    return f"<p>{len(report.gathered[0].items)} documents</p>"


def failing(report: Report) -> str:
    raise ValueError("no <numbers>")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for table in ("_entries", "_families"):
        monkeypatch.setattr(SECTIONS, table, dict(getattr(SECTIONS, table)))
    return make_run(tmp_path / "run", Recipe(documents=30))


def shown(page: str) -> list[str]:
    return re.findall(r'<section id="(\w+)"', page)


def test_ours_stand_in_their_order_in_page_and_navigation(run: Path) -> None:
    page = report_page([run])
    assert shown(page) == re.findall(r'    <a href="#(\w+)" data-section', page) == [*OURS, "protocol"]


def test_a_section_from_outside_stands_where_it_says(run: Path) -> None:
    SECTIONS.register("counts", Section("Counts & more", counted))
    SECTIONS.register("early", Section("Early", counted, order=5))
    page = report_page([run])
    assert shown(page) == ["verdict", "early", *OURS[1:-1], "counts", *OURS[-1:], "protocol"]
    assert '<section id="counts">\n<h2>Counts &amp; more</h2>\n<p>30 documents</p>\n</section>' in page
    assert '<a href="#counts" data-section="counts">Counts &amp; more</a>' in page


def test_a_section_that_fails_says_so_and_the_others_stand(run: Path) -> None:
    SECTIONS.register("bad", Section("Bad", failing))
    page = report_page([run])
    assert "This section failed: ValueError: no &lt;numbers&gt;" in page
    assert shown(page) == [*OURS[:-1], "bad", *OURS[-1:], "protocol"]


def test_no_section_takes_the_place_of_ours() -> None:
    with pytest.raises(InputError, match=r"section .verdict. is taken: whichword\.reporting\.page\.sections has it"):
        SECTIONS.register("verdict", Section("Mine", counted))
