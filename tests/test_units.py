"""Percent and points are for shares; everything else is spoken of in its own unit."""

import re
import warnings

import numpy as np
import pytest

import replicast as rc
from replicast.design import parse_design
from replicast.errors import nearest
from replicast.presentation.pictures.ticks import round_ticks
from replicast.presentation.telling import tell
from replicast.presentation.words.scales import Scale
from replicast.reading.vocabulary.units import point_of, score_unit

RNG = np.random.default_rng(3)
FIRST, SECOND = 0.6 + RNG.normal(0, 0.01, 10), 0.5 + RNG.normal(0, 0.01, 10)


def table(metric: str, *, greater_is_better: bool = True) -> rc.ScoreTable:
    scores = np.array([FIRST, SECOND]).reshape(2, 1, 1, 10)
    return rc.ScoreTable(
        classifiers=("a", "b"), datasets=("d",), scores=scores, design=rc.KFold(10), metric=metric,
        greater_is_better=greater_is_better,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "better", "unit"),
    [
        ("accuracy", True, "fraction"),
        ("f1_macro", True, "fraction"),
        ("roc_auc", True, "fraction"),
        ("score", True, "fraction"),
        ("error rate", False, "fraction"),
        ("reward", True, "score"),
        ("neg_log_loss", True, "score"),
        ("log_loss", False, "score"),
        ("rmse", False, "score"),
        ("r2", True, "score"),
        ("zorblax", True, "score"),
    ],
)
def test_only_shares_have_points(metric: str, better: bool, unit: str) -> None:
    pair = table(metric, greater_is_better=better).pair("a", "b")
    assert score_unit(pair) == unit
    assert (point_of(pair) is None) == (unit == "score")
    found = rc.compare(pair)
    said = " ".join((found.more(), str(found)))
    assert ("point" in said) == (unit != "score")
    if unit == "score":
        assert "%" not in str(found)


@pytest.mark.parametrize("name", ["score", "value", "result", None])
def test_grades_without_a_name_are_no_percentages(name: str | None) -> None:
    """Grades from 1 to 10, or returns: half a grade is not half a point of a hundred."""
    rng = np.random.default_rng(5)
    grades = rng.integers(2, 11, (2, 60))
    lines = [f"model,question_id,{name}"]
    lines += [f"{'ab'[i]},q{q},{grades[i, q]}" for i in range(2) for q in range(60)]
    wide = ["question_id,a,b", *(f"q{q},{grades[0, q]},{grades[1, q]}" for q in range(60))]
    text, design = ("\n".join(wide), "holdout") if name is None else ("\n".join(lines), None)
    found = rc.read_scores({"judge.csv": text.encode()}, greater_is_better=True, design=design)
    assert any("kept as they are" in line for line in found.account)
    pair = found.pair("a", "b")
    assert score_unit(pair) == "score"
    found = rc.compare(pair)
    assert "point" not in found.more()
    assert "%" not in str(found)
    passed = str(rc.gate(pair, margin=2))
    assert "by more than 2\n" in passed
    assert "point" not in passed


@pytest.mark.parametrize(
    "metric", ["comet", "COMET-22", "bleurt", "cider", "dcg", "reward", "return"]
)
@pytest.mark.parametrize("beyond", [(0.0, 0.7), (0.1, 0.9), (-0.9, 1.7), (3.0, 40.0)])
def test_a_score_without_bounds_is_no_percentage(metric: str, beyond: tuple[float, float]) -> None:
    """COMET is about 0.8 and above 1 for some segments; a reward may be anything."""
    low, high = beyond
    rng = np.random.default_rng(6)
    scores = low + (high - low) * rng.beta(8, 2, (2, 80)) + 0.3
    _said_without_points(_segments(metric.partition("-")[0], scores))


@pytest.mark.parametrize(
    "metric", ["rouge_l", "ndcg", "accuracy", "f1", "wer", "error_rate", "dice"]
)
@pytest.mark.parametrize("scale", [(0.2, 1.1), (-2.0, 15.0), (0.0, 4.0)])
def test_a_share_is_percent_only_if_most_of_it_is(metric: str, scale: tuple[float, float]) -> None:
    """A few values above 1 among fractions, or one below 0, make no percentages."""
    low, high = scale
    scores = low + (high - low) * np.random.default_rng(7).beta(1, 5, (2, 80))
    scores[:, 0], scores[:, 1] = low, high
    _said_without_points(_segments(metric, scores))


