"""Tests that compare a mean difference with its estimated spread."""

import warnings
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats, Ints
from replicast.design import Design, DesignLike
from replicast.errors import DegenerateScoresWarning
from replicast.inference.evidence import Admitted, Scores, admit
from replicast.inference.layouts import coin_tosses
from replicast.inference.traits import (
    CROSS_VALIDATION,
    INDEPENDENT,
    SHARED_TRAINING,
    Chances,
    Method,
)
from replicast.kernels import power, student
from replicast.kernels.schemes import Scheme
from replicast.results import Alternative, Caution, SignificanceResult

_WINSORISED_NORMAL = 0.642  # spread of the standard normal, Winsorised at 20% and 80%
UNTESTED_SCHEME = Caution(
    "averaged-scores",
    "The correction was derived for separate folds; for averaged scores it is a guess.",
)


def paired_ttest(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
    scheme: Scheme = "all",
) -> SignificanceResult:
    """Test equal expected scores with the ordinary paired t-test.

    Use it for one score per dataset when the differences are roughly normal. On folds or random
    splits of one dataset it finds differences that are not there, since the training sets overlap;
    it runs there because papers report it, with a caution: use `corrected_ttest`. Positive
    estimates favour the first classifier. With `scheme="sorted"` it is Bouckaert's t-test on sorted
    runs. Also called: Student's t-test, resampled t-test, k-fold cross-validated paired t-test.

    Parameters
    ----------
    scores : PairedScores
        Paired scores with their design.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first classifier is better.
    scheme : {"all", "folds", "runs", "sorted", "first-run"}
        Sampling scheme of a repeated design (Bouckaert 2004): use all data, average over folds, average
        over runs, average over sorted runs, or the first run alone (k-fold cv).

    Examples
    --------
    >>> from replicast import Datasets, PairedScores, paired_ttest
    >>> pair = PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=Datasets())
    >>> round(paired_ttest(pair).pvalue, 4)
    0.0377
    """
    admitted = admit(PAIRED_TTEST, scores, second, design, scheme=scheme, alternative=alternative)
    found = student.correlated_t(admitted.sample, test_train_ratio=0.0)
    return t_result(admitted, found, len(admitted.sample) - 1, "mean difference")


def _row_pvalues(sample: Floats, design: Design) -> Floats:
    found, n = student.correlated_t(sample, test_train_ratio=0.0), sample.shape[-1]
    return t_pvalues(found, n - 1, coin_tosses(design, n))


PAIRED_TTEST = Method(
    name="paired-ttest",
    title="paired t-test",
    reference="Student (1908), Biometrika 6",
    test=paired_ttest,
    row_pvalues=_row_pvalues,
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
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
    scheme: Scheme = "all",
) -> SignificanceResult:
    """Test equal expected scores with the corrected resampled t-test.

    The variance of the mean is enlarged by n_test / n_train for the overlap of the training sets
    [1]_ [2]_. Use it for the scores of one dataset from (repeated) cross-validation or random
    splits; for one score per dataset use `signed_rank`. Positive estimates favour the first
    classifier. Also called: variance-corrected resampled t-test, corrected repeated k-fold cv test,
    Nadeau and Bengio's test.

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
    admitted = admit(
        CORRECTED_TTEST, scores, second, design, scheme=scheme, alternative=alternative
    )
    ratio = admitted.scores.design.test_train_ratio
    found = student.correlated_t(admitted.sample, test_train_ratio=ratio)
    untested = () if scheme in ("all", "first-run") else (UNTESTED_SCHEME,)
    return t_result(admitted, found, len(admitted.sample) - 1, "mean difference", untested)


def _corrected_row_pvalues(sample: Floats, design: Design) -> Floats:
    ratio, n = design.test_train_ratio, sample.shape[-1]
    found = student.correlated_t(sample, test_train_ratio=ratio)
    return t_pvalues(found, n - 1, coin_tosses(design, n))


def corrected_power(effect: float, n: int, design: Design, level: float) -> Chances:
    """Return the power of the corrected t statistic, which over fresh data is no Student's t."""
    inflation = design.t_layout(corrected=True).inflation
    return power.student_power(effect, n, design.test_train_ratio, level, inflation)


def shifted_corrected_power(effect: float, n: int, design: Design, level: float) -> Chances:
    """Return the power as Neumann et al. (2021) compute it."""
    return power.shifted_power(effect, n, design.test_train_ratio, level)


CORRECTED_TTEST = Method(
    name="corrected-ttest",
    title="corrected resampled t-test",
    reference="Nadeau & Bengio (2003), Machine Learning 52",
    test=corrected_ttest,
    row_pvalues=_corrected_row_pvalues,
    designs=CROSS_VALIDATION,
    default_for=CROSS_VALIDATION,
    symbol="t",
    assumes="normal differences",
    convention="equal differences",
    power={"exact": corrected_power, "shifted": shifted_corrected_power},
    replication=("corrected-t",),
)


