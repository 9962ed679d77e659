"""The table of all tests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast.design import (
    Datasets,
    Design,
    FiveByTwo,
    Holdout,
    KFold,
    RandomSplits,
    RepeatedKFold,
)
from replicast.inference.counts import mcnemar, mcnemar_pvalues
from replicast.inference.evidence import (
    CROSS_VALIDATION,
    INDEPENDENT,
    SHARED_TRAINING,
    DesignTypes,
)
from replicast.inference.permutation import sign_flip_pvalues, sign_flip_test
from replicast.inference.posterior import (
    correlated_posterior,
    correlated_posterior_pvalues,
    signed_rank_posterior,
    signed_rank_posterior_pvalues,
)
from replicast.inference.ranks import (
    sign_test,
    sign_test_pvalues,
    signed_rank,
    signed_rank_pvalues,
)
from replicast.inference.student import (
    corrected_ttest,
    corrected_ttest_pvalues,
    five_by_two_ftest,
    five_by_two_ftest_pvalues,
    five_by_two_ttest,
    five_by_two_ttest_pvalues,
    paired_ttest,
    paired_ttest_pvalues,
)
from replicast.results import PosteriorResult, SignificanceResult

Evidence = SignificanceResult | PosteriorResult


@dataclass(frozen=True, kw_only=True)
class Method:
    """One test: its function, its batch twin, and the designs it is valid for.

    `tolerated` designs are allowed when the test is asked for by name; the result carries a caution.
    """

    name: str
    title: str
    test: Callable[..., Any]
    batch_pvalues: Callable[..., NDArray[np.float64]]
    designs: DesignTypes
    tolerated: DesignTypes = ()
    reference: str

    def allows(self, design: object) -> bool:
        """Say whether the test runs on this design at all."""
        return isinstance(design, (*self.designs, *self.tolerated))


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        method.name: method
        for method in (
            Method(
                name="paired-ttest",
                title="paired t-test",
                test=paired_ttest,
                batch_pvalues=paired_ttest_pvalues,
                designs=INDEPENDENT,
                tolerated=SHARED_TRAINING,
                reference="Student (1908), Biometrika 6",
            ),
            Method(
                name="corrected-ttest",
                title="corrected resampled t-test",
                test=corrected_ttest,
                batch_pvalues=corrected_ttest_pvalues,
                designs=CROSS_VALIDATION,
                reference="Nadeau & Bengio (2003), Machine Learning 52",
            ),
            Method(
                name="five-by-two-ttest",
                title="5x2cv t-test",
                test=five_by_two_ttest,
                batch_pvalues=five_by_two_ttest_pvalues,
                designs=(FiveByTwo,),
                reference="Dietterich (1998), Neural Computation 10",
            ),
            Method(
                name="five-by-two-ftest",
                title="combined 5x2cv F-test",
                test=five_by_two_ftest,
                batch_pvalues=five_by_two_ftest_pvalues,
                designs=(FiveByTwo,),
                reference="Alpaydin (1999), Neural Computation 11",
            ),
            Method(
                name="sign-test",
                title="sign test",
                test=sign_test,
                batch_pvalues=sign_test_pvalues,
                designs=INDEPENDENT,
                tolerated=SHARED_TRAINING,
                reference="Arbuthnott (1710); Demšar (2006), JMLR 7",
            ),
            Method(
                name="signed-rank",
                title="Wilcoxon signed-rank test",
                test=signed_rank,
                batch_pvalues=signed_rank_pvalues,
                designs=INDEPENDENT,
                tolerated=SHARED_TRAINING,
                reference="Wilcoxon (1945), Biometrics 1",
            ),
            Method(
                name="sign-flip",
                title="sign-flip permutation test",
                test=sign_flip_test,
                batch_pvalues=sign_flip_pvalues,
                designs=INDEPENDENT,
                tolerated=SHARED_TRAINING,
                reference="Fisher (1935), The Design of Experiments",
            ),
            Method(
                name="mcnemar",
                title="McNemar's test",
                test=mcnemar,
                batch_pvalues=mcnemar_pvalues,
                designs=(Holdout,),
                reference="McNemar (1947), Psychometrika 12",
            ),
            Method(
                name="correlated-posterior",
                title="Bayesian correlated t-test",
                test=correlated_posterior,
                batch_pvalues=correlated_posterior_pvalues,
                designs=CROSS_VALIDATION,
                reference="Corani & Benavoli (2015), Machine Learning 100",
            ),
            Method(
                name="signed-rank-posterior",
                title="Bayesian signed-rank test",
                test=signed_rank_posterior,
                batch_pvalues=signed_rank_posterior_pvalues,
                designs=INDEPENDENT,
                reference="Benavoli et al. (2014), ICML",
            ),
        )
    }
)


def default_method(design: Design) -> str:
    """Return the test recommended for a design; the scores themselves have no say in it."""
    match design:
        case Datasets():
            return "signed-rank"
        case KFold() | RepeatedKFold() | RandomSplits():
            return "corrected-ttest"
        case FiveByTwo():
            return "five-by-two-ftest"
        case Holdout():
            return "mcnemar"
