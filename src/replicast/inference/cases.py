"""Tests on cases of one test set that have a score of any kind, alone or in clusters."""

import warnings
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replicast.arrays import Floats, Ints
from replicast.design import Design, DesignLike
from replicast.errors import DegenerateScoresWarning, require_choice
from replicast.formatting import all_of
from replicast.inference.evidence import Admitted, Scores, admit
from replicast.inference.layouts import codes_of
from replicast.inference.permutation import CASE_FLIP
from replicast.inference.traits import Chances, Method
from replicast.kernels import cases, noncentral, power, resampled_t, student
from replicast.results import Alternative, BoundRule, Caution, IntervalRule, SignificanceResult
from replicast.scores.pairs import PairedScores

Correction = Literal["satterthwaite", "plain"]
CORRECTIONS = ("satterthwaite", "plain")
_ENOUGH_DF = 10


def case_ttest(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
    pvalue_method: Correction = "satterthwaite",
) -> SignificanceResult:
    """Test equal mean scores on the cases of one test set; clusters of cases count as clusters.

    The models are taken as they are, fitted; the question is what fresh cases would say. Without
    clusters it is the t-test of the cases' differences; up to 200 of them, whose differences may be
    skewed, |t| must also be large among draws from these cases (the symmetric bootstrap-t, with a fixed
    seed). Fewer than 30 equal differences do not tell how cases vary: p is 1. Cases of one cluster hang
    together, so their sums vary; the variance is corrected for few clusters of unequal size, and so are
    the degrees of freedom [1]_ [2]_. Several answers to a case count as their mean. Positive estimates
    favour the first model.

    Parameters
    ----------
    scores : PairedScores
        Scores of every case, with a Cases design; `PairedCases` pairs them.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first model is better.
    pvalue_method : {"satterthwaite", "plain"}
        For clusters: the corrected variance (CR2 [1]_) with Satterthwaite's degrees of freedom for
        cases that correlate within clusters as much as these do [2]_ (clubSandwich takes them as
        uncorrelated), or the sandwich with G - 1 of them, as evaluation programs print it. The latter
        is significant too often where clusters are few or of unequal size.

    References
    ----------
    .. [1] Bell and McCaffrey (2002), Survey Methodology 28, 169-181.
    .. [2] Imbens and Kolesár (2016), Review of Economics and Statistics 98, 701-712.

    Examples
    --------
    >>> from replicast import PairedCases, case_ttest
    >>> first, second = [0.9, 0.8, 0.7, 0.9, 0.4, 0.6], [0.8, 0.7, 0.7, 0.5, 0.3, 0.4]
    >>> pair = PairedCases(first=first, second=second, clusters="aabbcc")
    >>> round(case_ttest(pair).pvalue, 4)
    0.0351
    """
    require_choice(pvalue_method, "pvalue_method", CORRECTIONS)
    admitted = admit(CASE_TTEST, scores, second, design, alternative=alternative)
    pair = admitted.scores
    found = pair.cluster_mean if pvalue_method == "satterthwaite" else None
    if found is None:
        found = mean_of_cases(admitted.sample, pair.clusters, pvalue_method)
    cautions = _few_clusters(pair, float(found.df))
    return case_result(admitted, found, pair.independent, cautions, alone=pair.clusters is None)


def case_result(
    admitted: Admitted,
    found: cases.CaseMean,
    tosses: float,
    cautions: tuple[Caution, ...] = (),
    *,
    alone: bool = False,
) -> SignificanceResult:
    """Record a mean of cases with its error; without a spread, the p-value is that of coin tosses.

    Cases that stand alone are judged by draws too, where they are few.
    """
    estimate, error, df = (float(value) for value in found)
    sample, alternative = admitted.sample if alone else None, admitted.alternative
    of_equal = student.constant_row_pvalue(np.asarray(estimate), tosses, alternative)
    return admitted.result(
        estimand="mean difference",
        **t_of_mean(estimate, error, df, of_equal, cases=sample, alternative=alternative),
        cautions=(*_equal_clusters(admitted, error), *cautions),
    )


def t_of_mean(
    estimate: float,
    error: float,
    df: float,
    of_equal: Floats,
    *,
    cases: Floats | None = None,
    alternative: Alternative = "two-sided",
) -> dict[str, Any]:
    """Return what t says of a mean and its standard error: the fields of a result that it fills.

    Differences of `cases` that stand alone are judged by draws too, where they are few. Without a
    spread, the p-value is that `of_equal` parts.
    """
    statistic = student.ratio_or_infinity(np.asarray(estimate), np.asarray(error))
    rule: IntervalRule = partial(student.t_interval, estimate, error, df)
    bounds: BoundRule | None = None
    exactness = "convention" if error == 0 else "student"
    if cases is not None:
        pvalue = resampled_t.case_pvalue(
            cases, np.asarray(estimate), np.asarray(error), df, alternative
        )
        if error > 0 and cases.shape[-1] <= resampled_t.UP_TO:
            rule = partial(resampled_t.resampled_interval, cases, estimate, error, df)
            bounds = partial(resampled_t.resampled_bounds, cases, estimate, error, df)
            exactness = "monte-carlo"
    else:
        pvalue = of_equal if error == 0 else student.t_pvalue(statistic, df, alternative)
    return {
        "estimate": estimate,
        "standard_error": error,
        "statistic": float(statistic),
        "df": df,
        "pvalue": float(pvalue),
        "exactness": exactness,
        "interval_rule": rule,
        "bound_rule": bounds,
    }


