"""Tests on the cases of one test set."""

from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicast.arrays import Floats
from replicast.design import Design, DesignLike
from replicast.errors import require_choice
from replicast.inference.evidence import Scores, admit
from replicast.inference.traits import Method
from replicast.kernels import counts, margins, power
from replicast.results import Alternative, SignificanceResult

Correction = Literal["exact", "mid-p"]


def mcnemar(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
    pvalue_method: Correction = "exact",
) -> SignificanceResult:
    """Test equal accuracy of two fitted models on one test set with McNemar's test.

    Only cases that one model gets right and the other wrong count. Use it when there is a single
    test set with the predictions of every case; it says nothing about retraining. `mid-p` is a
    little less conservative than the exact test. The statistic is the difference of the two
    discordant counts, the estimate the difference in accuracy; positive favours the first model.

    Parameters
    ----------
    scores : PairedScores
        Truth and predictions; or PairedScores of 0 and 1 with a Holdout design.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first model is better.
    pvalue_method : {"exact", "mid-p"}
        Exact binomial test, or its mid-p version (Fagerland, Lydersen and Laake 2013).

    Examples
    --------
    >>> from replicast import PairedPredictions, mcnemar
    >>> truth = [1] * 10
    >>> pair = PairedPredictions(truth=truth, first=[1] * 10, second=[1] * 4 + [0] * 6)
    >>> mcnemar(pair).pvalue
    0.03125
    """
    require_choice(pvalue_method, "pvalue_method", ("exact", "mid-p"))
    admitted = admit(MCNEMAR, scores, second, design, alternative=alternative)
    sample = admitted.sample
    first_only, second_only, _ = counts.win_loss_tie(sample)
    cases = len(sample)
    b, c = int(first_only), int(second_only)
    return admitted.result(
        estimand="difference in accuracy",
        estimate=(b - c) / cases,
        statistic=float(b - c),
        pvalue=float(_pvalues(first_only, second_only, pvalue_method, alternative)),
        exactness=pvalue_method,
        details={"first_only": float(b), "second_only": float(c)},
        interval_rule=partial(counts.paired_proportions_interval, b, c, cases),
        bound_rule=partial(margins.bound_pvalues, b, c, cases),
    )


def _row_pvalues(sample: Floats, _: Design, *, pvalue_method: Correction = "exact") -> Floats:
    return _pvalues(*counts.win_loss_tie(sample)[:2], pvalue_method, "two-sided")


def _pvalues(
    first_only: NDArray[np.int64], second_only: NDArray[np.int64], method: str, alternative: str
) -> Floats:
    if method == "mid-p":
        return counts.midp_value(first_only, second_only, alternative)
    none = np.zeros_like(first_only)
    return counts.binomial_pvalue(
        first_only, second_only, none, ties_rule="drop", alternative=alternative
    )


MCNEMAR = Method(
    name="mcnemar",
    title="McNemar's test",
    reference="McNemar (1947), Psychometrika 12",
    test=mcnemar,
    row_pvalues=_row_pvalues,
    designs=("holdout",),
    default_for=("holdout",),
    counts="{first_only} against {second_only} cases",
    difference="accuracy-difference",
    assumes="independent outcomes",
    smallest_pvalue=counts.smallest_pvalue,
    cases_power=power.discordance_power,
    replication=("mcnemar",),
)
TESTS = (MCNEMAR,)
