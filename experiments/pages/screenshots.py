"""``python -m experiments.pages.screenshots``: docs/screenshots, of the demo's report and app, in a real browser.

``--modern modern/runs/M05 --only modern``: of the report of a run on today's models.
"""

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from whichword.cli.app import main as run_command
from whichword.reporting.page.page import write_report

CHROMIUM = "/usr/bin/chromium"
TEXT = "Compute the eigenvalues of a sparse matrix, then plot a histogram of the random samples."
OTHER = "Fit a spline through noisy samples and integrate it over an interval."
SERVE = "import sys; sys.argv[0] = 'whichword'; from whichword.cli import main; main()"
MODELS = ("docstrings-cnn", "docstrings-lstm")

Act = Callable[[Any], None]


@dataclass(frozen=True)
class Shot:
    """A picture: of the report or the app, so wide and high, light or dark, after something was done."""

    name: str
    page: str
    width: int = 1280
    height: int = 900
    theme: str = "light"
    act: Act = lambda page: None


def _see(section: str) -> Act:
    return lambda page: page.evaluate(f"document.getElementById('{section}').scrollIntoView({{behavior: 'instant'}})")


def _explain(page: Any, *texts: str) -> None:
    if len(texts) > 1:
        page.click("#compare")
    for number, text in enumerate(texts):
        page.fill(f"#texts textarea >> nth={number}", text)
    page.click("#go")
    page.wait_for_selector("#results[aria-busy=false] .map:not(.pending)", state="attached", timeout=120_000)


def _delete_a_word(page: Any) -> None:
    _explain(page, TEXT)
    page.click(".words [data-t='5']")
    page.wait_for_selector(".effect strong")


def _runs(page: Any) -> None:
    _see("runs")(page)
    page.wait_for_selector("#run-cards summary", timeout=120_000)


REPORT, APP, MODERN = "report", "app", "modern"
READY = {REPORT: "#document .heat", APP: "#methods[data-settled]", MODERN: "#document .heat"}
SHOTS = (
    *(Shot(f"report-verdict-{theme}", REPORT, theme=theme) for theme in ("light", "dark")),
    Shot("report-wide", REPORT, 1920, 1080),
    Shot("report-phone", REPORT, 390, 844),
    Shot("report-results-light", REPORT, act=_see("results")),
    *(Shot(f"report-accuracy-{theme}", REPORT, theme=theme, act=_see("accuracy")) for theme in ("light", "dark")),
    Shot("report-cost-light", REPORT, act=_see("cost")),
    Shot("report-cost-phone", REPORT, 390, 844, act=_see("cost")),
    Shot("report-accuracy-wide", REPORT, 1920, 1080, act=_see("accuracy")),
    Shot("report-significance-light", REPORT, act=_see("difference")),
    Shot("report-slices-light", REPORT, act=_see("slices")),
    *(Shot(f"report-documents-{theme}", REPORT, theme=theme, act=_see("documents")) for theme in ("light", "dark")),
    Shot("app-start-light", APP),
    Shot("app-explain-light", APP, height=1000, act=_delete_a_word),
    Shot("app-explain-dark", APP, height=1000, theme="dark", act=_delete_a_word),
    Shot("app-wide", APP, 1920, 1080, act=_delete_a_word),
    Shot("app-phone", APP, 390, 844, act=lambda page: _explain(page, TEXT)),
    Shot("app-compare-dark", APP, height=1000, theme="dark", act=lambda page: _explain(page, TEXT, OTHER)),
    Shot("app-runs-light", APP, act=_runs),
    Shot("modern-verdict", MODERN),
    Shot("modern-accuracy", MODERN, act=_see("accuracy")),
    Shot("modern-cost", MODERN, act=_see("cost")),
)

app = typer.Typer(add_completion=False)


@app.command()
def shoot(
    demo: Annotated[Path, typer.Option(help="The folder that whichword demo made.")] = Path("demo"),
    out: Annotated[Path, typer.Option(help="Where the pictures go.")] = Path("docs/screenshots"),
    only: Annotated[str, typer.Option(help="Pictures whose names begin so.")] = "",
    modern: Annotated[Path | None, typer.Option(help="A run of experiments.modern. [default: no such picture]")] = None,
    chromium: Annotated[str, typer.Option(help="The browser.")] = CHROMIUM,
) -> None:
    """Write a PNG per picture."""
    from playwright.sync_api import sync_playwright

    out.mkdir(parents=True, exist_ok=True)
    shots = [shot for shot in SHOTS if shot.name.startswith(only) and (modern or shot.page != MODERN)]
    with _pages(demo, modern, {shot.page for shot in shots}) as addresses, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--headless", "--no-sandbox"])
        for shot in shots:
            _take(browser, shot, addresses[shot.page], out / f"{shot.name}.png")
        browser.close()


@contextlib.contextmanager
def _pages(demo: Path, modern: Path | None, kinds: set[str]) -> Iterator[dict[str, str]]:
    """The addresses of the reports, written anew, and of the app, while it runs."""
    runs = {REPORT: (demo / "run", demo / "report.html")} | (
        {MODERN: (modern, modern / "report.html")} if modern else {}
    )
    reports = {}
    for kind, (run, page) in runs.items():
        if kind in kinds:
            write_report([run], page.absolute())
            reports[kind] = page.absolute().as_uri()
    if APP not in kinds:
        yield reports
        return
    shelf = [*(str(demo / "models" / name) for name in MODELS), str(demo / "run")]
    command = [sys.executable, "-c", SERVE, "serve", *shelf, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            yield {**reports, APP: next(word for word in line.split() if word.startswith("http"))}
        finally:
            process.terminate()


def _take(browser: Any, shot: Shot, address: str, path: Path) -> None:
    size = {"width": shot.width, "height": shot.height}
    context = browser.new_context(viewport=size, color_scheme=shot.theme, device_scale_factor=1)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(READY[shot.page], state="attached", timeout=180_000)
    shot.act(page)
    page.wait_for_timeout(400)
    page.screenshot(path=path)
    context.close()
    print(path)


if __name__ == "__main__":
    run_command(app)
