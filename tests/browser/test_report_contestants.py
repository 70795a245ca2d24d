"""A report of many methods with long names: all names readable, whatever is missing or wrong said with its reason."""

from itertools import combinations

import pytest
from synthetic_run import METHODS, Recipe, make_run

from whichword.errors import UNDEFINED
from whichword.reporting.page.page import write_report

pytestmark = pytest.mark.browser

CAPTUM = ("IntegratedGradients", "DeepLift", "FeatureAblation", "ShapleyValueSampling", "KernelShap", "Lime")
PEERS = (*(f"captum:{name}" for name in CAPTUM), "shap:partition", "shap:permutation", "lime", "sentence_omit")
WIDTHS = (390, 1280, 1920)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    base = tmp_path_factory.mktemp("many")
    methods, note = (*METHODS, *PEERS), f"{UNDEFINED}too short a text"
    recipe = Recipe(documents=40, methods=methods, broken="captum:DeepLift", note=note, dearer=1.15)
    out = base / "report.html"
    write_report([make_run(base / "run", recipe)], out)
    return out


def opened(browser, report, width):
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.goto(report.as_uri())
    page.wait_for_selector("#document .heat")
    return page


BOXES = """all => all.map(node => {
  const box = node.getBBox(), place = node.getScreenCTM();  // without the halo
  const left = box.x + place.e, top = box.y + place.f;
  return [node.textContent, left, left + box.width, top, top + box.height];
})"""


def overlap(first, second):
    _, left, right, top, bottom = first
    across, down = min(right, second[2]) - max(left, second[1]), min(bottom, second[4]) - max(top, second[3])
    return across > 1 and down > 2  # a line of text is higher than its letters


@pytest.mark.parametrize("font", ["sans-serif", "monospace"])  # readers have fonts of their own
@pytest.mark.parametrize("width", WIDTHS)
def test_names_in_the_cost_plot_stand_apart(browser, report, width, font, tmp_path):
    (tmp_path / "report.html").write_text(report.read_text("utf8").replace("--sans: ", f"--sans: {font}, "), "utf8")
    page = opened(browser, tmp_path / "report.html", width)
    boxes = [box for box in page.eval_on_selector_all("#costs text", BOXES) if box[0] in (*METHODS, *PEERS)]
    assert len(boxes) > 4
    assert [(a[0], b[0]) for a, b in combinations(boxes, 2) if overlap(a, b)] == []
    page.context.close()


@pytest.mark.parametrize("width", WIDTHS[1:])
@pytest.mark.parametrize("chart", ["agreement-chart", "significance"])
def test_thirty_methods_fit_without_scrolling(browser, report, width, chart):
    page = opened(browser, report, width)
    inside, outside = page.eval_on_selector(f"#{chart}", "node => [node.scrollWidth, node.clientWidth]")
    assert inside <= outside
    page.context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_why_something_is_missing_or_wrong_is_on_the_screen(browser, report, width):
    page = opened(browser, report, width)
    assert page.inner_text("#undefined summary") == "Why n/a: 1 method"
    page.click("#undefined summary")
    assert page.inner_text("#undefined li") == "nothing (lstm): it is nothing"
    complaint = page.locator("#complaints li")
    assert complaint.all_inner_texts() == ["captum:DeepLift: not finite in 8 of 40 documents"]
    assert complaint.bounding_box()["x"] + complaint.bounding_box()["width"] <= width
    rows = page.eval_on_selector_all(
        "#health-table tbody tr", "all => all.map(row => [row.className, row.textContent])"
    )
    (remarked,) = [(kind, words) for kind, words in rows if "too short a text" in words]
    assert remarked[0] == ""  # no fault
    assert "no relevances for 40 of 40 documents: too short a text" in remarked[1]
    page.context.close()


def test_nothing_is_said_to_lead_where_nothing_is_told_apart(browser, tmp_path):
    alike = Recipe(documents=8, methods=("lrp", "omit_1", "occ_1"))
    out = tmp_path / "report.html"
    write_report([make_run(tmp_path / "run", alike)], out)
    page = opened(browser, out, 1280)
    assert page.inner_text("#accuracy-words").startswith("None of 3 methods is told apart from the best one.")
    page.context.close()
