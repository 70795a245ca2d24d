"""The app against hostile texts, names and sizes, in a real browser."""

import pytest
from app_server import save_network, served

pytestmark = pytest.mark.browser

NAME = "<img src=x onerror=alert(1)> \u202e'\""
CLASSES = ("<script>alert(1)<\\script>", '"><svg onload=alert(1)>', "\u202etfel ot thgir")
PAYLOADS = (
    "<script>alert(1)</script>",
    "</textarea></script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "\"'><svg/onload=alert(1)>",
    "javascript:alert(1) {{constructor.constructor('alert(1)')()}}",
    "\u202eright \u2066to\u2069 left\u202c عربي עברית",
    "a\u2028b\u2029c \ufeff \u200b zero",
    "nul \x00 bell \x07 escape \x1b[31m",
    "__proto__ constructor toString hasOwnProperty",
    "👩‍👩‍👧‍👦 é 你好 नमस्ते",
    "\U0010ffff \ud800 lone",
)


@pytest.fixture(scope="module")
def address(browser, tmp_path_factory):
    base = tmp_path_factory.mktemp("hostile")
    models = [
        save_network(base / NAME, "cnn", CLASSES),
        save_network(base / "__proto__", "lstm", ("__proto__", "constructor")),
    ]
    with served(*models, "--words", "10000") as address:
        yield address


@pytest.fixture
def app(watched, address):
    watched.page.goto(address)
    yield watched.page
    assert watched.errors == []
    assert [request for request in watched.requests if not request.startswith(address)] == []


def explained(page, text):
    """Put the text into the field as it is (typing would lose what no keyboard has), and explain it."""
    field = page.locator("textarea >> nth=0")
    field.evaluate("(field, text) => { field.value = text; field.dispatchEvent(new Event('input')); }", text)
    page.click("#go")
    page.wait_for_selector("#results[aria-busy=false]", state="attached", timeout=90_000)
    return page.eval_on_selector_all(".heat", "all => all.map(one => [...one.children].map(span => span.textContent))")


def kinds(page):
    return page.eval_on_selector_all("#results *", "all => [...new Set(all.map(one => one.localName))].sort()")


def test_hostile_texts_stay_text(app):
    known = kinds_of_a_harmless_page(app)
    for payload in PAYLOADS:
        found = explained(app, f"the {payload} cell")
        written = app.evaluate("document.querySelector('textarea').value")
        assert len(found) == 4
        assert ["".join(words) for words in found] == ["".join(written.split())] * 4
        assert set(kinds(app)) <= known
        app.click(".words [data-t='1']")
        app.wait_for_selector(".effect strong")


def kinds_of_a_harmless_page(app):
    explained(app, "the old bishop")
    app.click(".words [data-t='1']")
    app.wait_for_selector(".effect strong")
    return set(kinds(app))


def test_hostile_names_stay_names(app):
    assert app.locator("#model option").all_inner_texts() == [f"{NAME} (cnn)", "__proto__ (lstm)"]
    explained(app, "the old bishop")
    assert sorted(app.eval_on_selector_all("[data-class]", "all => all.map(one => one.dataset.class)")) == sorted(
        CLASSES
    )
    for number in range(3):
        app.locator(".class-name").nth(number).click()
        app.wait_for_selector("#results[aria-busy=false]")
    app.select_option("#model", index=1)
    explained(app, "the old bishop")
    assert sorted(app.locator(".class-name").all_inner_texts()) == ["__proto__", "constructor"]
    app.click(".words [data-t='1']")
    app.wait_for_selector(".effect strong")


def test_ten_thousand_words(app):
    app.click("#few-methods")
    for name in ("limsse_ms_s", "omit_1"):
        app.click(f"#methods [data-method={name}]")
    words = [f"cell{number}" if number % 3 else "gene" for number in range(10_000)]
    found = explained(app, " ".join(words))
    assert found == [words, words]
    before = app.locator(".score").first.inner_text()
    app.click(".words [data-t='9']")
    app.wait_for_selector(".effect strong")
    assert before


def test_more_words_are_refused_in_words(watched, address):
    page = watched.page
    page.goto(address)
    assert explained(page, "gene " * 10_001) == []
    assert "more than 10,000 words" in page.inner_text("[role=alert]")
    assert explained(page, "gene cell") != []  # and the app goes on
    assert page.is_hidden("[role=alert]")
    assert all("400 (Bad Request)" in error for error in watched.errors)  # the browser's own line about the answer


def test_an_empty_text_and_no_method(app):
    app.click("#go")
    assert "no text" in app.inner_text("[role=alert]")
    assert explained(app, "gene") != []
    for name in ("grad_int_s_dot", "omit_1", "lrp", "limsse_ms_s"):
        app.click(f"#methods [data-method={name}]")
    app.click("#go")
    assert "Choose a method" in app.inner_text("[role=alert]")


def test_nothing_in_the_page_can_parse_html_or_reach_out(watched, address):
    page = watched.page
    page.goto(address)
    refused = "code => { try { code(); return 'done'; } catch (error) { return error.name; } }"
    assert page.evaluate(f"({refused})(() => {{ document.body.innerHTML = '<b>x</b>'; }})") == "TypeError"
    assert page.evaluate("fetch('https://example.org/').then(() => 'answered', () => 'refused')") == "refused"
    outside = (
        "image.onload = () => done('loaded'); image.onerror = () => done('refused'); image.src = '//example.org/x'"
    )
    loaded = f"new Promise(done => {{ const image = new Image(); {outside}; }})"
    assert page.evaluate(loaded) == "refused"
    assert len(watched.errors) >= 2  # the browser says so
