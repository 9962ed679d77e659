"""Properties of the kernels over random data, degenerate ones included."""

import warnings

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import replicast as rc

scores = st.integers(2, 14).flatmap(
    lambda n: st.tuples(
        *(st.lists(st.integers(0, 20).map(lambda k: k / 20), min_size=n, max_size=n),) * 2
    )
)


def results(first, second):
    pair = rc.PairedScores(first=first, second=second, design=rc.Datasets())
    folds = rc.PairedScores(first=first, second=second, design=rc.KFold(len(first)))
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", rc.errors.DegenerateScoresWarning
        )  # equal differences are meant here
        for method in ("paired-ttest", "signed-rank", "sign-test", "sign-flip"):
            yield rc.METHODS[method].test(pair)
        yield rc.corrected_ttest(folds)


@settings(deadline=None, max_examples=150)
@given(scores)
def test_pvalues_are_probabilities_and_mirror(data) -> None:
    first, second = data
    for one, other in zip(results(first, second), results(second, first), strict=True):
        assert 0 < one.pvalue <= 1
        assert one.pvalue == other.pvalue
        assert one.estimate == -other.estimate
        low, high = one.confidence_interval()
        assert low <= one.estimate + 1e-12
        assert one.estimate <= high + 1e-12


@settings(deadline=None, max_examples=100)
@given(scores, st.sampled_from([0.01, 1.0, 100.0]), st.integers(0, 3))
def test_scale_and_order_do_not_matter(data, factor: float, seed: int) -> None:
    first, second = (np.array(part) for part in data)
    order = np.random.default_rng(seed).permutation(len(first))
    for one, other in zip(
        results(first, second), results(first[order] * factor, second[order] * factor), strict=True
    ):
        np.testing.assert_allclose(one.pvalue, other.pvalue, rtol=1e-9)


@settings(deadline=None, max_examples=100)
@given(scores)
def test_effects_stay_in_their_range(data) -> None:
    pair = rc.PairedScores(first=data[0], second=data[1], design=rc.Datasets())
    for effect, low, high in (
        (rc.effects.rank_effect, -1, 1),
        (rc.effects.probability_of_superiority, 0, 1),
        (rc.effects.cliffs_delta, -1, 1),
        (rc.effects.rank_biserial, -1, 1),
    ):
        found = effect(pair)
        assert low <= found.estimate <= high
        limits = found.confidence_interval()
        assert low <= limits.low <= found.estimate <= limits.high <= high
