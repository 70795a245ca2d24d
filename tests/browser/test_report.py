"""The report in a real browser: it opens from disk, asks for nothing, and does what its controls say."""

import csv
import json

import pytest
from synthetic_run import Recipe, make_run

from whichword.reporting.page.page import write_report
from whichword.runs.run import open_run
from whichword.scoring.run import judge

pytestmark = pytest.mark.browser

METHODS = ("omit_1", "lrp", "decomp")
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "&lt;b&gt;",
    "{{constructor.constructor('alert(1)')()}}",
    "\u202eright to left",
    "\x00nul\x07",
    "two  spaces\nand a line",
    "语言",
    "عربي",
    "",
)


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory):
    recipe = Recipe(documents=80, methods=METHODS, broken="lrp", gaps=("", " ", " ", "\n\n", "\t", "\u2066…<i>"))
    return make_run(tmp_path_factory.mktemp("hybrid") / "run", recipe)


@pytest.fixture(scope="module")
def agreement(tmp_path_factory):
    recipe = Recipe(documents=40, methods=METHODS, game="agreement", classes=("singular", "plural"), model="gru")
    return make_run(tmp_path_factory.mktemp("agreement") / "run", recipe, seed=1)


@pytest.fixture(scope="module")
def report(hybrid, agreement, tmp_path_factory):
    out = tmp_path_factory.mktemp("report") / "report.html"
    write_report([hybrid, agreement], out)
    return out


def opened(watched, path, address=""):
    watched.page.goto(path.as_uri() + address)
    watched.page.wait_for_selector("#document .heat")
    return watched.page


def counted(page):
    """The documents that the list says it holds."""
    page.wait_for_timeout(50)
    return int(page.inner_text("#document-count").split()[0].replace(",", ""))


def texts(page):
    """The words of each heat map of the open document."""
    return page.eval_on_selector_all(
        "#document .heat", "maps => maps.map(map => [...map.querySelectorAll('span')].map(span => span.textContent))"
    )


def test_it_opens_without_an_error_or_a_request(watched, report):
    page = opened(watched, report)
    page.mouse.wheel(0, 20_000)
    page.wait_for_timeout(200)
    assert watched.errors == []
    assert watched.requests == [report.as_uri()]
    for chart in ("#forest", "#costs", "#agreement-chart", "#significance"):
        assert page.locator(f"{chart} svg").count() >= 1, chart
    page.click("#slices-few summary")  # so few documents are folded
    page.wait_for_selector("#slices-few-chart svg")


def test_the_charts_name_every_method(watched, report):
    page = opened(watched, report)
    for chart in ("#forest", "#agreement-chart"):
        shown = page.eval_on_selector_all(f"{chart} text", "nodes => nodes.map(node => node.firstChild.textContent)")
        assert {*METHODS, "random", "last"} <= set(shown)
    assert page.locator("#overview-table tbody tr").count() == 5 + 1 + 2  # methods, the undefined one, chance and count


def test_a_heat_maps_text_is_the_text_as_it_was_written(watched, report, hybrid):
    page = opened(watched, report)
    items = open_run(hybrid).items("s00")
    for item in items[:6]:
        maps = texts(page)
        assert len(maps) == len(METHODS)
        assert all(words == list(item.words) for words in maps)
        assert page.locator("#document .heat").first.text_content() == item.text
        page.keyboard.press("j")
        page.wait_for_timeout(60)


def test_marks_are_those_of_the_run(watched, report, hybrid):
    page = opened(watched, report)
    run = open_run(hybrid)
    judged, said = judge(run, "p00"), run.predictions("p00")
    for row, item in enumerate(run.items("s00")[:6]):
        prediction = said[item.key]
        right = [t for t, label in enumerate(item.labels) if label == prediction.predicted]
        for method in METHODS:
            spans = f'#document [data-method="{method}"] .heat'
            at = lambda kind, where=spans: [  # noqa: E731
                int(t) for t in page.eval_on_selector_all(f"{where} .{kind}", "all => all.map(one => one.dataset.t)")
            ]
            column = judged.methods.index(method)
            assert at("rmax") == [judged.rmax[row, column]]
            assert at("right") == right
            assert at("unknown") == [t for t, flag in enumerate(prediction.unknown) if flag]
            hit = judged.hits["hybrid"][row, column]
            badge = page.get_attribute(f'#document [data-method="{method}"] .badge', "title")
            assert badge == ("not counted" if hit != hit else "hit" if hit else "miss")
        page.keyboard.press("j")
        page.wait_for_timeout(60)


