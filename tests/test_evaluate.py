"""evaluate() beyond accuracy: regressors, several scorers, groups, weights, texts, sparse rows."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyRegressor
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import log_loss, mean_squared_error, roc_auc_score
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import replicast as rc

X, Y = make_classification(200, 6, random_state=1)
NUMBERS, TARGET = make_regression(150, 5, noise=20, random_state=2)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
LINES = {"line": LinearRegression(), "ridge": Ridge(50.0)}


def test_regressors_are_scored_by_their_error() -> None:
    table = rc.evaluate(LINES, NUMBERS, TARGET, design=rc.KFold(5), rng=1)
    assert (table.metric, table.greater_is_better) == ("neg_root_mean_squared_error", True)
    assert table.scores.shape == (2, 1, 1, 5)
    assert (table.scores < 0).all()
    found = rc.compare(table.pair("line", "ridge"))
    assert found.verdict.outcome == "first better"
    assert "point" not in found.more()
    assert table.case_scores == ()


def test_folds_of_regressors_are_those_of_a_loop() -> None:
    seen = []

    def remember(model, rows, y) -> float:
        seen.append((rows, y))
        return float(mean_squared_error(y, model.predict(rows)))

    table = rc.evaluate({"mean": DummyRegressor()}, NUMBERS, TARGET, design=rc.KFold(5),
                        scoring=remember)  # fmt: skip
    assert sorted(np.concatenate([y for _, y in seen])) == sorted(TARGET)
    for fold, (_, y) in enumerate(seen):
        others = np.concatenate([each for at, (_, each) in enumerate(seen) if at != fold])
        assert table.scores[0, 0, 0, fold] == pytest.approx(np.mean((y - others.mean()) ** 2))


def test_cases_of_regressors_are_compared_one_by_one() -> None:
    table = rc.evaluate(LINES, NUMBERS, TARGET, design=rc.Holdout(60),
                        scoring="neg_mean_absolute_error")  # fmt: skip
    pair = table.pair("line", "ridge")
    assert pair.design == rc.Cases(60)
    assert (pair.first <= 0).all()
    assert rc.compare(pair).evidence.method == "case-ttest"
    with pytest.raises(rc.errors.DesignMismatchError, match="no mean of cases"):
        rc.evaluate(LINES, NUMBERS, TARGET, design=rc.Holdout(60), scoring="r2")
    with pytest.raises(rc.errors.DesignMismatchError, match="no mean of cases"):
        rc.evaluate(MODELS, X, Y, design=rc.Holdout(60), scoring="roc_auc")


def test_several_scorers_come_from_the_same_fits() -> None:
    fits = []

    class Counted(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            fits.append(len(y))
            return super().fit(X, y, sample_weight)

    tables = rc.evaluate({"bayes": Counted()}, X, Y, design=rc.KFold(5), rng=3,
                         scoring=["accuracy", "roc_auc", "neg_log_loss"])  # fmt: skip
    assert list(tables) == ["accuracy", "roc_auc", "neg_log_loss"]
    assert len(fits) == 5
    for name in tables:
        alone = rc.evaluate({"bayes": GaussianNB()}, X, Y, design=rc.KFold(5), rng=3, scoring=name)
        np.testing.assert_allclose(tables[name].scores, alone.scores, rtol=1e-12)
    assert len(tables["accuracy"].case_scores) == 1
    assert tables["roc_auc"].case_scores == ()  # cases say how accurate, not how well ordered
    own = rc.evaluate(MODELS, X, Y, design=rc.KFold(5), scoring={
        "loss": lambda model, rows, y: -log_loss(y, model.predict_proba(rows)),
        "area": "roc_auc"})  # fmt: skip
    assert {name: table.metric for name, table in own.items()} == {"loss": "loss", "area": "area"}


def test_groups_stay_together() -> None:
    groups = np.repeat(np.arange(40), 5)
    tested = []

    def where(model, rows, y) -> float:
        tested.append({int(row) for row in rows[:, -1]})
        return float(model.score(rows, y))

    rows = np.column_stack([X, groups])
    rc.evaluate({"bayes": GaussianNB()}, rows, Y, design=rc.RepeatedKFold(runs=2, folds=5),
                groups=groups, scoring=where)  # fmt: skip
    assert [len(each) for each in tested] == [8] * 10
    for run in (tested[:5], tested[5:]):
        assert set().union(*run) == set(range(40))
    assert tested[:5] != tested[5:]
    uneven = np.repeat(np.arange(12), np.arange(1, 13))
    table = rc.evaluate(MODELS, X[:78], Y[:78], design=rc.KFold(3), groups=uneven)
    assert table.n_test is not None
    assert table.n_test.max() - table.n_test.min() <= 2
    with pytest.raises(rc.InvalidArgumentError, match="at least as many groups as folds"):
        rc.evaluate(MODELS, X, Y, design=rc.KFold(5), groups=np.arange(200) % 3)
    with pytest.raises(rc.errors.DesignMismatchError, match="folds, for groups"):
        rc.evaluate(MODELS, X, Y, design=rc.Holdout(50), groups=groups)


def test_weights_count_in_fitting_and_scoring() -> None:
    weights = np.where(np.arange(200) % 2, 1.0, 0.0)
    table = rc.evaluate({"bayes": GaussianNB()}, X, Y, design=rc.KFold(4), rng=5,
                        sample_weight=weights)  # fmt: skip
    held = []

    def told(model, rows, y, sample_weight=None) -> float:
        held.append(sample_weight)
        return float(np.average(model.predict(rows) == y, weights=sample_weight))

    own = rc.evaluate({"bayes": GaussianNB()}, X, Y, design=rc.KFold(4), rng=5,
                      sample_weight=weights, scoring=told)  # fmt: skip
    np.testing.assert_allclose(table.scores, own.scores)
    assert sum(map(len, held)) == 200
    plain = rc.evaluate({"bayes": GaussianNB()}, X, Y, design=rc.KFold(4), rng=5)
    assert not np.allclose(plain.scores, table.scores)
    pipe = make_pipeline(StandardScaler(), LogisticRegression())
    assert not rc.evaluate({"pipe": pipe}, X, Y, design=rc.KFold(4), sample_weight=weights).failures
    with pytest.raises(rc.InvalidArgumentError, match="scorers that take weights"):
        rc.evaluate(MODELS, X, Y, design=rc.KFold(4), sample_weight=weights,
                    scoring=lambda *_: 1.0)  # fmt: skip


def test_texts_and_sparse_rows() -> None:
    texts = [
        ("good film " if label else "bad film ") + "the" * (i % 3) for i, label in enumerate(Y)
    ]
    model = make_pipeline(CountVectorizer(), MultinomialNB())
    found = rc.evaluate({"words": model}, texts, Y, design=rc.KFold(5))
    assert (found.scores == 1).all()
    counts = sparse.csr_matrix(np.abs(X).round())
    thin, dense = (
        rc.evaluate({"bayes": MultinomialNB()}, rows, Y, design=rc.KFold(5), rng=2).scores
        for rows in (counts, counts.toarray())
    )
    np.testing.assert_array_equal(thin, dense)
    assert rc.evaluate({"bayes": GaussianNB()}, sparse.csr_array(X), Y, design=rc.KFold(5)).failures


def test_a_line_counts_runs(capsys: pytest.CaptureFixture[str]) -> None:
    rc.evaluate(MODELS, X, Y, design=rc.RepeatedKFold(runs=3, folds=4), progress=True)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.endswith("6 of 6 runs\n")


def test_scores_with_probabilities_are_scikit_learn_s() -> None:
    table = rc.evaluate({"bayes": GaussianNB()}, X, Y, design=rc.KFold(5), scoring="roc_auc")
    own = rc.evaluate(
        {"bayes": GaussianNB()}, X, Y, design=rc.KFold(5),
        scoring=lambda model, rows, y: roc_auc_score(y, model.predict_proba(rows)[:, 1]),
    )  # fmt: skip
    np.testing.assert_allclose(table.scores, own.scores)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ({"models": {**MODELS, **LINES}}, "all classifiers or all regressors"),
        ({"models": LINES, "y": [*TARGET[:199], np.nan]}, "one finite number for each"),
        ({"scoring": []}, "at least one scorer"),
        ({"scoring": ["accuracy", "accuracy"]}, "different scorers"),
        ({"scoring": "acuracy"}, "a scikit-learn scorer"),
        ({"groups": [1, 2]}, "a label for each of the 200 rows"),
        ({"sample_weight": -np.ones(200)}, "a weight of 0 or more"),
        ({"progress": "yes"}, "progress"),
    ],
)
def test_mistakes(call: dict, sentence: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=sentence), warnings.catch_warnings():
        rc.evaluate(**{"models": MODELS, "X": X, "y": Y, "design": rc.KFold(5), **call})
