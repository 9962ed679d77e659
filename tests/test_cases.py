"""Cases with scores of any kind: parsed, tested, repeated; against slow twins and simulation."""

import dataclasses
import itertools
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calibration.first_place import boards
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from typer.testing import CliRunner

import replicast as rc
from replicast import Cases, Holdout, InvalidArgumentError, PairedCases
from replicast.cli import app
from replicast.design import parse_design
from replicast.errors import DesignMismatchError
from replicast.kernels.cases import case_mean, clustered_mean, plain_clustered_mean, satterthwaite
from replicast.kernels.mixtures import Prior
from replicast.kernels.stability import cluster_values
from replicast.presentation.pictures.comparison import comparison_figure
from replicast.presentation.telling import tell
from replicast.replication.cases import CaseModel, normal_model
from replicast.replication.first_result import read_first_result
from replicast.replication.models import Goal


def graded(cases: int = 200, clusters: int | None = 25, answers: int = 3, seed: int = 1):
    rng = np.random.default_rng(seed)
    labels = None if clusters is None else rng.integers(0, clusters, cases)
    shared = 0 if labels is None else rng.normal(0, 0.1, clusters)[labels][:, None]
    level = rng.uniform(0.2, 0.7, cases)[:, None]
    first = np.clip(level + 0.05 + shared + rng.normal(0, 0.15, (cases, answers)), 0, 1)
    second = np.clip(level + rng.normal(0, 0.15, (cases, answers)), 0, 1)
    return PairedCases(first=first, second=second, clusters=labels, names=("new", "old"))


# --------------------------------------------------------------------------- parsing
def test_right_and_wrong_stay_a_holdout() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    pair = PairedCases(first=first, second=second)
    assert pair.design == Holdout(60)
    assert rc.compare(pair).evidence == rc.mcnemar(pair)
    assert PairedCases(first=first, second=second, clusters=range(60)).design == Cases(
        60, clusters=60
    )
    answered = PairedCases(first=np.stack([first, second], 1), second=second)
    assert answered.design == Cases(60, clusters=None, answers=2)


def test_answers_are_averaged_and_their_noise_is_kept() -> None:
    first = np.array([[1.0, 0.0, 1.0], [0.5, np.nan, 0.7], [0.2, 0.2, 0.2]])
    pair = PairedCases(first=first, second=[0.5, 0.5, 0.5], greater_is_better=False)
    np.testing.assert_allclose(pair.first, [2 / 3, 0.6, 0.2])
    np.testing.assert_allclose(pair.differences, [0.5 - 2 / 3, -0.1, 0.3], atol=1e-14)
    by_case = [np.var([1, 0, 1], ddof=1) / 3, np.var([0.5, 0.7], ddof=1) / 2, 0]
    assert pair.answer_variance == pytest.approx(np.mean(by_case), rel=1e-12)
    assert pair.design == Cases(3, clusters=None, answers=3)


def test_labels_of_any_kind_are_the_same_clusters() -> None:
    first, second = np.arange(6.0), np.zeros(6)
    found = [
        PairedCases(first=first, second=second, clusters=labels)
        for labels in ("aabbca", [5, 5, 9, 9, 11, 5], np.array(["x", "x", "y", "y", "z", "x"]))
    ]
    assert found[0] == found[1] == found[2]
    assert found[0].independent == 3
    assert found[0].swapped().swapped() == found[0]
    assert rc.case_ttest(found[0].swapped()).estimate == -rc.case_ttest(found[0]).estimate


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"second": [1.0]}, "`second` must be as long as `first`"),
        (
            {"first": [[0.1, 0.2], [np.nan, np.nan], [1, 1]]},
            "`first` must be a score for every case",
        ),
        ({"first": [0.1, np.inf, 0.2]}, "`first` must be finite"),
        ({"first": np.zeros((2, 2, 2))}, "`first` must be scores"),
        ({"first": ["a", "b", "c"]}, "`first` must be numbers"),
        ({"clusters": "aab" * 2}, "`clusters` must be one label for each of 3 cases"),
        ({"clusters": "aaa"}, "`clusters` must be two or more"),
        ({"clusters": ["a", None, "b"]}, "`clusters` must be a label for every case"),
        ({"clusters": {1, 2, 3}}, "`clusters` must be a label for every case"),
        ({"clusters": 3}, "`clusters` must be a label for every case"),
        ({"names": "ab"}, "`names` must be two classifier names"),
        ({"greater_is_better": "no"}, "`greater_is_better`"),
    ],
)
def test_odd_cases_are_refused(content, words: str) -> None:
    usual = {"first": [0.1, 0.4, 0.3], "second": [0.0, 0.5, 0.3]}
    with pytest.raises(InvalidArgumentError, match=words):
        PairedCases(**{**usual, **content})


