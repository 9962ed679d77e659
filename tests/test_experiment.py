"""evaluate(): same splits, same answers, nothing fitted in place, nothing lost."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import replicast as rc
from replicast import datasets
from replicast.experiment.data import prepare
from replicast.experiment.engines import recognise
from replicast.experiment.partitions import fold_sizes, partition
from replicast.experiment.specs import NAMED, read_estimator
from replicast.learners import C45Classifier, CartClassifier, MixedNaiveBayes, NearestNeighbour

X, Y = make_classification(120, 6, n_informative=4, flip_y=0.1, random_state=0)


class Failing(ClassifierMixin, BaseEstimator):
    """Refuses some training sets, by a sum of theirs."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Failing":
        if X.sum() % 1 > 0.5:
            raise RuntimeError("no luck today")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.zeros(len(X), dtype=int)


MODELS = {
    "bayes": GaussianNB(),
    "1-nn": KNeighborsClassifier(1),
    "5-nn": KNeighborsClassifier(),
    "svm": make_pipeline(StandardScaler(), SVC()),
    "raw svm": SVC(C=3, gamma=0.1),
    "cart": CartClassifier(max_depth=4),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    "design",
    [
        rc.RepeatedKFold(runs=2, folds=10),
        rc.RandomSplits(splits=5, n_train=80, n_test=30),
        rc.FiveByTwo(),
        rc.Holdout(30),
    ],
)
def test_recognised_learners_equal_refitting(name: str, design: rc.Design) -> None:
    model = {name: MODELS[name]}
    assert recognise(MODELS[name], prepare(X, Y)) is not None
    fast = rc.evaluate(model, X, Y, design=design, rng=3)
    slow = rc.evaluate(model, X, Y, design=design, rng=3, engine="refit")
    assert np.array_equal(fast.case_scores[0], slow.case_scores[0], equal_nan=True)
    assert np.array_equal(fast.scores, slow.scores)


