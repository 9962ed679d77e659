"""The server, and how it ends: in order when asked once, at once when asked again."""

import asyncio
import os
from types import FrameType

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_HEAD_SECONDS = 60.0
_LONGEST_HEAD = 65_536  # bytes of the lines before a body


class Protocol(HttpToolsProtocol):
    """HTTP whose head must come within its time and its length, or the line is cut."""

    _begun = 0  # bytes of a head that has not ended
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # of TCP
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._waiting = self.loop.call_later(_HEAD_SECONDS, self._hang_up)

    def data_received(self, data: bytes) -> None:
        """Take bytes, and count those of a head."""
        self._begun += len(data)
        super().data_received(data)
        if self._begun > _LONGEST_HEAD:
            self.transport.close()

    def on_headers_complete(self) -> None:
        """Wait no longer: the application has its own time limit."""
        self._begun = -(10**12)  # what follows is a body
        if self._waiting is not None:
            self._waiting.cancel()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Count again, should another request follow."""
        self._begun = 0
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the time limit."""
        if self._waiting is not None:
            self._waiting.cancel()
        super().connection_lost(exc)

    def _hang_up(self) -> None:
        self.transport.close()


class Server(uvicorn.Server):
    """A server that a second Ctrl-C ends at once, without the tracebacks of what is cut short.

    Its workers end by themselves when nobody is there to ask them.
    """

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End in order, or at once."""
        if self.should_exit:
            os._exit(128 + sig)
        super().handle_exit(sig, frame)
