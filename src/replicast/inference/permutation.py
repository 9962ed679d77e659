"""The sign-flip permutation test: of datasets, and of the cases of one test set."""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats, Ints
from replicast.design import Design, DesignLike
from replicast.errors import invalid, is_whole
from replicast.inference.evidence import Admitted, Scores, admit
from replicast.inference.layouts import codes_of
from replicast.inference.traits import INDEPENDENT, SHARED_TRAINING, Chances, Method
from replicast.kernels import cases, permutation, power, student
from replicast.kernels.schemes import Scheme
from replicast.randomness import RandomSource, generator
from replicast.results import Alternative, SignificanceResult, is_significant
from replicast.scores.pairs import PairedScores

_USUAL_RESAMPLES = 99_999
_MOST_RESAMPLES = 1_000_000_000
_SIMULATIONS = 2000


def sign_flip_test(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
    scheme: Scheme = "all",
    resamples: int = _USUAL_RESAMPLES,
    rng: RandomSource = 0,
) -> SignificanceResult:
    """Test a zero mean difference by flipping the signs of the differences.

    Needs only that differences are symmetric around zero if the classifiers are equal. Exact for up
    to 32 differences, where all sign patterns are counted; beyond, `resamples` random patterns with
    a fixed seed unless told otherwise. On folds of one dataset it ignores the overlap of training
    sets. Positive estimates favour the first classifier.

    Examples
    --------
    >>> from replicast import Datasets, PairedScores, sign_flip_test
    >>> pair = PairedScores(first=[5, 6, 7, 8, 9, 3], second=[1, 2, 3, 4, 5, 4], design=Datasets())
    >>> sign_flip_test(pair).pvalue
    0.0625
    """
    admitted = admit(SIGN_FLIP, scores, second, design, scheme=scheme, alternative=alternative)
    return _flipped(admitted, float(admitted.sample.mean()), resamples, rng)


def case_flip(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
    resamples: int = _USUAL_RESAMPLES,
    rng: RandomSource = 0,
) -> SignificanceResult:
    """Test equal scores on the cases of one test set by flipping signs, of whole clusters if any.

    Needs only that the difference of a case, or the sum of a cluster, is symmetric around zero if the
    models are equal. Exact for up to 32 cases or clusters; beyond, `resamples` random patterns with a
    fixed seed unless told otherwise. Positive estimates favour the first model.

    Examples
    --------
    >>> from replicast import PairedCases, case_flip
    >>> first, second = [0.9, 0.8, 0.7, 0.9, 0.4, 0.6], [0.8, 0.7, 0.7, 0.5, 0.3, 0.4]
    >>> pair = PairedCases(first=first, second=second, clusters="aabbcc")
    >>> case_flip(pair).pvalue  # three clusters: the least there is
    0.25
    """
    admitted = admit(CASE_FLIP, scores, second, design, alternative=alternative)
    return _flipped(admitted, float(student.moments(admitted.sample)[0]), resamples, rng)


def _flipped(
    admitted: Admitted, mean: float, resamples: int, rng: RandomSource
) -> SignificanceResult:
    """Record the test of a mean; the sums of clusters are flipped as one."""
    if not is_whole(resamples) or not 1 <= resamples <= _MOST_RESAMPLES:
        raise invalid("resamples", f"a whole number from 1 to {_MOST_RESAMPLES:,}", resamples)
    clusters = admitted.scores.clusters
    sums = _sums(admitted.sample, clusters)
    sizes = None if clusters is None else np.bincount(clusters).astype(np.float64)
    pvalue = permutation.sign_flip_pvalues(
        sums[None], alternative=admitted.alternative, resamples=resamples, rng=generator(rng)
    )
    return admitted.result(
        estimand="mean difference",
        estimate=mean,
        statistic=mean,
        pvalue=float(pvalue[0]),
        exactness="exact" if len(sums) <= permutation.EXACT_UP_TO else "monte-carlo",
        interval_rule=partial(permutation.sign_flip_interval, sums, resamples, sizes=sizes),
    )


def _sums(rows: Floats, clusters: Ints | None) -> Floats:
    return rows if clusters is None else cases.cluster_sums(rows, clusters)


def _row_pvalues(
    sample: Floats,
    design: Design,
    *,
    clusters: ArrayLike | None = None,
    resamples: int = _USUAL_RESAMPLES,
    rng: RandomSource = 0,
) -> Floats:
    sums = _sums(sample, codes_of(clusters, design, sample.shape[-1]))
    return permutation.sign_flip_pvalues(
        sums, alternative="two-sided", resamples=resamples, rng=generator(rng)
    )


def _smallest_pvalue(n: int) -> float:
    return 2.0 ** (1 - n) if n <= permutation.EXACT_UP_TO else 2 / (_USUAL_RESAMPLES + 1)


def _quick_pvalues(rows: Floats) -> Floats:
    return permutation.simulated_pvalues(rows, 999, np.random.default_rng(0))


def _power(effect: float, n: int, _: Design, level: float) -> Chances:
    """Return the power over many scores, where the p-value is that of the t-test."""
    return power.student_power(effect, n, 0.0, level)


def _clustered_flip_power(pair: PairedScores, level: float) -> tuple[Chances, float]:
    """Return the power of normal sums of clusters like these, simulated, and its error."""
    clusters = pair.clusters
    if clusters is None:
        raise invalid("scores", "cases in clusters", str(pair.design))
    mean, deviation = student.moments(pair.differences)
    sizes = np.bincount(clusters).astype(np.float64)
    shared = float(cases.cluster_correlation(pair.differences, clusters))
    spread = float(deviation) * np.sqrt(sizes * (1 + (sizes - 1) * shared))
    drawn = np.random.default_rng(0).normal(size=(_SIMULATIONS, len(sizes)))
    rows = abs(float(mean)) * sizes + spread * drawn
    significant = is_significant(_quick_pvalues(rows), level)
    share = float(significant.mean())
    right = float((significant & (rows.sum(axis=1) > 0)).mean())
    error = float(np.sqrt(max(share * (1 - share), 1 / _SIMULATIONS) / _SIMULATIONS))
    return (right, share - right), error


SIGN_FLIP = Method(
    name="sign-flip",
    title="sign-flip permutation test",
    reference="Fisher (1935), The Design of Experiments",
    test=sign_flip_test,
    row_pvalues=_row_pvalues,
    designs=INDEPENDENT,
    tolerated=SHARED_TRAINING,
    counts="{n} differences",
    assumes="symmetric differences",
    smallest_pvalue=_smallest_pvalue,
    power={"large-sample": _power},
    quick_pvalues=_quick_pvalues,
)
CASE_FLIP = Method(
    name="case-flip",
    title="sign-flip test of cases",
    reference="Fisher (1935), The Design of Experiments",
    test=case_flip,
    row_pvalues=_row_pvalues,
    designs=("cases",),
    counts="{n} differences",
    difference="estimate",
    assumes="symmetric differences",
    smallest_pvalue=_smallest_pvalue,
    power={"large-sample": _power},
    quick_pvalues=_quick_pvalues,
    clustered_power=_clustered_flip_power,
)
TESTS = (SIGN_FLIP, CASE_FLIP)
