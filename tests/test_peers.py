"""Mistakes found in other packages for comparing classifiers, each with a test that we do not make it.

They are not exotic: identical inputs, swapped arguments, one comparison, a constant difference.
"""

import subprocess
import sys

import numpy as np
import pytest

import replicast as rc


def over_datasets(first, second=None, **more):
    second = np.zeros(len(first)) if second is None else second
    return rc.PairedScores(first=first, second=second, design=rc.Datasets(), **more)


def test_two_sided_test_keeps_its_level() -> None:
    # a peer looks which median is larger and then tests one-sided: 0.0975 instead of 0.05
    rows = np.random.default_rng(0).normal(size=(20_000, 30))
    pvalues = rc.METHODS["signed-rank"].batch_pvalues(rows, rc.Datasets(30))
    assert np.mean(pvalues < 0.05) == pytest.approx(0.05, abs=0.006)


def test_identical_models_are_not_infinitely_different() -> None:
    # a peer's McNemar gives chi-square infinite and p = 0 for a model against itself
    predictions = rc.PairedPredictions(truth=[0, 1, 1], first=[0, 1, 0], second=[0, 1, 0])
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        assert rc.mcnemar(predictions).pvalue == 1


@pytest.mark.parametrize("offset", [0.0, 0.1])
def test_no_nan_for_a_model_against_itself(offset: float) -> None:
    scores = rc.PairedScores(first=[0.9 + offset] * 10, second=[0.9] * 10, design=rc.KFold(10))
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        result = rc.corrected_ttest(scores)
    assert np.isfinite(result.pvalue)


def test_round_off_is_not_variance() -> None:
    # np.var(full(100, .3) - full(100, .2)) is 1.9e-34, and a peer divides by it
    first = np.array([0.3, 0.4, 0.5, 0.6, 0.7])
    assert len(set((first - (first - 0.1)).tolist())) > 1
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        assert np.isinf(rc.paired_ttest(over_datasets(first, first - 0.1)).statistic)


def test_ties_survive_subtraction() -> None:
    # 0.8 - 0.7 and 0.9 - 0.8 are equal differences whatever the last bit says
    scores = over_datasets([0.8, 0.9, 0.3, 0.5], [0.7, 0.8, 0.2, 0.6])
    assert len(set(np.abs(scores.differences).tolist())) == 1


def test_sign_and_sentence_agree() -> None:
    # "A is significantly larger than B with a large effect size (d = -6.338)"
    first, second = np.array([0.71, 0.72, 0.75, 0.73, 0.74, 0.70]), np.full(6, 0.6)
    for scores, winner in (
        (over_datasets(first, second, names=("A", "B")), "A"),
        (over_datasets(second, first, names=("A", "B")), "B"),
    ):
        found = rc.compare(scores)
        assert str(found).startswith(f"{winner} ")
        assert np.sign(found.effect.estimate) == (1 if winner == "A" else -1)
        assert np.sign(found.difference.estimate) == np.sign(found.evidence.estimate)


def test_direction_of_one_sided_pvalues_is_documented_and_right() -> None:
    better = over_datasets([0.9, 0.8, 0.95, 0.85, 0.92, 0.88], [0.8, 0.75, 0.85, 0.8, 0.8, 0.86])
    for method in ("paired-ttest", "signed-rank", "sign-test", "sign-flip"):
        test = rc.METHODS[method].test
        greater, less = test(better, alternative="greater"), test(better, alternative="less")
        assert greater.pvalue < 0.05 < less.pvalue
        assert test(better.swapped(), alternative="less").pvalue == pytest.approx(greater.pvalue)


def test_corrected_t_has_the_right_denominator() -> None:
    # a peer has three different denominators, none of them sqrt(var (1/n + n2/n1))
    d = np.array([1.0, -2.0, 3.0, 4.0, 0.5, 2.0, -1.0, 1.5, 2.5, 0.0])
    scores = rc.PairedScores(first=d, second=np.zeros(10), design=rc.KFold(10))
    expected = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 10 + 1 / 9))
    assert rc.corrected_ttest(scores).statistic == pytest.approx(expected)


def test_paired_stays_paired() -> None:
    # a peer resamples each list separately: A better on 30 of 30 datasets, p = 0.386
    base = np.random.default_rng(1).normal(0.7, 0.1, 30)
    scores = over_datasets(base + 0.01, base)
    assert rc.signed_rank(scores).pvalue < 1e-8
    assert (
        rc.sign_flip_test(over_datasets(np.r_[base + 0.01, 0.5], np.r_[base, 0.505])).pvalue < 1e-6
    )


def test_sets_are_refused() -> None:
    # a set has no order and no duplicates, so its scores are not paired with anything
    with pytest.raises(
        rc.InvalidArgumentError, match="`first` must be a sequence in a fixed order"
    ):
        over_datasets({0.1, 0.2, 0.3}, [0.1, 0.2, 0.3])


def test_two_groups_work_like_three() -> None:
    # a peer guesses the meaning of an array from a dimension that equals 2
    assert rc.paired_ttest(over_datasets([0.9, 0.8], [0.7, 0.75])).n == 2


def test_pvalue_equal_to_the_level_is_not_significant() -> None:
    scores = over_datasets([1, 2, 3, 4, 5, 6])
    result = rc.signed_rank(scores)
    assert result.pvalue == 0.03125
    assert rc.decide(result, significance=0.03125).outcome == "inconclusive"
    assert rc.decide(result, significance=0.0313).outcome == "first better"


def test_same_result_object_always_answers_the_same() -> None:
    # a peer caches one posterior sample per class, so two results overwrite each other
    one = over_datasets(np.random.default_rng(0).normal(0.5, 1, 12))
    two = over_datasets(np.random.default_rng(1).normal(-0.5, 1, 12))
    first = rc.signed_rank_posterior(one)
    rc.signed_rank_posterior(two)
    assert rc.signed_rank_posterior(one) == first


def test_seed_and_prior_are_checked_and_used() -> None:
    scores = over_datasets(np.random.default_rng(0).normal(0.2, 1, 12))
    with pytest.raises(rc.InvalidArgumentError, match="`prior` must be a positive weight, got -1"):
        rc.signed_rank_posterior(scores, prior=-1)
    one, two = (rc.signed_rank_posterior(scores, rng=seed, draws=500) for seed in (1, 2))
    assert one.first_better != two.first_better
    assert rc.signed_rank_posterior(scores, rng=1, draws=500) == one


def test_nothing_happens_at_import() -> None:
    code = (
        "import sys, replicast; heavy = {'numba', 'scipy', 'pandas', 'sklearn', 'matplotlib', "
        "'torch', 'rich', 'typer'} & set(sys.modules); print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert done.stderr == ""


def test_no_public_name_is_collected_by_pytest() -> None:
    assert not [name for name in rc.__all__ if name.lower().startswith("test")]


def test_the_stub_is_the_list_of_public_names() -> None:
    import ast
    from pathlib import Path

    stub = Path(rc.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    typed = {
        (alias.asname, node.module)
        for node in ast.parse(stub).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == set(rc._HOME_OF.items())
    assert set(rc.__all__) == {"__version__", *rc._HOME_OF} - set(rc._MODULES)
    for name in rc.__all__:
        assert getattr(rc, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = rc.nonsense


def test_library_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    rc.compare(over_datasets([1, 2, 3, 4, 5, 6.5]))
    assert capfd.readouterr() == ("", "")
