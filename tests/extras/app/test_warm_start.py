"""Before the first text comes, every model has read some words; and no text waits for a run."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from starlette.testclient import TestClient
from web_shelf import PORT

import whichword
from whichword.extras.app.app import create_app
from whichword.extras.app.jobs import Shelf, open_shelf
from whichword.reporting.page import page

PATIENCE = 60.0  # seconds: other processes may be busy


def soon(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


@contextmanager
def opened(shelf: Shelf, warm: bool) -> Iterator[TestClient]:
    address = f"http://127.0.0.1:{PORT}"
    with TestClient(create_app(shelf, PORT, warm=warm), base_url=address, headers={"origin": address}) as client:
        yield client


def asked() -> tuple[Shelf, Callable[[], int]]:
    """A shelf with a black box, and how often that was asked since it was wrapped."""
    model = whichword.wrap(lambda texts: [[0.25, 0.75]] * len(texts), classes=["no", "yes"])
    before = model.calls
    return Shelf({"box": model}, {}), lambda: model.calls - before


def test_a_model_is_asked_before_anybody_asks() -> None:
    shelf, calls = asked()
    with opened(shelf, warm=True) as client:
        assert soon(lambda: calls() > 0)
        question = {"model": 0, "methods": ["omit_1"], "text": "a good film"}
        assert client.post("/api/explain", json=question).status_code == 200


def test_without_warming_it_is_not() -> None:
    shelf, calls = asked()
    with opened(shelf, warm=False) as client:
        assert client.get("/").status_code == 200
        assert calls() == 0


def test_a_text_does_not_wait_for_a_report(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that is not made before a text is explained: one thread for both would wait in vain."""
    explained, opened_reports, make = list[int](), list[int](), page.report_page

    def late(shelved: list[Path]) -> str:
        assert soon(lambda: bool(explained))
        return make(shelved)

    monkeypatch.setattr(page, "report_page", late)
    with opened(open_shelf([folders[0], folders[3]]), warm=False) as client:
        asking = Thread(target=lambda: opened_reports.append(client.get("/runs/0").status_code))
        asking.start()
        question = {"model": 0, "methods": ["lrp"], "text": "w1 w2"}
        explained.append(client.post("/api/explain", json=question).status_code)
        asking.join(PATIENCE)
    assert (explained, opened_reports) == ([200], [200])
