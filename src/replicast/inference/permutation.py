"""The sign-flip permutation test."""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats
from replicast.design import Design, DesignLike
from replicast.errors import invalid, is_whole
from replicast.inference.evidence import Scores, admit, batch_sample, given_pair
from replicast.inference.traits import INDEPENDENT, SHARED_TRAINING, Method
from replicast.kernels import permutation, power
from replicast.kernels.schemes import Scheme
from replicast.randomness import RandomSource, generator
from replicast.results import Alternative, SignificanceResult

_USUAL_RESAMPLES = 99_999
_MOST_RESAMPLES = 1_000_000_000


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
    admitted = admit(
        given_pair(scores, second, design, SIGN_FLIP),
        SIGN_FLIP,
        scheme=scheme,
        alternative=alternative,
    )
    sample = admitted.sample
    if not is_whole(resamples) or not 1 <= resamples <= _MOST_RESAMPLES:
        raise invalid("resamples", f"a whole number from 1 to {_MOST_RESAMPLES:,}", resamples)
    pvalue = _pvalues(sample[None], alternative, resamples, rng)
    return admitted.result(
        estimand="mean difference",
        estimate=float(sample.mean()),
        standard_error=None,
        statistic=float(sample.mean()),
        df=None,
        pvalue=float(pvalue[0]),
        exactness="exact" if len(sample) <= permutation.EXACT_UP_TO else "monte-carlo",
        interval_rule=partial(permutation.sign_flip_interval, sample, resamples),
    )


def sign_flip_pvalues(
    rows: Floats,
    design: Design,
    *,
    scheme: Scheme = "all",
    resamples: int = _USUAL_RESAMPLES,
    rng: RandomSource = 0,
) -> Floats:
    """Return two-sided sign-flip p-values of rows of differences."""
    sample = batch_sample(rows, design, SIGN_FLIP, scheme)
    return _pvalues(sample, "two-sided", resamples, rng)


def _pvalues(sample: Floats, alternative: str, resamples: int, rng: RandomSource) -> Floats:
    return permutation.sign_flip_pvalues(
        sample, alternative=alternative, resamples=resamples, rng=generator(rng)
    )


def _smallest_pvalue(n: int) -> float:
    return 2.0 ** (1 - n) if n <= permutation.EXACT_UP_TO else 2 / (_USUAL_RESAMPLES + 1)


SIGN_FLIP = Method(
    name="sign-flip",
    title="sign-flip permutation test",
    reference="Fisher (1935), The Design of Experiments",
    test=sign_flip_test,
    batch_pvalues=sign_flip_pvalues,
    designs=INDEPENDENT,
    tolerated=SHARED_TRAINING,
    counts="{n} differences",
    assumes="symmetric differences",
    smallest_pvalue=_smallest_pvalue,
    # over many scores its p-value is that of the t-test
    power={"large-sample": lambda effect, n, _, level: power.student_power(effect, n, 0.0, level)},
    quick_pvalues=lambda rows: permutation.simulated_pvalues(rows, 999, np.random.default_rng(0)),
)
TESTS = (SIGN_FLIP,)
