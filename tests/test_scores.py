"""Scores are parsed once; what is wrong with them is said in one sentence."""

import copy
from typing import Any

import numpy as np
import pytest
from sklearn import model_selection as split

import independent
import replicast as rc
from replicast import InvalidArgumentError
from replicast.design import DESIGNS, format_design, parse_design, require_design
from replicast.errors import DesignMismatchError
from replicast.scores.fold_sizes import with_cases

EXAMPLES = {
    "datasets": "datasets:count=5", "kfold": "kfold:folds=5", "5x2": "5x2", "holdout": "holdout",
    "repeated-kfold": "repeated-kfold:runs=3,folds=5", "cases": "cases:count=9,clusters=3",
    "cross-validated-cases": "cross-validated-cases:count=9,folds=3",
    "random-splits": "random-splits:splits=9,n_train=80,n_test=20", "seeds": "seeds:count=5,splits=2",
}  # fmt: skip


def build(first=(0.9, 0.8, 0.7), second=(0.8, 0.7, 0.7), design=None, **more):
    return rc.PairedScores(first=first, second=second, design=design or rc.KFold(3), **more)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"first": [0.9, float("nan"), 0.7]},
            "`first` must be finite, got nan at position 1. Drop",
        ),
        ({"second": [0.9, 0.1, float("inf")]}, "`second` must be finite, got inf at position 2."),
        ({"first": [0.9, "good", 0.7]}, "`first` must be numbers, got 'good' at position 1."),
        ({"first": [0.9, 0.8]}, "`second` must be as long as `first` (2 scores), got 3 scores."),
        ({"first": [0.9], "second": [0.8]}, "`first` must be at least two scores, got 1."),
        (
            {"first": [[0.9, 0.8]], "second": [[0.8, 0.9]]},
            "`first` must be one-dimensional, got an",
        ),
        ({"design": rc.KFold(10)}, "`design` must be a design with 3 scores, one for each differ"),
        ({"design": rc.Holdout()}, "`first` must be 0 or 1 for every case of a holdout, got other"),
        ({"names": ("a",)}, "`names` must be two classifier names, got ('a',)."),
        ({"names": "ab"}, "`names` must be two classifier names, got 'ab'."),
        ({"first": [1e308, 0, 0], "second": [-1e308, 0, 0]}, "`first` must be scores whose differ"),
    ],
)
def test_bad_scores_get_their_sentence(arguments, message) -> None:
    with pytest.raises(InvalidArgumentError) as error:
        build(**arguments)
    assert str(error.value).startswith(message)


def test_scores_are_copied_and_read_only() -> None:
    mine = np.array([0.9, 0.8, 0.7])
    scores = build(first=mine)
    mine[0] = 0
    assert scores.first[0] == 0.9
    with pytest.raises(ValueError, match="read-only"):
        scores.differences[0] = 1


def test_losses_turn_the_sign() -> None:
    scores = build(greater_is_better=False)
    assert scores.differences.tolist() == [-0.1, -0.1, 0.0]
    assert rc.paired_ttest(scores).estimate < 0
    assert rc.effects.probability_of_superiority(scores).estimate < 0.5


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-17, 1.0, 1e17, 1e300])
def test_any_magnitude_of_scores_works(scale: float) -> None:
    first = np.array([3.0, 4.0, 5.0, 6.0, 8.0, 1.5]) * scale
    scores = rc.PairedScores(first=first, second=np.full(6, 2.0) * scale, design=rc.Datasets())
    assert rc.signed_rank(scores).pvalue == 0.0625
    assert rc.sign_flip_test(scores).pvalue == 0.0625
    plain = rc.PairedScores(first=first / scale, second=np.full(6, 2.0), design=rc.Datasets())
    assert rc.paired_ttest(scores).pvalue == pytest.approx(rc.paired_ttest(plain).pvalue, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e170, 1e300])
