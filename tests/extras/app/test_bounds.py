"""What is too much, or not a question at all, is refused with a reason and leaves the app as it was."""

import asyncio
import json
import threading
from typing import Any

import pytest
from starlette.testclient import TestClient
from web_shelf import PORT, TEXT, events

from whichword.extras.app.app import create_app
from whichword.extras.app.jobs import Shelf
from whichword.extras.app.requests import Limits

ADDRESS = f"http://127.0.0.1:{PORT}"
JSON = {"content-type": "application/json"}


def limited(shelf: Shelf, limits: Limits) -> TestClient:
    return TestClient(create_app(shelf, PORT, limits), base_url=ADDRESS, headers={"origin": ADDRESS})


def question(**changes: Any) -> str:
    return json.dumps({"model": 0, "methods": ["lrp"], "text": TEXT} | changes)


def raw(shelf: Shelf, path: str, limits: Limits, receive: Any) -> int:
    """The status of the answer to a request whose body comes part by part."""
    headers = {"host": f"127.0.0.1:{PORT}", "origin": ADDRESS, **JSON}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "path": path, "method": "POST", "headers": encoded, "query_string": b"", "root_path": ""}
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(asyncio.wait_for(create_app(shelf, PORT, limits)(scope, receive, send), 10))
    status: int = sent[0]["status"]
    return status


@pytest.mark.parametrize("path", ["/api/explain", "/api/edit", "/api/copy"])
def test_a_body_is_counted_part_by_part(shelf: Shelf, path: str) -> None:
    parts: list[bytes] = []

    async def endless() -> Any:
        parts.append(b" " * 100)
        assert len(parts) < 100, "nobody counts"
        return {"type": "http.request", "body": parts[-1], "more_body": True}

    assert raw(shelf, path, Limits(body=1000), endless) == 413
    assert len(parts) == 11


def test_a_body_of_just_the_size_is_read(shelf: Shelf) -> None:
    client = limited(shelf, Limits(body=1000))
    whole = question().encode().ljust(1000)
    assert client.post("/api/explain", content=whole, headers=JSON).status_code == 200
    assert client.post("/api/explain", content=whole + b" ", headers=JSON).status_code == 413


def test_words_are_counted(shelf: Shelf) -> None:
    client = limited(shelf, Limits(words=5))
    assert events(client, text="w1 w2 w3 w4 w5")[-1] == {"event": "end"}
    for asked in ({"text": "w1 w2 w3 w4 w5 w6"}, {"text": "w1 w2 w3 can't."}, {"words": ["w1"] * 6}):
        answer = client.post("/api/explain", json={"model": 0, "methods": ["lrp"], **asked})
        assert answer.status_code == 400
        assert answer.json()["error"].startswith("the text has more than 5 words")


NOT_QUESTIONS = (
    *("", "[]", "null", "1", "{", '"x"', "[" * 5000, '{"a":' * 5000, "nan", "\ufeff{}", '{"model": 1e400}'),
    *(question(model=value) for value in (None, "0", 0.0, True, [0], {"a": 1}, 1.5)),
    *(
        question(methods=value)
        for value in (None, "lrp", [], [1], [["lrp"]], ["nothing"], ["limsse_ms_s[samples=9]"], ["omit_9"])
    ),
    *(question(text=value) for value in (None, 1, ["w1"], {"a": "b"})),
    *(question(words=value) for value in ([], ["w1"], "w1")),  # besides a text
    *(question(target=value) for value in (0, ["apple"], "", "Apple")),
    *(question(**{name: "x"}) for name in ("path", "url", "file", "device", "seed", "__class__", "stream")),
    json.dumps({"model": 0, "methods": ["lrp"]}),
    json.dumps({"methods": ["lrp"], "text": TEXT}),
)


@pytest.mark.parametrize("body", NOT_QUESTIONS, ids=lambda body: body[:40])
def test_what_is_no_question_is_refused_with_a_reason(client: TestClient, body: str) -> None:
    answer = client.post("/api/explain", content=body.encode(), headers=JSON)
    assert answer.status_code == 400
    assert 0 < len(answer.json()["error"]) < 300


@pytest.mark.parametrize("body", [b"\xff\xfe{}", b'{"text": "\xff"}', b"\x80", question().encode("utf-16")])
def test_what_is_not_utf8_is_refused(client: TestClient, body: bytes) -> None:
    assert client.post("/api/explain", content=body, headers=JSON).status_code == 400


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "text/json"]
)
def test_a_form_cannot_ask(client: TestClient, kind: str) -> None:
    """A page of another site can send these without a preflight."""
    assert client.post("/api/explain", content=question().encode(), headers={"content-type": kind}).status_code == 415


def test_a_request_that_does_not_come_is_given_up(shelf: Shelf) -> None:
    async def never() -> Any:
        await asyncio.sleep(60)

    assert raw(shelf, "/api/explain", Limits(patience=0.05), never) == 408


def test_a_full_queue_says_busy_and_answers_again_later(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    from whichword.extras.app import jobs

    gate, inside = threading.Event(), threading.Event()
    plain = jobs.explain

    def held(*args: Any) -> Any:
        inside.set()
        assert gate.wait(20)
        return plain(*args)

    monkeypatch.setattr(jobs, "explain", held)
    client = limited(shelf, Limits(waiting=1))
    answers: list[int] = []
    asking = threading.Thread(target=lambda: answers.append(len(events(client, text=TEXT))))
    asking.start()
    try:
        assert inside.wait(20)
        for path, asked in (("/api/edit", {"result": "x"}), ("/api/explain", json.loads(question()))):
            refused = client.post(path, json=asked)
            assert refused.status_code == 503
            assert refused.json()["error"].startswith("busy")
            assert refused.headers["retry-after"] == "1"
    finally:
        gate.set()
        asking.join(20)
    assert answers == [3]
    assert client.post("/api/edit", json={"result": "x"}).status_code == 400


def test_many_words_are_counted_before_they_are_told_apart(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some texts take the tokenizer half a minute a megabyte."""
    monkeypatch.delattr("whichword.extras.app.jobs.tokenize")
    answer = limited(shelf, Limits()).post("/api/explain", content=question(text=". " * 60_000), headers=JSON)
    assert answer.status_code == 400
    assert "more than 2,000 words" in answer.json()["error"]


def test_more_words_may_take_more_bytes() -> None:
    assert Limits.of_words(100).body == Limits().body
    assert Limits.of_words(10_000) == Limits(words=10_000, body=640_000)