def test_designs_and_clusters_must_fit() -> None:
    scores = {"first": [0.1, 0.4, 0.3], "second": [0.0, 0.5, 0.3]}
    with pytest.raises(DesignMismatchError, match="the cluster of every case"):
        rc.PairedScores(**scores, design=Cases(clusters=2))
    with pytest.raises(DesignMismatchError, match="labels of 2 clusters"):
        rc.PairedScores(**scores, design=Cases(clusters=2), clusters=[1, 2, 3])
    with pytest.raises(DesignMismatchError, match="unless the scores are cases"):
        rc.PairedScores(**scores, design=rc.Datasets(), clusters=[1, 2, 2])
    with pytest.raises(InvalidArgumentError, match="at most as many as the 10 cases"):
        Cases(10, clusters=11)
    assert parse_design("cases:count=500,clusters=40,answers=3") == Cases(
        500, clusters=40, answers=3
    )
    assert rc.PairedScores(**scores, design="cases", clusters=[1, 2, 2]).design == Cases(
        3, clusters=2
    )


# --------------------------------------------------------------------------- standard errors
def test_errors_equal_a_short_reference() -> None:
    """The formulas as evaluation programs write them, case by case."""
    pair = graded()
    d, labels = pair.differences.tolist(), pair.clusters.tolist()
    n, mean = len(d), sum(d) / len(d)
    plain = (sum((x - mean) ** 2 for x in d) / (n * (n - 1))) ** 0.5
    sums = dict.fromkeys(labels, 0.0)
    for x, label in zip(d, labels, strict=True):
        sums[label] += x - mean
    groups = len(sums)
    clustered = (groups / (groups - 1) * sum(s * s for s in sums.values())) ** 0.5 / n
    alone = rc.case_ttest(rc.PairedScores(first=d, second=[0] * n, design=Cases()))
    together = rc.case_ttest(pair, pvalue_method="plain")
    assert alone.standard_error == pytest.approx(plain, rel=1e-12)
    assert together.standard_error == pytest.approx(clustered, rel=1e-12)
    assert (alone.df, together.df) == (n - 1, groups - 1)
    exact = stats.ttest_1samp(d, 0)
    assert alone.pvalue == pytest.approx(exact.pvalue, rel=1e-10)
    assert together.pvalue == pytest.approx(2 * stats.t.sf(mean / clustered, groups - 1), rel=1e-9)


def test_one_sided_and_batch_agree() -> None:
    pair = graded(seed=4)
    sides = [rc.case_ttest(pair, alternative=side).pvalue for side in ("greater", "less")]
    assert sum(sides) == pytest.approx(1)
    assert rc.case_ttest(pair).pvalue == pytest.approx(2 * min(sides))
    rows = np.stack([pair.differences, np.random.default_rng(0).normal(size=200)])
    for method, options in (("case-ttest", {"pvalue_method": "plain"}), ("case-ttest", {}),
                            ("case-flip", {"resamples": 999})):  # fmt: skip
        batch = rc.METHODS[method].batch_pvalues(rows, Cases(), clusters=pair.clusters, **options)
        alone = rc.METHODS[method].test(pair, **options).pvalue
        assert batch[0] == pytest.approx(alone, rel=1e-9)
    with pytest.raises(DesignMismatchError, match="the cluster of every case"):
        rc.METHODS["case-ttest"].batch_pvalues(rows, Cases(200, clusters=25))


def test_clusters_with_one_mean_are_decided_by_convention() -> None:
    first = np.array([0.1, 0.3, 0.3, 0.1, 0.2, 0.2, 0.1, 0.3])
    pair = PairedCases(first=first, second=np.zeros(8), clusters="aabbccdd")
    with pytest.warns(rc.errors.DegenerateScoresWarning, match="All 4 clusters have the same mean"):
        found = rc.case_ttest(pair)
    assert found.pvalue == 2.0**-3
    assert found.exactness == "convention"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rc.errors.DegenerateScoresWarning)  # meant here
        assert np.isfinite(rc.compare(pair).effect.confidence_interval()).all()


