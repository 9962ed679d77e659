"""Tests on five runs of 2-fold cross-validation."""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replicast.arrays import Floats
from replicast.design import Design, DesignLike
from replicast.inference.evidence import Scores, admit
from replicast.inference.layouts import coin_tosses
from replicast.inference.student import t_pvalues, t_result
from replicast.inference.traits import Method
from replicast.kernels import student
from replicast.results import Alternative, Caution, SignificanceResult


def five_by_two_ttest(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
) -> SignificanceResult:
    """Test equal expected scores with Dietterich's 5x2cv t-test.

    Only the first of the ten differences enters the numerator, so the answer depends on which fold
    came first and changes easily between reruns; `five_by_two_ftest` uses all ten, and repeated
    10-fold cross-validation with `corrected_ttest` is more powerful. Positive estimates favour the
    first classifier. Also called: 5x2cv paired t-test, 5x2 cv test, five by two cross-validation.

    References
    ----------
    .. [1] Dietterich (1998), Neural Computation 10, 1895-1923.

    Examples
    --------
    >>> from replicast import FiveByTwo, PairedScores, five_by_two_ttest
    >>> first = [0.9, 0.8, 0.7, 0.9, 0.8, 0.8, 0.7, 0.9, 0.9, 0.8]
    >>> pair = PairedScores(first=first, second=[0.75] * 10, design=FiveByTwo())
    >>> round(five_by_two_ttest(pair).pvalue, 4)
    0.1939
    """
    admitted = admit(FIVE_BY_TWO_TTEST, scores, second, design, alternative=alternative)
    found = student.five_by_two_t(admitted.sample)
    return t_result(admitted, found, 5, "difference in the first fold")


def _t_row_pvalues(sample: Floats, design: Design) -> Floats:
    return t_pvalues(student.five_by_two_t(sample), 5, coin_tosses(design, 10))


FIVE_BY_TWO_TTEST = Method(  # its first difference is part of its own denominator: no exact power
    name="five-by-two-ttest",
    title="5x2cv t-test",
    reference="Dietterich (1998), Neural Computation 10",
    test=five_by_two_ttest,
    row_pvalues=_t_row_pvalues,
    designs=("5x2",),
    symbol="t",
    assumes="normal differences",
    convention="equal differences",
    lead=lambda rows: rows[..., 0],
)


def five_by_two_ftest(
    scores: Scores | ArrayLike, second: ArrayLike | None = None, *, design: DesignLike | None = None
) -> SignificanceResult:
    """Test equal expected scores with the combined 5x2cv F-test.

    Uses all ten differences of five runs of 2-fold cross-validation [1]_. Use it when the data were
    gathered that way; otherwise `corrected_ttest` on repeated 10-fold cross-validation. The F
    statistic has no direction; the estimate, the mean difference, is positive where the first
    classifier is better. The interval holds the mean differences that the test does not reject; where
    it rejects them all, it says nothing of who is better.

    References
    ----------
    .. [1] Alpaydin (1999), Neural Computation 11, 1885-1892.

    Examples
    --------
    >>> from replicast import FiveByTwo, PairedScores, five_by_two_ftest
    >>> first = [0.9, 0.8, 0.7, 0.9, 0.8, 0.8, 0.7, 0.9, 0.9, 0.8]
    >>> pair = PairedScores(first=first, second=[0.75] * 10, design=FiveByTwo())
    >>> round(five_by_two_ftest(pair).pvalue, 4)
    0.5107
    """
    admitted = admit(FIVE_BY_TWO_FTEST, scores, second, design)
    sample = admitted.sample
    mean, error, _ = (float(v) for v in student.correlated_t(sample, test_train_ratio=1.0))
    statistic = float(student.five_by_two_f(sample))
    return admitted.result(
        estimand="mean difference",
        estimate=mean,
        standard_error=error,
        statistic=statistic,
        df=(10.0, 5.0),
        pvalue=float(_f_row_pvalues(sample[None], admitted.scores.design)[0]),
        exactness="convention" if np.isinf(statistic) or statistic == 0 else "student",
        cautions=_no_interval(sample),
        interval_rule=partial(student.five_by_two_interval, sample),
        bound_rule=partial(_bound_pvalues, mean, error, admitted.scores.design),
    )


def _bound_pvalues(mean: float, error: float, design: Design, bound: float) -> tuple[float, float]:
    """Return p-values of a mean of at most and of at least a bound, by t: F has no sides."""
    excesses = mean - bound, bound - mean
    above, below = (
        student.above_pvalue(excess, error, 9.0, coin_tosses(design, 10)) for excess in excesses
    )
    return above, below


def _no_interval(sample: Floats) -> tuple[Caution, ...]:
    """Say where no mean difference would be accepted."""
    if np.isfinite(student.five_by_two_interval(sample, 0.95)).all():
        return ()
    text = (
        "The difference has no 95% interval: the five runs disagree more than the two folds of each, "
        "so that the test rejects every mean difference."
    )
    return (Caution("no-interval", text),)


def _f_row_pvalues(sample: Floats, design: Design) -> Floats:
    statistic = student.five_by_two_f(sample)
    undecided = np.isinf(statistic) | (statistic == 0)
    convention = np.where(statistic == 0, 1.0, 2.0 ** (1 - coin_tosses(design, 10)))
    return np.where(
        undecided, convention, special.fdtrc(10, 5, np.where(undecided, 1.0, statistic))
    )


FIVE_BY_TWO_FTEST = Method(
    name="five-by-two-ftest",
    title="combined 5x2cv F-test",
    reference="Alpaydin (1999), Neural Computation 11",
    test=five_by_two_ftest,
    row_pvalues=_f_row_pvalues,
    designs=("5x2",),
    default_for=("5x2",),
    symbol="F",
    difference="estimate",
    assumes="normal differences",
    convention="equal differences",
)
TESTS = (FIVE_BY_TWO_TTEST, FIVE_BY_TWO_FTEST)
