"""Every route, every method, every hostile Host, Origin and site: refused before anything else looks at it."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from starlette.testclient import TestClient
from web_shelf import PORT, TEXT

from whichword.extras.app.app import Guard, Service, create_app, hosts
from whichword.extras.app.jobs import Shelf, Worker
from whichword.extras.app.requests import Limits

HOST = f"127.0.0.1:{PORT}"
OWN = {"host": HOST, "origin": f"http://{HOST}"}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY")
Headers = list[tuple[str, str]]

HOSTILE_HOSTS = (
    *("evil.example", f"evil.example:{PORT}", f"127.0.0.1.evil.example:{PORT}", f"localhost.evil.example:{PORT}"),
    *("127.0.0.1", "localhost", f"127.0.0.1:{PORT + 1}", f"127.0.0.1:0{PORT}", f"127.1:{PORT}", f"0.0.0.0:{PORT}"),
    *(f"2130706433:{PORT}", f"::1:{PORT}", f"[::]:{PORT}", f"[::ffff:127.0.0.1]:{PORT}", f"169.254.169.254:{PORT}"),
    *(
        "",
        " ",
        f" {HOST}",
        f"{HOST} ",
        f"{HOST}.",
        f"localhost.:{PORT}",
        f"{HOST},evil.example",
        f"{HOST}@evil.example",
    ),
    *(
        f"user@{HOST}",
        f"{HOST}/",
        f"{HOST}#",
        f"{HOST}\x00",
        f"LOCALHOST:{PORT}",
        f"lоcalhost:{PORT}".encode().decode("latin1"),
    ),
)
HOSTILE_ORIGINS = (
    *("null", "", "http://evil.example", f"http://evil.example:{PORT}", "file://", f"https://{HOST}", f"ws://{HOST}"),
    *(f"http://127.0.0.1:{PORT + 1}", "http://127.0.0.1", f"http://localhost:{PORT}", f"http://[::1]:{PORT}"),
    *(
        f"http://{HOST}/",
        f"http://{HOST}.evil.example",
        f"http://evil.example/{HOST}",
        f"HTTP://{HOST}",
        f" http://{HOST}",
    ),
    *(
        f"http://{HOST} http://evil.example",
        f"http://{HOST},http://evil.example",
        f"http://user@{HOST}",
        "chrome-extension://x",
    ),
)
HOSTILE: list[Headers] = [
    *([("host", host), ("origin", f"http://{host}")] for host in HOSTILE_HOSTS),
    *([("host", host)] for host in HOSTILE_HOSTS),
    *([("host", HOST), ("origin", origin)] for origin in HOSTILE_ORIGINS),
    *([*OWN.items(), ("sec-fetch-site", site)] for site in ("cross-site", "same-site", "", "None")),
    [("origin", f"http://{HOST}")],
    [],
    [("host", HOST), ("host", HOST), ("origin", f"http://{HOST}")],
    [("host", HOST), ("host", "evil.example")],
    [("Host", "evil.example"), ("host", HOST)],
    [("host", HOST), ("origin", f"http://{HOST}"), ("origin", "http://evil.example")],
    [("host", "evil.example"), ("x-forwarded-host", HOST), ("forwarded", f"host={HOST}")],
]


class Recorder:
    """An application behind the guard that writes down who came through."""

    def __init__(self) -> None:
        self.reached: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def asked(
    app: Any, path: str, method: str, headers: Iterable[tuple[str, str]], kind: str = "http"
) -> list[dict[str, Any]]:
    """One request, header for header, without a client that would correct it."""
    sent: list[dict[str, Any]] = []
    raw = [(name.encode(), value.encode("latin1")) for name, value in headers]
    scope = {"type": kind, "path": path, "raw_path": path.encode(), "method": method, "headers": raw}
    scope |= {
        "query_string": b"",
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", PORT),
        "root_path": "",
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent


def ask(
    app: Any, path: str, method: str, headers: Iterable[tuple[str, str]], kind: str = "http"
) -> list[dict[str, Any]]:
    return asyncio.run(asked(app, path, method, headers, kind))


@pytest.fixture(scope="module")
def paths(shelf: Shelf) -> list[str]:
    """Every route of the app, and some that do not exist."""
    routes = Service(shelf, Limits(), Worker(1)).routes()
    return [*(route.path.replace("{number:int}", "0") for route in routes), "/nothing", "//", "/api/", "/runs/9", "*"]


def test_every_route_method_and_hostile_header_is_refused(paths: list[str]) -> None:
    behind = Recorder()
    guard = Guard(behind, hosts(PORT))
    requests = [(path, method, headers) for path in paths for method in METHODS for headers in HOSTILE]

    async def all_of_them() -> list[Any]:
        return [request for request in requests if (await asked(guard, *request))[0]["status"] != 403]

    assert asyncio.run(all_of_them()) == []
    assert behind.reached == []
    assert len(requests) > 9000


def test_the_real_app_refuses_too_and_answers_its_own_page(shelf: Shelf, paths: list[str]) -> None:
    app = create_app(shelf, PORT)
    for path in paths:
        assert ask(app, path, "GET", HOSTILE[0])[0]["status"] == 403
    for path in ("/", "/app.js", "/app.css", "/icon.svg"):
        assert ask(app, path, "GET", OWN.items())[0]["status"] == 200
        assert ask(app, path, "GET", [("host", HOST), ("sec-fetch-site", "none")])[0]["status"] == 200
        assert ask(app, path, "POST", OWN.items())[0]["status"] == 405
    assert ask(app, "/nothing", "GET", OWN.items())[0]["status"] == 404


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"[::1]:{PORT}"])
def test_this_machine_by_any_of_its_names_is_answered(host: str) -> None:
    guard = Guard(Recorder(), hosts(PORT))
    assert ask(guard, "/", "GET", [("host", host)])[0]["status"] == 200
    assert ask(guard, "/", "POST", [("host", host), ("origin", f"http://{host}")])[0]["status"] == 200


def test_what_is_not_read_needs_an_origin() -> None:
    guard = Guard(Recorder(), hosts(PORT))
    for method in METHODS:
        expected = 200 if method in ("GET", "HEAD") else 403
        assert ask(guard, "/", method, [("host", HOST)])[0]["status"] == expected


def test_port_80_is_not_written() -> None:
    guard = Guard(Recorder(), hosts(80))
    assert ask(guard, "/", "GET", [("host", "localhost")])[0]["status"] == 200


def test_websockets_are_closed() -> None:
    behind = Recorder()
    sent = ask(Guard(behind, hosts(PORT)), "/", "GET", OWN.items(), kind="websocket")
    assert sent == [{"type": "websocket.close", "code": 1008}]
    assert behind.reached == []


@pytest.mark.parametrize("path", ["/", "/app.js", "/runs/0", "/nothing"])
def test_every_answer_keeps_the_page_to_itself(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "unsafe-inline" not in policy.replace("style-src 'unsafe-inline'", "")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert not [name for name in headers if name.startswith("access-control")]


def test_a_refusal_says_nothing_about_the_request(client: TestClient) -> None:
    answer = client.post("/api/explain", json={"text": TEXT}, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403
    assert answer.text == "refused: Origin is not this app\n"