def t_result(
    admitted: Admitted,
    found: tuple[Floats, Floats, Floats],
    df: int,
    estimand: str,
    cautions: tuple[Caution, ...] = (),
    equal: int | None = None,
) -> SignificanceResult:
    """Record estimate, standard error and t; without a spread, `equal` differences (all) decide."""
    estimate, error, statistic = (float(value) for value in found)
    tosses = coin_tosses(admitted.scores.design, equal or len(admitted.sample))
    row = estimate, error, statistic
    pvalue = t_pvalues(tuple(map(np.atleast_1d, row)), df, tosses, admitted.alternative)
    return admitted.result(
        estimand=estimand,
        estimate=estimate,
        standard_error=error,
        statistic=statistic,
        df=float(df),
        pvalue=float(pvalue[0]),
        exactness="convention" if error == 0 else "student",
        cautions=cautions,
        interval_rule=partial(student.t_interval, estimate, error, df),
    )


def t_pvalues(
    found: tuple[Floats, ...], df: int, n: float | Ints, alternative: Alternative = "two-sided"
) -> Floats:
    """Return p-values of rows; without a spread, n equal differences decide."""
    estimate, error, statistic = found
    pvalue = student.t_pvalue(statistic, df, alternative)
    constant = error == 0
    if constant.any():
        equal = np.broadcast_to(n, constant.shape)[constant]
        pvalue[constant] = student.constant_row_pvalue(estimate[constant], equal, alternative)
    return pvalue


def trimmed_ttest(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
) -> SignificanceResult:
    """Test equal scores over datasets by the trimmed mean of their differences.

    For differences with heavy tails: a fifth of them is left out at either end, and the standard
    error comes from differences Winsorised at their 20% and 80% quantiles [1]_ [2]_, as in
    `YuenTTest` of the R package DescTools. A few datasets that are far out hardly move the estimate.
    `signed_rank` sees as much there, and more without them. There is no model of its replication.
    Positive estimates favour the first classifier.

    Parameters
    ----------
    scores : PairedScores
        Paired scores, one per dataset.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first classifier is better.

    References
    ----------
    .. [1] Tukey and McLaughlin (1963), Sankhya A 25, 331-352.
    .. [2] Yuen (1974), Biometrika 61, 165-170.

    Examples
    --------
    >>> from replicast import Datasets, PairedScores, trimmed_ttest
    >>> first = [0.91, 0.85, 0.77, 0.93, 0.66, 0.82, 0.74, 0.31]
    >>> second = [0.89, 0.84, 0.73, 0.90, 0.63, 0.78, 0.72, 0.52]
    >>> pair = PairedScores(first=first, second=second, design=Datasets())
    >>> round(trimmed_ttest(pair).estimate, 3), round(trimmed_ttest(pair).pvalue, 3)
    (0.025, 0.006)
    """
    admitted = admit(TRIMMED_TTEST, scores, second, design, alternative=alternative)
    n = len(admitted.sample)
    found = student.trimmed_t(admitted.sample)
    equal = int(np.count_nonzero(admitted.sample == found[0]))
    cautions: tuple[Caution, ...] = ()
    if found[1] == 0 and equal < n:
        text = f"{equal} of {n} differences are equal, the others trimmed: p is set by convention."
        warnings.warn(text, DegenerateScoresWarning, stacklevel=2)
        cautions = (Caution("degenerate", text),)
    return t_result(admitted, found, _kept(n) - 1, "trimmed mean difference", cautions, equal)


def _trimmed_row_pvalues(sample: Floats, _: Design) -> Floats:
    found = student.trimmed_t(sample)
    equal = np.count_nonzero(sample == found[0][:, None], axis=-1)
    return t_pvalues(found, _kept(sample.shape[-1]) - 1, equal)


def _kept(n: int) -> int:
    """Return how many of n differences are left without a fifth at either end."""
    return n - 2 * (n // 5)


def _trimmed_moments(rows: Floats) -> tuple[Floats, Floats]:
    """Return trimmed mean and Winsorised spread, the latter as large as that of normal differences."""
    mean, error, _ = student.trimmed_t(rows)
    return mean, error * np.sqrt(rows.shape[-1]) * 0.6 / _WINSORISED_NORMAL


def _trimmed_power(effect: float, n: int, _: Design, level: float) -> Chances:
    """Return the power over many datasets, where the Winsorised spread is known."""
    return power.student_power(effect * 0.6 / _WINSORISED_NORMAL, n, 0.0, level)


TRIMMED_TTEST = Method(
    name="trimmed-ttest",
    title="trimmed t-test",
    reference="Tukey & McLaughlin (1963), Sankhya A 25",
    test=trimmed_ttest,
    row_pvalues=_trimmed_row_pvalues,
    designs=INDEPENDENT,
    symbol="t",
    effect="rank-effect",
    difference="estimate",
    moments=_trimmed_moments,
    assumes="symmetric differences",
    convention="equal differences",
    lead=lambda rows: student.trimmed_t(rows)[0],
    power={"large-sample": _trimmed_power},
)
TESTS = (PAIRED_TTEST, CORRECTED_TTEST, TRIMMED_TTEST)
