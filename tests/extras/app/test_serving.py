"""A real server on a real port, and the command."""

import http.client
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
import uvicorn
from interrupting import hearing
from starlette.testclient import TestClient
from typer.testing import CliRunner
from web_shelf import TEXT

from whichword.base.runtime import install_command
from whichword.cli import app, commands
from whichword.errors import InputError
from whichword.extras.app import jobs, serving
from whichword.extras.app.app import create_app
from whichword.extras.app.jobs import Shelf
from whichword.extras.app.requests import Limits
from whichword.extras.app.serving import Place, serve


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "localhost", "192.168.0.1", "example.org", "", "127.0.0.2"])
def test_only_this_machine(host: str) -> None:
    with pytest.raises(InputError, match="this machine alone"):
        Place(host)


@pytest.mark.parametrize("port", [-1, 65536])
def test_only_ports(port: int) -> None:
    with pytest.raises(InputError, match="port must be"):
        Place(port=port)


def test_a_port_that_is_taken_is_named() -> None:
    with Place(port=0).listen() as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} of 127.0.0.1: Address already in use"):
            Place(port=port).listen()


def test_addresses() -> None:
    assert Place("127.0.0.1").address(81) == "http://127.0.0.1:81/"
    assert Place("::1").address(81) == "http://[::1]:81/"


@pytest.fixture
def served(shelf: Shelf) -> Iterator[int]:
    """The app in a thread; the port."""
    with Place(port=0).listen() as listening:
        port = listening.getsockname()[1]
        server = uvicorn.Server(
            uvicorn.Config(create_app(shelf, port), access_log=False, log_level="warning", ws="none")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield port
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


@contextmanager
def asking(port: int, methods: list[str]) -> Iterator[http.client.HTTPResponse]:
    """A page that asks about a text, and goes away at the end."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    body = json.dumps({"model": 1, "methods": methods, "text": TEXT})
    headers = {"content-type": "application/json", "origin": f"http://127.0.0.1:{port}"}
    connection.request("POST", "/api/explain", body, headers)
    with closing(connection), connection.getresponse() as answer:
        yield answer


def told(answer: http.client.HTTPResponse) -> list[str]:
    return [json.loads(line)["event"] for line in answer.read().splitlines()]


def test_methods_are_told_while_others_are_at_work(served: int, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    plain = jobs.explain

    def held(model: object, texts: object, methods: list[str], target: str) -> object:
        assert "omit_1" not in methods or gate.wait(20)
        return plain(model, texts, methods, target)  # type: ignore[call-overload]

    monkeypatch.setattr(jobs, "explain", held)
    with asking(served, ["lrp", "omit_1"]) as answer:
        first, second = json.loads(answer.readline()), json.loads(answer.readline())
        assert first["event"] == "read"
        assert [one["method"] for one in second["methods"]] == ["lrp"]
        gate.set()
        assert told(answer) == ["methods", "end"]


def test_a_client_that_goes_away_ends_its_job(served: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    gone, inside = threading.Event(), threading.Event()
    plain = jobs.explain

    def held(model: object, texts: object, methods: list[str], target: str) -> object:
        asked.extend(methods)
        inside.set()
        assert gone.wait(20)
        time.sleep(0.5)  # for the server to notice
        return plain(model, texts, methods, target)  # type: ignore[call-overload]

    monkeypatch.setattr(jobs, "explain", held)
    with asking(served, ["lrp", "omit_1", "decomp", "random", "last"]) as answer:
        assert json.loads(answer.readline())["event"] == "read"
        assert inside.wait(20)
    gone.set()
    with asking(served, ["last"]) as answer:  # others are answered
        assert told(answer) == ["read", "methods", "end"]
    assert sorted(asked) == ["last", "lrp"]


def test_the_command_serves_until_interrupted(folders: list[Path]) -> None:
    code = "import sys; sys.argv[0] = 'whichword'; from whichword.cli import main; main()"
    app = [sys.executable, "-c", code, "serve", *map(str, folders), "--port", "0", "--threads", "1"]
    with subprocess.Popen(hearing(app), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stderr
        said = process.stdout.readline()
        port = int(said.split("http://127.0.0.1:")[1].split("/")[0])
        with asking(port, ["lrp"]) as answer:
            assert told(answer) == ["read", "methods", "end"]
        with socket.create_connection(("127.0.0.1", port), 10) as raw:
            raw.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            assert raw.recv(64).startswith(b"HTTP/1.1 403")
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stdout.read() == "stopped\n"
        assert TEXT.split()[3] not in process.stderr.read()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--host", "0.0.0.0"], "this machine alone"),
        (["--port", "99999"], "port must be"),
        (["--words", "0"], "at least one word"),
        (["--threads", "0"], "threads must be at least 1"),
        ([], "whichword serve MODEL"),
    ],
)
def test_the_command_refuses_in_one_line(arguments: list[str], reason: str) -> None:
    assert commands.PANELS  # importing it registers serve
    done = CliRunner().invoke(app.app, ["serve", *arguments])
    assert isinstance(done.exception, InputError)
    assert reason in str(done.exception)
    assert "\n" not in str(done.exception)


def test_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("app", "serving"):
        monkeypatch.delitem(sys.modules, f"whichword.extras.app.{name}")
    monkeypatch.setitem(sys.modules, "starlette.applications", None)  # type: ignore[arg-type]
    done = CliRunner().invoke(app.app, ["serve", "anything"])
    assert isinstance(done.exception, InputError)
    assert str(done.exception) == f"serve needs starlette: {install_command('web')}"


@pytest.fixture
def limited(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The app as the command serves it, with eight connections that are kept for half a second; the port."""
    monkeypatch.setattr(serving, "CONNECTIONS", 8)
    monkeypatch.setattr(serving, "KEPT", 0.5)
    servers: list[uvicorn.Server] = []
    plain = uvicorn.Server.run
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: servers.append(self) or plain(self, sockets))
    ready: queue.Queue[str] = queue.Queue()
    thread = threading.Thread(target=serve, args=(shelf, Place(port=0), Limits(), None, ready.put))
    thread.start()
    yield int(ready.get(timeout=20).rstrip("/").rpartition(":")[2])
    servers[0].should_exit = True
    thread.join(20)
    assert not thread.is_alive()


