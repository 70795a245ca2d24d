"""The app in a real browser: texts are explained, words deleted and masked, runs opened."""

import json

import pytest
import torch
from app_server import CLASSES, save_network, served
from synthetic_run import Recipe, make_run

from whichword import explain, load
from whichword.model import Batch
from whichword.types import Text

pytestmark = pytest.mark.browser

TEXT = "The old bishop takes a painting of the queen, and a gene sees the unheard cell."
METHODS = ("lrp", "omit_1", "occ_1")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_network(tmp_path_factory.mktemp("models") / "lstm", "lstm")


@pytest.fixture(scope="module")
def address(model, browser, tmp_path_factory):
    base = tmp_path_factory.mktemp("shelf")
    others = [save_network(base / "cnn", "cnn"), make_run(base / "dice run", Recipe(documents=40, methods=METHODS))]
    with served(model, *others) as address:
        yield address


@pytest.fixture
def app(watched, address):
    """The open page; afterwards: no error was said, and nothing was asked of anybody else."""
    watched.page.goto(address)
    yield watched.page
    assert watched.errors == []
    assert [request for request in watched.requests if not request.startswith(address)] == []


def ask(page, text=TEXT, methods=METHODS):
    page.wait_for_selector("#methods[data-settled]", timeout=120_000)
    page.fill("#texts textarea >> nth=0", text)
    for name in page.eval_on_selector_all("#methods [aria-pressed=true]", "all => all.map(one => one.dataset.method)"):
        page.click(f"#methods [data-method='{name}']")
    for name in methods:
        page.click(f"#methods [data-method='{name}']")
    page.click("#go")
    finished(page)


def finished(page):
    page.wait_for_selector("#results[aria-busy=false]", state="attached", timeout=60_000)


def maps(page):
    """Method -> the words of its heat map."""
    words = "[...one.querySelectorAll('.heat > span')].map(span => span.textContent)"
    return dict(page.eval_on_selector_all(".map", f"all => all.map(one => [one.dataset.method, {words}])"))


def numbers(page, kind="score"):
    """Class -> what the page says of it."""
    page.wait_for_timeout(50)
    found = f"all => all.map(one => [one.dataset.class, one.querySelector('.{kind}').textContent])"
    return dict(page.eval_on_selector_all("[data-class]", found))


def shown(value):
    return f"{value:.2f}".replace("-", "−")


def copy_scores(model, words, cut=(), blank=()):
    """s of the edited copy, made by hand."""
    network = load(model)
    kept = [t for t in range(len(words)) if t not in cut]
    remaining = tuple(words[t] for t in kept)
    batch = Batch.of([network.read(Text(remaining, " ".join(remaining)))])
    e = network.embed(batch)
    for place, t in enumerate(kept):
        if t in blank:
            e[0, place] = 0.0
    with torch.no_grad():
        return dict(zip(CLASSES, network.forward(e, batch)[0].tolist(), strict=True))


def test_a_typed_text_is_explained(app, model):
    ask(app)
    expected = explain(load(model), TEXT, METHODS)[0]
    assert maps(app) == {name: list(expected.words) for name in METHODS}
    assert app.inner_text(".predicted strong") == expected.predicted
    assert numbers(app) == {name: shown(score) for name, score in expected.scores.items()}
    for name in METHODS:
        card = app.locator(f".map[data-method='{name}']")
        assert card.locator(".rmax").get_attribute("data-t") == str(expected.rmax(name))
        assert card.locator("small").inner_text().endswith(("s", "ms", "µs"))
        assert card.locator(".heat").text_content() == TEXT
    assert app.locator(".words .unknown").all_inner_texts() == ["The", "unheard"]


def test_colours_are_the_relevances(app, model):
    ask(app, methods=["omit_1"])
    expected = explain(load(model), TEXT, ["omit_1"])[0]
    spans = app.eval_on_selector_all(
        ".map .heat > span", "all => all.map(one => [one.style.background, Number(one.title)])"
    )
    for (colour, said), cell in zip(spans, expected.cells("omit_1"), strict=True):
        assert said == pytest.approx(cell.phi, rel=1e-5)
        hue = "rgba(0, 137, 0" if cell.green > cell.red else "rgba(236, 0, 0"
        assert colour.startswith(hue) or max(cell.red, cell.green) < 0.01
        opacity = float(colour.split(",")[-1].strip(" )")) if colour else 0.0
        rounding = 0.5 / 120 / 1.1 + 0.5 / 255 + 0.0005  # of levels, of the browser's colours, of what it writes
        assert opacity == pytest.approx(max(cell.red, cell.green), abs=rounding)


