"""Clients that misbehave: the others are answered all the same."""

import re
import select
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from patience import PATIENCE
from serving import serving

HEAD = (
    b"POST /api/scores HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: multipart/form-data; boundary=b\r\n"
)


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, int]]:
    """Yield address and process number of a server of its own."""
    with serving() as told:
        yield told


def connect(base: str) -> socket.socket:
    where = urlsplit(base)
    return socket.create_connection((where.hostname, where.port), timeout=PATIENCE)


def served(base: str, count: int = 20) -> bool:
    """Say whether ordinary visitors are answered."""
    with httpx.Client(base_url=base, timeout=PATIENCE) as client:
        told = [client.get("/paper?t=2.9&folds=10").status_code for _ in range(count)]
    return told == [200] * count


def memory(process: int) -> float:
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        pytest.skip("memory is read from /proc, which this system lacks")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text())
    assert found
    return int(found.group(1)) / 1024


def test_five_hundred_open_connections(server: tuple[str, int]) -> None:
    base, _ = server
    idle = [connect(base) for _ in range(500)]
    try:
        assert served(base)
        for one in idle[::50]:  # those that wait are served when they speak
            one.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert one.recv(4096).startswith(b"HTTP/1.1 200")
    finally:
        for one in idle:
            one.close()
    assert served(base)


def test_slow_clients(server: tuple[str, int]) -> None:
    base, _ = server
    slow = [connect(base) for _ in range(60)]
    try:
        for number, one in enumerate(slow):
            if number % 2:
                one.sendall(HEAD + b"Content-Length: 1000000\r\n\r\n--b\r\n")
            else:
                one.sendall(b"GET /paper HTTP/1.1\r\nHo")
        assert served(base, 1)
        assert select.select(slow, [], [], 0)[0] == []  # before their time was up, not after it
        for _ in range(10):
            for one in slow:
                with suppress(OSError):  # that was long, and they were hung up on
                    one.sendall(b"x")
            assert served(base, 3)
    finally:
        for one in slow:
            one.close()
    assert served(base)


def test_readers_that_do_not_read(server: tuple[str, int]) -> None:
    base, _ = server
    deaf = [connect(base) for _ in range(50)]
    try:
        for one in deaf:
            one.sendall(b"GET /paper?t=2.9&folds=10 HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
        assert served(base)
    finally:
        for one in deaf:
            one.close()


def test_aborted_uploads(server: tuple[str, int]) -> None:
    base, process = server
    part = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'

    def abort(times: int) -> None:
        for _ in range(times):
            with connect(base) as one:
                one.sendall(HEAD + b"Content-Length: 9000000\r\n\r\n" + part + b"1,2\n" * 250_000)

    abort(10)
    before = memory(process)
    abort(60)
    assert served(base)
    assert memory(process) < before + 60  # a megabyte each would stay if they were kept
    good = {"table": "dataset,a,b\nx,1.1,2.2\ny,2.4,1.3\nz,3.5,1.2\n", "direction": "higher"}
    assert httpx.post(f"{base}/api/scores", data=good, timeout=PATIENCE).status_code == 200