def test_few_or_unequal_clusters_are_said() -> None:
    codes = {c.code for c in rc.compare(graded(cases=60, clusters=6)).cautions}
    assert "few-clusters" in codes
    assert "few-clusters" not in {c.code for c in rc.compare(graded(clusters=25)).cautions}


# --------------------------------------------------------------------------- flips
def test_flips_of_clusters_equal_all_patterns() -> None:
    pair = graded(cases=40, clusters=9, seed=7)
    sums = np.bincount(pair.clusters, weights=pair.differences)
    observed = abs(sums.sum())
    patterns = itertools.product((-1, 1), repeat=len(sums))
    reached = np.mean([abs(np.dot(signs, sums)) >= observed - 1e-9 for signs in patterns])
    assert rc.case_flip(pair).pvalue == pytest.approx(reached)


@pytest.mark.parametrize("clusters", [9, 60])
def test_the_interval_of_flips_holds_what_is_not_rejected(clusters: int) -> None:
    pair = graded(cases=200, clusters=clusters, seed=8)
    low, high = rc.case_flip(pair).confidence_interval()
    means = pair
    for limit, inside in ((low, 1e-4), (high, -1e-4)):
        for shift, rejected in ((limit + inside, False), (limit - inside, True)):
            moved = rc.PairedScores(
                first=means.first - shift, second=means.second, design=Cases(),
                clusters=pair.clusters,
            )  # fmt: skip
            pvalue = rc.case_flip(moved).pvalue
            assert (pvalue < 0.05) == rejected or abs(pvalue - 0.05) < 2e-3


def test_too_few_clusters_cannot_be_significant() -> None:
    pair = graded(cases=50, clusters=5, seed=9)
    found = rc.compare(pair, method="case-flip")
    assert "cannot-be-significant" in {caution.code for caution in found.cautions}
    assert found.smallest_pvalue == 2.0**-4
    assert found.power.power == 0


# --------------------------------------------------------------------------- level
def lognormal_clusters(groups: int, rng: np.random.Generator) -> np.ndarray:
    return np.repeat(np.arange(groups), np.ceil(rng.lognormal(2, 1, groups)).astype(int))


@pytest.mark.parametrize("groups", [8, 15, 40])
@pytest.mark.parametrize("method", ["case-ttest", "case-flip"])
def test_the_level_holds_for_clusters_of_unequal_size(method: str, groups: int) -> None:
    """Three answers each, right or wrong, to cases that share half their difficulty in a cluster."""
    rng = np.random.default_rng(groups)
    test, rejected, runs = rc.METHODS[method], 0, 40
    for _ in range(runs):
        labels = lognormal_clusters(groups, rng)
        shape = (100, 2, len(labels))
        hard = rng.normal(size=(100, 2, groups))[..., labels] + rng.normal(size=shape)
        answers = rng.binomial(3, 1 / (1 + np.exp(-hard))) / 3
        rows = answers[:, 0] - answers[:, 1]
        pvalues = test.batch_pvalues(
            rows, Cases(), clusters=labels, **({"resamples": 999} if "flip" in method else {})
        )
        rejected += int((pvalues < 0.05).sum())
    assert rejected / (100 * runs) <= 0.06


def test_the_plain_formula_is_kept_by_name_and_rejects_more() -> None:
    rng = np.random.default_rng(3)
    labels = lognormal_clusters(8, rng)
    rows = rng.normal(size=(4000, 8))[:, labels] + rng.normal(size=(4000, len(labels)))
    ours, plain = (
        np.mean(rc.METHODS["case-ttest"].batch_pvalues(
            rows, Cases(), clusters=labels, pvalue_method=name) < 0.05)
        for name in ("satterthwaite", "plain")
    )  # fmt: skip
    assert ours <= 0.06 < 0.08 < plain


# --------------------------------------------------------------------------- power
def test_power_of_cases_is_that_of_simulated_ones() -> None:
    rows = np.random.default_rng(5).normal(0.2, 1, size=(4000, 150))
    share = np.mean(rc.METHODS["case-ttest"].batch_pvalues(rows, Cases()) < 0.05)
    assert rc.power(0.2, Cases(150), method="case-ttest").power == pytest.approx(share, abs=0.02)
    least = rc.detectable_difference(Cases(150), method="case-ttest")
    assert rc.power(least, Cases(150), method="case-ttest").power == pytest.approx(0.8, abs=1e-6)
    with pytest.raises(InvalidArgumentError, match="cases without clusters"):
        rc.power(0.2, Cases(150, clusters=10), method="case-ttest")


