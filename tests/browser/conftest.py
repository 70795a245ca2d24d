"""A real browser: Chromium from the system's packages, driven by Playwright. Missing: skipped, but in CI a failure."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = Path(os.environ.get("WHICHWORD_CHROMIUM", "/usr/bin/chromium"))
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def missing() -> str | None:
    """What a browser test lacks here; None: nothing."""
    if find_spec("playwright") is None:
        return "browser tests need playwright (pip install playwright)"
    return None if CHROMIUM.exists() else f"browser tests need Chromium at {CHROMIUM} (apt-get install chromium)"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if trouble := missing():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(trouble)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@dataclass
class Watched:
    """A page with everything it said and asked for."""

    page: Any
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def listen(self) -> None:
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", lambda dialog: (self.errors.append(f"dialog: {dialog.message}"), dialog.dismiss()))


@pytest.fixture
def watched(browser: Any) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1200, "height": 900}, accept_downloads=True)
    found = Watched(context.new_page())
    found.listen()
    yield found
    context.close()
