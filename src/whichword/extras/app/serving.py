"""The app on a port of this machine, and of no other.

Connections that may not wait for ever: half a request, sent eighty times, would otherwise keep everybody out.

uvicorn has a limit for connections and a time limit between requests, but none for the headers of a request. Here they
have to be there in time, and where too many connections are without a request, the one that has waited longest goes.
"""

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from whichword.errors import InputError
from whichword.extras.app.app import create_app
from whichword.extras.app.jobs import Shelf
from whichword.extras.app.requests import Limits

CONNECTIONS = 64  # in all; beyond, a request is answered with 503
WAITING = 48  # of them without a request, so that there is always room for one


class TimedConnection(H11Protocol):
    """``patience``: seconds until the headers of a request have to be here."""

    patience: ClassVar[float] = 10.0
    deadline: asyncio.TimerHandle | None = None
    since: float = 0.0  # when it began to wait

    @property
    def waiting(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.since = self.loop.time()
        self._expect()
        waiting = [entry for entry in self.connections if isinstance(entry, TimedConnection) and entry.waiting]
        if len(waiting) > WAITING:
            longest = min(waiting, key=lambda entry: entry.since)
            self.connections.discard(longest)  # now, not when the loop comes to it: dozens may come before
            longest.transport.close()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:  # something of a request, but not all of its headers
            self._expect()
        else:
            self._forget()

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self.deadline is None:
            self.deadline = self.loop.call_later(self.patience, self.transport.close)

    def _forget(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


FAMILIES = {"127.0.0.1": socket.AF_INET, "::1": socket.AF_INET6}


@dataclass(frozen=True)
class Place:
    """Where the app listens; port 0 stands for any that is free."""

    host: str = "127.0.0.1"
    port: int = 8000

    def __post_init__(self) -> None:
        if self.host not in FAMILIES:
            raise InputError(
                f"the app is for this machine alone: host must be {' or '.join(FAMILIES)}, not {self.host}"
            )
        if not 0 <= self.port < 1 << 16:
            raise InputError(f"port must be between 0 and 65535, not {self.port}")

    def listen(self) -> socket.socket:
        try:
            return socket.create_server((self.host, self.port), family=FAMILIES[self.host])
        except OSError as error:
            raise InputError(f"port {self.port} of {self.host}: {error.strerror}; choose another with --port") from None

    def address(self, port: int) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{port}/"


def serve(
    shelf: Shelf, place: Place, limits: Limits, threads: int | None, ready: Callable[[str], None] = print
) -> None:
    """Serve until interrupted; ``ready`` is called with the address."""
    with place.listen() as listening:
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            create_app(shelf, port, limits, threads, warm=True),
            access_log=False,
            log_level="warning",
            proxy_headers=False,
            server_header=False,
            ws="none",
            http=TimedConnection,
            limit_concurrency=CONNECTIONS,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=1,
        )
        ready(place.address(port))
        uvicorn.Server(config).run(sockets=[listening])
