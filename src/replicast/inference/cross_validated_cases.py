"""The corrected t-test of cases: one run of cross-validation knows as much as it has cases."""

from numpy.typing import ArrayLike

from replicast.arrays import Floats
from replicast.design import Design, DesignLike
from replicast.errors import DesignMismatchError
from replicast.inference.cases import case_pvalues, case_result, mean_of_cases, power_seen
from replicast.inference.evidence import Scores, admit
from replicast.inference.layouts import codes_of, coin_tosses
from replicast.inference.traits import Chances, Method
from replicast.kernels import power
from replicast.kernels.cases import CaseMean, cross_validated_mean
from replicast.results import Alternative, SignificanceResult
from replicast.scores.pairs import PairedScores


def corrected_case_ttest(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
) -> SignificanceResult:
    """Test equal expected scores by the cases of cross-validation.

    Where the score of every case is known, not only that of every fold, the mean difference has the
    standard error of cases, enlarged for the overlap of training sets by the factor of the corrected
    t-test [1]_: s / √n · √(1 + k / (k - 1)), with n - 1 degrees of freedom. It is in expectation the
    error that `corrected_ttest` has, with n - 1 degrees of freedom instead of k - 1. Clusters of cases
    count as clusters, if no fold divides them. Several runs share the cases: their mean is as
    uncertain as these (docs/concepts/cases-of-folds.md). Positive estimates favour the first
    classifier.

    Parameters
    ----------
    scores : PairedScores
        Scores of cases, with the design `CrossValidatedCases`; or of folds that know their cases, as
        `evaluate` gives them.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first classifier is better.

    References
    ----------
    .. [1] Nadeau and Bengio (2003), Machine Learning 52, 239-281.

    Examples
    --------
    >>> from replicast import CrossValidatedCases, PairedScores, corrected_case_ttest
    >>> first, second = [1, 1, 1, 0, 1, 1, 1, 1], [0, 1, 0, 0, 1, 0, 1, 1]
    >>> pair = PairedScores(first=first, second=second, design=CrossValidatedCases(folds=4))
    >>> round(corrected_case_ttest(pair).pvalue, 4)
    0.2216
    """
    admitted = admit(CORRECTED_CASE_TTEST, scores, second, design, alternative=alternative)
    pair = admitted.scores
    return case_result(admitted, _mean(pair), coin_tosses(pair.design, pair.independent))


def _mean(pair: PairedScores) -> CaseMean:
    found = pair.cluster_mean or mean_of_cases(pair.differences, None)
    noise = (pair.design.answers - 1) * (pair.answer_variance or 0.0)
    return cross_validated_mean(found, pair.design.overlap, len(pair.differences), noise)


def _row_pvalues(sample: Floats, design: Design, *, clusters: ArrayLike | None = None) -> Floats:
    if design.answers > 1:
        remedy = "Means over runs do not tell how much one run differs from another"
        raise DesignMismatchError("design", "one run for rows of cases", str(design), remedy)
    codes = codes_of(clusters, design, sample.shape[-1])
    found = cross_validated_mean(mean_of_cases(sample, codes), design.overlap)
    parts = sample.shape[-1] if codes is None else int(codes.max()) + 1
    return case_pvalues(found, coin_tosses(design, parts))


def _power(effect: float, n: int, design: Design, level: float) -> Chances:
    """Return the power of a T that varies less over fresh data than it assumes."""
    inflation = design.t_layout(corrected=True).inflation
    return power.student_power(effect, n, design.overlap / n, level, inflation)


def _clustered_power(pair: PairedScores, level: float) -> tuple[Chances, float]:
    return power_seen(_mean(pair), level, pair.design.t_layout(corrected=True).inflation)


CORRECTED_CASE_TTEST = Method(
    name="corrected-case-ttest",
    title="corrected t-test of cases",
    reference="Nadeau & Bengio (2003), Machine Learning 52",
    test=corrected_case_ttest,
    row_pvalues=_row_pvalues,
    designs=("cross-validated-cases",),
    default_for=("cross-validated-cases",),
    symbol="t",
    difference="estimate",
    assumes="independent outcomes",
    convention="equal differences",
    power={"exact": _power},
    clustered_power=_clustered_power,
    replication=("cross-validated-cases",),
)
TESTS = (CORRECTED_CASE_TTEST,)
