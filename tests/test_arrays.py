"""Two arrays and a design are enough for every test."""

import numpy as np
import pytest
from sklearn.model_selection import RepeatedStratifiedKFold

import replicast as rc
from replicast.design import parse_design
from replicast.inference.methods import Method

RNG = np.random.default_rng(6)
SIZED = {
    "kfold": rc.KFold(10),
    "repeated-kfold": rc.RepeatedKFold(runs=2, folds=5),
    "random-splits": rc.RandomSplits(splits=10, n_train=90, n_test=10),
    "seeds": rc.Seeds(10),
    "cross-validated-cases": rc.CrossValidatedCases(folds=5),
}


def arrays(design: rc.Design) -> np.ndarray:
    scores = RNG.normal([[0.82], [0.8]], 0.02, (2, 10))
    return (RNG.random((2, 10)) < 0.6).astype(float) if design.binary else scores


@pytest.mark.parametrize("method", rc.METHODS.values(), ids=lambda method: method.name)
def test_every_test_takes_two_arrays(method: Method) -> None:
    usual = method.designs[0]
    design = SIZED.get(usual) or parse_design(usual)
    first, second = arrays(design)
    pair = rc.PairedScores(first=first, second=second, design=design)
    expected = method.test(pair)
    assert method.test(first, second, design=design).pvalue == expected.pvalue
    if usual in SIZED:
        with pytest.raises(rc.InvalidArgumentError, match="given with two arrays"):
            method.test(first, second)
    else:
        assert method.test(first, second).pvalue == expected.pvalue
    with pytest.raises(rc.InvalidArgumentError, match="together with an array"):
        method.test(pair, second)


def test_splitters_and_numbers_are_designs() -> None:
    first, second = arrays(rc.KFold(10))
    expected = rc.corrected_ttest(first, second, design=rc.KFold(10)).pvalue
    assert rc.corrected_ttest(first, second, design=10).pvalue == expected
    splitter = RepeatedStratifiedKFold(n_splits=5, n_repeats=2)
    found = rc.corrected_ttest(first, second, design=splitter)
    assert found.design == rc.RepeatedKFold(runs=2, folds=5)


def test_two_results_of_cross_validate_are_compared() -> None:
    first, second = arrays(rc.KFold(10))
    one, other = ({"test_score": scores, "fit_time": scores} for scores in (first, second))
    found = rc.compare(one, other, design=10)
    assert found.evidence.pvalue == rc.compare(first, second, design=10).evidence.pvalue
    assert rc.corrected_ttest(one, other, design=10).pvalue == found.evidence.pvalue
    both = {"test_f1": first, "test_auc": second}
    with pytest.raises(rc.InvalidArgumentError, match="with one test score, got test_f1, test_auc"):
        rc.compare(both, other, design=10)
