"""What an attack on the page of version 0.2 found, by the letters of its report."""

import asyncio
import json
import logging
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from patience import PATIENCE
from replicast.web import jobs
from replicast.web.forms import ScoresQuestion
from replicast.web.protection import HEADERS, Protection
from replicast.web.workers import BusyError, Workers
from serving import COMMAND, serving

GOOD = "dataset,a,b\nx,1.1,2.2\ny,2.4,1.3\nz,3.5,1.2\n"


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, int]]:
    """A server of its own."""
    with serving() as told:
        yield told


def test_m10_an_unknown_error_of_a_reader(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """M10: a sentence for the sender, the traceback for the log."""

    def broken(*_: object) -> None:
        raise TypeError("ufunc 'isfinite' not supported")

    monkeypatch.setattr("replicast.reading.door.read_documents", broken)
    with caplog.at_level(logging.ERROR, "replicast.web"):
        told = jobs.report_scores({"s.csv": GOOD.encode()}, ScoresQuestion())
    assert "report the file as a fault" in told.mistakes[0].text
    assert "isfinite" not in told.mistakes[0].text
    assert "isfinite" in caplog.text


def test_m10_l2_json(server: tuple[str, int]) -> None:
    """M10, L2: half a letter, and a name twice in a record, are refused by name."""
    base, _ = server
    for raw, words in (
        (b'[{"dataset": "\\ud800", "a": 1, "b": 2}]', "lone surrogate"),
        (b'[{"dataset": "x", "a": 1, "b": 2, "a": 3}]', "'a' twice"),
        (json.dumps([{"dataset": "x", "a": int("1" * 400)}]).encode(), "at most 300 digits"),
    ):
        told = httpx.post(f"{base}/api/scores", files={"files": ("s.json", raw)}, timeout=PATIENCE)
        assert told.status_code == 422, told.text
        assert words in told.json()["error"]


def failing(_: Request) -> Response:
    raise RuntimeError("our own mistake")


def test_l8_the_headers_of_our_own_mistakes() -> None:
    """L8: a 500 is protected as any other answer, and says nothing of its cause."""
    app = Protection(Starlette(routes=[Route("/", failing)]), 60.0)

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/")

    told = asyncio.run(ask())
    assert told.status_code == 500
    assert "our own mistake" not in told.text
    assert {name: told.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:80", 200),
        ("[::1]:80", 200),
        ("evil.example", 400),
        ("", 400),
    ],
)
def test_l8_names_that_point_here(server: tuple[str, int], host: str, status: int) -> None:
    """L8: another name may be that of a site that wants to read the page."""
    base, _ = server
    told = httpx.get(f"{base}/health", headers={"Host": host}, timeout=PATIENCE)
    assert told.status_code == status
    assert told.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("path", ["/paper", "/api/paper"])
def test_l12_a_field_twice(server: tuple[str, int], path: str) -> None:
    """L12: nobody knows which of two counts."""
    base, _ = server
    told = httpx.get(f"{base}{path}?t=2&t=3&folds=10", timeout=PATIENCE)
    assert told.status_code == 422
    assert "t twice" in told.text
    fields = {"table": GOOD, "direction": ["higher", "lower"]}
    assert "direction twice" in httpx.post(f"{base}/api/scores", data=fields, timeout=PATIENCE).text


def test_m12_uploads_are_counted_when_they_begin() -> None:
    """M12: one more than the queue takes is refused before its body is read."""

    async def fill() -> None:
        workers = Workers.__new__(Workers)
        workers._open, workers._most = 0, 2
        async with workers.place(), workers.place():
            with pytest.raises(BusyError):
                async with workers.place():
                    pass
        async with workers.place():
            pass

    asyncio.run(fill())


def test_m12_heads_have_a_length(server: tuple[str, int]) -> None:
    """M12: five megabytes of headers are cut off, and others are answered."""
    base, _ = server
    port = int(base.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
        ended = b"?"
        try:
            for _ in range(80):
                line.sendall(b"X: " + b"y" * 65_536 + b"\r\n")
            ended = line.recv(10)
        except OSError:
            ended = b""
    assert ended == b""
    assert httpx.get(f"{base}/health", timeout=PATIENCE).status_code == 200


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    if not Path("/proc").exists():
        pytest.skip("processes are listed in /proc, which this system lacks")
    found = []
    for one in Path("/proc").iterdir():
        if one.name.isdecimal():
            try:
                parent = int((one / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == process:
                found.append(int(one.name))
    return found


def start() -> tuple[Any, str]:
    process = subprocess.Popen([*COMMAND, "0"], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    base = process.stderr.readline().split()[3]
    httpx.get(f"{base}/paper?t=2&folds=10", timeout=PATIENCE)
    return process, base


@pytest.mark.slow
def test_m13_workers_end_with_their_server() -> None:
    """M13: also when the server is killed."""
    process, base = start()
    httpx.post(f"{base}/api/scores", data={"table": GOOD, "direction": "higher"}, timeout=PATIENCE)
    workers = children(process.pid)
    assert workers
    process.kill()
    process.wait()
    process.stderr.close()
    deadline = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{one}").exists() for one in workers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not [one for one in workers if Path(f"/proc/{one}").exists()]


@pytest.mark.slow
def test_l9_the_end_is_graceful_and_soon() -> None:
    """L9: a request that is still coming does not hold the server up."""
    process, base = start()
    port = int(base.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line:
        line.sendall(
            b"POST /api/scores HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
            b"Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n"
        )
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGTERM)
        process.wait(timeout=PATIENCE / 20)  # without a limit it would be the 60 s of the request
    process.stderr.close()
