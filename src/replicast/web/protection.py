"""What every answer carries and no request escapes: security headers and a time limit."""

import asyncio

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_RAW = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class Protection:
    """Add the headers to every answer, and answer 408 where a request takes too long.

    Plain ASGI: Starlette's middleware class would take more time than most answers do.
    """

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message["headers"], *_RAW]
            await send(message)

        try:
            async with asyncio.timeout(self._seconds):
                await self._app(scope, receive, guarded)
        except TimeoutError:
            if not started:
                text = f"A request may take {self._seconds:g} seconds, this one took longer."
                late = Response(text, 408, {"Connection": "close"}, "text/plain; charset=utf-8")
                await late(scope, receive, guarded)
