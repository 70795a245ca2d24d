"""What helps a person to read the report: what was tested, names in words, folded and faded parts, every dot named."""

import json

import pytest
from synthetic_run import METHODS, Recipe, make_run

from whichword.method_names import words_of
from whichword.reporting.page.page import write_report
from whichword.reporting.tabulate import table

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    base = tmp_path_factory.mktemp("runs")
    agreement = Recipe(
        documents=50, game="agreement", classes=("singular", "plural"), model="gru", corpus="a/b.csv[x=1]"
    )
    return [make_run(base / "one", Recipe(documents=80)), make_run(base / "two", agreement, seed=1)]


@pytest.fixture(scope="module")
def report(runs, tmp_path_factory):
    out = tmp_path_factory.mktemp("report") / "report.html"
    write_report(runs, out)
    return out


def opened(page, report, address=""):
    page.goto(report.as_uri() + address)
    page.wait_for_selector("#document .heat")
    return page


def sized(browser, width, height, **more):
    return browser.new_context(viewport={"width": width, "height": height}, **more).new_page()


def test_the_first_screen_says_what_was_tested(watched, report):
    page = opened(watched.page, report)
    first = page.locator(".tested").first
    assert first.bounding_box()["y"] < 900
    assert "A method hits if its most relevant word" in first.inner_text()
    assert first.locator(".heat .right").count() > 0
    right, wrong = (
        first.locator(".note").inner_text().count(": right."),
        first.locator(".note").inner_text().count(": wrong."),
    )
    assert (right, wrong) == (1, 1)
    assert first.locator(".heat .rmax").count() == 2
    assert first.locator(".heat .rmax.right").count() == 1
    assert page.locator(".more-tested").count() == 1  # the other game, folded
    assert watched.errors == []


def test_methods_are_explained_where_they_are_named(watched, report):
    page = opened(watched.page, report)
    words = words_of("lrp").tooltip
    for place in ("#overview-table th", "#health-table th", "#slices .chips button"):
        titles = page.eval_on_selector_all(place, "all => all.map(one => [one.textContent, one.title])")
        assert ["lrp", words] in titles, place
    ticks = page.eval_on_selector_all("#forest text title", "all => all.map(one => one.textContent)")
    assert words in ticks
    name = page.inner_text(".answer, .choice >> nth=0")
    assert page.get_attribute(".answer, .choice >> nth=0", "title") in (words_of(name).tooltip, None)


def test_parts_have_titles_and_names_and_files_are_called_by_name(watched, report):
    page = opened(watched.page, report)
    heads = page.locator("#overview-table thead th[colspan]").all_inner_texts()
    assert "b.csv · number, wrong predictions [hit_feat_wrong]" in heads
    counts = page.locator("#protocol .numbers tbody th").all_inner_texts()
    assert "two: gru on b.csv, subject [hit_target]" in counts


def test_faded_columns_are_explained(watched, report, runs):
    page = opened(watched.page, report)
    few = [column for column in table(runs).columns if column.documents < 30]
    assert few
    assert page.is_visible("#faded")
    assert f"({len(few)} column" in page.inner_text("#faded")
    assert page.locator("#overview-table thead th.few").count() == len(few)


def test_small_slices_are_folded(watched, report):
    page = opened(watched.page, report)
    data = json.loads(page.inner_text("#report-data") or page.text_content("#report-data"))
    slices = data["pairings"][0]["columns"][0]["slices"]
    name = next(name for name, group in slices.items() if any(one["documents"] < 30 for one in group))
    page.click(f"#slice-by button:has-text('{name}')")
    small = [one for one in slices[name] if one["documents"] < 30]
    assert f"{len(small)} slice" in page.inner_text("#slices-few summary")
    shown = page.locator("#slices-chart").text_content()
    assert all(f"{one['value']}  ({one['documents']})" not in shown for one in small)
    page.click("#slices-few summary")
    page.wait_for_selector("#slices-few-chart svg")
    unfolded = page.locator("#slices-few-chart").text_content()
    assert all(f"{one['value']}  ({one['documents']})" in unfolded for one in small)


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_every_dot_of_the_cost_plot_is_named(browser, report, width):
    page = opened(sized(browser, width, 900), report)
    labels = page.locator("#costs text").all_text_contents()
    listed = page.locator("#cost-list code").all_inner_texts()
    assert not set(labels) & set(listed)
    assert {name for name in (*labels, *listed) if name in METHODS} == set(METHODS)
    page.context.close()


def test_a_finger_on_a_dot_shows_what_it_is(browser, report):
    page = opened(sized(browser, 390, 844, has_touch=True, is_mobile=True), report)
    page.locator("#costs").scroll_into_view_if_needed()
    box = page.locator("#costs [aria-label=dot] circle").first.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function("document.querySelector('#costs [aria-label=tip]')?.textContent.includes('per document')")
    page.context.close()


def test_the_width_is_used(browser, report):
    page = opened(sized(browser, 1920, 1080), report)
    assert page.locator("main").bounding_box()["width"] >= 1500
    accuracy, cost = (page.locator(name).bounding_box() for name in ("#accuracy", "#cost"))
    assert accuracy["y"] == cost["y"]
    assert cost["x"] > accuracy["x"] + accuracy["width"] - 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.close()


def test_why_is_a_readable_column(browser, report):
    page = opened(sized(browser, 1280, 900), report)
    page.locator(".card summary").first.click()
    page.wait_for_timeout(100)
    assert 400 < page.locator(".card details ul").first.bounding_box()["width"] < 800
    page.context.close()


def test_ties_are_those_of_the_table(watched, report, runs):
    page = opened(watched.page, report)
    column = table(runs).columns[0]
    rows = page.eval_on_selector_all(
        "#health-table tbody tr", "all => all.map(row => [...row.children].map(cell => cell.textContent))"
    )
    assert {row[0]: int(row[3]) for row in rows} == {name: cell.tally.ties for name, cell in column.cells.items()}