def mean_of_scores(values: Floats, design: Design, clusters: Ints | None) -> cases.CaseMean:
    """Return the mean of the scores of a design with its error, wider for training sets that overlap."""
    if design.of_cases:
        return cases.cross_validated_mean(mean_of_cases(values, clusters), design.overlap)
    mean, error, _ = student.correlated_t(values, test_train_ratio=design.test_train_ratio)
    return cases.CaseMean(mean, error, np.asarray(len(values) - 1.0))


def mean_of_cases(
    rows: Floats, clusters: Ints | None, correction: Correction = "satterthwaite"
) -> cases.CaseMean:
    """Return the mean of cases, alone or in clusters, with its error."""
    if clusters is None:
        return cases.case_mean(rows)
    kernel = cases.clustered_mean if correction == "satterthwaite" else cases.plain_clustered_mean
    return kernel(rows, clusters)


def _equal_clusters(admitted: Admitted, error: float) -> tuple[Caution, ...]:
    """Say so where clusters have one and the same mean though their cases differ."""
    if error > 0 or any(one.code == "degenerate" for one in admitted.cautions):
        return ()
    groups = admitted.scores.independent
    text = f"{all_of(groups, 'clusters')} have the same mean; the p-value is set by convention."
    warnings.warn(text, DegenerateScoresWarning, stacklevel=4)
    return (Caution("degenerate", text),)


def _few_clusters(pair: PairedScores, df: float) -> tuple[Caution, ...]:
    """Say so where clusters tell little about their own spread."""
    if pair.clusters is None or df >= _ENOUGH_DF:
        return ()
    text = (
        f"The {pair.independent} clusters are few or of unequal size ({df:.1f} degrees of freedom): "
        "their own spread is uncertain, and so are power and the chance of replication. "
        f"{CASE_FLIP.name} is the check."
    )
    return (Caution("few-clusters", text),)


def _row_pvalues(
    sample: Floats,
    design: Design,
    *,
    clusters: ArrayLike | None = None,
    pvalue_method: Correction = "satterthwaite",
) -> Floats:
    codes = codes_of(clusters, design, sample.shape[-1])
    require_choice(pvalue_method, "pvalue_method", CORRECTIONS)
    found = mean_of_cases(sample, codes, pvalue_method)
    if codes is None:
        return resampled_t.case_pvalue(
            sample, found.mean, found.standard_error, sample.shape[-1] - 1.0
        )
    return case_pvalues(found, int(codes.max()) + 1)


def case_pvalues(found: cases.CaseMean, tosses: float) -> Floats:
    """Return two-sided p-values; without a spread, those of so many coin tosses."""
    mean, error, df = found
    of_equal = student.constant_row_pvalue(mean, tosses, "two-sided")
    tails = 2 * special.stdtr(df, -np.abs(student.ratio_or_infinity(mean, error)))
    return np.asarray(np.where(error == 0, of_equal, tails))


def _clustered_ttest_power(pair: PairedScores, level: float) -> tuple[Chances, float]:
    return power_seen(mean_of_cases(pair.differences, pair.clusters), level)


def power_seen(
    found: cases.CaseMean, level: float, inflation: float = 1.0
) -> tuple[Chances, float]:
    """Return the power had the difference been what was observed, and no Monte Carlo error.

    Over fresh data t varies by `inflation` of what it assumes.
    """
    mean, error, df = found
    ncp = min(abs(float(student.ratio_or_infinity(mean, error))), 1e3) / inflation
    critical = student.t_critical(float(df), level / 2) / inflation
    right, wrong = noncentral.nct_upper(critical, float(df), np.array([ncp, -ncp])).tolist()
    return (right, wrong), 0.0


def _title(design: Design) -> str:
    """Return what the test is called: up to 200 cases that stand alone, t is judged by draws."""
    if design.overlap:
        return "uncorrected t-test of cases (Bayle et al. 2020)"
    count = design.count or 0
    drawn = design.clusters is None and 0 < count <= resampled_t.UP_TO
    return "bootstrap t-test of cases" if drawn else "t-test of cases"


CASE_TTEST = Method(
    name="case-ttest",
    title="t-test of cases",
    title_on=_title,
    reference="Bell & McCaffrey (2002), Survey Methodology 28",
    test=case_ttest,
    row_pvalues=_row_pvalues,
    designs=("cases",),
    tolerated=("cross-validated-cases",),
    default_for=("cases",),
    symbol="t",
    difference="estimate",
    assumes="independent outcomes",
    convention="equal differences",
    power={"exact": lambda effect, n, _, level: power.student_power(effect, n, 0.0, level)},
    clustered_power=_clustered_ttest_power,
    replication=("cases",),
)
TESTS = (CASE_TTEST,)