@pytest.mark.parametrize("metric", ["rouge_l", "accuracy", "error_rate"])
def test_percentages_may_be_below_1_now_and_then(metric: str) -> None:
    scores = np.random.default_rng(8).uniform(20, 90, (2, 80))
    scores[:, :5] = 0.4
    table = _segments(metric, scores)
    assert any("percent, kept as percent" in line for line in table.account)
    assert score_unit(table.pair("a", "b")) == "percent"


def _segments(metric: str, scores: np.ndarray) -> rc.ScoreTable:
    lines = [f"model,segment,{metric}"]
    lines += [f"{'ab'[i]},s{s},{score:.4f}" for (i, s), score in np.ndenumerate(scores)]
    return rc.read_scores(
        {"t.csv": "\n".join(lines).encode()}, design="datasets", dataset_column="segment"
    )


def _said_without_points(found: rc.ScoreTable) -> None:
    assert any("kept as they are" in line for line in found.account), found.account
    pair = found.pair("a", "b")
    assert score_unit(pair) == "score"
    compared = rc.compare(pair)
    assert "point" not in compared.more()
    assert "%" not in str(compared)


def test_a_file_that_names_a_share_names_the_measure() -> None:
    rows = "dataset,svm,nb\na,91,89\nb,80,82\nc,77,71\nd,66,65\n"
    found = rc.read_scores({"accuracy.csv": rows.encode()})
    assert found.metric == "accuracy"
    assert score_unit(found.pair("svm", "nb")) == "percent"


def test_many_are_spoken_of_in_the_same_unit() -> None:
    scores = np.stack([FIRST, SECOND, SECOND - 0.1]).reshape(3, 10, 1, 1)
    for metric, unit in (("accuracy", "fraction"), ("reward", "score")):
        many = rc.rank(
            rc.ScoreTable(
                classifiers=("a", "b", "c"), datasets=tuple("0123456789"), scores=scores,
                design=rc.Datasets(10), metric=metric,
            )
        )  # fmt: skip
        assert many.unit == unit
        assert ("points" in many.more()) == (unit == "fraction")


def test_cases_that_are_right_or_wrong_are_shares_whatever_they_are_called() -> None:
    right = (np.arange(40) % 3 > 0).astype(float)
    pair = rc.PairedScores(first=right, second=right[::-1], design=rc.Holdout(), metric="zorblax")
    assert score_unit(pair) == "fraction"


def test_a_measure_has_a_name() -> None:
    with pytest.raises(rc.InvalidArgumentError, match="`metric` must be the name"):
        rc.PairedScores(first=[1, 2], second=[1, 3], design=rc.KFold(2), metric=3)  # type: ignore[arg-type]  # refused


def test_an_error_rate_in_percent_has_points_and_says_that_lower_is_better() -> None:
    scores = {"first": [12.1, 22, 5.5, 31, 8, 14, 19], "second": [14, 23.5, 6, 30, 9.9, 17, 21.5]}
    pair = rc.PairedScores(
        **scores, design=rc.Datasets(), names=("svm", "nb"), metric="error rate",
        greater_is_better=False,
    )  # fmt: skip
    told = tell(rc.compare(pair))
    assert told.headline == "svm is better than nb by 1.5 points [0.2, 2.7]"
    assert told.lines[0].value == "15.9% and 17.4%"
    assert told.lines[0].remark.startswith("lower is better; p ")


def test_a_design_named_twice_means_its_count() -> None:
    for kind in ("cases", "seeds", "datasets"):
        with pytest.raises(rc.InvalidArgumentError, match=r"Did you mean count\?"):
            parse_design(f"{kind}:{kind}=5")


def test_an_interval_without_zero_is_not_written_as_reaching_it() -> None:
    for value, limits, shown in (
        (0.8, (0.03, 1.6), "0.80 points [0.03, 1.60]"),
        (-0.8, (-1.6, -0.03), "−0.80 points [−1.60, −0.03]"),
        (0.8, (-0.03, 1.6), "0.8 points [0.0, 1.6]"),
        (0.8, (1e-9, 1.6), "0.8 points [0.0, 1.6]"),
    ):
        assert Scale.of("percent", limits).bounded(value, limits) == shown
    limits = (0.0003, 0.016)
    assert Scale.of("fraction", limits).between(limits) == "0.03 to 1.60 points"


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ((2.0147e-5, 6.1e-7, 5.1e-6), "2.01e−5 [6e−7, 5.1e−6]"),
        ((-2.9e-6, -5.1e-6, -6e-7), "−2.9e−6 [−5.1e−6, −6e−7]"),
        ((1.86e299, 2e298, 3.5e299), "1.9e299 [2e298, 3.5e299]"),
        ((0.52, 0.4999999, 0.5000001), "0.52000000 [0.49999990, 0.50000010]"),
        ((2319380000.0, 1e9, 3e9), "2,319,380,000 [1,000,000,000, 3,000,000,000]"),
        ((1e299, -1e295, 3e299), "1.0e299 [0, 3.0e299]"),
        ((1e-16, 0.0, 2e-16), "1.0e−16 [0, 2.0e−16]"),
        ((0.1, 0.1, 0.1 + 1e-17), "0.10 [0.10, 0.10]"),
    ],
)
def test_scores_of_any_size_are_told_from_zero_and_from_each_other(
    values: tuple[float, float, float], shown: str
) -> None:
    assert Scale.of("score", values[1:]).bounded(values[0], values[1:]) == shown


