"""A person's first minutes with the app: what is chosen and why, texts to try, a warning, the report."""

import pytest
from app_server import save_network, served
from synthetic_run import Recipe, make_run

from whichword.method_names import words_of
from whichword.reporting import recommend, table

pytestmark = pytest.mark.browser

METHODS = ("lrp", "omit_1", "occ_1")
KNOWN = "the bishop takes a cell of the queen"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    recipe = Recipe(documents=90, methods=METHODS, words=tuple(KNOWN.split()), model="lstm")
    return make_run(tmp_path_factory.mktemp("runs") / "played", recipe)


@pytest.fixture(scope="module")
def address(run, browser, tmp_path_factory):
    base = tmp_path_factory.mktemp("shelf")
    with served(save_network(base / "lstm", "lstm"), save_network(base / "cnn", "cnn"), run) as address:
        yield address


@pytest.fixture
def app(watched, address):
    watched.page.goto(address)
    watched.page.wait_for_selector("#methods[data-settled]", timeout=120_000)
    yield watched.page
    assert watched.errors == []


def pressed(page):
    return page.eval_on_selector_all("#methods [aria-pressed=true]", "all => all.map(one => one.dataset.method)")


def test_it_starts_with_the_verdicts_choice_and_says_why(app, run):
    [advice] = recommend(table([run])).advice
    assert advice.method  # the dice favour a method so much that it is decided
    assert pressed(app) == [advice.method]
    assert advice.headline in app.inner_text("#why")


def test_a_model_without_a_run_starts_with_a_few(app):
    app.select_option("#model", index=1)
    app.wait_for_selector("#methods[data-settled]", timeout=120_000)
    assert {"lrp", "omit_1"} <= set(pressed(app))
    assert app.is_hidden("#why")


def test_what_a_person_chose_stays(app):
    app.click("#methods [data-method=last]")
    chosen = pressed(app)
    app.select_option("#model", index=1)
    app.wait_for_selector("#methods[data-settled]", timeout=120_000)
    assert pressed(app) == chosen


def test_a_method_is_explained_where_it_is_named(app):
    assert app.get_attribute("#methods [data-method=lrp]", "title").startswith(words_of("lrp").tooltip)


def test_an_example_is_explained_by_one_click(app):
    example = app.locator("#examples button").first
    text = example.get_attribute("title")
    example.click()
    app.wait_for_selector("#results[aria-busy=false] .map:not(.pending)", timeout=60_000)
    assert app.input_value("#texts textarea") == text
    assert app.locator(".warning").count() == 0  # the run's texts are of words that the model knows


@pytest.mark.parametrize(
    ("text", "warning"),
    [("Nobody expects a queen anywhere", "3 of 5 words are unknown"), ("Nobody expects it", "No word of this text")],
)
def test_unknown_words_are_warned_of(app, text, warning):
    app.fill("#texts textarea", text)
    app.click("#go")
    app.wait_for_selector("#results[aria-busy=false] .map:not(.pending)", timeout=60_000)
    assert warning in app.inner_text(".warning")


def test_the_report_opens_with_progress(app, address):
    with app.context.expect_page() as opened:
        app.click("#run-cards a")
    report = opened.value
    report.wait_for_selector("#document .heat", timeout=60_000)
    assert report.url == f"{address}runs/0"
    waiting = app.request.get(f"{address}runs/0/opening").text()
    assert "<progress" in waiting
    assert "The report of played is being made" in waiting
    assert "90 documents" in waiting
