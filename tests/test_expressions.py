"""M1, M2: no regular expression of the package takes more than linear time, whatever it is given.

Growth is measured in time of the thread itself, the least of several repeats, and judged by ratios
that must be seen twice; a busy machine changes neither.
"""

import re

import pytest

from expressions import Expression, expressions, grows, modules, runner, slow_attacks


@pytest.mark.parametrize("module", list(modules()))
def test_every_expression_takes_linear_time(module: str) -> None:
    """M1, M2: a new expression is found by itself; one that explodes fails here."""
    told = {one.where: slow for one in expressions(module) if (slow := slow_attacks(one))}
    assert told == {}


def test_all_expressions_are_looked_at() -> None:
    """The search for them finds those that are known to be there."""
    found = {one.where for name in modules() for one in expressions(name)}
    assert len(found) > 90
    assert "replicast.reading.vocabulary.cells:_CELL" in found
    assert "replicast.reading.syntaxes.markup:_RULE" in found
    assert any(one.startswith("replicast.formatting:") for one in found)  # one that is not compiled


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?:\s*[-=:+]{2,}\s*)+", "fullmatch"),  # exponential
        (r"(?:\d+(?:\.\d+)?(?:, )?)+", "fullmatch"),
        (r"\d*[.,]?\d+%?", "fullmatch"),  # quadratic
        (r"\s+\([^()]*\)$", "sub"),
        (r"\\footnote(?:\[[^\]]*\])*", "sub"),
        (r"<[^>]*>", "sub"),
    ],
)
def test_expressions_of_before_are_noticed(pattern: str, method: str) -> None:
    assert slow_attacks(Expression("here", re.compile(pattern), (method,)))


def test_a_linear_one_is_not() -> None:
    one = Expression("here", re.compile(r"a++b"), ("match",))
    assert not slow_attacks(one)
    assert not grows(runner(one, "match"), ("", "a", "\0"))
