"""The routes, and the guard before them. Nothing here takes a path, an address or the name of a file from a request.

A page of the wide web can send requests to 127.0.0.1, and with DNS rebinding even read the answers under its own name.
So Host has to be one of ours (which a rebound name is not), and Origin, where there is one, has to be that host. Every
route and method passes the guard, also those that do not exist.
"""

import asyncio
import json
import logging
import traceback
from collections.abc import AsyncIterator, Callable, Generator, Iterable, MutableMapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whichword.errors import InputError
from whichword.extras.app.jobs import BusyError, Jobs, Results, Shelf, Worker
from whichword.extras.app.pages import Page, RunPages, pages
from whichword.extras.app.requests import Copy, Edit, Explain, Limits, question_of

LOG = logging.getLogger("whichword.extras.app")
READING = frozenset({"GET", "HEAD"})
POLICY = (  # only files of this app, nothing inline, and no page around it
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",  # as frame-ancestors, for older browsers
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",  # texts stay out of the browser's cache
}


def hosts(port: int) -> frozenset[str]:
    """List the names of this machine for itself, as browsers write them."""
    names = ("127.0.0.1", "localhost", "[::1]")
    return frozenset(f"{name}:{port}" for name in names) | frozenset(names if port == 80 else ())  # browsers omit 80


