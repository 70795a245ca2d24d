"""The routes. Nothing here takes a path, an address or the name of a file from a request."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import aclosing, asynccontextmanager
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from whichword.errors import InputError
from whichword.extras.app.asking import Copy, Edit, Explain, question_of
from whichword.extras.app.guard import Guard, complain, hosts
from whichword.extras.app.jobs import Jobs
from whichword.extras.app.limits import Limits
from whichword.extras.app.pages import pages
from whichword.extras.app.results import Results
from whichword.extras.app.runs import Page, RunPages
from whichword.extras.app.shelf import Shelf
from whichword.extras.app.worker import BusyError, Worker

T = TypeVar("T")
Endpoint = Callable[[Request], Any]


def create_app(
    shelf: Shelf, port: int, limits: Limits | None = None, threads: int | None = None, warm: bool = False
) -> Guard:
    """The app for these models and runs; it answers to requests for this port of this machine.

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
        """Lines of JSON, as methods finish."""
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
        """A page that says that the report is being made, and goes there."""
        return Response(self.runs.opening(_number(request)), media_type="text/html")

    async def report(self, request: Request) -> Response:
        page: Page = await self._done(self.runs.report(_number(request)), self.clerk)
        return Response(page.text, media_type="text/html", headers={"content-security-policy": page.policy})

    async def _done(self, steps: Generator[T, None, None], worker: Worker | None = None) -> T:
        """The result of a job with one step."""
        async with aclosing((worker or self.worker).submit(steps).results()) as results:
            result: T = await anext(results)
        return result

    async def _question(self, kind: type[T], request: Request) -> T:
        if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
            raise HTTPException(415, "the request is not JSON")
        return question_of(kind, await self._body(request))

    async def _body(self, request: Request) -> bytes:
        """The body, if it is small and comes soon; a length that is announced is not believed but counted."""
        parts, size = [], 0
        try:
            async with asyncio.timeout(self.limits.patience):
                async for part in request.stream():
                    size += len(part)
                    if size > self.limits.body:
                        raise HTTPException(413, f"the text is too long: at most {self.limits.body:,} bytes")
                    parts.append(part)
        except TimeoutError:
            raise HTTPException(408, "the request took too long") from None
        return b"".join(parts)


def _number(request: Request) -> int:
    """The number in a path, of a few digits: Python refuses to read thousands of them."""
    text = str(request.path_params["number"])
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
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
    except Exception as error:
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
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # nobody is there to read it


_ANSWERS: dict[Any, Any] = {
    InputError: _bad,
    BusyError: _busy,
    HTTPException: _refused,
    ClientDisconnect: _gone,
}