@pytest.mark.parametrize("method", ["case-ttest", "case-flip"])
def test_power_of_clusters_is_that_of_simulated_ones(method: str) -> None:
    rng = np.random.default_rng(6)
    sizes = rng.integers(3, 12, 20)
    labels = np.repeat(np.arange(20), sizes)

    def draw(count: int) -> np.ndarray:
        shared = rng.normal(size=(count, 20))[:, labels]
        return 0.55 + 0.8 * shared + rng.normal(size=(count, len(labels)))

    options = {"resamples": 999} if "flip" in method else {}
    share = np.mean(
        rc.METHODS[method].batch_pvalues(draw(3000), Cases(), clusters=labels, **options) < 0.05
    )
    row = draw(1)[0]  # moved and scaled, so that what is observed is what is true
    true_error = np.sqrt((0.64 * sizes**2 + sizes).sum()) / len(labels)
    seen = clustered_mean(row, labels)
    row = 0.55 + (row - row.mean()) * true_error / seen.standard_error
    pair = rc.PairedScores(first=row, second=0 * row, design=Cases(), clusters=labels)
    assert rc.observed_power(pair, method=method).power == pytest.approx(share, abs=0.08)


# --------------------------------------------------------------------------- replication
def test_replication_sees_what_the_variance_is_made_of() -> None:
    pair = graded()
    model = read_first_result(pair).model
    assert isinstance(model, CaseModel)
    result, n = rc.case_ttest(pair), 200
    assert model.df == result.df
    assert model.error == result.standard_error
    assert model.answer_share == pytest.approx(
        pair.answer_variance / (n * result.standard_error**2)
    )
    twice = model.target(Goal(Cases(400, clusters=50, answers=3), 1.0, 0.05))
    assert twice.variance == pytest.approx(0.5)
    assert twice.df == pytest.approx(2 * model.df + 1)
    endless = model.target(Goal(Cases(200, clusters=25, answers=10**9), 1.0, 0.05))
    assert endless.variance == pytest.approx(1 - model.answer_share)
    packed = model.target(
        Goal(Cases(400, clusters=25, answers=3), 1.0, 0.05)
    ).variance  # more cases of the same clusters help less
    assert 0.5 < packed < 1
    lone = read_first_result(result).model  # without the scores: signal to noise alone
    assert lone.error == result.standard_error
    assert lone.answer_share == 0


def test_chances_of_fresh_cases_are_those_of_a_world_with_the_prior() -> None:
    """True gaps from the prior, seen once, then again on as many fresh cases."""
    rng = np.random.default_rng(11)
    n, sd, worlds = 400, 0.4, 40_000
    prior = read_first_result(PairedCases(first=rng.random(n), second=rng.random(n))).model.prior(
        "any"
    )
    spreads = np.array(prior.spreads)[rng.choice(len(prior.spreads), worlds, p=prior.weights)]
    error = sd / np.sqrt(n)
    gaps = rng.normal(0, spreads * error)
    first, second = (rng.normal(gaps, error) for _ in range(2))
    seen = np.abs(first / error - 2.6) < 0.25
    share = np.mean(second[seen] / error > stats.t.isf(0.025, n - 1))
    model = CaseModel(statistic=2.6, design=Cases(n), df=n - 1.0, error=error)
    found = rc.replicate(t=2.6, design=Cases(n)).first_result
    goal = Goal(Cases(n), 1.0, 0.05)
    assert model.assess(prior, goal).probability == pytest.approx(share, abs=0.03)
    assert found.model.name == "cases"


def test_plans_grow_in_cases_and_clusters() -> None:
    found = rc.plan(graded(), probability=0.8)
    assert (found.vary, found.unit, found.current) == ("cases", "cases", 200)
    assert found.needed > 200
    assert list(found.probabilities) == sorted(found.probabilities)
    larger = rc.compare(graded()).outlook
    assert [item.target_design for item in larger] == [
        Cases(800, clusters=100, answers=3),
        Cases(3200, clusters=400, answers=3),
    ]
    assert rc.required_pvalue(0.8, design=Cases(500)) < 0.01


