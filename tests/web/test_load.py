"""Many visitors: memory stays level, and hostile tables leave the page as it was."""

import pytest
from benchmarks.load import measure


def test_a_little_load() -> None:
    """Item 7, small: fresh answers to ten clients, hostile tables, then a good one."""
    told = measure(clients=10, requests=0, hostile=6)
    assert told["hostile answered by 500"] == 0
    assert told["good table afterwards"] == 200


@pytest.mark.slow
def test_load_and_soak() -> None:
    """Item 7: level over 20,000 requests, and 1,000 hostile uploads before a good one."""
    told = measure(clients=50, requests=20_000, hostile=1_000)
    assert told["memory after MB"] < told["memory before MB"] + 60
    assert told["hostile answered by 500"] == 0
    assert told["good table afterwards"] == 200
    assert told["p50 as single answers in turn"] < 3  # 50 at once take no longer than 50 in turn