def test_colours_are_the_renderers(watched, report, hybrid, tmp_path):
    """The same heat map by the one renderer in Python, drawn by the same browser."""
    from whichword.render import html
    from whichword.render.heatmap import heatmap

    page = opened(watched, report, "#methods=decomp&doc=key00005")
    run = open_run(hybrid)
    item = run.items("s00")[5]
    phi = next(one.values for one in run.relevances("p00") if (one.key, one.method) == (item.key, "decomp"))
    other = tmp_path / "one.html"
    other.write_text(html.heatmap(heatmap(item.words, phi)), "utf8")
    background = "all => all.map(one => getComputedStyle(one).backgroundColor.match(/[\\d.]+/g).map(Number))"
    mine = page.eval_on_selector_all("#document .heat span", background)
    page.goto(other.as_uri())
    theirs = page.eval_on_selector_all("span", background)
    assert len(mine) == len(theirs) == len(item.words)
    for one, two in zip(mine, theirs, strict=True):
        opacities = [colour[3] if len(colour) == 4 else 1.0 for colour in (one, two)]
        assert abs(opacities[0] - opacities[1]) <= 0.5 / 120 / 1.1 + 0.003  # half a level, and CSS's own rounding
        if min(opacities) > 0.01:
            assert one[:3] == two[:3]


def test_hit_by_one_and_missed_by_another(watched, report, hybrid):
    page = opened(watched, report)
    judged = judge(open_run(hybrid), "p00")
    hits = judged.vectors("hybrid")
    expected = int(((hits["decomp"] == 1) & (hits["omit_1"] == 0)).sum())
    assert 0 < expected < 80
    page.select_option("#filter-hit", "decomp")
    page.select_option("#filter-miss", "omit_1")
    assert counted(page) == expected
    badges = [page.get_attribute(f'#document [data-method="{name}"] .badge', "title") for name in ("decomp", "omit_1")]
    assert badges == ["hit", "miss"]
    page.select_option("#filter-hit", "")
    assert counted(page) == int((hits["omit_1"] == 0).sum())  # what is not counted is not missed
    page.click("#clear")
    assert counted(page) == 80


def test_class_length_fact_and_search(watched, report, hybrid):
    page = opened(watched, report)
    run = open_run(hybrid)
    items, said = run.items("s00"), run.predictions("p00")
    page.select_option("#filter-class", "south")
    assert counted(page) == sum(one.predicted == "south" for one in said.values())
    page.select_option("#filter-class", "")
    page.fill("#filter-min", "15")
    page.fill("#filter-max", "25")
    assert counted(page) == sum(15 <= len(item.words) <= 25 for item in items)
    page.click("#clear")
    page.select_option("#filter-fact", "fold=2")
    assert counted(page) == sum(item.facts["fold"] == "2" for item in items)
    page.click("#clear")
    first, second = items[3].words[:2]
    page.fill("#filter-q", f"{first} {second}".upper())
    together = sum(
        any(first in a and second in b for a, b in zip(item.words, item.words[1:], strict=False)) for item in items
    )
    assert 0 < together < 80
    assert counted(page) == together
    page.fill("#filter-q", "key00007")
    assert counted(page) == 1
    page.fill("#filter-q", "no such word")
    assert counted(page) == 0
    assert "No document" in page.inner_text("#document")


def test_correct_or_wrong(watched, report, agreement):
    page = opened(watched, report, "#view=p1")
    run = open_run(agreement)
    said = run.predictions("p00")
    for choice, right in (("correct", True), ("wrong", False)):
        page.select_option("#filter-said", choice)
        assert counted(page) == sum((said[item.key].predicted == item.gold) is right for item in run.items("s00"))


def test_parts_change_ground_truth_and_accuracy(watched, report, agreement):
    page = opened(watched, report, "#view=p1&methods=lrp")
    run = open_run(agreement)
    said = run.predictions("p00")
    row, item = next((i, one) for i, one in enumerate(run.items("s00")) if said[one.key].predicted == one.gold)
    page.fill("#filter-q", item.key)
    counted(page)
    underlined = "all => all.map(one => Number(one.dataset.t))"
    assert page.eval_on_selector_all("#document .right", underlined) == list(item.targets)
    page.click("#parts button:nth-child(2)")
    page.wait_for_timeout(100)
    same = [t for t, label in enumerate(item.labels) if label == said[item.key].predicted]
    assert page.eval_on_selector_all("#document .right", underlined) == same
    page.click("#parts button:nth-child(3)")
    page.wait_for_timeout(100)
    assert page.get_attribute("#document .badge", "title") == "not counted"
    assert row >= 0