def test_clustered_and_plain_kernels_differ_only_where_they_should() -> None:
    rows = np.random.default_rng(0).normal(size=(3, 40)) * 1e200
    labels = np.repeat(np.arange(8), 5)
    ours, plain = clustered_mean(rows, labels), plain_clustered_mean(rows, labels)
    np.testing.assert_allclose(ours.standard_error, plain.standard_error)  # equal sizes
    assert np.isfinite(ours.standard_error).all()


# --------------------------------------------------------------------------- many models
def board(models: int = 5, cases: int = 120, clusters: int | None = 20) -> rc.ScoreTable:
    rng = np.random.default_rng(12)
    labels = None if clusters is None else np.arange(cases) % clusters
    shared = 0 if labels is None else rng.normal(0, 0.1, (models, clusters))[:, labels]
    level = rng.uniform(0.2, 0.7, cases) + 0.03 * np.arange(models)[:, None]
    scores = np.clip(level + shared + rng.normal(0, 0.15, (models, cases)), 0, 1)
    return rc.ScoreTable(
        classifiers=tuple(f"m{i}" for i in range(models)),
        datasets=("bench",),
        scores=scores[:, None, None, :],
        design=Cases(cases, clusters=clusters),
        clusters=labels,
    )


def test_a_board_says_whether_first_stays_first_on_fresh_cases() -> None:
    found = rc.rank(board())
    assert found.stability.fresh == "cases"
    assert found.method == "case-ttest"
    rows = {row.label: row for row in tell(found).rows}
    assert rows["first again"].remark == "on fresh cases"
    assert "whether first place stays first is said for fresh cases" in found.cautions[0].text
    for cell in found.pairs:
        alone = rc.case_ttest(board().pair(cell.first, cell.second))
        assert cell.pvalue == pytest.approx(alone.pvalue)
        again = rc.replicate(board().pair(cell.first, cell.second),
                                           relation=cell.relation)  # fmt: skip
        assert cell.replication == pytest.approx(again.probability)
        assert cell.replication_interval == pytest.approx(again.interval)


def test_right_and_wrong_have_a_board_too() -> None:
    scores = (np.random.default_rng(1).random((3, 1, 1, 90)) < 0.7).astype(float)
    table = rc.ScoreTable(
        classifiers=tuple("abc"), datasets=("d",), scores=scores, design=Holdout(90)
    )
    found = rc.rank(table)
    assert found.method == "mcnemar"
    assert 0 < found.stability.first_stays < 1
    assert rc.rank(board(clusters=None)).stability.fresh == "cases"


def test_clusters_count_as_one_when_first_place_is_redrawn() -> None:
    """A case told ten times over is no more evidence than told once."""
    once = board(cases=40, clusters=None)
    ten = rc.ScoreTable(
        classifiers=once.classifiers,
        datasets=once.datasets,
        scores=np.repeat(once.scores, 10, axis=3),
        design=Cases(400, clusters=40),
        clusters=np.repeat(np.arange(40), 10),
    )
    one, other = (rc.rank(table).stability.first_stays for table in (once, ten))
    assert other == pytest.approx(one, abs=0.01)
    apart = rc.rank(dataclasses.replace(ten, design=Cases(400), clusters=None))
    assert apart.stability.first_stays > one + 0.02


def test_values_of_clusters_keep_the_means() -> None:
    rng = np.random.default_rng(2)
    scores, labels = rng.normal(size=(50, 4)), rng.integers(0, 9, 50)
    found = cluster_values(scores, labels)
    np.testing.assert_allclose(found.mean(axis=0), scores.mean(axis=0))
    errors = found.std(axis=0, ddof=1) / 3
    plain = [plain_clustered_mean(column, labels).standard_error for column in scores.T]
    np.testing.assert_allclose(errors, plain)


def test_first_place_on_boards_of_livebench() -> None:
    found = boards(40, np.random.default_rng(5))
    stayed, ours, bootstrap = (
        np.mean([getattr(one, key) for one in found]) for key in ("stayed", "ours", "bootstrap")
    )
    assert abs(ours - stayed) <= 0.04
    assert bootstrap - stayed > 0.05


