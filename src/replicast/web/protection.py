"""What every answer carries and no request escapes: security headers, a time limit, our own pages."""

import asyncio
import logging

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
_FOREIGN = "Another site asked for this. Open the page itself."
_ELSEWHERE = "This page is not at that address."
_OUR_MISTAKE = "Something went wrong in replicast; the request is not to blame."
_log = logging.getLogger("replicast.web")
_RAW = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class Protection:
    """Add the headers to every answer; answer 408 where a request takes too long, 403 to other sites.

    `hosts` are the names the page is asked for by; none means any. A name that points here without
    being one of them belongs to somebody who wants to read the page from another site.

    Plain ASGI: Starlette's middleware class would take more time than most answers do.
    """

    def __init__(self, app: ASGIApp, seconds: float, hosts: tuple[str, ...] = ()) -> None:
        self._app = app
        self._seconds = seconds
        self._hosts = hosts

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

        if _embedded_elsewhere(scope):
            refused = Response(_FOREIGN, 403, media_type="text/plain; charset=utf-8")
            await refused(scope, receive, guarded)
            return
        if self._hosts and _host(scope) not in self._hosts:
            refused = Response(_ELSEWHERE, 400, media_type="text/plain; charset=utf-8")
            await refused(scope, receive, guarded)
            return
        try:
            async with asyncio.timeout(self._seconds):
                await self._app(scope, receive, guarded)
        except TimeoutError:
            if not started:
                text = f"A request may take {self._seconds:g} seconds, this one took longer."
                late = Response(text, 408, {"Connection": "close"}, "text/plain; charset=utf-8")
                await late(scope, receive, guarded)
        except Exception as error:  # our own mistake; the page that says so is protected too
            _log.error("%s %s failed", scope["method"], scope["path"], exc_info=error)
            if not started:
                wrong = Response(_OUR_MISTAKE, 500, media_type="text/plain; charset=utf-8")
                await wrong(scope, receive, guarded)


def _host(scope: Scope) -> str:
    """Return the name a request was sent to, without its port."""
    told: str = dict(scope.get("headers", ())).get(b"host", b"").decode("latin-1").casefold()
    name, colon, port = told.rpartition(":")
    return name if colon and port.isdecimal() else told


def _embedded_elsewhere(scope: Scope) -> bool:
    """Say whether a browser asks on behalf of another site, for anything but a page to open."""
    told = dict(scope.get("headers", ()))
    foreign = told.get(b"sec-fetch-site") == b"cross-site"
    return foreign and told.get(b"sec-fetch-dest") != b"document"
