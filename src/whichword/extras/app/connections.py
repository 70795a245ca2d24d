"""Connections that may not wait for ever: half a request, sent eighty times, would otherwise keep everybody out.

uvicorn has a limit for connections and a time limit between requests, but none for the headers of a request. Here they
have to be there in time, and where too many connections are without a request, the one that has waited longest goes.
"""

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

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
