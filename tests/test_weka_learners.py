"""C4.5, naive Bayes and nearest neighbour against Weka 3.6.14, and their own promises."""

import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from goldens import FOLDER
from replicast import datasets
from replicast.errors import InvalidArgumentError
from replicast.learners.bayes.mixed import MixedNaiveBayes
from replicast.learners.c45.arithmetic import added_errors, error_limits
from replicast.learners.c45.classifier import C45Classifier
from replicast.learners.mixed.table import MixedTable
from replicast.learners.neighbours.mixed import NearestNeighbour
from replicast.learners.protocol import NOT_PREDICTED, TRAIN_ONLY, UNUSED, no_answers, trained_in

# Weka 3.6.14: predictions of J48 -C 0.25 -M 2, J48 -U -M 2, NaiveBayes and IBk -K 1 for the rows
# listed, trained on all others; leaves and sizes of J48's trees on the whole sets
TREES = pd.read_csv(FOLDER / "weka-trees.csv").set_index("dataset")
PREDICTIONS = dict(list(pd.read_csv(FOLDER / "weka-predictions.csv").groupby("dataset")))
WEKA = {
    "j48": C45Classifier(),
    "j48_unpruned": C45Classifier(prune=False),
    "naive_bayes": MixedNaiveBayes(),
    "ib1": NearestNeighbour(),
}
LEARNERS = [*WEKA.values(), C45Classifier(confidence=0.1, min_cases=5, subtree_raising=False)]
each_learner = pytest.mark.parametrize("learner", LEARNERS, ids=repr)


@cache
def load_set(name):
    """Return attributes and classes of one of the UCI sets."""
    found = datasets.load(name)
    return found.X, found.y


def codes_of(fitted, predictions):
    return pd.Index(fitted.classes_).get_indexer(predictions)


