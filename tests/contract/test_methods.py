"""Promises every method keeps: one suite over the whole table."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from replicast import METHODS, PairedScores
from replicast.design import (
    Cases,
    CrossValidatedCases,
    Datasets,
    Design,
    FiveByTwo,
    Holdout,
    KFold,
    RandomSplits,
    RepeatedKFold,
    Seeds,
    parse_design,
)
from replicast.errors import DegenerateScoresWarning, DesignMismatchError
from replicast.inference.methods import Method
from replicast.kernels.seeds import share_nodes
from replicast.results import PosteriorResult

DESIGNS: tuple[Design, ...] = (
    Datasets(12),
    KFold(10),
    RepeatedKFold(runs=4, folds=5),
    RandomSplits(splits=15, n_train=90, n_test=10),
    FiveByTwo(),
    Holdout(40),
    Cases(30),
    CrossValidatedCases(30, folds=5),
    Seeds(6),
    Seeds(4, splits=3, paired=True),
)
CASES = [
    (m, d)
    for m in METHODS.values()
    for d in DESIGNS
    if d.name in (*m.designs, *m.tolerated)  # by another name a design only has more tests
]
REFUSED = [(m, d) for m in METHODS.values() for d in DESIGNS if not m.allows(d)]
DOCS = Path(__file__).parents[2] / "docs"
POSTERIORS = ("correlated-posterior", "signed-rank-posterior")
RANKS = ("signed-rank", "signed-rank-posterior")  # whose p has few values for 12 differences
OWN = [(m, d) for m in METHODS.values() for d in DESIGNS if d.name in m.designs]


def ids(cases):
    return [f"{m.name}-{d.name}" for m, d in cases]


def rows_for(design: Design, count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if design.binary:
        return rng.integers(-1, 2, size=(count, design.n_scores)).astype(float)
    return rng.normal(0.3, 1, size=(count, design.n_scores))


def pair(row: np.ndarray, design: Design, **more) -> PairedScores:
    """Scores whose differences are `row`; for a holdout, correctness."""
    if design.binary:
        first, second = (row > 0).astype(float), (row < 0).astype(float)
        return PairedScores(first=first, second=second, design=design, **more)
    return PairedScores(first=row, second=np.zeros(len(row)), design=design, **more)


@pytest.mark.parametrize(("method", "design"), CASES, ids=ids(CASES))
def test_swapping_mirrors(method: Method, design: Design) -> None:
    for row in rows_for(design, 5):
        one = method.test(pair(row, design))
        other = method.test(pair(row, design).swapped())
        assert other.estimate == pytest.approx(-one.estimate, abs=1e-12)
        assert other.names == one.names[::-1]
        if isinstance(one, PosteriorResult):
            tolerance = 0.02 if one.exactness == "monte-carlo" else 1e-12
            assert other.first_better == pytest.approx(one.second_better, abs=tolerance)
        else:
            assert other.pvalue == pytest.approx(one.pvalue, rel=1e-12)
            low, high = one.confidence_interval()
            assert other.confidence_interval() == pytest.approx((-high, -low), rel=1e-9, abs=1e-12)
            if method.symbol != "F":  # an F has no direction
                assert other.statistic == pytest.approx(-one.statistic, rel=1e-12)


@pytest.mark.parametrize(("method", "design"), CASES, ids=ids(CASES))
def test_identical_classifiers_are_never_different(method: Method, design: Design) -> None:
    scores = np.ones(design.n_scores or 0)
    same = PairedScores(first=scores, second=scores, design=design, names=("svm", "nb"))
    with pytest.warns(DegenerateScoresWarning, match=f"All {len(scores)} differences of 'svm' and"):
        result = method.test(same)
    assert result.pvalue == 1
    assert result.estimate == 0
    assert "degenerate" in {caution.code for caution in result.cautions}
    assert method.batch_pvalues(np.zeros((3, len(scores))), design).tolist() == [1, 1, 1]


def tosses(method: Method, design: Design) -> int:
    """Return how many equal differences count: of overlapping test sets, as many as do not overlap.

    Tests of signs and ranks count them all; on folds they run with a caution, for whoever asks.
    """
    if method.name == "corrected-case-ttest":
        return design.folds or 0
    if method.convention != "equal differences" or not design.shares_training:
        return design.n_scores or 0
    if isinstance(design, RandomSplits):
        return (design.n_train + design.n_test) // design.n_test
    return design.folds or 0


@pytest.mark.parametrize("second", [0.2, 0.7])
@pytest.mark.parametrize(("method", "design"), CASES, ids=ids(CASES))
def test_constant_difference_is_decided(method: Method, design: Design, second: float) -> None:
    n = design.n_scores or 0
    if design.binary:
        scores = PairedScores(first=np.ones(n), second=np.zeros(n), design=design)
    else:
        scores = PairedScores(first=np.full(n, 0.3), second=np.full(n, second), design=design)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateScoresWarning)  # equal differences are meant here
        result = method.test(scores)
    if method.name == "signed-rank-posterior":
        assert result.pvalue < 0.01
    elif isinstance(design, Seeds):  # only splits tell of fresh data
        assert result.pvalue == 2.0 ** (1 - design.splits)
    else:
        assert result.pvalue == pytest.approx(2.0 ** (1 - tosses(method, design)), abs=1e-15)
        rows = np.tile(scores.differences, (2, 1))
        assert method.batch_pvalues(rows, design) == pytest.approx(result.pvalue, abs=1e-15)
    assert np.sign(result.estimate) == np.sign(scores.differences[0])
    text = json.dumps(result.to_dict())
    assert "NaN" not in text
    assert "Infinity" not in text


@pytest.mark.parametrize(("method", "design"), CASES, ids=ids(CASES))
def test_mostly_equal_differences_are_decided(method: Method, design: Design) -> None:
    n = design.n_scores or 0
    for common in (0.0, 0.5, -0.5):
        row = np.full(n, np.sign(common) if design.binary else common)
        row[[0, -1]] = (-1, 1) if design.binary else (-3, 4)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            result = method.test(pair(row, design))
        assert 0 < result.pvalue <= 1
        assert method.batch_pvalues(row, design)[0] == pytest.approx(result.pvalue, rel=1e-12)
        json.dumps(result.to_dict(), allow_nan=False)
        by_convention = result.exactness == "convention"
        assert by_convention == any(one.category is DegenerateScoresWarning for one in told)
        assert by_convention == ("degenerate" in {caution.code for caution in result.cautions})


@pytest.mark.parametrize("factor", [100.0, 1e-3, 1e-12, 3e8])
@pytest.mark.parametrize(("method", "design"), CASES, ids=ids(CASES))
def test_unit_of_the_scores_does_not_matter(method: Method, design: Design, factor: float) -> None:
    if design.binary:
        rows = rows_for(design, 5)
        expected = method.batch_pvalues(rows, design)
        assert method.batch_pvalues(rows * factor, design).tolist() == expected.tolist()
        return
    for row in rows_for(design, 5).round(2):
        one, other = method.test(pair(row, design)), method.test(pair(row * factor, design))
        assert other.pvalue == pytest.approx(one.pvalue, rel=1e-9)


@pytest.mark.parametrize(("method", "design"), CASES, ids=ids(CASES))
def test_batch_equals_loop(method: Method, design: Design) -> None:
    rows = np.vstack([rows_for(design, 30, seed=2), rows_for(design, 10, seed=3).round(0)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateScoresWarning)  # equal differences are meant here
        alone = [method.test(pair(row, design)).pvalue for row in rows]
    np.testing.assert_allclose(method.batch_pvalues(rows, design), alone, rtol=1e-12)


@pytest.mark.parametrize(("method", "design"), CASES, ids=ids(CASES))
def test_result_is_json_and_says_itself(method: Method, design: Design) -> None:
    result = method.test(pair(rows_for(design, 1)[0], design, names=("<b>svm</b>", "nb")))
    record = result.to_dict()
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert record["method"] == method.name
    assert record["pvalue"] == result.pvalue
    assert parse_design(record["design"]) == design
    assert method.name in str(result)
    assert "<b>svm" not in result._repr_html_()


@pytest.mark.parametrize(("method", "design"), CASES, ids=ids(CASES))
def test_inputs_are_left_alone(method: Method, design: Design) -> None:
    scores = pair(rows_for(design, 1)[0], design)
    before = scores.first.copy(), scores.second.copy()
    method.test(scores)
    assert (scores.first == before[0]).all()
    assert (scores.second == before[1]).all()


@pytest.mark.parametrize(("method", "design"), REFUSED, ids=ids(REFUSED))
def test_design_it_is_not_valid_for_is_refused(method: Method, design: Design) -> None:
    row = rows_for(design, 1)[0]
    with pytest.raises(DesignMismatchError, match=rf"`design` must be one of .* for {method.name}"):
        method.test(pair(row, design))
    with pytest.raises(DesignMismatchError, match="`design` must be one of"):
        method.batch_pvalues(row[None], design)


@pytest.mark.parametrize(("method", "design"), CASES, ids=ids(CASES))
def test_tolerated_designs_carry_the_caution(method: Method, design: Design) -> None:
    result = method.test(pair(rows_for(design, 1)[0], design))
    cautioned = "dependent-scores" in {caution.code for caution in result.cautions}
    assert cautioned == method.tolerates(design)


def null_rows(design: Design, count: int, rng: np.random.Generator) -> np.ndarray:
    """Rows of no difference in the model the method of this design assumes."""
    if design.binary:
        return rng.choice([-1.0, 0.0, 1.0], size=(count, design.n_scores), p=[0.2, 0.6, 0.2])
    n = design.n_scores or 0
    noise = rng.normal(size=(count, n))
    if design.name == "5x2":
        return noise
    if isinstance(design, Seeds):  # each row has a share of the split of its own, as in the field
        shares, chances = share_nodes()
        share = rng.choice(shares, size=(count, 1), p=chances)
        own, common = rng.normal(size=(count, design.splits)), rng.normal(size=(count, 1))
        split = np.sqrt(share) * (np.sqrt(0.8) * own + np.sqrt(0.2) * common)
        return noise + np.repeat(split, design.count, axis=1)
    if isinstance(design, CrossValidatedCases):  # all cases share what the training sets do
        common = np.sqrt(design.overlap / n) * rng.normal(size=(count, 1))
        return noise + common
    # scores with the correlation the design claims
    rho = design.test_train_ratio / (1 + design.test_train_ratio)
    return np.sqrt(1 - rho) * noise + np.sqrt(rho) * rng.normal(size=(count, 1))


@pytest.mark.parametrize(("method", "design"), OWN, ids=ids(OWN))
def test_null_pvalues_are_near_uniform(method: Method, design: Design) -> None:
    count = 400 if method.name == "signed-rank-posterior" else 4000
    options = {"draws": 2000} if method.name == "signed-rank-posterior" else {}
    rows = null_rows(design, count, np.random.default_rng(7))
    pvalues = method.batch_pvalues(rows, design, **options)
    for level in (0.01, 0.05, 0.1, 0.25, 0.5):
        rate, error = np.mean(pvalues <= level), np.sqrt(level * (1 - level) / count)
        assert rate <= level + 4 * error + (0.02 if method.name in POSTERIORS else 0)
        if isinstance(design, Seeds) and design.splits > 1:
            continue  # begins with larger shares than the field's, to be safe
        if method.name not in ("sign-test", "mcnemar", "five-by-two-ftest", "five-by-two-ttest"):
            # discrete and 5x2 tests may be conservative; the others must not be
            assert rate >= level - 4 * error - (0.04 if method.name in RANKS else 0)


def test_table_is_frozen() -> None:
    assert len(METHODS) >= 10
    assert [method.name for method in METHODS.values()] == list(METHODS)
    with pytest.raises(TypeError):
        METHODS["mine"] = METHODS["mcnemar"]


def test_the_tree_leads_to_every_test() -> None:
    text = (DOCS / "choose.md").read_text(encoding="utf-8")
    tree = text.partition('<div class="tree" markdown>')[2].partition("</div>")[0]
    named = re.findall(r"\[`([\w-]+)`\]\(reference/names/(\w+)\.md\)", tree)
    tests = {(key, method.test.__name__) for key, method in METHODS.items()}
    assert tests == {(key, name) for key, name in named if key != "rank"}