# --------------------------------------------------------------------------- answers
def test_new_answers_to_the_same_cases_are_replicability() -> None:
    """A world of true signals, of which these cases have their share, answered twice."""
    rng = np.random.default_rng(21)
    prior, share, worlds = Prior((0.5, 0.5), (1.0, 4.0)), 0.4, 2_000_000
    signal = rng.normal(0, np.array(prior.spreads)[rng.integers(0, 2, worlds)])
    here = signal + rng.normal(0, np.sqrt(1 - share), worlds)
    first, second = (here + rng.normal(0, np.sqrt(share), worlds) for _ in range(2))
    for statistic in (1.0, 2.5, 4.0):
        model = CaseModel(
            statistic=statistic,
            design=Cases(5000, clusters=None, answers=3),
            df=4999.0,
            answer_share=share,
        )
        seen = np.abs(first - statistic) < 0.05
        expected = np.mean(second[seen] > stats.t.isf(0.025, 4999))
        found = model.assess_again(prior, Goal(model.design, 1.0, 0.05))
        assert found == pytest.approx(expected, abs=0.015)


def test_replicability_is_told_beside_replication() -> None:
    found = rc.compare(graded())
    assert found.replication.replicability > found.replication.probability
    rows = {row.label: row for row in tell(found).lines}
    assert rows["rerun"].remark == "new answers to the same cases"
    assert rc.compare(graded(answers=1)).replication.replicability is None


def test_more_answers_have_a_limit_and_more_cases_do_not() -> None:
    pair = graded(cases=60, clusters=None, seed=3)
    found = rc.plan(pair, vary="answers", probability=0.99)
    assert (found.current, found.needed, found.unit) == (3, None, "answers")
    assert found.reason == "since more answers are no more cases."
    now, limit = (
        rc.replicate(pair, target_design=Cases(60, clusters=None, answers=answers)).probability
        for answers in (3, 10**6)
    )
    assert found.now == pytest.approx(now)
    assert found.limit == pytest.approx(limit)
    assert found.now < found.limit < rc.plan(pair, vary="cases").limit
    assert [one.code for one in found.cautions] == ["answer-share"]
    enough = rc.plan(pair, vary="answers", probability=found.now)
    assert str(enough).startswith("No more is needed: 3 answers to each case make")
    with pytest.raises(DesignMismatchError, match="cases for one test set"):
        rc.plan(graded(answers=1), vary="answers")


# --------------------------------------------------------------------------- several benchmarks
def test_fixed_weights_add_variances() -> None:
    parts = {"a": graded(seed=1), "b": graded(cases=80, clusters=None, seed=2)}
    weights = {"a": 3.0, "b": 1.0}
    found = rc.benchmarks_ttest(parts, weights=weights)
    one, other = (rc.case_ttest(part) for part in parts.values())
    estimate = 0.75 * one.estimate + 0.25 * other.estimate
    variance = (0.75 * one.standard_error) ** 2 + (0.25 * other.standard_error) ** 2
    assert found.estimate == pytest.approx(estimate, rel=1e-12)
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-12)
    assert dict(found.details) == {"a": 0.75, "b": 0.25}
    assert found.n == 280
    alone = rc.benchmarks_ttest({"a": parts["a"]})
    assert (alone.pvalue, alone.df) == pytest.approx((one.pvalue, one.df))
    swapped = {name: part.swapped() for name, part in parts.items()}
    assert rc.benchmarks_ttest(swapped, weights=weights).estimate == pytest.approx(-estimate)
    sides = [rc.benchmarks_ttest(parts, alternative=side).pvalue for side in ("greater", "less")]
    assert sum(sides) == pytest.approx(1)
    low, high = found.confidence_interval()
    assert low < found.estimate < high
    assert rc.replicate(found).model == "cases"


def test_the_level_of_fixed_weights_holds() -> None:
    rng, rejected = np.random.default_rng(8), 0
    for _ in range(1500):
        parts = {
            name: PairedCases(first=rng.random((n, 2)), second=rng.random((n, 2)))
            for name, n in (("a", 12), ("b", 30), ("c", 60))
        }
        rejected += rc.benchmarks_ttest(parts).pvalue < 0.05
    assert rejected / 1500 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1500)