def test_huge_and_tiny_spreads_are_never_nan(scale: float) -> None:
    row = np.array([3.0, 4.0, 5.0, 2.0, 1.0, -1.0, 2.5, 0.5, 1.5, 6.0])
    for method, design in (("corrected-ttest", rc.KFold(10)), ("five-by-two-ftest", rc.FiveByTwo()),
                           ("five-by-two-ttest", rc.FiveByTwo())):  # fmt: skip
        plain, scaled = (
            rc.PairedScores(first=row * factor, second=np.zeros(10), design=design)
            for factor in (1.0, scale)
        )
        test = rc.METHODS[method].test
        assert test(scaled).pvalue == pytest.approx(test(plain).pvalue, rel=1e-9)


def test_predictions() -> None:
    pair = rc.PairedPredictions(truth=list("aabb"), first=list("aaba"), second=list("abbb"))
    assert pair.differences.tolist() == [0, 1, 0, -1]
    assert pair.swapped().differences.tolist() == (-pair.differences).tolist()
    with pytest.raises(
        DesignMismatchError, match=r"`second` must be as long as `truth` \(2\), got 1"
    ):
        rc.PairedPredictions(truth=[1, 0], first=[1, 1], second=[1])
    with pytest.raises(
        InvalidArgumentError, match="`first` must be free of missing values, got one"
    ):
        rc.PairedPredictions(truth=[1.0, 0.0], first=[1.0, float("nan")], second=[1.0, 1.0])


