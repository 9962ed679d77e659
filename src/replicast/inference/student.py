"""Tests that compare a mean difference with its estimated spread."""

from functools import partial

import numpy as np

from replicast.arrays import Floats
from replicast.design import Design
from replicast.inference.evidence import Admitted, Scores, admit, batch_sample
from replicast.inference.traits import CROSS_VALIDATION, INDEPENDENT, SHARED_TRAINING, Method
from replicast.kernels import power, student
from replicast.kernels.schemes import Scheme
from replicast.results import Alternative, Caution, SignificanceResult

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
    admitted = admit(scores, PAIRED_TTEST, scheme=scheme, alternative=alternative)
    found = student.correlated_t(admitted.sample, test_train_ratio=0.0)
    return t_result(admitted, found, len(admitted.sample) - 1, "mean difference")


def paired_ttest_pvalues(rows: Floats, design: Design, *, scheme: Scheme = "all") -> Floats:
    """Return two-sided paired t-test p-values of rows of differences."""
    sample = batch_sample(rows, design, PAIRED_TTEST, scheme)
    found = student.correlated_t(sample, test_train_ratio=0.0)
    return t_pvalues(found, sample.shape[-1] - 1, sample.shape[-1])


PAIRED_TTEST = Method(
    name="paired-ttest",
    title="paired t-test",
    reference="Student (1908), Biometrika 6",
    test=paired_ttest,
    batch_pvalues=paired_ttest_pvalues,
    designs=INDEPENDENT,
    tolerated=SHARED_TRAINING,
    symbol="t",
    assumes="normal differences",
    convention="equal differences",
    power={
        "exact": lambda effect, n, _, level: power.student_power(effect, n, 0.0, level),
        "shifted": lambda effect, n, _, level: power.shifted_power(effect, n, 0.0, level),
    },
    replication=("paired-t",),
)


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
    admitted = admit(scores, CORRECTED_TTEST, scheme=scheme, alternative=alternative)
    ratio = admitted.scores.design.test_train_ratio
    found = student.correlated_t(admitted.sample, test_train_ratio=ratio)
    untested = () if scheme in ("all", "first-run") else (UNTESTED_SCHEME,)
    return t_result(admitted, found, len(admitted.sample) - 1, "mean difference", untested)


def corrected_ttest_pvalues(rows: Floats, design: Design, *, scheme: Scheme = "all") -> Floats:
    """Return two-sided corrected t-test p-values of rows of differences."""
    sample = batch_sample(rows, design, CORRECTED_TTEST, scheme)
    found = student.correlated_t(sample, test_train_ratio=design.test_train_ratio)
    return t_pvalues(found, sample.shape[-1] - 1, sample.shape[-1])


CORRECTED_TTEST = Method(
    name="corrected-ttest",
    title="corrected resampled t-test",
    reference="Nadeau & Bengio (2003), Machine Learning 52",
    test=corrected_ttest,
    batch_pvalues=corrected_ttest_pvalues,
    designs=CROSS_VALIDATION,
    default_for=CROSS_VALIDATION,
    symbol="t",
    assumes="normal differences",
    convention="equal differences",
    power={"exact": power.student_power, "shifted": power.shifted_power},
    replication=("corrected-t",),
)


def t_result(
    admitted: Admitted,
    found: tuple[Floats, Floats, Floats],
    df: int,
    estimand: str,
    cautions: tuple[Caution, ...] = (),
) -> SignificanceResult:
    """Record estimate, standard error and t, with the convention where there is no spread."""
    estimate, error, statistic = (float(value) for value in found)
    n, alternative = len(admitted.sample), admitted.alternative
    if error == 0:
        pvalue = float(student.constant_row_pvalue(np.asarray(estimate), n, alternative))
    else:
        pvalue = float(student.t_pvalue(np.asarray(statistic), df, alternative))
    return admitted.result(
        estimand=estimand,
        estimate=estimate,
        standard_error=error,
        statistic=statistic,
        df=float(df),
        pvalue=pvalue,
        exactness="convention" if error == 0 else "student",
        cautions=cautions,
        interval_rule=partial(student.t_interval, estimate, error, df),
    )


def t_pvalues(found: tuple[Floats, Floats, Floats], df: int, n: int) -> Floats:
    """Return two-sided p-values of rows of n, with the convention where there is no spread."""
    estimate, error, statistic = found
    pvalue = student.t_pvalue(statistic, df, "two-sided")
    constant = error == 0
    if constant.any():
        pvalue[constant] = student.constant_row_pvalue(estimate[constant], n, "two-sided")
    return pvalue


TESTS = (PAIRED_TTEST, CORRECTED_TTEST)