@pytest.mark.parametrize(
    ("benchmarks", "weights", "words"),
    [
        ({}, None, "a dict of benchmarks"),
        ([1], None, "a dict of benchmarks"),
        ({"a": rc.KFold(3)}, None, "cases, folds or seeds for every"),
        ({"a": graded()}, {"b": 1}, "a weight for each of a"),
        ({"a": graded()}, {"a": -1}, "numbers of at least 0"),
        ({"a": graded()}, {"a": 0}, "numbers of at least 0"),
        ({"a": PairedCases(first=[1.5, 1.5], second=[1, 1])}, None, "some whose cases differ"),
    ],
)
def test_odd_benchmarks_are_refused(benchmarks, weights, words: str) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        rc.benchmarks_ttest(benchmarks, weights=weights)
    others = PairedCases(first=[0.1, 0.2], second=[0.3, 0.1], names=("x", "y"))
    with pytest.raises(DesignMismatchError, match="of the same two models"):
        rc.benchmarks_ttest({"a": graded(), "b": others})


def test_pictures_of_many_cases_are_small() -> None:
    rng = np.random.default_rng(4)
    pair = PairedCases(first=rng.random(20_000), second=rng.random(20_000))
    figure = comparison_figure(rc.compare(pair))
    assert len(figure.data.rows) < 500
    assert sum(count for _, count in figure.data.rows) == 20_000


def test_answers_whose_variance_nobody_knows_are_not_planned() -> None:
    reported = rc.replicate(t=2.5, design=Cases(300, clusters=None, answers=3))
    with pytest.raises(InvalidArgumentError, match="nothing tells how much answers vary"):
        rc.plan(reported, vary="answers")


# --------------------------------------------------------------------------- whatever the cases
@given(st.data())
@settings(max_examples=40, deadline=None)
def test_order_labels_and_units_do_not_matter(data: st.DataObject) -> None:
    n = data.draw(st.integers(4, 40))
    answers = data.draw(st.integers(1, 3))
    seed = data.draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(2, n, answers)).round(3)
    labels = rng.integers(0, data.draw(st.integers(2, n)), n)
    labels[:2] = 0, 1
    unit = data.draw(st.sampled_from([1e-6, 0.5, 1e4]))
    shuffled = rng.permutation(n)
    one = PairedCases(first=first, second=second, clusters=labels)
    other = PairedCases(
        first=unit * first[shuffled],
        second=unit * second[shuffled],
        clusters=[f"label {9 - label}" for label in labels[shuffled]],
    )
    for test in (rc.case_ttest, rc.case_flip):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rc.errors.DegenerateScoresWarning)  # drawn so by chance
            a, b = test(one), test(other)
        assert b.pvalue == pytest.approx(
            a.pvalue, rel=1e-6, abs=1e-3 if test is rc.case_flip else 0
        )
        assert b.estimate == pytest.approx(unit * a.estimate, rel=1e-9, abs=1e-12 * unit)
        low, high = a.confidence_interval()
        assert low <= a.estimate + 1e-12 <= high + 2e-12
        assert 0 < a.pvalue <= 1


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_a_shift_towards_the_first_never_lowers_its_chance(
    seed: int, groups: int, shift: float
) -> None:
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(groups), rng.integers(0, groups, 3 * groups)])
    row = rng.normal(0.5, 1, len(labels))
    row += max(0.0, 0.01 - row.mean())  # the first is ahead
    chances = [
        rc.replicate(
            rc.PairedScores(first=row + more, second=0 * row, design=Cases(), clusters=labels)
        ).probability
        for more in (0.0, shift)
    ]
    assert chances[1] >= chances[0] - 1e-9


@pytest.mark.parametrize("lead", [0, 20, 60, 110, 200])
def test_many_discordant_cases_are_as_good_as_normal(lead: int) -> None:
    row = np.zeros(10_000)
    row[: 600 + lead] = 1
    row[600 + lead : 1200 + lead] = -1
    model = normal_model(row, Cases(10_000))
    for relation in ("close", "any"):
        exact = rc.replicate(discordant=(600 + lead, 600), cases=10_000, relation=relation)
        found = model.assess(model.prior(relation), Goal(Cases(10_000), 1.0, 0.05)).probability
        assert found == pytest.approx(exact.probability, abs=0.011)


