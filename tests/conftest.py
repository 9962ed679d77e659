"""What every test leaves as it found it; and none depends on how fast the machine is."""

import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

collect_ignore_glob = ["golden/make/*"]  # scripts that need other programs
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let answers that are kept in files be written anew, to be read as a difference."""
    parser.addoption("--rewrite", action="store_true", help="write the kept answers anew")


@pytest.fixture(autouse=True)
def no_figure_stays_open() -> Iterator[None]:
    """Where pyplot is in use, plots are figures of pyplot, which keeps them open."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