def test_designs_write_and_read_themselves() -> None:
    for design in (
        rc.Datasets(), rc.Datasets(7), rc.KFold(5), rc.RepeatedKFold(runs=3, folds=4), rc.FiveByTwo(),
        rc.RandomSplits(splits=10, n_train=90, n_test=10), rc.Holdout(), rc.Holdout(100),
    ):  # fmt: skip
        assert parse_design(format_design(design)) == design
        assert design.words
    sized = {"random-splits": "random-splits:splits=2,n_train=3,n_test=1", "seeds": "seeds:count=2"}
    assert [parse_design(sized.get(name, name)).name for name in DESIGNS] == [*DESIGNS]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "kfolds:folds=3",
            "`design` must be one of datasets, kfold, repeated-kfold, random-splits",
        ),
        ("kfold:fold=3", "`design` must be kfold with folds, got 'fold=3'. Did you mean folds?"),
        (
            "kfold:folds=ten",
            "`design` must be kfold with a whole number for folds, got 'folds=ten'.",
        ),
        ("kfold:folds=1", "`folds` must be an integer of at least 2, got 1."),
        ("random-splits:splits=9", "`design` must be random-splits with n_train, n_test, got"),
        ("5x2:folds=3", "`design` must be 5x2 with no option, got 'folds=3'."),
        ("datasets:count=0", "`count` must be an integer of at least 1, got 0."),
    ],
)
def test_bad_designs_get_their_sentence(text, message) -> None:
    with pytest.raises(InvalidArgumentError) as error:
        parse_design(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("name", sorted(DESIGNS))
def test_numbers_that_could_be_swapped_are_given_by_name(name: str) -> None:
    kind: Any = DESIGNS[name].build
    names = DESIGNS[name].keys
    if len(names) > 1:
        with pytest.raises(
            InvalidArgumentError, match=f"`{kind.__name__}` must be written with nam"
        ):
            kind(*range(3, 3 + len(names)))
    assert (
        copy.deepcopy(given := parse_design(EXAMPLES[name])) == given
    )  # and copies work as before


def test_the_other_order_of_scikit_learn_is_told() -> None:
    kind: Any = rc.RepeatedKFold
    with pytest.raises(InvalidArgumentError) as error:
        kind(10, 5)  # ten folds and five runs, as scikit-learn has it
    assert str(error.value) == (
        "`RepeatedKFold` must be written with names, RepeatedKFold(runs=..., folds=...), got "
        "RepeatedKFold(10, 5). scikit-learn's RepeatedKFold has the other order, folds before runs, "
        "and the test would not notice; its own splitter is a design too: design=cv."
    )
    splitter = split.RepeatedStratifiedKFold(n_splits=10, n_repeats=5)
    assert require_design(splitter) == rc.RepeatedKFold(runs=5, folds=10)


def test_ratios_of_designs() -> None:
    assert rc.RepeatedKFold(runs=10, folds=10).test_train_ratio == pytest.approx(1 / 9)
    assert rc.RandomSplits(splits=9, n_train=90, n_test=10).test_train_ratio == pytest.approx(1 / 9)
    assert rc.Datasets(5).test_train_ratio == 0


def test_schemes_need_runs() -> None:
    with pytest.raises(DesignMismatchError, match="`scheme` must be all or first-run"):
        build().sample("folds")
    with pytest.raises(
        InvalidArgumentError, match="`scheme` must be one of all, folds, runs, sorted"
    ):
        build().sample("sortd")


@pytest.mark.parametrize("scheme", ["all", "folds", "runs", "sorted", "first-run"])
def test_every_scheme_works_with_every_test_and_its_batch(scheme: str) -> None:
    rows = np.random.default_rng(4).normal(0.3, 1, size=(6, 30))
    design = rc.RepeatedKFold(runs=3, folds=10)
    for method in ("paired-ttest", "corrected-ttest", "signed-rank", "sign-test", "sign-flip"):
        entry = rc.METHODS[method]
        alone = [
            entry.test(
                rc.PairedScores(first=row, second=np.zeros(30), design=design), scheme=scheme
            ).pvalue
            for row in rows
        ]
        together = entry.batch_pvalues(rows, design, scheme=scheme)
        np.testing.assert_allclose(together, alone, rtol=1e-9)


def table() -> rc.ScoreTable:
    scores = np.random.default_rng(0).random((3, 2, 1, 4))
    return rc.ScoreTable(
        classifiers=("svm", "nb", "tree"), datasets=("iris", "vote"), scores=scores,
        design=rc.KFold(4),
    )  # fmt: skip


def test_table_gives_pairs() -> None:
    one = table().pair("svm", "tree", dataset="vote")
    assert (one.design, one.dataset, one.names) == (rc.KFold(4), "vote", ("svm", "tree"))
    many = table().pair("svm", "nb")
    assert many.design == rc.Datasets(2)
    assert many.first.tolist() == table().scores[0].mean(axis=(1, 2)).tolist()


def test_table_refuses_with_words() -> None:
    with pytest.raises(
        InvalidArgumentError, match=r"`first` must be one of svm, nb, tree, got 'swm'. Did"
    ):
        table().pair("swm", "nb")
    with pytest.raises(
        InvalidArgumentError, match="`dataset` must be one of iris, vote, got 'zoo'"
    ):
        table().pair("svm", "nb", dataset="zoo")
    holes = table().scores.copy()
    holes[1, 0, 0, 2] = np.nan
    broken = rc.ScoreTable(
        classifiers=("svm", "nb", "tree"),
        datasets=("iris", "vote"),
        scores=holes,
        design=rc.KFold(4),
    )
    with pytest.raises(DesignMismatchError, match="nb lacks 1 score on 'iris'"):
        broken.pair("svm", "nb", dataset="iris")
    with pytest.raises(DesignMismatchError, match="nb lacks 1 score on 'iris'"):
        broken.pair("svm", "nb")
    assert broken.pair("svm", "tree", dataset="iris").design == rc.KFold(4)
    with pytest.raises(
        InvalidArgumentError, match="`classifiers` must be different names, got 'a' twi"
    ):
        rc.ScoreTable(
            classifiers=("a", "a"),
            datasets=("d",),
            scores=np.ones((2, 1, 1, 2)),
            design=rc.KFold(2),
        )


def test_one_score_on_the_dataset_asked_for() -> None:
    table = rc.ScoreTable(
        classifiers=("a", "b"),
        datasets=("x", "y"),
        scores=np.ones((2, 2, 1, 1)),
        design=rc.Datasets(2),
    )
    with pytest.raises(rc.InvalidArgumentError, match="`dataset` must be one with several scores"):
        table.pair("a", "b", dataset="x")


@pytest.mark.parametrize("scheme", ["all", "folds", "runs", "sorted", "first-run"])
def test_samples_of_paired_scores_by_the_second_implementation(scheme: str) -> None:
    rng = np.random.default_rng(4)
    matrix = rng.integers(-40, 40, size=(7, 5)) / 64  # exact in floats
    second = rng.integers(0, 64, size=35) / 64
    pair = rc.PairedScores(
        first=second + matrix.ravel(), second=second, design=rc.RepeatedKFold(runs=7, folds=5)
    )
    expected = independent.scheme(matrix.tolist(), scheme)
    np.testing.assert_allclose(pair.sample(scheme), expected, rtol=0, atol=1e-13)


SPLITTERS = [
    (split.KFold(5), rc.KFold(5)),
    (split.StratifiedKFold(3), rc.KFold(3)),
    (split.RepeatedKFold(n_splits=5, n_repeats=2), rc.RepeatedKFold(runs=2, folds=5)),
    (split.RepeatedStratifiedKFold(n_splits=4, n_repeats=1), rc.KFold(4)),
    (
        split.ShuffleSplit(7, test_size=30, train_size=60),
        rc.RandomSplits(splits=7, n_train=60, n_test=30),
    ),
    ("repeated-kfold:runs=3,folds=4", rc.RepeatedKFold(runs=3, folds=4)),
    (10, rc.KFold(10)),
    (np.int64(4), rc.KFold(4)),
    (rc.Holdout(), rc.Holdout()),
]


@pytest.mark.parametrize(("given", "design"), SPLITTERS, ids=[repr(one) for one, _ in SPLITTERS])
def test_what_stands_for_a_design(given: Any, design: Any) -> None:
    assert require_design(given) == design


@pytest.mark.parametrize(
    ("test_size", "train_size"), [(0.2, None), (None, 0.55), (None, None), (0.33, 0.5), (30, 0.5)]
)
def test_shares_of_a_splitter_are_those_of_scikit_learn(test_size: Any, train_size: Any) -> None:
    splitter = split.ShuffleSplit(3, test_size=test_size, train_size=train_size, random_state=0)
    train, test = next(splitter.split(np.zeros(97)))
    assert require_design(splitter, cases=97) == rc.RandomSplits(
        splits=3, n_train=len(train), n_test=len(test)
    )


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            split.TimeSeriesSplit(5),
            "`design` must be a design, or a splitter that stands for one",
        ),
        (split.TimeSeriesSplit(5), "Later folds are trained on all that came before"),
        (split.TimeSeriesSplit(5), "Compare over many series, one score each"),
        (split.LeavePOut(2), "No test here knows how its scores depend on each other."),
        (
            split.ShuffleSplit(5),
            "Say how many cases: RandomSplits(splits=..., n_train=..., n_test=...).",
        ),
        (1, "`design` must be an integer of at least 2, got 1."),
        (None, "`design` must be a design, got None. Say how the scores arose"),
        (True, "`design` must be a design, got True."),
        ("kfolds", "Did you mean kfold?"),
        ("kfold:folds=" + "9" * 5000, "`design` must be kfold with a whole number for folds"),
    ],
)
def test_what_does_not(given: Any, sentence: str) -> None:
    with pytest.raises(rc.InvalidArgumentError) as caught:
        require_design(given)
    assert sentence in str(caught.value)


