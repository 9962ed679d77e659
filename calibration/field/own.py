"""The corpora of our own learners; `python -m calibration.field.own` writes them.

`own.npz`: fifteen learners are fitted once on a part of a real dataset and stay as they are; stored is
which of the other cases each of them gets right. `own-folds.csv.gz`: accuracies of all but the two
slowest in 10-fold cross-validation on every dataset of the package.
"""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from replicast import datasets

FOLDER = Path(__file__).parents[1]
SEED = 1897
LEAST_ROWS = 600
TELESCOPE_TRAIN, TELESCOPE_TEST = 2000, 10_000

LEARNERS: dict[str, Any] = {
    "naive Bayes": GaussianNB(var_smoothing=0.05),
    "nearest centroid": NearestCentroid(),
    "linear discriminant": LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
    "logistic": LogisticRegression(max_iter=2000),
    "linear SVM": LinearSVC(random_state=0),
    "SVM": SVC(),
    "1-NN": KNeighborsClassifier(1),
    "5-NN": KNeighborsClassifier(5),
    "15-NN": KNeighborsClassifier(15),
    "tree of depth 5": DecisionTreeClassifier(max_depth=5, random_state=0),
    "tree": DecisionTreeClassifier(random_state=0),
    "random forest": RandomForestClassifier(100, random_state=0),
    "extra trees": ExtraTreesClassifier(100, random_state=0),
    "boosting": HistGradientBoostingClassifier(max_iter=60, random_state=0),
    "network": MLPClassifier((32,), max_iter=2000, random_state=0),
}
SLOW = ("boosting", "network")


def prepared(learner: Any) -> Any:
    """Return a pipeline that fills gaps, codes words and scales numbers before the learner."""
    words = make_pipeline(
        SimpleImputer(strategy="most_frequent"),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (words, make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(columns, learner)


def populations() -> dict[str, tuple[pd.DataFrame, NDArray[np.int64]]]:
    """Return the telescope events and every dataset of the package that is large enough."""
    table = pd.read_csv(FOLDER / "data/magic.csv.gz")
    found = {"telescope": (table.iloc[:, :-1], pd.factorize(table.iloc[:, -1])[0])}
    for name in datasets.names():
        one = datasets.load(name)
        if len(one.y) >= LEAST_ROWS:
            found[name] = one.X, one.y.cat.codes.to_numpy().astype(np.int64)
    return found


def correctness(
    X: pd.DataFrame, y: NDArray[np.int64], train: Any, test: Any, learners: list[str]
) -> NDArray[np.bool_]:
    """Return which test cases each learner gets right, learners in rows."""
    fitted = (prepared(LEARNERS[name]).fit(X.iloc[train], y[train]) for name in learners)
    return np.array([learner.predict(X.iloc[test]) == y[test] for learner in fitted])


def test_sets() -> None:
    """Fit every learner once on every population and write what they get right."""
    rng = np.random.default_rng(SEED)
    content: dict[str, Any] = {"models": np.array(list(LEARNERS))}
    for name, (X, y) in populations().items():
        order = rng.permutation(len(y))
        first = TELESCOPE_TRAIN if name == "telescope" else len(y) // 3
        last = first + TELESCOPE_TEST if name == "telescope" else len(y)
        right = correctness(X, y, order[:first], order[first:last], list(LEARNERS))
        content[name] = np.packbits(right, axis=1)
        content[f"{name} cases"] = np.array(right.shape[1])
        print(name, right.shape[1], right.mean(axis=1).round(3))
    np.savez_compressed(FOLDER / "corpora/own.npz", **content)


def cross_validations() -> None:
    """Cross-validate every learner on every dataset of the package and write the accuracies."""
    quick = [name for name in LEARNERS if name not in SLOW]
    rows = []
    for name in datasets.names():
        one = datasets.load(name)
        y = one.y.cat.codes.to_numpy().astype(np.int64)
        folds = StratifiedKFold(10, shuffle=True, random_state=SEED)
        with warnings.catch_warnings():  # a class may have fewer than ten members
            warnings.simplefilter("ignore", UserWarning)
            parts = list(folds.split(one.X, y))
        for fold, (train, test) in enumerate(parts, start=1):
            right = correctness(one.X, y, train, test, quick).mean(axis=1).round(5)
            rows += [
                (learner, name, fold, len(test), accuracy)
                for learner, accuracy in zip(quick, right.tolist(), strict=True)
            ]
        print(name)
    table = pd.DataFrame(rows, columns=["classifier", "dataset", "fold", "n_test", "accuracy"])
    stamp = {"method": "gzip", "mtime": 0}
    table.to_csv(FOLDER / "corpora/own-folds.csv.gz", index=False, compression=stamp)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.filterwarnings("ignore", message=".*zero standard deviation")
    test_sets()
    cross_validations()
