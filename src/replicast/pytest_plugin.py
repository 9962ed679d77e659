"""The pytest plugin: a fixture that gates a change, and every gate at the end of the run."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from replicast.judging.records import Gate

_PROPERTY = "replicast gate"


@pytest.fixture
def assert_not_worse(request: pytest.FixtureRequest) -> Callable[..., "Gate"]:
    """Assert that a candidate is not worse than a baseline by more than a margin.

    Takes what `replicast.assert_not_worse` takes; `unsure` may also be `skip`.
    """
    from replicast.errors import require_choice
    from replicast.presentation.assertion import gate_of, refuse_failure
    from replicast.presentation.telling import tell

    def check(candidate: Any, baseline: Any, *, unsure: str = "fail", **options: Any) -> "Gate":
        require_choice(unsure, "unsure", ("fail", "pass", "skip"))
        found = gate_of(candidate, baseline, **options)
        told = tell(found)
        lines = "; ".join(" ".join(filter(None, (r.label, r.value, r.remark))) for r in told.lines)
        request.node.user_properties.append((_PROPERTY, f"{told.headline} ({told.read}; {lines})"))
        if found.outcome == "cannot tell" and unsure == "skip":
            pytest.skip(told.headline)
        refuse_failure(found, unsure)
        return found

    return check


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what every gate said, and what it could see."""
    told = [
        (report.nodeid, text)
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call"
        for name, text in report.user_properties
        if name == _PROPERTY
    ]
    if told:
        terminalreporter.section("replicast gates")
        for node, text in told:
            terminalreporter.line(f"{node}: {text}")