def test_a_clicked_word_is_deleted_and_the_score_moves_to_the_right_value(app, model):
    ask(app)
    words = explain(load(model), TEXT, ["lrp"])[0].words
    before = copy_scores(model, words)
    for t in (2, 5):
        app.click(".words [data-t='2']")
        if t == 5:
            app.click(".words [data-t='2']")  # back again
            app.click(f".words [data-t='{t}']")
        app.wait_for_selector(".effect strong")
        after = copy_scores(model, words, cut=[t])
        app.wait_for_selector(f".effect:has-text('{words[t]}')")
        assert numbers(app) == {name: shown(score) for name, score in after.items()}
        moved = {name: after[name] - before[name] for name in CLASSES}
        assert numbers(app, "change") == {name: ("+" if by > 0 else "") + shown(by) for name, by in moved.items()}
        app.click(f".words [data-t='{t}']")
        app.wait_for_selector(".effect strong", state="detached")
        assert numbers(app) == {name: shown(score) for name, score in before.items()}


def test_deleted_and_masked_words_together(app, model):
    ask(app)
    words = explain(load(model), TEXT, ["lrp"])[0].words
    app.click(".map[data-method=lrp] .heat [data-t='1']")  # a word of a heat map does as well
    app.click(".words [data-t='4']")
    app.click(".segmented button:has-text('mask')")
    app.click(".words [data-t='7']")
    app.wait_for_selector(".effect:has-text('masked')")
    expected = copy_scores(model, words, cut=[1, 4], blank=[7])
    assert numbers(app) == {name: shown(score) for name, score in expected.items()}
    assert app.locator(".map[data-method=omit_1] .cut").all_inner_texts() == [words[1], words[4]]
    assert app.locator(".map[data-method=omit_1] .blank").all_inner_texts() == [words[7]]
    app.click("text=restore all")
    app.wait_for_selector(".effect strong", state="detached")
    assert numbers(app) == {name: shown(score) for name, score in copy_scores(model, words).items()}
    assert app.locator(".cut, .blank").count() == 0


def test_everything_by_keyboard(app, model):
    app.keyboard.type(TEXT)  # the field has the focus
    app.keyboard.press("Control+Enter")
    finished(app)
    words = explain(load(model), TEXT, ["lrp"])[0].words
    app.focus(".words [tabindex='0']")
    for key in ("ArrowRight", "ArrowRight", "Enter", "ArrowRight", "m", "End", "Delete", "Home", "ArrowLeft"):
        app.keyboard.press(key)
    app.wait_for_selector(f".words [data-t='{len(words) - 1}'].cut")
    app.wait_for_timeout(200)
    expected = copy_scores(model, words, cut=[2, len(words) - 1], blank=[3])
    assert numbers(app) == {name: shown(score) for name, score in expected.items()}
    assert app.get_attribute(".words [data-t='2']", "aria-label") == f"{words[2]}, deleted"
    assert app.evaluate("document.activeElement.dataset.t") == "0"


def test_another_class_and_another_model(app, model):
    ask(app, methods=["lrp"])
    other = next(name for name in CLASSES if name != app.inner_text(".predicted strong"))
    app.click(f"[data-class='{other}'] button")
    app.wait_for_selector(f".explained:has-text('{other}')")
    finished(app)
    phi = explain(load(model), TEXT, ["lrp"], other)[0].relevance["lrp"]
    titles = app.eval_on_selector_all(".map .heat > span", "all => all.map(one => Number(one.title))")
    assert titles == pytest.approx(phi.tolist(), rel=1e-5)
    app.select_option("#model", label="cnn (cnn)")
    assert app.is_disabled("#methods [data-method=decomp]")
    assert app.input_value("#target") == ""
    app.click("#go")
    finished(app)
    assert numbers(app) != {}


def test_two_texts_side_by_side(app, model):
    app.click("#compare")
    app.fill("#texts textarea >> nth=1", "A big queen .")
    ask(app, methods=["lrp"])
    assert app.locator(".reading").count() == 2
    found = app.eval_on_selector_all(".reading .words", "all => all.map(one => one.textContent)")
    assert found == [TEXT, "A big queen ."]
    tops = app.eval_on_selector_all(".map", "all => all.map(one => one.getBoundingClientRect().top)")
    assert tops[0] == tops[1]


def test_a_text_is_shown_as_it_was_written_and_its_words_can_be_deleted(app, model):
    text = "  The queen's gene,\n\n\tand a (big) cell. "
    ask(app, text=text, methods=["lrp"])
    written = app.eval_on_selector_all(".words, .heat", "all => all.map(one => one.textContent)")
    assert written == [text, text]
    assert app.locator(".words").evaluate("one => getComputedStyle(one).whiteSpaceCollapse") == "preserve"
    words = explain(load(model), text, ["lrp"])[0].words
    app.click(".words [data-t='2']")
    app.wait_for_selector('.effect:has-text("\'s")')
    expected = copy_scores(model, words, cut=[2])
    assert numbers(app) == {name: shown(score) for name, score in expected.items()}
    app.click("text=explain what is left")
    app.wait_for_selector(".reading >> nth=1")
    finished(app)
    fields = app.eval_on_selector_all("#texts textarea", "all => all.map(one => one.value)")
    assert fields == [text, text.replace("'s", "")]
    assert app.locator(".words").first.text_content() == text


