"""Five thousand documents, twenty methods: a small file, and a list that scrolls."""

import numpy as np
import pytest
from synthetic_run import METHODS, Recipe, make_run

from whichword.reporting.page.explorer import shades
from whichword.reporting.page.page import write_report
from whichword.runs.run import open_run

pytestmark = pytest.mark.browser

WORDS = tuple(f"word{number}" for number in range(30_000))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Noise deflates worse than any real relevance."""
    folder = tmp_path_factory.mktemp("large")
    recipe = Recipe(documents=5_000, length=150, words=WORDS, methods=METHODS, shard=1_000)
    return folder / "report.html", write_report([make_run(folder / "run", recipe)], folder / "report.html")


def test_under_thirty_megabytes_and_scrolling(watched, large):
    path, size = large
    assert len(METHODS) == 20
    assert size < 30e6
    page = watched.page
    page.goto(path.as_uri())
    page.wait_for_selector("#document .heat", timeout=60_000)
    assert page.inner_text("#document-count") == "5,000 of 5,000 documents"
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # processor time: others may use the machine too
    before = work(session)
    flick = page.evaluate(SCROLL, 120)
    spent = (work(session) - before) / FRAMES
    assert spent < 0.016  # seconds a frame for scripts, style and layout: 60 frames a second
    jumps = page.evaluate(SCROLL, 5_000 * 62 / FRAMES)
    for seen in (flick, jumps):
        assert seen["uncovered"] == 0  # after every frame the list shows rows from top to bottom
        assert seen["rows"] < 60  # and no others exist
    page.locator("#list .row").last.click()
    page.wait_for_timeout(300)
    assert page.inner_text("#document .key").startswith("5000 of 5,000")
    assert levels(page) == last_levels(path.parent / "run", page.inner_text("#document h4 code >> nth=0"))
    page.fill("#filter-q", "word77")
    page.wait_for_function("!document.getElementById('document-count').textContent.startsWith('5,000')")
    assert watched.errors == []
    assert watched.requests == [path.as_uri()]


def levels(page):
    """Of the first heat map that is shown."""
    shown = "#document .method:first-child .heat span"
    return page.eval_on_selector_all(shown, "all => all.map(one => Number(one.dataset.level))")


def last_levels(folder, method):
    """What the method says of the last document, straight from the run."""
    run = open_run(folder)
    key = run.items("s00")[-1].key
    phi = next(one.values for one in run.relevances("p00") if (one.key, one.method) == (key, method))
    return shades(phi[None].astype(np.float64))[0][0].tolist()


def work(session):
    """Seconds that the page has spent in scripts, style and layout."""
    found = {entry["name"]: entry["value"] for entry in session.send("Performance.getMetrics")["metrics"]}
    return found["ScriptDuration"] + found["RecalcStyleDuration"] + found["LayoutDuration"]


FRAMES = 60
SCROLL = """async (step) => {
  const list = document.getElementById("list");
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  let uncovered = 0, rows = 0;
  for (let i = 1; i <= 60; i++) {
    list.scrollTop = i * step;
    await frame();
    const box = list.getBoundingClientRect();
    const drawn = [...list.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
    const top = Math.min(...drawn.map((row) => row.top)), bottom = Math.max(...drawn.map((row) => row.bottom));
    uncovered += top > box.top + 1 || bottom < box.bottom - 2;
    rows = Math.max(rows, drawn.length);
  }
  return { uncovered, rows };
}"""