@dataclass(frozen=True)
class Guard:
    """An ASGI application around another one."""

    app: ASGIApp
    hosts: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] != "http":  # no page of ours opens a websocket
            await send({"type": "websocket.close", "code": 1008})
        elif refusal := self.refusal(scope["method"], scope["headers"]):
            await PlainTextResponse(f"refused: {refusal}\n", 403)(scope, receive, _Careful(send))
        else:
            await self._inside(scope, receive, _Careful(send))

    def refusal(self, method: str, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Say why a request is not answered; None: it is."""
        host, origin, site = (
            [value.decode("latin1") for name, value in headers if name.lower() == header]
            for header in (b"host", b"origin", b"sec-fetch-site")
        )
        if len(host) != 1 or host[0] not in self.hosts:  # two: each reader could take another
            return "Host is not this app"
        if origin != [f"http://{host[0]}"] and (origin or method not in READING):  # a plain GET has none
            return "Origin is not this app"
        if not {"same-origin", "none"}.issuperset(site):  # none: typed, or a bookmark; older browsers send nothing
            return "asked by another site"
        return None

    async def _inside(self, scope: Scope, receive: Receive, send: "_Careful") -> None:
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            complain(error)
            if not send.begun:  # a status can be sent once
                await PlainTextResponse("internal error\n", 500)(scope, receive, send)


class _Careful:
    """Sends on, with the headers that keep a page to itself."""

    def __init__(self, send: Send) -> None:
        self.send = send
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            _add(message)
        await self.send(message)


def _add(message: MutableMapping[str, Any]) -> None:
    headers = list(message.get("headers", ()))
    names = {name.lower() for name, _ in headers}  # a report brings a policy of its own
    missing = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in names]
    message["headers"] = headers + missing


def complain(error: BaseException) -> None:
    """Log where an error came from, but not its message, which may quote a user's text."""
    places = "".join(traceback.format_list(traceback.extract_tb(error.__traceback__)))
    LOG.error("%s\n%s", type(error).__name__, places)


T = TypeVar("T")
Endpoint = Callable[[Request], Any]


def create_app(
    shelf: Shelf, port: int, limits: Limits | None = None, threads: int | None = None, warm: bool = False
) -> Guard:
    """Make the app for these models and runs; it answers to requests for this port of this machine.

    ``warm``: every model explains a few words at once, so that the first text of a person need not wait for all that is
    made on first use.
    """
    limits = limits or Limits()
    service = Service(shelf, limits, Worker(limits.waiting, threads), warm)
    return Guard(
        Starlette(routes=service.routes(), lifespan=service.lifespan, exception_handlers=_ANSWERS), hosts(port)
    )


class Service:
    """Requests in, answers out; the worker computes, and a clerk beside it reads runs: no text waits for a run."""

    def __init__(self, shelf: Shelf, limits: Limits, worker: Worker, warm: bool = False) -> None:
        self.limits, self.worker, self.clerk, self.warm = limits, worker, Worker(limits.waiting), warm
        self.jobs, self.runs = Jobs(shelf, limits, Results(limits.results)), RunPages(shelf)
        self.pages = pages(shelf, limits)

    def routes(self) -> list[Route]:
        return [
            Route("/", _static(self.pages.index, "text/html")),
            Route("/app.js", _static(self.pages.script, "text/javascript")),
            Route("/app.css", _static(self.pages.style, "text/css")),
            Route("/icon.svg", _static(self.pages.icon, "image/svg+xml")),
            Route("/runs/{number}", self.report),
            Route("/runs/{number}/opening", self.opening),
            Route("/api/runs/{number}", self.advice),
            Route("/api/explain", self.explain, methods=["POST"]),
            Route("/api/edit", self.edit, methods=["POST"]),
            Route("/api/copy", self.copy, methods=["POST"]),
        ]

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        if self.warm:
            self.worker.submit(self.jobs.warm())
        yield
        self.worker.end()
        self.clerk.end()

    async def explain(self, request: Request) -> Response:
        """Stream lines of JSON, as methods finish."""
        results = self.worker.submit(self.jobs.explain(await self._question(Explain, request))).results()
        first = await anext(results)  # what is wrong with a request is known by then, and its answer has a status
        return StreamingResponse(_lines(first, results), media_type="application/x-ndjson")

    async def edit(self, request: Request) -> Response:
        return JSONResponse(await self._done(self.jobs.edit(await self._question(Edit, request))))

    async def copy(self, request: Request) -> Response:
        return JSONResponse(await self._done(self.jobs.copy(await self._question(Copy, request))))

    async def advice(self, request: Request) -> Response:
        return JSONResponse(await self._done(self.runs.advice(_number(request)), self.clerk))

    async def opening(self, request: Request) -> Response:
        """Send a page that says that the report is being made, and goes there."""
        return Response(self.runs.opening(_number(request)), media_type="text/html")

    async def report(self, request: Request) -> Response:
        page: Page = await self._done(self.runs.report(_number(request)), self.clerk)
        return Response(page.text, media_type="text/html", headers={"content-security-policy": page.policy})

    async def _done(self, steps: Generator[T, None, None], worker: Worker | None = None) -> T:
        """Return the result of a job with one step."""
        async with aclosing((worker or self.worker).submit(steps).results()) as results:  # closing it cancels the job
            result: T = await anext(results)
        return result

    async def _question(self, kind: type[T], request: Request) -> T:
        if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":  # forms cannot send it
            raise HTTPException(415, "the request is not JSON")
        return question_of(kind, await self._body(request))

    async def _body(self, request: Request) -> bytes:
        """Read the body, if it is small and comes soon; a length that is announced is not believed but counted."""
        parts, size = [], 0
        try:
            async with asyncio.timeout(self.limits.patience):  # bodies that trickle in would hold connections
                async for part in request.stream():
                    size += len(part)
                    if size > self.limits.body:  # so no more than that is ever held
                        raise HTTPException(413, f"the text is too long: at most {self.limits.body:,} bytes")
                    parts.append(part)
        except TimeoutError:
            raise HTTPException(408, "the request took too long") from None
        return b"".join(parts)


def _number(request: Request) -> int:
    """Read the number in a path, of a few digits: Python refuses to read thousands of them."""
    text = str(request.path_params["number"])
    if not (text.isascii() and text.isdigit() and len(text) <= 6):  # isdigit alone takes ² too
        raise HTTPException(404)
    return int(text)


def _static(text: str, kind: str) -> Endpoint:
    async def answer(request: Request) -> Response:
        return Response(text, media_type=kind)

    return answer


async def _lines(first: Any, results: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    try:
        yield _line(first)
        async for result in results:
            yield _line(result)
    except Exception as error:  # status 200 is sent already, so that the error has to be a line
        complain(error)
        yield _line({"event": "error", "error": f"internal error: {type(error).__name__}"})


def _line(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode() + b"\n"


async def _bad(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400)


async def _busy(request: Request, error: Exception) -> Response:
    return JSONResponse(
        {"error": "busy: other texts are being explained; try again in a moment"}, 503, {"retry-after": "1"}
    )


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # starlette types every handler's error as Exception
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # the client has left: no text to send


_ANSWERS: dict[Any, Any] = {
    InputError: _bad,
    BusyError: _busy,
    HTTPException: _refused,
    ClientDisconnect: _gone,
}
