"""The sign-flip permutation test."""

from functools import partial

from replicast.arrays import Floats
from replicast.design import Design
from replicast.errors import invalid, is_whole
from replicast.inference.evidence import (
    INDEPENDENT,
    SHARED_TRAINING,
    admit,
    batch_sample,
    warn_degenerate,
)
from replicast.kernels import permutation
from replicast.kernels.schemes import Scheme
from replicast.randomness import RandomSource, generator
from replicast.results import Alternative, SignificanceResult
from replicast.scores import PairedScores

_MOST_RESAMPLES = 1_000_000_000


def sign_flip_test(
    scores: PairedScores,
    *,
    alternative: Alternative = "two-sided",
    scheme: Scheme = "all",
    resamples: int = 99_999,
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
    scores, sample, cautions = admit(
        scores,
        method="sign-flip",
        designs=INDEPENDENT,
        tolerated=SHARED_TRAINING,
        scheme=scheme,
        alternative=alternative,
    )
    cautions += warn_degenerate(scores, sample, constant=False)
    if not is_whole(resamples) or not 1 <= resamples <= _MOST_RESAMPLES:
        raise invalid("resamples", f"a whole number from 1 to {_MOST_RESAMPLES:,}", resamples)
    pvalue = _pvalues(sample[None], alternative, resamples, rng)
    n = len(sample)
    return SignificanceResult(
        method="sign-flip",
        names=scores.names,
        n=n,
        estimand="mean difference",
        estimate=float(sample.mean()),
        standard_error=None,
        statistic=float(sample.mean()),
        df=None,
        pvalue=float(pvalue[0]),
        alternative=alternative,
        exactness="exact" if n <= permutation.EXACT_UP_TO else "monte-carlo",
        design=scores.design,
        scheme=scheme,
        cautions=cautions,
        interval_rule=partial(permutation.sign_flip_interval, sample, resamples),
    )


def sign_flip_pvalues(
    rows: Floats,
    design: Design,
    *,
    scheme: Scheme = "all",
    resamples: int = 99_999,
    rng: RandomSource = 0,
) -> Floats:
    """Return two-sided sign-flip p-values of rows of differences."""
    sample = batch_sample(rows, design, scheme, "sign-flip", (*INDEPENDENT, *SHARED_TRAINING))
    return _pvalues(sample, "two-sided", resamples, rng)


def _pvalues(sample: Floats, alternative: str, resamples: int, rng: RandomSource) -> Floats:
    return permutation.sign_flip_pvalues(
        sample, alternative=alternative, resamples=resamples, rng=generator(rng)
    )