def status(port: int) -> bytes:
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
        return connection.recv(12)


def test_too_many_connections_are_told_and_none_stays_when_they_went(limited: int) -> None:
    with ExitStack() as stack:
        for _ in range(8):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", limited), 10))
            half.sendall(b"GET / HTTP/1.1\r\n")
        time.sleep(0.2)
        assert status(limited) == b"HTTP/1.1 503"
    time.sleep(0.2)
    assert status(limited) == b"HTTP/1.1 200"


def test_endless_headers_are_refused(limited: int) -> None:
    with socket.create_connection(("127.0.0.1", limited), 10) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 2 * serving.HEADERS)
        assert connection.recv(12) == b"HTTP/1.1 400"


def test_a_connection_without_a_request_is_not_kept_for_ever(limited: int) -> None:
    with socket.create_connection(("127.0.0.1", limited), 10) as connection:
        connection.sendall(b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % limited)
        answer = b""
        while not answer.endswith(b"}"):
            answer += connection.recv(1 << 16)
        assert answer.startswith(b"HTTP/1.1 404")
        assert connection.recv(1 << 16) == b""


def test_the_parts_of_an_answer_are_sent_at_once() -> None:
    with Place(port=0).listen() as listening, socket.create_connection(listening.getsockname()) as asked:
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert asked


@pytest.mark.parametrize(
    "number", ["9" * 5000, "1234567", "²", "٣", "-1", "+1", "1e3", "0x1", "1_0", "%00", " 1", "1.0"]
)
@pytest.mark.parametrize("path", ["/runs/", "/api/runs/"])
def test_numbers_in_paths_are_short(client: TestClient, path: str, number: str) -> None:
    assert client.get(f"{path}{number}").status_code == 404