def small_frame(rng, n=60):
    """A mixed frame with missing cells whose classes depend on both kinds of columns."""
    size = rng.normal(size=n)
    shape = rng.choice(["round", "flat", "long"], size=n)
    y = np.where(size + (shape == "flat") + rng.normal(0, 0.5, n) > 0.3, "yes", "no")
    frame = pd.DataFrame({"size": size, "shape": shape, "count": rng.integers(0, 5, n)})
    frame = frame.astype({"count": float})
    frame.loc[rng.choice(n, n // 8, replace=False), "size"] = np.nan
    frame.loc[rng.choice(n, n // 8, replace=False), "shape"] = None
    return frame, y


# ---- against Weka


@pytest.mark.parametrize("name", sorted(PREDICTIONS))
def test_predictions_are_those_of_weka(name):
    X, y = load_set(name)
    weka = PREDICTIONS[name]
    tested = weka["row"].to_numpy()
    trained = np.setdiff1d(np.arange(len(X)), tested)
    assert (y.cat.codes.iloc[tested].to_numpy() == weka["class"].to_numpy()).all()
    for column, learner in WEKA.items():
        fitted = clone(learner).fit(X.iloc[trained], y.iloc[trained])
        ours = codes_of(fitted, fitted.predict(X.iloc[tested]))
        assert (ours == weka[column].to_numpy()).all(), column


@pytest.mark.parametrize("name", sorted(TREES.index))
def test_trees_have_the_leaves_and_nodes_of_weka(name):
    X, y = load_set(name)
    pruned, unpruned = C45Classifier().fit(X, y), C45Classifier(prune=False).fit(X, y)
    ours = [pruned.n_leaves_, pruned.n_nodes_, unpruned.n_leaves_, unpruned.n_nodes_]
    assert ours == TREES.loc[name].tolist()


@pytest.mark.parametrize(
    ("n", "errors", "added"),
    [
        (10, 0, 1.294494), (10, 0.5, 1.353528), (10, 1, 1.412562), (10, 3, 1.562369),
        (1, 0, 0.75), (1.2, 0.4, 0.573214), (2, 1, 0.791493), (6, 5.6, 0.4),
        (100, 20.25, 3.364647),
    ],
)  # fmt: skip
def test_pessimistic_errors(n, errors, added):
    assert added_errors(float(n), float(errors), error_limits(0.25, 10)) == pytest.approx(
        added, abs=1e-6
    )


# ---- folds and compiled train-and-test equal refitting


def refitted(learner, table, y, folds, n_classes):
    labels = pd.Categorical.from_codes(y, categories=range(n_classes))
    result = no_answers(folds)
    for run in range(len(folds)):
        for fold in range(folds[run].max() + 1):
            tested = np.flatnonzero(folds[run] == fold)
            trained = np.flatnonzero(trained_in(folds[run], fold))
            if len(tested):
                fitted = clone(learner).fit(table.take(trained), labels[trained])
                result[run, tested] = fitted.predict(table.take(tested))
    return result


@each_learner
@pytest.mark.parametrize(
    "name", ["labor", "iris", "zoo", "autos", "hepatitis", "breast-cancer", "horse-colic", "glass"]
)
def test_folds_equal_refitting(learner, name):
    X, y = load_set(name)
    table, codes, n_classes = MixedTable.of(X), y.cat.codes.to_numpy(), len(y.cat.categories)
    rng = np.random.default_rng(len(X))
    folds = rng.permuted(np.tile(np.arange(len(X)) % 10, (3, 1)), axis=1).astype(np.int16)
    folds[1, rng.choice(len(X), 20, replace=False)] = TRAIN_ONLY
    folds[1, rng.choice(len(X), 20, replace=False)] = UNUSED
    folds[2] = np.where(folds[2] > 3, TRAIN_ONLY, folds[2] * 2)  # folds 1, 3 and 5 are empty
    ours = learner.predict_folds(table, codes.astype(np.int64), folds, n_classes)
    assert ours.dtype == np.int16
    assert ((ours == NOT_PREDICTED) == (folds < 0)).all()
    assert (ours == refitted(learner, table, codes, folds, n_classes)).all()


@pytest.mark.parametrize("learner", [WEKA["j48"], WEKA["j48_unpruned"], LEARNERS[-1]], ids=repr)
@pytest.mark.parametrize("n_categories", [2, 4])
def test_rows_as_bits_give_the_trees_of_rows_as_lists(learner, n_categories):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 3, 200)
        codes = (rng.integers(0, n_categories, (200, 7)) + y[:, None] // 2) % n_categories
        frame = pd.DataFrame({f"x{j}": pd.Categorical(codes[:, j]) for j in range(7)})
        bits = clone(learner).fit(frame, y)
        lists = clone(learner).fit(frame.assign(constant=1.0), y)  # numeric: no bits
        assert bits.export_text() == lists.export_text()


# ---- the estimators


@each_learner
def test_clone_parameters_and_pickle(learner):
    frame, y = small_frame(np.random.default_rng(2))
    fitted = clone(learner).fit(frame, y)
    assert fitted.get_params() == learner.get_params()
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict_proba(frame) == fitted.predict_proba(frame)).all()
    assert fitted.n_features_in_ == 3
    assert list(fitted.feature_names_in_) == ["size", "shape", "count"]
    assert fitted.__sklearn_tags__().input_tags.allow_nan
    assert fitted.__sklearn_tags__().input_tags.categorical
    assert fitted.score(frame, y) > 0.7


@each_learner
def test_distributions_sum_to_one(learner):
    frame, y = small_frame(np.random.default_rng(3))
    frame.iloc[0] = [np.nan, None, np.nan]
    p = clone(learner).fit(frame, y).predict_proba(frame)
    assert p.shape == (60, 2)
    assert (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)


@each_learner
def test_unknown_category_counts_as_missing(learner):
    frame, y = small_frame(np.random.default_rng(4))
    fitted = clone(learner).fit(frame, y)
    strange, missing = frame.assign(shape="square"), frame.assign(shape=None)
    assert (fitted.predict_proba(strange) == fitted.predict_proba(missing)).all()


@each_learner
def test_one_class(learner):
    frame, _ = small_frame(np.random.default_rng(5))
    fitted = clone(learner).fit(frame, ["only"] * 60)
    assert set(fitted.predict(frame)) == {"only"}


@each_learner
def test_constant_and_wholly_missing_columns_change_nothing(learner):
    frame, y = small_frame(np.random.default_rng(6))
    more = frame.assign(same=1.0, word="w", nothing=np.nan)
    plain, padded = clone(learner).fit(frame, y), clone(learner).fit(more, y)
    assert (plain.predict(frame) == padded.predict(more)).all()


@each_learner
def test_categorical_classes_keep_their_order_and_absent_ones(learner):
    frame, y = small_frame(np.random.default_rng(7))
    classes = pd.Series(pd.Categorical(y, categories=["yes", "absent", "no"]))
    fitted = clone(learner).fit(frame, classes)
    assert list(fitted.classes_) == ["yes", "absent", "no"]
    assert fitted.predict_proba(frame).shape == (60, 3)
    if not isinstance(learner, MixedNaiveBayes):  # Laplace counts leave room for absent classes
        assert "absent" not in fitted.predict(frame)


def test_laplace_counts_use_all_classes():
    classes = pd.Categorical(["a", "a", "b"], categories=["a", "b", "c"])
    fitted = MixedNaiveBayes().fit(pd.DataFrame({"x": ["u", "u", "v"]}), classes)
    prior, factor = np.array([3, 2, 1]) / 6, np.array([3 / 4, 1 / 3, 1 / 2])
    expected = prior * factor / (prior * factor).sum()
    np.testing.assert_allclose(fitted.predict_proba(pd.DataFrame({"x": ["u"]}))[0], expected)


def test_all_nearest_rows_vote():
    X, y = [[0.0], [2.0], [2.0], [1.0]], ["a", "b", "b", "a"]
    assert NearestNeighbour().fit(X, y).predict([[2.0], [0.2], [1.5]]).tolist() == ["b", "a", "b"]


def test_kinds_of_columns_and_declared_categories():
    frame = pd.DataFrame(
        {
            "word": ["b", "a", None],
            "flag": [True, False, True],
            "kind": pd.Categorical(["x", "x", None], categories=["z", "y", "x"]),
            "whole": pd.array([1, None, 3], dtype="Int64"),
        }
    )
    table = MixedTable.from_frame(frame)
    assert table.n_categories.tolist() == [2, 2, 3, 0]
    expected = [[1, 0, np.nan], [1, 0, 1], [2, 2, np.nan], [1, np.nan, 3]]
    np.testing.assert_array_equal(table.columns, expected)
    assert len(table.take([0, 2])) == 2
    assert table.take(np.array([True, False, False])).n_categories.tolist() == [2, 2, 3, 0]


def test_tree_as_text():
    X, y = load_set("iris")
    lines = C45Classifier().fit(X, y).export_text().splitlines()
    assert lines[0] == "petalwidth <= 0.6: Iris-setosa (50.0)"
    assert len(lines) == 8
    assert C45Classifier().fit([[1.0]], ["a"]).export_text() == "a (1.0)"


# ---- properties


@st.composite
def coded_data(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(4, 60)), draw(st.integers(1, 5))
    n_classes = draw(st.integers(1, 4))
    values = rng.integers(0, draw(st.integers(1, 6)), size=(n, d)).astype(float)
    values[rng.random((n, d)) < draw(st.sampled_from([0.0, 0.2]))] = np.nan
    nominal = np.flatnonzero(rng.random(d) < 0.5)
    frame = pd.DataFrame({j: values[:, j] for j in range(d)})
    return (
        MixedTable.from_frame(frame.astype(dict.fromkeys(nominal, "category"))),
        rng.integers(0, n_classes, n),
        n_classes,
        rng,
    )


@settings(max_examples=40, deadline=None)
@given(coded_data(), st.sampled_from(LEARNERS))
def test_folds_equal_refitting_on_any_table(data, learner):
    table, y, n_classes, rng = data
    folds = rng.permutation(np.arange(len(table)) % 3)[None].astype(np.int16)
    folds[0, rng.random(len(table)) < 0.1] = UNUSED
    folds[0, 0], folds[0, 1] = 0, 1  # whatever is left out, there is something to train on
    ours = learner.predict_folds(table, y, folds, n_classes)
    assert (ours == refitted(learner, table, y, folds, n_classes)).all()


@settings(max_examples=40, deadline=None)
@given(coded_data())
def test_nearest_neighbour_does_not_see_the_order_of_training_rows(data):
    table, y, _, rng = data
    order = rng.permutation(len(table))
    plain, shuffled = (
        NearestNeighbour().fit(table.take(rows), pd.Categorical(y[rows], categories=range(4)))
        for rows in (np.arange(len(table)), order)
    )
    assert (plain.predict_proba(table) == shuffled.predict_proba(table)).all()


@settings(max_examples=40, deadline=None)
@given(coded_data())
def test_pruning_only_shrinks_trees(data):
    table, y, _, _ = data
    pruned, unpruned = C45Classifier().fit(table, y), C45Classifier(prune=False).fit(table, y)
    assert pruned.n_leaves_ <= unpruned.n_leaves_
    assert pruned.n_leaves_ <= pruned.n_nodes_


# ---- error sentences


def test_wrong_parameters():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(InvalidArgumentError, match=r"`confidence` must be .*, got 1.5\."):
        C45Classifier(confidence=1.5).fit(X, y)
    with pytest.raises(InvalidArgumentError, match=r"`min_cases` must be an integer of at least"):
        C45Classifier(min_cases=0).fit(X, y)
    with pytest.raises(NotFittedError):
        C45Classifier().predict(X)


@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        ([[0.0], [1.0]], [0], r"`y` must be one class for each of the 2 rows of `X`, got 1\."),
        ([[0.0], [1.0]], [[0], [1]], r"`y` must be a 1-D sequence of classes, got 2 dim"),
        (
            [[0.0], [1.0]],
            ["a", None],
            r"`y` must be free of missing classes, got one at position 1\.",
        ),
        ([0.0, 1.0], [0, 1], r"`X` must be a 2-D table, got 1 dimensions\."),
        ([[np.inf], [1.0]], [0, 1], r"`X` must be finite or missing in column 0, got an inf"),
        (pd.DataFrame({"x": []}), [], r"`X` must be a table with at least one row"),
        (
            pd.DataFrame({"x": pd.to_datetime(["2020-01-01"])}),
            [0],
            r"`X` must be numeric in column 'x', got datetime64",
        ),
    ],
)
def test_wrong_data(X, y, sentence):
    with pytest.raises(InvalidArgumentError, match=sentence):
        MixedNaiveBayes().fit(X, y)


def test_wrong_tables_to_predict():
    frame, y = small_frame(np.random.default_rng(9))
    fitted = MixedNaiveBayes().fit(frame, y)
    with pytest.raises(InvalidArgumentError, match=r"`X` must be a table with the columns \['siz"):
        fitted.predict(frame[["shape", "size", "count"]])
    with pytest.raises(InvalidArgumentError, match=r"`X` must be a data frame with the columns"):
        fitted.predict(frame.to_numpy())
    with pytest.raises(InvalidArgumentError, match=r"`X` must be a table with the attributes"):
        fitted.predict(MixedTable.from_array([[1.0]]))
    with pytest.raises(InvalidArgumentError, match=r"`X` must be a table of 1 columns, got 2\."):
        MixedNaiveBayes().fit([[0.0], [1.0]], [0, 1]).predict([[0.0, 1.0]])