def test_small_and_large_scores_have_numbers_left_on_every_surface() -> None:
    rng = np.random.default_rng(3)
    for size in (2e-5, 3e-9, 1e300):
        first = size * rng.uniform(0.8, 1.1, 12)
        pair = rc.PairedScores(
            first=first, second=first * rng.uniform(1.02, 1.2, 12), design=rc.Datasets(),
            metric="mse", greater_is_better=False,
        )  # fmt: skip
        found = rc.compare(pair)
        gated = rc.gate(pair, margin=0.1 * size)
        told = (tell(found), tell(gated))
        texts = [
            str(found),
            str(gated),
            found.more(),
            *(row.value for story in told for row in story.rows),
        ]
        for text in texts:
            assert "0.0000 " not in text
            assert "0.000 " not in text
            assert max(map(len, text.split()), default=0) < 40


def test_one_is_no_plural() -> None:
    sure = np.repeat([[0.9], [0.8]], 8, axis=1) + np.arange(8) / 1000 * [[1], [2]]
    two = rc.ScoreTable(
        classifiers=("a", "b"), datasets=tuple("12345678"), scores=sure[..., None, None],
        design=rc.Datasets(),
    )  # fmt: skip
    assert tell(rc.rank(two)).headline == "a is clearly better than the other"
    assert rc.Datasets(1).words == "1 dataset"
    assert rc.Holdout(1).words == "one test set of 1 case"
    sure = rc.replicate(t=8, folds=10)
    for vary, words in (("runs", "1 run makes"), ("cases", "as much data makes")):
        assert f"No more is needed: {words} 94" in str(rc.plan(sure, vary=vary, probability=0.5))
    with pytest.warns(
        rc.errors.DegenerateScoresWarning, match="Both differences of 'first' and 'second'"
    ):
        rc.corrected_ttest(rc.PairedScores(first=[0.9, 0.8], second=[0.8, 0.7], design=rc.KFold(2)))


def test_negative_numbers_have_true_minus_signs_everywhere() -> None:
    pair = rc.PairedScores(first=SECOND, second=FIRST, design=rc.KFold(10), metric="mcc")
    found = rc.compare(pair)
    story = tell(found)
    texts = [
        str(found.evidence),
        str(found.effect),
        *(f"{row.value} {row.remark}" for row in story.rows),
    ]
    texts += [str(rc.replicate(t=-3.0, folds=10)), story.quote]
    assert any("−" in text for text in texts)
    assert not any(re.search(r"(?<![\w.)])-\d", text) for text in texts), texts


def test_ten_scores_are_not_too_few_for_an_interval() -> None:
    """Two folds of every run agree, so the F-test divides by nothing; it is not for want of scores."""
    first = [0.81, 0.81, 0.82, 0.82, 0.83, 0.83, 0.84, 0.84, 0.8, 0.8]
    pair = rc.PairedScores(first=first, second=[0.8] * 10, design=rc.FiveByTwo())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rc.errors.DegenerateScoresWarning)  # equal differences
        story = tell(rc.compare(pair))
    assert "(these scores give no 95% interval, " in story.quote


def test_a_mistake_is_told_by_the_name_that_was_used() -> None:
    with pytest.raises(rc.InvalidArgumentError, match="`seeds` must be an integer of at least 2"):
        rc.replicate(t=3.0, seeds=1)
    assert nearest("nearest", ("forest", "nearest-neighbour")) == "Did you mean nearest-neighbour?"


def test_ticks_of_large_numbers_are_short() -> None:
    assert [tick.label for tick in round_ticks(0.0, 4e299, 4)] == [
        "0",
        "1e299",
        "2e299",
        "3e299",
        "4e299",
    ]
    assert [tick.label for tick in round_ticks(0.0, 4e6, 4)][1] == "1,000,000"
