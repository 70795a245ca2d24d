"""Who may ask: only pages that this app served, on this machine. And what those pages may do.

A page of the wide web can send requests to 127.0.0.1, and with DNS rebinding even read the answers under its own name.
So Host has to be one of ours (which a rebound name is not), and Origin, where there is one, has to be that host. Every
route and method passes here, also those that do not exist.
"""

import logging
import traceback
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("whichword.extras.app")
READING = frozenset({"GET", "HEAD"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def hosts(port: int) -> frozenset[str]:
    """The names of this machine for itself, as browsers write them."""
    names = ("127.0.0.1", "localhost", "[::1]")
    return frozenset(f"{name}:{port}" for name in names) | frozenset(names if port == 80 else ())


@dataclass(frozen=True)
class Guard:
    """An ASGI application around another one."""

    app: ASGIApp
    hosts: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        elif refusal := self.refusal(scope["method"], scope["headers"]):
            await PlainTextResponse(f"refused: {refusal}\n", 403)(scope, receive, _Careful(send))
        else:
            await self._inside(scope, receive, _Careful(send))

    def refusal(self, method: str, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Why a request is not answered; None: it is."""
        host, origin, site = (
            [value.decode("latin1") for name, value in headers if name.lower() == header]
            for header in (b"host", b"origin", b"sec-fetch-site")
        )
        if len(host) != 1 or host[0] not in self.hosts:
            return "Host is not this app"
        if origin != [f"http://{host[0]}"] and (origin or method not in READING):
            return "Origin is not this app"
        if not {"same-origin", "none"}.issuperset(site):
            return "asked by another site"
        return None

    async def _inside(self, scope: Scope, receive: Receive, send: "_Careful") -> None:
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            complain(error)
            if not send.begun:
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
    names = {name.lower() for name, _ in headers}
    missing = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in names]
    message["headers"] = headers + missing


def complain(error: BaseException) -> None:
    """Log where an error came from, but not its message, which may quote a user's text."""
    places = "".join(traceback.format_list(traceback.extract_tb(error.__traceback__)))
    LOG.error("%s\n%s", type(error).__name__, places)
