"""What is on the shelf, and the runs with their reports."""

from pathlib import Path

import html5lib
import pytest
from starlette.testclient import TestClient
from web_shelf import PORT, make_network

from whichword.errors import InputError
from whichword.extras.app.jobs import Shelf, open_shelf
from whichword.extras.app.pages import RunPages, page
from whichword.reporting import recommend, table
from whichword.reporting.page.page import report_page


def test_networks_and_runs_are_told_apart(folders: list[Path]) -> None:
    shelf = open_shelf([folders[3], folders[1], folders[0]])
    assert list(shelf.models) == ["lstm", "cnn"]
    assert list(shelf.runs) == ["played"]
    assert shelf.model(1).about.name == "cnn"
    assert shelf.run(0).folder == folders[3]


def test_equal_names_are_told_apart(tmp_path: Path) -> None:
    shelf = open_shelf([make_network(tmp_path / part / "model", "cnn") for part in "ab"])
    assert list(shelf.models) == ["a/model", "b/model"]


@pytest.mark.parametrize("number", [-1, 3, 10**30])
def test_a_number_that_is_not_there(shelf: Shelf, number: int) -> None:
    with pytest.raises(InputError, match="there is no"):
        shelf.model(number)
    with pytest.raises(InputError, match="there is no"):
        shelf.run(number)


def test_nothing_or_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="whichword serve MODEL"):
        open_shelf([])
    (tmp_path / "x").mkdir()
    for folder in (tmp_path / "x", tmp_path / "missing"):
        with pytest.raises(InputError, match="no model loader opens"):
            open_shelf([folder])


def test_the_advice_is_the_recommendation(client: TestClient, folders: list[Path]) -> None:
    found = client.get("/api/runs/0").json()
    expected = recommend(table([folders[3]]))
    first = expected.advice[0]
    assert [one["headline"] for one in found["advice"]] == [f"{one.where}: {one.headline}" for one in expected.advice]
    assert found["advice"][0]["reasons"] == [*first.reasons, *([first.needed] if first.needed else [])]
    assert {name: found["advice"][0][name] for name in first.to_json()} == first.to_json()
    assert found["examples"]
    assert all(0 < len(example["words"]) <= 150 for example in found["examples"])


def test_the_report_is_served_as_it_is_in_a_sandbox(client: TestClient, folders: list[Path]) -> None:
    answer = client.get("/runs/0")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text == report_page([folders[3]])
    policy = answer.headers["content-security-policy"]
    assert "sandbox allow-scripts allow-downloads" in policy
    assert "allow-same-origin" not in policy
    meta = html5lib.parse(answer.text, namespaceHTMLElements=False).find(
        ".//meta[@http-equiv='Content-Security-Policy']"
    )
    assert meta is not None
    assert policy.startswith(meta.get("content") or "nothing")
    assert "'sha256-" in policy


@pytest.mark.parametrize(
    ("path", "status"), [("/runs/1", 400), ("/api/runs/7", 400), ("/runs/-1", 404), ("/runs/x", 404)]
)
def test_a_run_that_is_not_there(client: TestClient, path: str, status: int) -> None:
    assert client.get(path).status_code == status


@pytest.mark.parametrize(
    "path", ["/../etc/passwd", "/runs/../../etc/passwd", "/assets/app.js", "/runs/0/run.json", "/app.js/..%2f"]
)
def test_no_path_leads_to_a_file(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_reports_are_made_once_and_few_are_kept(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def fake(folders: list[Path]) -> str:
        made.append(folders)
        return '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;">'

    monkeypatch.setattr("whichword.reporting.page.page.report_page", fake)
    run = shelf.run(0)
    runs = RunPages(Shelf({}, {"a": run, "b": run, "c": run}))
    for number in (0, 0, 1, 2, 2):
        assert next(runs.report(number)).policy.startswith("default-src 'none'; frame-ancestors")
    assert len(made) == 3
    assert list(runs.pages) == [1, 2]


def test_a_report_without_a_policy_is_not_served() -> None:
    with pytest.raises(RuntimeError, match="no policy"):
        page("<p>anything</p>")


def test_only_runs_are_enough(folders: list[Path]) -> None:
    from whichword.extras.app.app import create_app

    address = f"http://127.0.0.1:{PORT}"
    client = TestClient(create_app(open_shelf([folders[3]]), PORT), base_url=address, headers={"origin": address})
    assert client.get("/").status_code == 200
    assert client.post("/api/explain", json={"model": 0, "methods": ["lrp"], "text": "w1"}).status_code == 400