def test_tasks_as_a_sample_and_as_fixed(tmp_path: Path) -> None:
    """One file of cases of several tasks: the account says which reading was taken."""
    rng = np.random.default_rng(3)
    lines, scores = ["model,task,case,score"], {}
    for task, n in (("maths", 30), ("law", 12), ("facts", 20)):
        sides = rng.random((2, n)).round(3)
        scores[task] = rc.PairedCases(first=sides[0], second=sides[1], names=("new", "old"))
        lines += [f"{model},{task},{task}{case},{score}"
                  for model, side in zip(("new", "old"), sides.tolist(), strict=True)
                  for case, score in enumerate(side)]  # fmt: skip
    path = tmp_path / "tasks.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ["compare", str(path), "--metric", "accuracy", "--json"]

    def run(*more: str) -> dict[str, Any]:
        done = CliRunner().invoke(app, [*words, *more])
        assert done.exit_code == 0, done.output
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    sample = "The datasets are taken as a sample: each counts by its mean over its cases."
    for told in (("--design", "datasets"), ("--tasks", "sample")):
        assert sample in run(*told)["account"]
    weights = {"maths": 2.0, "law": 1.0, "facts": 1.0}
    for told, by in (("fixed", None), ("maths=2,law=1,facts=1", weights)):
        found = run("--tasks", told)
        expected = rc.benchmarks_ttest(scores, weights=by)
        assert found["pvalue"] == pytest.approx(expected.pvalue, rel=1e-12)
        assert found["estimate"] == pytest.approx(found["first"] - found["second"], abs=1e-12)
        assert found["weights"] == pytest.approx(dict(expected.details))
        assert 0 < found["replication"]["probability"] < 1
        assert sample not in found["account"]
        assert any("62 cases of 3 tasks, which are fixed" in line for line in found["account"])
    assert "in 3 clusters" in " ".join(run("--columns", "cluster=task")["account"])
    for told, sentence in (
        ("fxed", "`--tasks` must be pairs such as maths=2,law=1, or sample or fixed"),
        ("maths=2", "`--tasks` must be a weight for each of maths, law, facts"),
        ("maths=much,law=1,facts=1", "`--tasks` must be weights that are numbers"),
    ):
        done = CliRunner().invoke(app, [*words, "--tasks", told], env={"COLUMNS": "200"})
        assert (done.exit_code, sentence in done.stderr) == (2, True), done.stderr
    done = CliRunner().invoke(app, [*words, "--tasks", "fixed", "--method", "case-ttest"])
    assert "`--method` must be left out with `--tasks`" in done.stderr
    done = CliRunner().invoke(app, [*words, "--dataset", "maths", "--tasks", "fixed"])
    assert done.exit_code == 2


@pytest.mark.parametrize(("metric", "place"), [("match", 0), ("graded", 1)])
def test_errors_equal_those_in_a_log_of_inspect(metric: str, place: int) -> None:
    """The log was written by Inspect 0.3.285, which put its own standard errors into it."""
    folder = Path(__file__).parent / "golden" / "formats" / "inspect"
    files = [folder / f"model-{name}.json" for name in "ab"]
    table = rc.read_scores(files, metric=metric, greater_is_better=True)
    for side, file in enumerate(files):
        told = json.loads(file.read_text(encoding="utf-8"))["results"]["scores"][place]
        assert told["name"] == metric
        found = case_mean(table.scores[side].ravel())
        assert float(found.standard_error) == pytest.approx(
            told["metrics"]["stderr"]["value"], rel=1e-12
        )


def test_the_page_says_whose_degrees_of_freedom_they_are() -> None:
    """R 4.2.2, clubSandwich 0.5.8, coef_test(lm(d ~ 1), vcov="CR2", cluster=cl): 3.07, p = 0.0462."""
    differences = [
        1.2, 2.2, 1.8, 0.2, -0.4, 0.2, 0.9, -1.5, 0.6, -0.5, 0.0, 0.6, 0.8, 1.5,
        2.2, 1.0, 2.5, 0.2, 1.2, 1.8, 0.9, 0.1, -0.1, 0.4, 1.1, -0.5, 0.3, 0.4,
    ]  # fmt: skip
    sizes = np.array([9, 2, 6, 8, 3])
    clusters = np.repeat(np.arange(5), sizes)
    found = rc.case_ttest(rc.PairedCases(first=differences, second=[0.0] * 28, clusters=clusters))
    df = float(satterthwaite(sizes.astype(float), np.array(0.0)))
    page = (Path(__file__).parents[1] / "docs" / "concepts" / "cases.md").read_text(
        encoding="utf-8"
    )
    there = 2 * stats.t.sf(found.statistic, df)
    told = (
        f"with t = {found.statistic:.2f}: {found.df:.2f} degrees of freedom and p = {found.pvalue:.3f} "
        f"here, {df:.2f} and p = {there:.3f} there"
    )
    assert told in " ".join(page.split())