def test_records_with_arrays_can_be_compared_shown_and_framed() -> None:
    first, second = [0.9, 0.8, 0.7], [0.8, 0.75, 0.6]
    one, other = (rc.PairedScores(first=first, second=second, design=3) for _ in range(2))
    assert one == other
    assert one != one.swapped()
    assert one != 3
    assert (
        repr(one)
        == "<PairedScores: first against second, 3-fold cross-validation, means 0.800 and 0.717>"
    )
    assert one.to_frame()["difference"].tolist() == one.differences.tolist()
    scores = np.array([[[first]], [[[0.8, np.nan, 0.6]]]])
    tables = [
        rc.ScoreTable(classifiers=("a", "b"), datasets=("d",), scores=scores, design=rc.KFold(3))
        for _ in range(2)
    ]
    assert tables[0] == tables[1]  # gaps are equal too
    assert len(tables[0].to_frame()) == 5
    assert "2 classifiers, 1 dataset, score" in repr(tables[0])
    found = rc.compare(first, second, design=3)
    assert found == rc.compare(one)
    assert repr(found) == "<Comparison: No clear difference between first and second>"
    assert found.to_frame()["evidence.pvalue"].tolist() == [found.evidence.pvalue]


def test_compare_takes_arrays_options_and_a_rope() -> None:
    right = rc.PairedPredictions(truth=[1] * 10, first=[1] * 10, second=[1] * 4 + [0] * 6)
    assert rc.compare(right, method="mcnemar", pvalue_method="mid-p").evidence.pvalue == 2.0**-6
    first, second = [0.81, 0.8, 0.82, 0.8], [0.8, 0.81, 0.81, 0.81]
    assert rc.compare(first, second, design=4, rope=0.1).verdict.outcome == "equivalent"
    posterior = rc.compare(first, second, design=4, method="correlated-posterior", rope=0.1)
    assert posterior.verdict.outcome == "equivalent"
    with pytest.raises(
        rc.InvalidArgumentError, match=r"`options` must be one of .*got 'shceme'.*scheme\?"
    ):
        rc.compare(first, second, design=4, shceme="all")
    with pytest.raises(rc.InvalidArgumentError, match="nothing says what the 4 scores"):
        rc.compare(first, second)
    with pytest.raises(rc.InvalidArgumentError, match="`second` must be given together"):
        rc.compare(first, design=4)


