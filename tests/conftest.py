"""What every test leaves as it found it; and none depends on how fast the machine is."""

import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

collect_ignore_glob = ["golden/make/*"]  # scripts that need other programs
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# what `make test` leaves to `make test-all`: folders, files or tests, with the reason
THOROUGH = {
    "tests/adversarial/test_extremes.py": "sizes and values nobody has every day",
    "tests/faults/": "kills, full disks and broken connections, again and again",
    "tests/test_bombs.py": "files that ask for as much as they may",
    "tests/test_calibration.py": "the calibration study in small",
    "tests/test_counting_learners.py": "learners against refitting, on all datasets",
    "tests/test_crossed.py::test_equal_models_are_seldom_called_different": "a simulation",
    "tests/test_docs.py::test_console_blocks": "every block of the documentation",
    "tests/test_docs.py::test_python_blocks": "every block of the documentation",
    "tests/test_expressions.py": "every regular expression, timed",
    "tests/test_fast_learners.py": "learners against scikit-learn, on all datasets",
    "tests/test_field.py": "what the priors were learned from",
    "tests/test_gating.py::test_verdicts_and_intervals_agree_for_cases": "every table of its size",
    "tests/test_independent.py": "a second implementation of the statistics",
    "tests/test_notebook.py": "executes notebooks",
    "tests/test_papers.py": "studies of the papers in small",
    "tests/test_second_engine.py": "a second engine of the studies",
    "tests/test_site.py": "builds the site",
    "tests/test_studies.py::test_berrar_in_small": "studies of the papers in small",
    "tests/test_terminal.py": "every command on pseudo-terminals",
    "tests/test_variants.py": "files in other words, over and over",
    "tests/test_weka_learners.py": "learners against Weka, on all datasets",
    "tests/test_worlds.py": "worlds with known truth",
    "tests/web/test_axe.py": "in a browser",
    "tests/web/test_browser.py": "in a browser",
    "tests/web/test_load.py": "many visitors",
    "tests/web/test_typing.py": "in a browser",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test` leaves out."""
    for item in items:
        if item.nodeid.startswith(tuple(THOROUGH)):
            item.add_marker(pytest.mark.thorough)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let answers that are kept in files be written anew, to be read as a difference."""
    parser.addoption("--rewrite", action="store_true", help="write the kept answers anew")


@pytest.fixture(autouse=True)
def no_figure_stays_open() -> Iterator[None]:
    """Where pyplot is in use, plots are figures of pyplot, which keeps them open."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
