"""The report's section on judges in a real browser: several games on one network, a phone, a figure told in words."""

import re
from pathlib import Path

import pytest

from whichword.planning.spec import Play, Spec
from whichword.playing.make import evaluate
from whichword.reporting.judges import agreement
from whichword.reporting.judges_text import consequence
from whichword.reporting.page.page import write_report

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
METHODS = ("omit_1", "omit_7", "occ_1", "grad_1_s_dot", "grad_1_s_l2", "lrp")
FOUR = {"rationales", "hybrid", "deletion: comprehensiveness", "deletion: sufficiency"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network of ours, judged by people's marks, hybrid texts and deletion."""
    from judged_models import network

    base, corpus = tmp_path_factory.mktemp("judges"), "judged[documents=200]"
    games = ("rationales", "hybrid[segments=2]", "deletion")
    play = Play(("cnn",), (corpus,), games, (*METHODS, "random", "last"), limit=40)
    evaluate(Spec({"cnn": network("cnn", corpus, base / "cnn")}, (play,)), base / "run")
    return base / "run"


@pytest.fixture(scope="module")
def report(run: Path) -> Path:
    out = run.parent / "report.html"
    write_report([run], out)
    return out


def opened(page, report):
    page.goto(report.as_uri())
    page.wait_for_selector("#document .heat")
    return page


def test_whether_judges_agree_is_among_the_first_three_lines(watched, report, run):
    page = opened(watched.page, report)
    (panel,) = agreement([run])
    assert set(panel.concord.judges) == FOUR
    lines = page.locator("#verdict .lead, #verdict > .line").all_inner_texts()
    assert consequence(panel) in lines[:3]
    assert re.search(r"judges (contradict|agree)", consequence(panel))
    assert page.locator("#judges .line").first.inner_text() == consequence(panel)
    assert watched.errors == []


def test_the_table_shows_every_two_judges(watched, report):
    page = opened(watched.page, report)
    rows = page.locator("#judges table tr").all_inner_texts()[1:]
    assert len(rows) == 6  # pairs of four judges
    assert all(sum(judge in row for judge in FOUR) == 2 for row in rows)
    assert all(re.search(r"-?[\d.]+ \[-?[\d.]+ -?[\d.]+\]$", row) for row in rows)


def test_the_figure_is_told_in_words(watched, report):
    page = opened(watched.page, report)
    figures = page.locator("#judges svg[role=img]")
    assert figures.count() == page.locator("#judges svg").count() == 1
    assert figures.first.locator("desc").text_content().count("at 100 %") == 4


@pytest.mark.parametrize("width", [1280, 1920])
def test_a_screen_shows_every_judge_at_once(browser, report, width):
    page = opened(browser.new_page(viewport={"width": width, "height": 1080}), report)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    frame = page.locator("#judges .chart").first
    assert frame.evaluate("node => node.scrollWidth <= node.clientWidth")
    page.close()


def test_a_phone_shows_it_without_sideways_scrolling(browser, report):
    page = opened(browser.new_page(viewport=PHONE), report)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    line = page.locator("#judges .line").first.bounding_box()
    assert line["x"] >= 0
    assert line["x"] + line["width"] <= PHONE["width"]
    for frame in page.locator("#judges .chart").all():  # what is wider scrolls alone
        frame.scroll_into_view_if_needed()
        assert frame.bounding_box()["x"] + frame.bounding_box()["width"] <= PHONE["width"]
    assert page.evaluate("scrollX") == 0
    page.close()