def test_what_is_left_is_explained_beside_it(app, model):
    ask(app, methods=["lrp"])
    words = list(explain(load(model), TEXT, ["lrp"])[0].words)
    app.click(".words [data-t='9']")
    app.click("text=explain what is left")
    app.wait_for_selector(".reading >> nth=1")
    finished(app)
    left = words[:9] + words[10:]
    assert app.eval_on_selector_all(".reading .words", "all => all.map(one => one.textContent)")[1] == " ".join(left)
    second = app.locator(".reading >> nth=1").locator(".score").all_inner_texts()
    expected = copy_scores(model, words, cut=[9])
    assert sorted(second) == sorted(shown(score) for score in expected.values())


def test_copies(app, model, browser):
    app.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(app, methods=["lrp"])
    expected = explain(load(model), TEXT, ["lrp"])[0]
    copied = {}
    for form in ("html", "json", "latex"):
        app.click(f"[data-form={form}]")
        app.wait_for_selector(f"[data-form={form}].copied")
        copied[form] = app.evaluate("navigator.clipboard.readText()")
    assert json.loads(copied["json"])["words"] == list(expected.words)
    assert "whichword-heatmaps" in copied["html"]
    assert r"\colorbox" in copied["latex"]
    kinds = app.evaluate("navigator.clipboard.read().then(items => items[0].types)")
    assert sorted(kinds) == ["text/plain"]  # of the last, LaTeX
    app.click("[data-form=html]")
    pasted = "navigator.clipboard.read().then(items => items[0].getType('text/html')).then(blob => blob.text())"
    app.wait_for_timeout(300)
    assert "background" in app.evaluate(pasted)


def test_a_run_and_its_report(app, watched, address):
    app.wait_for_selector(".run summary")
    assert "lstm on dice" in app.inner_text(".run summary")
    with app.context.expect_page() as opening:
        app.click("text=Open the report")
    report = opening.value
    errors = []
    report.on("pageerror", lambda error: errors.append(str(error)))
    report.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    report.wait_for_selector("#document .heat")
    assert errors == []
    assert report.evaluate("origin") == "null"  # in its sandbox it cannot talk to the app
    assert report.evaluate(f"fetch('{address}api/runs/0').then(() => 'answered', () => 'refused')") == "refused"
    report.close()
    app.click("text=Try one of its texts")
    app.wait_for_selector(".reading")
    finished(app)
    words = app.input_value("#texts textarea").split(" ")
    assert all(word.startswith("word") for word in words)
    assert app.locator(".words > span").all_inner_texts() == words


def test_light_dark_and_colours_are_remembered(app):
    ask(app, methods=["lrp"])
    page = "getComputedStyle(document.body).backgroundColor"
    light = app.evaluate(page)
    app.click("#theme")
    assert app.evaluate(page) != light
    app.click("#palette")
    assert "rgba(0, 122, 190" in str(
        app.eval_on_selector_all(".heat > span", "all => all.map(one => one.style.background)")
    )
    app.reload()
    assert app.evaluate("document.documentElement.dataset.theme") == "dark"
    assert app.evaluate("document.documentElement.dataset.palette") == "colour-blind"


@pytest.mark.parametrize("compared", [False, True])
def test_a_phone_needs_no_sideways_scrolling(app, compared):
    app.set_viewport_size({"width": 360, "height": 740})
    if compared:
        app.click("#compare")
        app.fill("#texts textarea >> nth=1", "The old queen .")
    ask(app, text=TEXT + " " + "x" * 400)
    app.click(".words [data-t='2'] >> nth=0")
    app.wait_for_selector(".effect strong")
    assert app.evaluate("document.documentElement.scrollWidth") <= 360


def test_every_control_has_a_name(app):
    ask(app)
    named = "one.textContent.trim() || one.ariaLabel || one.getAttribute('aria-labelledby') || one.labels?.length"
    nameless = f"all => all.filter(one => !({named})).map(one => one.outerHTML)"
    assert app.eval_on_selector_all("button, select, textarea, input, a, [role=button]", nameless) == []


def test_stopping(app):
    app.route("**/api/explain", lambda route: None)  # an answer that never comes
    app.fill("#texts textarea", TEXT)
    app.click("#go")
    app.wait_for_selector("#results[aria-busy=true]", state="attached")
    app.click("#stop")
    app.wait_for_selector("#results[aria-busy=false]", state="attached")
    assert app.is_hidden("#stop")
    assert app.is_hidden("#error")
