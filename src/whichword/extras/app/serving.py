"""Serve the app on a port of this machine, and of no other."""

import socket
from collections.abc import Callable
from dataclasses import dataclass

import uvicorn

from whichword.errors import InputError
from whichword.extras.app.app import create_app
from whichword.extras.app.jobs import Shelf
from whichword.extras.app.requests import Limits

CONNECTIONS = 64  # in all; beyond, a request is answered with 503
KEPT = 30  # seconds that a connection is kept without a request
HEADERS = 1 << 14  # bytes of a request's headers

FAMILIES = {"127.0.0.1": socket.AF_INET, "::1": socket.AF_INET6}  # no names: a resolver maps those


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
            listening = socket.create_server((self.host, self.port), family=FAMILIES[self.host])
            # asyncio sets it only on sockets that name their protocol: answers in two parts would wait 40 ms
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return listening
        except OSError as error:
            raise InputError(f"port {self.port} of {self.host}: {error.strerror}; choose another with --port") from None

    def address(self, port: int) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host  # IPv6
        return f"http://{name}:{port}/"


def serve(
    shelf: Shelf, place: Place, limits: Limits, threads: int | None, ready: Callable[[str], None] = print
) -> None:
    """Serve until interrupted; ``ready`` is called with the address."""
    with place.listen() as listening:
        port = listening.getsockname()[1]  # where 0 was asked, the one that was free
        config = uvicorn.Config(
            create_app(shelf, port, limits, threads, warm=True),
            access_log=False,
            log_level="warning",
            proxy_headers=False,  # any client could write them
            server_header=False,
            ws="none",
            http="h11",  # pure Python, and the one whose headers can be bounded
            limit_concurrency=CONNECTIONS,
            timeout_keep_alive=KEPT,
            h11_max_incomplete_event_size=HEADERS,
            timeout_graceful_shutdown=1,  # second: an explanation may stream for minutes
        )
        ready(place.address(port))  # it listens already: a browser may come at once
        uvicorn.Server(config).run(sockets=[listening])