def test_differences_are_rounded_by_their_own_scores() -> None:
    """Losses of 1e10 on one dataset once made all differences of 1e-6 on the others zeros."""
    from replicast.inference.friedman import rank_scores

    first, second = [1e10, 2e10, 3e-6, 2e-6, 5e-6], [1e10, 2e10, 2e-6, 1e-6, 3e-6]
    pair = rc.PairedScores(
        first=first, second=second, design=rc.Datasets(), greater_is_better=False
    )
    assert pair.differences.tolist() == [0.0, 0.0, -1e-6, -1e-6, -2e-6]
    ranks = rank_scores(np.column_stack([first, second]), greater_is_better=False)
    assert ranks.tolist() == [[1.5, 1.5], [1.5, 1.5], [2, 1], [2, 1], [2, 1]]
    sizes = rc.PairedScores(
        first=[0.8, 100.1, 0.05], second=[0.7, 100.0, -0.05], design=rc.Datasets()
    )
    assert set(sizes.differences.tolist()) == {0.1}


@pytest.mark.parametrize(
    ("scores", "cases", "fits"),
    [
        ([0.80, 0.81], 20, False),
        ([80.0, 81.0], 20, False),
        ([0.80, 0.90], 20, True),
        ([0.8, 9 / 11], 20, True),  # a fold of 11
        ([0.80, 0.81], 400, True),
        ([0.333, 0.667], 6, True),  # as printed with three digits
        ([0.333, 0.667], 200, True),
        ([0.3334, 0.667], 6, False),
    ],
)
def test_cases_are_refused_where_folds_cannot_have_such_accuracies(
    scores: list[float], cases: int, fits: bool
) -> None:
    pair = rc.PairedScores(first=scores, second=[scores[0]] * 2, design=rc.KFold(2))
    if fits:
        assert with_cases(pair, cases).n_test == cases / 2
    else:
        with pytest.raises(
            InvalidArgumentError, match="of which 2 folds can have these accuracies"
        ):
            with_cases(pair, cases)


def test_cases_stay_with_their_dataset_where_another_is_left_out() -> None:
    """What was left out for a gap took the scores of graded cases along to the wrong dataset."""
    rng = np.random.default_rng(3)
    cases = tuple(rng.normal(size=(3, 1, 8)) for _ in "xyz")
    scores = np.stack([part.reshape(3, 1, 2, 4).mean(axis=3) for part in cases], axis=1)
    scores[2, 1] = np.nan
    table = rc.ScoreTable(
        classifiers=("a", "b", "c"), datasets=("x", "y", "z"), scores=scores, design=rc.KFold(2),
        case_scores=cases, gaps="share",
    )  # fmt: skip
    whole = table.complete()
    assert whole.datasets == ("x", "z") or whole.classifiers == ("a", "b")
    pair = whole.pair("a", "b", dataset="z")
    assert pair.case_differences == pytest.approx(cases[2][0] - cases[2][1])
