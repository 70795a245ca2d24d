"""Hostile texts, classes and names: they stay text, and nothing of them is logged."""

import json
import logging
from pathlib import Path

import html5lib
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from web_shelf import PORT, TEXT, events, make_network

from whichword.extras.app import jobs
from whichword.extras.app.app import create_app
from whichword.extras.app.jobs import open_shelf

PAYLOADS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "<img src=x onerror=alert(1)>",
    "'\" onmouseover=alert(1) x='",
    "javascript:alert(1)",
    "{{ data }}",
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "\u202etxet\u202c \u2066abc\u2069 \u200f",
    "\x00\x01\x1b[31m\x7f",
    "\ud800 \udfff lone",
    "\u2028 \u2029 \ufeff \U0010ffff",
    "]]> --> \\u003cscript\\u003e",
    r"\input{/etc/passwd} \write18{x} $x^2$ % & # _ ~",
    "=cmd|' /C calc'!A0",
    "عربي עברית नमस्ते 你好 👩‍👩‍👧‍👦 é",
)
ADDRESS = f"http://127.0.0.1:{PORT}"


def shown(markup: str) -> list[str]:
    """The words of the first heat map, as a real parser sees them; there is nothing in the markup but text."""
    tree = html5lib.parseFragment(markup, namespaceHTMLElements=False)
    known = {"p", "b", "table", "tbody", "tr", "th", "td", "div", "span", "small"}
    assert {node.tag for node in tree.iter()} - {"DOCUMENT_FRAGMENT"} <= known
    assert {name for node in tree.iter() for name in node.attrib} <= {"class", "style", "title", "dir", "scope"}
    return [span.text or "" for span in next(node for node in tree.iter("div")).iter("span")]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_hostile_text_is_explained_and_copied_as_text(client: TestClient, payload: str) -> None:
    told = events(client, methods=["lrp", "limsse_ms_s", "omit_1"], text=f"w1 {payload} w2")
    assert told[-1] == {"event": "end"}
    words = told[0]["words"]
    assert "".join(words) == "".join(f"w1 {payload} w2".split())
    question = {"result": told[0]["result"], "methods": ["lrp"]}
    copies = {
        form: client.post("/api/copy", json={**question, "form": form}).json()["text"]
        for form in ("html", "json", "latex")
    }
    cannot = str.maketrans(dict.fromkeys(["\x00", *map(chr, range(0xD800, 0xE000))], "\ufffd"))
    assert shown(copies["html"]) == [word.translate(cannot) for word in words]
    assert json.loads(copies["json"])["words"] == words
    assert r"\input{" not in copies["latex"]
    assert r"\write18" not in copies["latex"]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=5))
def test_any_words_come_back_as_they_went(client: TestClient, words: list[str]) -> None:
    told = events(client, methods=["last"], words=words)
    assert told[0]["words"] == words
    assert told[-1] == {"event": "end"}


@pytest.mark.parametrize("payload", [payload for payload in PAYLOADS if not set(payload) & set("/\x00\ud800\udfff")])
def test_hostile_names_and_classes_stay_data_in_the_page(tmp_path: Path, payload: str) -> None:
    folder = make_network(tmp_path / payload, "cnn", classes=("plain", payload))
    client = TestClient(create_app(open_shelf([folder]), PORT), base_url=ADDRESS, headers={"origin": ADDRESS})
    page = client.get("/").text
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    scripts = list(tree.iter("script"))
    assert [script.get("src") for script in scripts] == ["/app.js", None]
    data = json.loads(scripts[1].text or "")
    assert data["models"][0]["label"] == payload
    assert data["models"][0]["classes"] == ["plain", payload]
    assert events(client, text=TEXT, target=payload)[0]["target"] == payload


def test_the_page_has_no_handlers_styles_or_addresses_in_it(client: TestClient) -> None:
    tree = html5lib.parse(client.get("/").text, namespaceHTMLElements=False)
    for node in tree.iter():
        for name, value in node.attrib.items():
            assert not name.startswith("on")
            assert name != "style"
            assert "//" not in value
    assert not list(tree.iter("style"))
    for name in ("/app.js", "/app.css"):
        text = client.get(name).text
        for forbidden in (
            "innerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "@import",
            "url(",
        ):
            assert forbidden not in text
        assert not [line for line in text.splitlines() if "://" in line and not line.lstrip().startswith("//")]


def test_a_text_is_never_logged(
    client: TestClient,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not even where an error quotes it, before the first line of the answer or after."""

    def broken(*args: object) -> None:
        raise RuntimeError(f"cannot read {args!r}")

    caplog.set_level(logging.DEBUG)
    secret = "mysecretword"
    events(client, text=secret)
    client.post("/api/explain", json={"model": 0, "methods": ["lrp"], "text": secret, "target": secret})
    monkeypatch.setattr(jobs, "explain", broken)
    told = events(client, text=secret)
    assert told[-1] == {"event": "error", "error": "internal error: RuntimeError"}
    monkeypatch.setattr(jobs, "tokenize", broken)
    answer = client.post("/api/explain", json={"model": 0, "methods": ["lrp"], "text": secret})
    assert answer.status_code == 500
    assert secret not in answer.text
    ours = [record for record in caplog.records if record.name == "whichword.extras.app"]
    assert [record.getMessage().split("\n")[0] for record in ours] == ["RuntimeError", "RuntimeError"]
    assert "jobs.py" in caplog.text  # where it was is said
    assert secret not in caplog.text
    assert secret not in "".join(capfd.readouterr())
