"""replicast serve: the page, on this machine unless asked otherwise."""

import os
import signal
import socket
import sys

from replicast.cli.bundles import option
from replicast.cli.terminal import app, is_quiet, note

_OWN = ("127.0.0.1", "localhost", "[::1]", "::1")
_CONNECTIONS = 1000


@app.command()
def serve(
    host: str = option("Address to listen on; 0.0.0.0 opens it to the network.", "127.0.0.1"),
    port: int = option("Port.", 8000, min=0, max=65535),
    workers: int = option("Processes for tables.", 2, min=1, max=64),
    opening: str = option(
        "Open a browser: auto (if someone sits at this screen), always or never.", "auto", "--open"
    ),
) -> None:
    """Open the page: a paper's numbers, your scores, a plan, in a browser.

    Examples
    --------
      replicast serve

      replicast serve --port 8080 --open never
    """
    from replicast.errors import require_choice

    require_choice(opening, "open", ("auto", "always", "never"))

    import uvicorn

    from replicast.web.app import Limits, create_app
    from replicast.web.server import Protocol, Server

    listener = _listen(host, port)
    address = _address(host, listener.getsockname()[1])
    signal.signal(signal.SIGINT, _end_at_once)  # until the server, which ends in order, takes over
    note(f"replicast is at {address} (Ctrl-C ends it)")
    if opening == "always" or (opening == "auto" and _has_a_viewer(host)):
        import webbrowser

        webbrowser.open(address)  # the socket listens already, so the page waits for the server
    settings = uvicorn.Config(
        create_app(Limits(workers=workers, hosts=_names(host))),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
        limit_concurrency=_CONNECTIONS,
        http=Protocol,
        ws="none",
    )
    Server(settings).run(sockets=[listener])


def _names(host: str) -> tuple[str, ...]:
    """Return the names the page may be asked for by: those of this machine, unless it is opened."""
    if host in _OWN:
        return _OWN
    if host in ("0.0.0.0", "::", ""):
        note(
            "The page is open to the network. Put a proxy in front of it that checks names and visitors."
        )
        return ()
    return (*_OWN, host.casefold())


def _end_at_once(*_: object) -> None:
    """Leave without a word: nothing runs yet, or the server has ended."""
    os._exit(130)


def _has_a_viewer(host: str) -> bool:
    """Say whether a person at this machine would see a browser: not on a server, nor in a pipe."""
    screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    )
    local = host in ("127.0.0.1", "localhost", "::1")
    return screen and local and sys.stderr.isatty() and not is_quiet()


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or say why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        from replicast.errors import invalid

        reason = f"{host}:{port}: {error.strerror or error}"
        raise invalid("port", "free, on an address of this machine", reason) from None


def _address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
