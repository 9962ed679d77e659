"""Tests that compare a mean difference with its estimated spread."""

from functools import partial

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import Design, FiveByTwo
from replicast.inference.evidence import (
    CROSS_VALIDATION,
    INDEPENDENT,
    SHARED_TRAINING,
    admit,
    batch_sample,
    warn_degenerate,
)
from replicast.kernels import student
from replicast.kernels.schemes import Scheme
from replicast.results import Alternative, Caution, SignificanceResult
from replicast.scores import PairedPredictions, PairedScores

Scores = PairedScores | PairedPredictions

UNTESTED_SCHEME = Caution(
    "averaged-scores",
    "The correction was derived for separate folds; for averaged scores it is a guess.",
)


def paired_ttest(
    scores: Scores, *, alternative: Alternative = "two-sided", scheme: Scheme = "all"
) -> SignificanceResult:
    """Test equal expected scores with the ordinary paired t-test.

    Use it for one score per dataset when the differences are roughly normal. On folds or random
    splits of one dataset it finds differences that are not there, since the training sets overlap;
    it runs there because papers report it, with a caution: use `corrected_ttest`. Positive
    estimates favour the first classifier.

    Parameters
    ----------
    scores : PairedScores
        Paired scores with their design.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first classifier is better.
    scheme : {"all", "folds", "runs", "sorted", "first-run"}
        Sampling scheme of a repeated design (Bouckaert 2004).

    Examples
    --------
    >>> from replicast import Datasets, PairedScores, paired_ttest
    >>> pair = PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=Datasets())
    >>> round(paired_ttest(pair).pvalue, 4)
    0.0377
    """
    scores, sample, cautions = admit(
        scores,
        method="paired-ttest",
        designs=INDEPENDENT,
        tolerated=SHARED_TRAINING,
        scheme=scheme,
        alternative=alternative,
    )
    cautions += warn_degenerate(scores, sample, constant=True)
    return _student_result("paired-ttest", scores, sample, 0.0, alternative, scheme, cautions)


def paired_ttest_pvalues(rows: Floats, design: Design, *, scheme: Scheme = "all") -> Floats:
    """Return two-sided paired t-test p-values of rows of differences."""
    sample = batch_sample(rows, design, scheme, "paired-ttest", (*INDEPENDENT, *SHARED_TRAINING))
    return _student_pvalues(sample, 0.0)


def corrected_ttest(
    scores: Scores, *, alternative: Alternative = "two-sided", scheme: Scheme = "all"
) -> SignificanceResult:
    """Test equal expected scores with the corrected resampled t-test.

    The variance of the mean is enlarged by n_test / n_train for the overlap of the training sets
    [1]_ [2]_. Use it for the scores of one dataset from (repeated) cross-validation or random
    splits; for one score per dataset use `signed_rank`. Positive estimates favour the first
    classifier.

    Parameters
    ----------
    scores : PairedScores
        Paired scores; the design carries the set sizes.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first classifier is better.
    scheme : {"all", "folds", "runs", "sorted", "first-run"}
        Sampling scheme of a repeated design; the correction was derived for `all` and `first-run`.

    References
    ----------
    .. [1] Nadeau and Bengio (2003), Machine Learning 52, 239-281.
    .. [2] Bouckaert and Frank (2004), PAKDD, 3-12.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, corrected_ttest
    >>> pair = PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=KFold(3))
    >>> round(corrected_ttest(pair).pvalue, 4)
    0.0871
    """
    scores, sample, cautions = admit(
        scores,
        method="corrected-ttest",
        designs=CROSS_VALIDATION,
        scheme=scheme,
        alternative=alternative,
    )
    if scheme not in ("all", "first-run"):
        cautions += (UNTESTED_SCHEME,)
    cautions += warn_degenerate(scores, sample, constant=True)
    ratio = scores.design.test_train_ratio
    return _student_result("corrected-ttest", scores, sample, ratio, alternative, scheme, cautions)


def corrected_ttest_pvalues(rows: Floats, design: Design, *, scheme: Scheme = "all") -> Floats:
    """Return two-sided corrected t-test p-values of rows of differences."""
    sample = batch_sample(rows, design, scheme, "corrected-ttest", CROSS_VALIDATION)
    return _student_pvalues(sample, design.test_train_ratio)


def _student_pvalues(sample: Floats, ratio: float) -> Floats:
    n = sample.shape[-1]
    mean, standard_error, statistic = student.correlated_t(sample, test_train_ratio=ratio)
    pvalue = student.t_pvalue(statistic, n - 1, "two-sided")
    constant = standard_error == 0
    if constant.any():
        pvalue[constant] = student.constant_row_pvalue(mean[constant], n, "two-sided")
    return pvalue


