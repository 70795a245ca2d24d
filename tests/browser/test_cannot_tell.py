"""The last headline, in report and app: one method is good among those that had the time, and none is named."""

from dataclasses import replace
from pathlib import Path

import pytest
from app_server import save_network, served
from synthetic_run import Recipe, make_run

from whichword.reporting import recommend, table
from whichword.reporting.page.page import write_report
from whichword.reporting.table import cases_of, judgements
from whichword.runs.records import StoredVerdict, Verdicts
from whichword.runs.run import open_run, save_verdicts

pytestmark = pytest.mark.browser

METHODS = ("lrp", "omit_1", "occ_1", "grad_1_s_l2")
WORDS = ("the", "bishop", "takes", "a", "cell", "of", "the", "queen")
HEADLINE = (
    "Of 2 methods compared on 90 documents, lrp is shown to be within 5 points of the best "
    "(too little is known of 2 other methods)."
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As rounds leave a run in which two methods had no time."""
    folder = make_run(
        tmp_path_factory.mktemp("runs") / "played", Recipe(documents=90, methods=METHODS, words=WORDS, model="lstm")
    )
    opened = open_run(folder)
    (case,) = cases_of(opened, "played", judgements(opened))
    assert case.decision is not None
    decision = replace(
        case.decision,
        status="undecided",
        choice=None,
        documents=90,
        group=("lrp", "occ_1"),
        unproven=("omit_1",),
        good=("lrp",),
        open=("omit_1", "occ_1"),
        avoid=(),
        needed=None,
    )
    reason = "no time for more than 8 documents (under ten seconds per document)"
    verdict = StoredVerdict(decision, dict.fromkeys(("omit_1", "occ_1"), reason))
    save_verdicts(folder, Verdicts(opened.plan.run, {"p00": verdict}))
    return folder


def test_the_report_names_no_method_in_its_headline(watched, run):
    out = run.parent / "report.html"
    write_report([run], out)
    page = watched.page
    page.goto(out.as_uri())
    page.wait_for_selector("#document .heat")
    assert page.inner_text("#verdict h1") == "Cannot tell yet."
    assert page.inner_text("#verdict .lead") == HEADLINE
    assert page.locator("#verdict .answer").count() == 0
    lines = page.locator("#verdict > .line").all_inner_texts()
    assert any(line.startswith("More time would tell of the others") for line in lines)
    told = page.locator("#verdict").text_content()
    assert "Not shown to be worse than the best: lrp, occ_1." in told
    assert "Not shown to be worse either, nor to beat chance and the baselines yet: omit_1." in told
    assert "omit_1, occ_1: no time for more than 8 documents" in told
    assert watched.errors == []


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_it_fits_on_every_screen(browser, run, width):
    out = run.parent / "report.html"
    write_report([run], out)
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.goto(out.as_uri())
    box = page.locator("#verdict .lead").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] < 900


def test_the_app_says_it_and_chooses_nothing_for_the_person(watched, run, tmp_path):
    (advice,) = recommend(table([run])).advice
    assert advice.method is None
    with served(save_network(tmp_path / "lstm", "lstm"), run) as address:
        page = watched.page
        page.goto(address)
        page.wait_for_selector("#methods[data-settled]", timeout=120_000)
        assert page.inner_text("#why") == f"lstm on dice: Cannot tell yet: {HEADLINE[0].lower()}{HEADLINE[1:]}"
        pressed = page.eval_on_selector_all("#methods [aria-pressed=true]", "all => all.map(one => one.dataset.method)")
        assert len(pressed) > 1  # a few to look at, no choice
        entry = page.evaluate("fetch('api/runs/0').then(answer => answer.json())")
    assert watched.errors == []
    assert "unproven" in str(entry)
