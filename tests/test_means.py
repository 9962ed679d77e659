"""What two means and spreads leave open, against the formulas written out."""

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import replicast as rc
from replicast import InvalidArgumentError
from replicast.cli import app


def test_every_correlation_is_the_test_it_would_have_been() -> None:
    found = rc.replicate(means=(93.4, 92.1), sds=(1.2, 1.0), folds=10)
    for r, pvalue, chance in zip(
        found.correlations, found.pvalues, found.probabilities, strict=True
    ):
        spread = np.sqrt(1.2**2 + 1.0**2 - 2 * r * 1.2 * 1.0)
        t = 1.3 / (spread * np.sqrt(1 / 10 + 1 / 9))
        assert pvalue == pytest.approx(2 * stats.t.sf(t, 9), rel=1e-9)
        expected = rc.replicate(t=float(t), folds=10, test="corrected").probability
        assert chance == pytest.approx(expected)
    assert (found.low, found.high) == (found.probabilities[0], found.probabilities[-1])
    assert list(found.probabilities) == sorted(found.probabilities)


def test_scores_with_that_correlation_give_that_p_value() -> None:
    """Folds made to have the reported means, spreads and correlation 0.8 exactly."""
    rng = np.random.default_rng(1)
    base = rng.normal(size=(10, 2))
    base -= base.mean(axis=0)
    white = base @ np.linalg.inv(np.linalg.cholesky(np.cov(base.T)).T)
    cov = np.array([[1.44, 0.8 * 1.2], [0.8 * 1.2, 1.0]])
    folds = white @ np.linalg.cholesky(cov).T + [93.4, 92.1]
    pair = rc.PairedScores(first=folds[:, 0], second=folds[:, 1], design=rc.KFold(10))
    found = rc.replicate(means=(93.4, 92.1), sds=(1.2, 1.0), folds=10)
    at = found.correlations.index(0.8)
    assert rc.corrected_ttest(pair).pvalue == pytest.approx(found.pvalues[at], rel=1e-9)


def test_seeds_have_one_answer_and_welch_s_degrees_of_freedom() -> None:
    found = rc.replicate(means=(93.4, 92.1), sds=(1.2, 0.4), seeds=5)
    expected = stats.ttest_ind_from_stats(93.4, 1.2, 5, 92.1, 0.4, 5, equal_var=False)
    assert found.pvalues == (pytest.approx(expected.pvalue),)
    assert found.low == found.high
    assert "other splits" in found.ask


def test_accuracies_on_one_test_set_need_no_spreads() -> None:
    found = rc.replicate(means=(0.934, 0.92), cases=500)
    assert found.correlations[0] == 0
    most = (0.92 - 0.934 * 0.92) / np.sqrt(0.934 * 0.066 * 0.92 * 0.08)
    assert found.correlations[-1] == pytest.approx(most)
    assert found.pvalues[-1] == pytest.approx(2 * 0.5**7)  # seven cases, all for the first
    independent = round((0.934 * 0.08 + 0.92 * 0.066) * 500)
    lost = round((independent - 7) / 2)
    assert found.pvalues[0] == pytest.approx(stats.binomtest(lost, 2 * lost + 7).pvalue, rel=1e-9)
    percent = rc.replicate(means=(93.4, 92.0), cases=500)
    assert percent.probabilities == found.probabilities


def test_the_other_way_round_and_losses() -> None:
    one = rc.replicate(means=(1.0, 2.0), sds=(0.5, 0.6), datasets=12)
    loss = rc.replicate(means=(1.0, 2.0), sds=(0.5, 0.6), datasets=12, greater_is_better=False)
    assert (one.better, loss.better) == ("second", "first")
    assert one.probabilities == pytest.approx(loss.probabilities)


def test_equal_spreads_that_go_together_leave_nothing_open() -> None:
    found = rc.replicate(means=(93.4, 92.1), sds=(1.0, 1.0), folds=10)
    assert found.high > 0.99
    assert "NaN" not in str(found.to_dict())


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ({"means": (1.0,), "folds": 10}, "`means` must be"),
        ({"means": (93.4, 92.1), "folds": 10}, "`sds` must be two standard deviations"),
        ({"means": (93.4, 92.1), "sds": (-1.0, 1.0), "folds": 10}, "not both 0"),
        ({"means": (93.4, 92.1), "sds": (1.0, 1.0)}, "given"),
        ({"means": (93.4, -1.0), "cases": 100}, "accuracies"),
        ({"means": (93.4, 92.1), "cases": 100, "folds": 10}, "alone"),
    ],
)
def test_what_is_refused(call: dict, sentence: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=sentence):
        rc.replicate(**call)


def test_the_command_line() -> None:
    run = CliRunner().invoke
    done = run(app, ["replicate", "--means", "93.4,92.1", "--sds", "1.2,1.0", "--folds", "10"])
    assert "the score of every fold, or the standard deviation" in " ".join(done.stdout.split())
    refused = run(app, ["replicate", "--means", "93.4;92.1", "--folds", "10"])
    assert refused.exit_code != 0
    both = run(app, ["replicate", "--means", "93.4,92.1", "--t", "2", "--folds", "10"])
    assert both.exit_code != 0


def test_every_correlation_has_its_chance_and_the_words_say_so() -> None:
    found = rc.replicate(means=(93.4, 92.1), sds=(1.2, 1.0), folds=10)
    t = 1.3 / (np.sqrt(1.2**2 + 1.0**2) * np.sqrt(1 / 10 + 1 / 9))
    alone = rc.replicate(t=float(t), folds=10, test="corrected")
    assert found.probabilities[0] == pytest.approx(alone.probability)
    done = CliRunner().invoke(
        app, ["replicate", "--means", "93.4,92.1", "--sds", "1.2,1.0", "--folds", "10", "--more"]
    )
    told = " ".join(done.stdout.split())
    assert "r = 0.9 p < 0.001 82 of 100 repeats" in told
    assert "To quote 93.4 ± 1.2 against 92.1 ± 1.0 (10-fold cross-validation): the" in told
    assert "depending on the correlation of the scores." in told


def test_a_mean_in_percent_beside_a_fraction_is_refused() -> None:
    with pytest.raises(
        InvalidArgumentError, match=r"93\.4, which looks like percent, beside 0\.921"
    ):
        rc.replicate(means=(93.4, 0.921), sds=(1.2, 1.0), folds=10)