def test_keys(watched, report):
    page = opened(watched, report)
    open_key = lambda: page.inner_text("#document .key code")  # noqa: E731
    assert open_key() == "key00000"
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.wait_for_timeout(100)
    assert open_key() == "key00001"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "filter-q"
    page.keyboard.type("jk")  # letters in a field are letters
    assert page.input_value("#filter-q") == "jk"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") != "filter-q"
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()


def test_a_link_opens_the_same_view(watched, report, browser):
    page = opened(watched, report, "#view=p1")
    page.click("#parts button:nth-child(2)")
    page.click('.chips button:text-is("last") >> nth=0')
    page.select_option("#filter-class", "plural")
    counted(page)
    page.keyboard.press("j")
    page.wait_for_timeout(100)
    seen = (page.inner_text("#document .key"), texts(page), page.inner_text("#accuracy-words"))
    address = page.get_attribute("#document .key a", "href")
    other = browser.new_page()
    other.goto(report.as_uri() + address)
    other.wait_for_selector("#document .heat")
    assert (other.inner_text("#document .key"), texts(other), other.inner_text("#accuracy-words")) == seen
    assert other.evaluate("scrollY") > 1000  # at the documents
    other.close()


def test_light_dark_and_colours(watched, report):
    page = opened(watched, report)
    paper = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")  # noqa: E731
    strong = lambda: page.evaluate(  # noqa: E731
        "getComputedStyle(document.querySelector('#document .heat .rmax')).backgroundColor"
    )
    light, green = paper(), strong()
    page.click("#theme")
    assert paper() != light
    page.click("#palette")
    assert strong() != green
    assert "0, 122, 190" in strong()


def test_dark_by_preference(browser, report):
    page = browser.new_page(color_scheme="dark")
    page.goto(report.as_uri())
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.close()


def test_a_phone_needs_no_sideways_scrolling(browser, report):
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(report.as_uri())
    page.wait_for_selector("#document .heat")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.close()


def test_downloads(watched, report, hybrid):
    page = opened(watched, report)
    found = {}
    for name in ("results.csv", "results.json", "hits.csv", "results.tex"):
        with page.expect_download() as waiting:
            page.click(f'[data-file="{name}"]')
        assert waiting.value.suggested_filename == name
        found[name] = waiting.value.path().read_text("utf8")
    rows = list(csv.DictReader(found["hits.csv"].splitlines()))
    judged = judge(open_run(hybrid), "p00")
    mine = [row["lrp"] for row in rows if row["part"] == "hybrid"]
    assert [None if text == "" else float(text) for text in mine] == [
        None if hit != hit else hit for hit in judged.vectors("hybrid")["lrp"]
    ]
    assert {cell["method"] for cell in json.loads(found["results.json"])} >= {*METHODS, "random", "last"}
    assert len(list(csv.DictReader(found["results.csv"].splitlines()))) == len(json.loads(found["results.json"]))
    assert watched.errors == []


def test_hostile_words_labels_and_names_are_inert(watched, tmp_path):
    recipe = Recipe(
        documents=20,
        words=HOSTILE,
        classes=HOSTILE[:3],
        methods=("lrp", *HOSTILE[:4]),
        model=HOSTILE[0],
        corpus=HOSTILE[2],
        note=HOSTILE[3],
        gaps=(" ", *HOSTILE),
    )
    folder = make_run(tmp_path / "<img src=x onerror=alert(2)>", recipe)
    out = tmp_path / "report.html"
    write_report([folder], out)
    page = opened(watched, out)
    items = open_run(folder).items("s00")
    for item in items[:8]:
        assert all(words == list(item.words) for words in texts(page))
        assert page.locator("#document .heat").first.text_content() == item.text
        page.keyboard.press("j")
        page.wait_for_timeout(60)
    for chip in range(5):
        page.locator("#documents .chips button").nth(chip).click()
    page.hover("#forest circle")
    page.wait_for_timeout(200)
    assert watched.errors == []
    assert watched.requests == [out.as_uri()]
    assert page.locator("img, iframe, main script").count() == 0
    assert page.locator("#view option").text_content() == f"{HOSTILE[0]} on {HOSTILE[2]}, hybrid"
