"""Seeds crossed with cases: the score of every seed on every case of one test set."""

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats
from replicast.comparison.finding import Estimate, Finding, conclude
from replicast.errors import DesignMismatchError, invalid, require_flag
from replicast.kernels.crossed import crossed_difference
from replicast.replication.priors import Relation
from replicast.results import Caution
from replicast.scores.parsing import require_numbers

_ONE_TRAINING_SET = Caution(
    "one-training-set",
    "Seeds and cases vary here; the training data do not. Other training data would vary more.",
)


def compare_seed_cases(
    first: ArrayLike,
    second: ArrayLike,
    *,
    names: tuple[str, str] = ("first", "second"),
    greater_is_better: bool = True,
    significance: float = 0.05,
    relation: Relation = "unknown",
) -> Finding:
    """Compare two models by the score of every seed on every case of one test set.

    With the predictions of every seed, the cases tell how much the test set matters, and the seeds how
    much training does: nothing has to be borrowed from the field but what other training data would
    change. Where seeds hardly matter, more seeds are of no use; `seed_share` says so.

    Parameters
    ----------
    first, second : arrays (seeds, cases)
        Scores of the cases, for instance 1 for right and 0 for wrong; the cases are the same and in the
        same order, seeds are each model's own.
    greater_is_better : bool
        False for losses.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import compare_seed_cases
    >>> rng = np.random.default_rng(2)
    >>> easy = rng.normal(size=300)
    >>> first, second = (easy + gap + rng.normal(size=(5, 300)) > 0 for gap in (0.4, 0.1))
    >>> found = compare_seed_cases(first, second)
    >>> round(found.estimate, 4), round(found.seed_share, 2)
    (0.0647, 0.04)
    """
    arrays = [_scores(first, "first"), _scores(second, "second")]
    one, other = arrays
    if one.shape[1] != other.shape[1]:
        domain = f"scores of the same {one.shape[1]} cases as `first`"
        raise DesignMismatchError("second", domain, f"{other.shape[1]} cases")
    sign = 1.0 if require_flag(greater_is_better, "greater_is_better") else -1.0
    found = crossed_difference(sign * one, sign * other)
    variance = found.seeds + found.cases
    values = float(one.mean()), float(other.mean())
    gaps = one.mean(axis=0) - other.mean(axis=0)
    estimate = Estimate(
        values, found.error, "crossed", found.df, gaps=gaps, difference=found.difference
    )
    return conclude(
        estimate,
        names=names,
        measure="score",
        n=one.shape[1],
        seeds=(len(one), len(other)),
        seed_share=found.seeds / variance if variance > 0 else 0.0,
        greater_is_better=greater_is_better,
        significance=significance,
        relation=relation,
        cautions=(_ONE_TRAINING_SET,),
    )


def _scores(values: ArrayLike, argument: str) -> Floats:
    array = require_numbers(values, argument)
    if array.ndim != 2 or min(array.shape) < 2:
        domain = "scores (seeds, cases), at least two of each"
        raise invalid(argument, domain, f"shape {array.shape}")
    if not np.isfinite(array).all() or not np.isfinite(np.abs(array).max() ** 2 * array.size):
        raise invalid(argument, "finite scores whose squares add up", "others")
    return array
