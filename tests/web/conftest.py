"""A server for all tests of the page, started once for each process of the test run."""

from collections.abc import Iterator

import httpx
import pytest

from patience import PATIENCE
from serving import serving


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Yield the address of a running `replicast serve`."""
    with serving() as (address, _):
        yield address


@pytest.fixture(scope="session")
def web(server: str) -> Iterator[httpx.Client]:
    """Yield a client of the server."""
    with httpx.Client(base_url=server, timeout=PATIENCE, follow_redirects=True) as client:
        yield client
