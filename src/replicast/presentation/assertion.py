"""A gate as an assertion, for any test runner."""

from typing import Literal

from numpy.typing import ArrayLike

from replicast.design import DesignLike, Holdout
from replicast.errors import require_choice
from replicast.judging.gate import gate
from replicast.judging.records import Gate, Goal
from replicast.scores.pairs import PairedScores

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
    found = gate(
        paired(candidate, baseline, design, names),
        margin=margin,
        goal=goal,
        significance=significance,
        required_power=required_power,
    )
    if found.outcome == "fail" or (found.outcome == "cannot tell" and unsure == "fail"):
        raise AssertionError(str(found))
    return found


def paired(
    candidate: ArrayLike, baseline: ArrayLike, design: DesignLike | None, names: tuple[str, str]
) -> PairedScores:
    """Pair two rows of scores; without a design they are cases that are right or wrong."""
    return PairedScores(
        first=candidate,
        second=baseline,
        design=Holdout() if design is None else design,
        names=names,
    )
