"""A real server process, started once for each process of the test run."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Yield the address of a running `replicast serve`."""
    command = [
        sys.executable,
        "-c",
        "from replicast.cli import main; main()",
        "serve",
        "--port",
        "0",
    ]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"}
    ) as process:
        assert process.stderr is not None
        told = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", told)
        assert found, told + process.stderr.read()
        try:
            yield found.group()
        finally:
            process.terminate()
            said = process.communicate(timeout=30)[1]
    assert "Traceback" not in said, said


@pytest.fixture(scope="session")
def web(server: str) -> Iterator[httpx.Client]:
    """Yield a client of the server."""
    with httpx.Client(base_url=server, timeout=60) as client:
        yield client
