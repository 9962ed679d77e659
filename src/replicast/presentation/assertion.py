"""A gate as an assertion, for any test runner."""

from typing import Any, Literal

from numpy.typing import ArrayLike

from replicast.design import DesignLike, Holdout
from replicast.errors import require_choice
from replicast.judging.gate import gate
from replicast.judging.records import Gate, Goal

Unsure = Literal["fail", "pass"]


def assert_not_worse(
    candidate: ArrayLike,
    baseline: ArrayLike,
    *,
    margin: float,
    design: DesignLike | None = None,
    goal: Goal = "not-worse",
    significance: float = 0.05,
    required_power: float | None = None,
    unsure: Unsure = "fail",
    names: tuple[str, str] = ("candidate", "baseline"),
) -> Gate:
    """Raise an AssertionError unless the candidate is shown to be worse by less than the margin.

    The message says first what such data can show at all. In pytest a fixture of the same name does
    this and lists every gate at the end of the run.

    Parameters
    ----------
    candidate, baseline : array
        Scores of both on the same cases (0 or 1), folds or datasets, in the same order.
    margin : float
        A drop that is still tolerated: 0.02 for two points where scores are fractions.
    design : Design, optional
        How the scores arose; cases of one test set if all are 0 or 1.
    unsure : {"fail", "pass"}
        What becomes of data that can tell neither.

    Examples
    --------
    >>> from replicast import assert_not_worse
    >>> new, old = [1] * 290 + [0] * 10, [1] * 285 + [0] * 15
    >>> assert_not_worse(new, old, margin=0.02).outcome
    'pass'
    """
    require_choice(unsure, "unsure", ("fail", "pass"))
    found = gate_of(
        candidate,
        baseline,
        design=design,
        names=names,
        margin=margin,
        goal=goal,
        significance=significance,
        required_power=required_power,
    )
    refuse_failure(found, unsure)
    return found


def gate_of(
    candidate: ArrayLike,
    baseline: ArrayLike,
    *,
    design: DesignLike | None = None,
    names: tuple[str, str] = ("candidate", "baseline"),
    **options: Any,
) -> Gate:
    """Return the gate of two rows of scores; without a design they are cases, right or wrong."""
    design = Holdout() if design is None else design
    return gate(candidate, baseline, design=design, names=names, **options)


def refuse_failure(found: Gate, unsure: str) -> None:
    """Raise an AssertionError for a gate that fails, and for one that cannot tell if that is failing."""
    if found.outcome == "fail" or (found.outcome == "cannot tell" and unsure == "fail"):
        raise AssertionError(str(found))