@pytest.mark.parametrize("name", ["vote", "glass", "labor"])
def test_mixed_learners_equal_refitting(name: str) -> None:
    data = datasets.load(name)
    models = {"c45": C45Classifier(), "bayes": MixedNaiveBayes(), "nearest": NearestNeighbour()}
    n = len(data.X)
    for design in (rc.KFold(5), rc.RandomSplits(splits=2, n_train=n // 2, n_test=n // 4)):
        fast, slow = (
            rc.evaluate(models, data.X, data.y, design=design, engine=engine, small_classes="allow")
            for engine in ("auto", "refit")
        )
        assert np.array_equal(fast.case_scores[0], slow.case_scores[0], equal_nan=True)


@pytest.mark.parametrize(
    "model",
    [
        GaussianNB(priors=[0.5, 0.5]),
        KNeighborsClassifier(weights="distance"),
        KNeighborsClassifier(p=1),
        SVC(kernel="linear"),
        SVC(class_weight="balanced"),
        make_pipeline(MinMaxScaler(), SVC()),
        make_pipeline(StandardScaler(), GaussianNB()),
        make_pipeline(StandardScaler(with_mean=False), SVC()),
        DecisionTreeClassifier(random_state=0),
        LogisticRegression(),
    ],
    ids=str,
)
def test_others_are_refitted(model: object) -> None:
    assert recognise(model, prepare(X, Y)) is None


def test_data_that_rule_out_the_fast_way() -> None:
    tied = np.round(X)
    assert recognise(KNeighborsClassifier(1), prepare(tied, Y)) is None
    assert recognise(GaussianNB(), prepare(X.astype(np.float32), Y)) is None
    holes = X.copy()
    holes[0, 0] = np.nan
    assert recognise(GaussianNB(), prepare(holes, Y)) is None
    frame = pd.DataFrame({"a": ["x", "y"] * 60, "b": 1.0})
    assert recognise(GaussianNB(), prepare(frame, Y)) is None
    assert recognise(GaussianNB(), prepare(pd.DataFrame(X), Y)) is not None


def test_the_table() -> None:
    table = rc.evaluate(MODELS, X, Y, design=rc.RepeatedKFold(runs=3, folds=10), dataset="toy")
    assert table.scores.shape == (6, 1, 3, 10)
    assert table.classifiers == tuple(MODELS)
    assert table.n_test.sum() == 3 * 120
    assert (table.n_train + table.n_test == 120).all()
    assert "toy: 120 rows" in table.account[0]
    pair = table.pair("svm", "bayes")
    assert pair.case_differences.shape == (3, 120)
    assert pair.differences.mean() == pytest.approx(pair.case_differences.mean(), abs=1e-3)
    assert rc.compare(pair).replication.instance_data
    without = rc.evaluate(MODELS, X, Y, design=rc.KFold(5), keep_predictions=False)
    assert without.pair("svm", "bayes").case_differences is None


def test_holdout_and_splits() -> None:
    models = {"a": GaussianNB(), "b": SVC()}
    one = rc.evaluate(models, X, Y, design=rc.Holdout(40))
    assert one.scores.shape == (2, 1, 1, 40)
    assert rc.compare(one.pair("a", "b")).evidence.method == "mcnemar"
    many = rc.evaluate(models, X, Y, design=rc.RandomSplits(splits=12, n_train=70, n_test=40))
    assert many.scores.shape == (2, 1, 1, 12)
    assert (many.n_train == 70).all()
    assert (many.n_test == 40).all()
    assert rc.compare(many.pair("a", "b")).evidence.method == "corrected-ttest"


@pytest.mark.parametrize(
    ("given", "design"),
    [
        (StratifiedKFold(5), rc.KFold(5)),
        (10, rc.KFold(10)),
        ("kfold:folds=4", rc.KFold(4)),
        (ShuffleSplit(3, test_size=0.25), rc.RandomSplits(splits=3, n_train=90, n_test=30)),
    ],
)
def test_splitters_stand_for_designs(given: Any, design: Any) -> None:
    models = {"a": GaussianNB(), "b": SVC()}
    table = rc.evaluate(models, X, Y, design=given)
    assert table.design == design
    np.testing.assert_array_equal(table.scores, rc.evaluate(models, X, Y, design=design).scores)


def test_jobs_and_reruns_change_nothing() -> None:
    models = {"tree": DecisionTreeClassifier(), "svm": SVC(), "bayes": GaussianNB()}
    runs = [
        rc.evaluate(models, X, Y, design=rc.RepeatedKFold(runs=4, folds=5), rng=seed, n_jobs=jobs)
        for seed, jobs in ((1, 1), (1, 2), (1, 1), (2, 1))
    ]
    assert np.array_equal(runs[0].case_scores[0], runs[1].case_scores[0], equal_nan=True)
    assert np.array_equal(runs[0].case_scores[0], runs[2].case_scores[0], equal_nan=True)
    assert not np.array_equal(runs[0].case_scores[0], runs[3].case_scores[0], equal_nan=True)


def test_models_are_not_touched() -> None:
    model = LogisticRegression()
    before = model.get_params()
    rc.evaluate({"logistic": model}, X, Y, design=rc.KFold(3))
    assert not hasattr(model, "coef_")
    assert model.get_params() == before


def test_frames_strings_and_other_scores() -> None:
    frame, labels = pd.DataFrame(X), pd.Series(np.where(Y == 1, "yes", "no"))
    table = rc.evaluate([GaussianNB(), GaussianNB()], frame, labels, design=rc.KFold(5))
    assert table.classifiers == ("GaussianNB", "GaussianNB 2")
    refit = rc.evaluate([LogisticRegression()], frame, labels, design=rc.KFold(5))
    assert (refit.case_scores[0] >= 0).all()
    auc = rc.evaluate({"nb": GaussianNB()}, X, Y, design=rc.KFold(5), scoring="roc_auc")
    assert auc.metric == "roc_auc"
    assert 0.5 < auc.scores.mean() < 1

    def brier(model: GaussianNB, X: np.ndarray, y: np.ndarray) -> float:
        return -float(((model.predict_proba(X)[:, 1] - y) ** 2).mean())

    own = rc.evaluate({"nb": GaussianNB()}, X, Y, design=rc.KFold(5), scoring=brier)
    assert own.metric == "brier"
    assert (own.scores < 0).all()


def test_failures_are_kept_and_shown() -> None:
    table = rc.evaluate(
        {"bad": Failing(), "nb": GaussianNB()}, X, Y, design=rc.RepeatedKFold(runs=2, folds=5)
    )
    lost = np.isnan(table.scores[0]).sum()
    assert 0 < lost < 10
    assert len(table.failures) == lost
    assert "RuntimeError: no luck today" in table.failures[0]
    assert f"{lost} fits failed" in table.account[1]
    with pytest.raises(rc.errors.DesignMismatchError, match=r"bad lacks \d folds on 'data'"):
        table.pair("bad", "nb")


def test_progress_counts_runs() -> None:
    seen: list[tuple[int, int]] = []
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    rc.evaluate(
        models,
        X,
        Y,
        design=rc.RepeatedKFold(runs=3, folds=5),
        progress=lambda a, b: seen.append((a, b)),
    )
    assert seen[-1] == (6, 6)


def test_partitions_are_stratified() -> None:
    problem = prepare(X, Y)
    folds = partition(problem, rc.RepeatedKFold(runs=4, folds=7), np.random.default_rng(0))
    assert folds.shape == (4, 120)
    for run in folds:
        for label in (0, 1):
            counts = np.bincount(run[label == Y], minlength=7)
            assert np.ptp(counts) <= 1
    n_train, n_test = fold_sizes(folds)
    assert (n_train + n_test == 120).all()


SMALL = np.array([0] * 110 + [1] * 5 + [2] * 5)
BAD = [
    (lambda: rc.evaluate({"a": SVC()}, X, SMALL, design=rc.KFold(10)), "`y` must be at least 10 rows"),
    (lambda: rc.evaluate({"a": SVC()}, X, [1] * 120, design=rc.KFold(5)), "`y` must be at least two"),
    (lambda: rc.evaluate({"a": SVC()}, X, Y[:50], design=rc.KFold(5)), "`y` must be one class for each"),
    (lambda: rc.evaluate({"a": SVC()}, X[:, 0], Y, design=rc.KFold(5)), "`X` must be two-dim"),
    (lambda: rc.evaluate({"a": SVC()}, X, X[:, 0], design=rc.KFold(5)), "`y` must be classes, got fr"),
    (lambda: rc.evaluate({"a": 3}, X, Y, design=rc.KFold(5)), "`models` must be estimators that can"),
    (lambda: rc.evaluate({"a": SVC}, X, Y, design=rc.KFold(5)), "`models` must be estimators that can"),
    (lambda: rc.evaluate({}, X, Y, design=rc.KFold(5)), "`models` must be at least one"),
    (lambda: rc.evaluate({"a": SVC()}, X, Y, design=rc.Datasets()), "`design` must be a way to split"),
    (lambda: rc.evaluate({"a": SVC()}, X, Y, design=rc.KFold(121)), "`folds` must be at most the 120"),
    (lambda: rc.evaluate({"a": SVC()}, X, Y, design="random-splits:splits=3,n_train=100,n_test=30"),
     "`design` must be at"),
    (lambda: rc.evaluate({"a": SVC()}, X, Y, design=rc.KFold(5), n_jobs=0), "`n_jobs` must be an int"),
    (lambda: rc.evaluate({"a": SVC()}, X, Y, design=rc.KFold(5), scoring="acc"), "`scoring` must be"),
    (lambda: rc.evaluate({"a": SVC()}, X, Y, design=rc.KFold(5), engine="x"), "`engine` must be one of"),
    (lambda: rc.evaluate({"a": SVC()}, X, [*Y[:-1], None], design=rc.KFold(5)), "`y` must be free of"),
    (lambda: read_estimator("svc"), "Did you mean svm"),
    (lambda: read_estimator("os:system('ls')"), "`first` must be a class of scikit-learn"),
    (lambda: read_estimator("sklearn.svm:SVC(C=__import__('os'))"), "`first` must be a readable"),
    (lambda: read_estimator("sklearn.svm:SVC(C="), "`first` must be a readable"),
    (lambda: read_estimator("sklearn.svm:Nothing()"), "`first` must be a class that exists"),
    (lambda: read_estimator("sklearn.utils:Bunch(a=1)"), "`first` must be an estimator class"),
    (lambda: read_estimator("sklearn.svm:SVC(Z=1)"), "`first` must be an estimator that can be built"),
    (lambda: read_estimator("sklearn.svm:__name__()"), "`first` must be a class of scikit-learn"),
    (lambda: read_estimator("sklearn.preprocessing:StandardScaler()"), "`first` must be an estimator"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "match"), BAD)
def test_mistakes(call: object, match: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=match):
        call()


def test_small_classes_can_be_allowed() -> None:
    table = rc.evaluate({"nb": GaussianNB()}, X, SMALL, design=rc.KFold(10), small_classes="allow")
    assert np.isfinite(table.scores).all()


def test_specs() -> None:
    assert read_estimator("sklearn.svm:SVC(C=10, kernel='linear')").C == 10
    assert read_estimator("sklearn.svm:SVC").C == 1
    pipe = read_estimator(
        "sklearn.pipeline:make_pipeline(sklearn.preprocessing:StandardScaler(), sklearn.svm:SVC(C=2))"
    )
    assert pipe[-1].C == 2
    for name in NAMED:
        assert hasattr(read_estimator(name), "fit")


def test_cart_is_a_scikit_learn_classifier() -> None:
    labels = np.where(Y == 1, "yes", "no")
    tree = CartClassifier(min_samples_leaf=3).fit(X, labels)
    assert set(tree.predict(X)) == {"yes", "no"}
    assert (tree.predict(X) == labels).mean() > 0.85
    assert tree.n_features_in_ == 6
    reference = DecisionTreeClassifier(min_samples_leaf=3, random_state=0).fit(X, labels)
    assert (tree.predict(X) == reference.predict(X)).mean() > 0.9  # ties are broken by its seed


def test_one_estimator_alone_and_names_of_twins():
    X, y = make_classification(60, random_state=0)
    alone = rc.evaluate(GaussianNB(), X, y, design=rc.KFold(3))
    assert alone.classifiers == ("GaussianNB",)
    twins = rc.evaluate([SVC(), SVC(C=9)], X, y, design=rc.KFold(3))
    assert twins.classifiers == ("SVC", "SVC 2")
    with pytest.raises(rc.InvalidArgumentError, match="`models` must be at least one estimator"):
        rc.evaluate([], X, y, design=rc.KFold(3))


def test_a_fast_way_that_fails_is_kept_as_failures(monkeypatch):
    def fails(folds):
        raise FloatingPointError("overflow")

    X, y = make_classification(60, random_state=0)
    monkeypatch.setattr("replicast.experiment.evaluation.recognise", lambda *_, **__: fails)
    steps = []
    table = rc.evaluate(
        [GaussianNB()], X, y, design=rc.KFold(3), progress=lambda *step: steps.append(step)
    )
    assert np.isnan(table.scores).all()
    assert len(table.failures) == 3
    assert "FloatingPointError: overflow" in table.failures[0]
    assert steps == [(1, 1)]


def test_specs_with_lists_and_pipelines():
    made = read_estimator("sklearn.linear_model:RidgeClassifierCV(alphas=[0.1, 1.0])")
    assert made.alphas == [0.1, 1.0]
    made = read_estimator("sklearn.neural_network:MLPClassifier(hidden_layer_sizes=(5, 3))")
    assert made.hidden_layer_sizes == (5, 3)
    nested = read_estimator(
        "sklearn.pipeline:make_pipeline(sklearn.preprocessing.StandardScaler(), sklearn.svm.SVC(C=2))"
    )
    assert nested[-1].C == 2
    with pytest.raises(rc.InvalidArgumentError, match="`first` must be"):
        read_estimator("sklearn.nowhere:Tree()")


def test_frames_of_other_types_are_refitted():
    X, y = make_classification(60, n_features=4, n_redundant=0, random_state=0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    flags = frame.assign(flag=frame["a"] > 0)
    fast, plain = (
        rc.evaluate([GaussianNB()], flags, y, design=rc.KFold(3), engine=engine)
        for engine in ("auto", "refit")
    )
    assert (fast.scores == plain.scores).all()