def _student_result(
    method: str,
    scores: PairedScores,
    sample: Floats,
    ratio: float,
    alternative: Alternative,
    scheme: str,
    cautions: tuple[Caution, ...],
) -> SignificanceResult:
    n = len(sample)
    mean, error, statistic = (
        float(value) for value in student.correlated_t(sample, test_train_ratio=ratio)
    )
    if error == 0:
        pvalue = float(student.constant_row_pvalue(np.asarray(mean), n, alternative))
    else:
        pvalue = float(student.t_pvalue(np.asarray(statistic), n - 1, alternative))
    return SignificanceResult(
        method=method,
        names=scores.names,
        n=n,
        estimand="mean difference",
        estimate=mean,
        standard_error=error,
        statistic=statistic,
        df=float(n - 1),
        pvalue=pvalue,
        alternative=alternative,
        exactness="convention" if error == 0 else "student",
        design=scores.design,
        scheme=scheme,
        cautions=cautions,
        interval_rule=partial(student.t_interval, mean, error, n - 1),
    )


def five_by_two_ttest(
    scores: Scores, *, alternative: Alternative = "two-sided"
) -> SignificanceResult:
    """Test equal expected scores with Dietterich's 5x2cv t-test.

    Only the first of the ten differences enters the numerator, so the answer depends on which fold
    came first and changes easily between reruns; `five_by_two_ftest` uses all ten, and repeated
    10-fold cross-validation with `corrected_ttest` is more powerful. Positive estimates favour the
    first classifier.

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
    scores, sample, cautions = admit(
        scores, method="five-by-two-ttest", designs=(FiveByTwo,), alternative=alternative
    )
    cautions += warn_degenerate(scores, sample, constant=True)
    first, error, statistic = (float(value) for value in student.five_by_two_t(sample))
    if error == 0:
        pvalue = float(student.constant_row_pvalue(np.asarray(first), 10, alternative))
    else:
        pvalue = float(student.t_pvalue(np.asarray(statistic), 5, alternative))
    return SignificanceResult(
        method="five-by-two-ttest",
        names=scores.names,
        n=10,
        estimand="difference in the first fold",
        estimate=first,
        standard_error=error,
        statistic=statistic,
        df=5.0,
        pvalue=pvalue,
        alternative=alternative,
        exactness="convention" if error == 0 else "student",
        design=scores.design,
        cautions=cautions,
        interval_rule=partial(student.t_interval, first, error, 5),
    )


def five_by_two_ttest_pvalues(rows: Floats, design: Design) -> Floats:
    """Return two-sided 5x2cv t-test p-values of rows of ten differences."""
    sample = batch_sample(rows, design, "all", "five-by-two-ttest", (FiveByTwo,))
    first, error, statistic = student.five_by_two_t(sample)
    convention = student.constant_row_pvalue(first, 10, "two-sided")
    return np.where(error == 0, convention, student.t_pvalue(statistic, 5, "two-sided"))


def five_by_two_ftest(scores: Scores) -> SignificanceResult:
    """Test equal expected scores with the combined 5x2cv F-test.

    Uses all ten differences of five runs of 2-fold cross-validation [1]_. Use it when the data were
    gathered that way; otherwise `corrected_ttest` on repeated 10-fold cross-validation. The F
    statistic has no direction; the estimate, the mean difference, is positive where the first
    classifier is better.

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
    scores, sample, cautions = admit(scores, method="five-by-two-ftest", designs=(FiveByTwo,))
    cautions += warn_degenerate(scores, sample, constant=True)
    mean, error, _ = (float(v) for v in student.correlated_t(sample, test_train_ratio=1.0))
    statistic = float(student.five_by_two_f(sample))
    return SignificanceResult(
        method="five-by-two-ftest",
        names=scores.names,
        n=10,
        estimand="mean difference",
        estimate=mean,
        standard_error=error,
        statistic=statistic,
        df=(10.0, 5.0),
        pvalue=float(five_by_two_ftest_pvalues(sample, scores.design)[0]),
        alternative="two-sided",
        exactness="convention" if np.isinf(statistic) or statistic == 0 else "student",
        design=scores.design,
        cautions=cautions,
        interval_rule=partial(student.t_interval, mean, error, 9),
    )


def five_by_two_ftest_pvalues(rows: Floats, design: Design) -> Floats:
    """Return combined 5x2cv F-test p-values of rows of ten differences."""
    sample = batch_sample(rows, design, "all", "five-by-two-ftest", (FiveByTwo,))
    statistic = student.five_by_two_f(sample)
    undecided = np.isinf(statistic) | (statistic == 0)
    convention = np.where(statistic == 0, 1.0, 2.0**-9)
    return np.where(
        undecided, convention, special.fdtrc(10, 5, np.where(undecided, 1.0, statistic))
    )
