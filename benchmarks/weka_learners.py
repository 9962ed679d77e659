"""C4.5 and naive Bayes for mixed tables against scikit-learn on the same coded data."""

from collections.abc import Callable

import numpy as np
from sklearn.naive_bayes import CategoricalNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks.timing import Target, seconds
from replicast.learners.bayes.mixed import MixedNaiveBayes
from replicast.learners.c45.classifier import C45Classifier
from replicast.learners.mixed.folds import fit_predict, predict_folds
from replicast.learners.mixed.table import MixedTable
from replicast.learners.neighbours.mixed import NearestNeighbour

ROWS, FOLDS, TIMES = 768, 10, 50


def run() -> list[Target]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, ROWS)
    numeric = np.round(rng.normal(size=(ROWS, 8)) + 0.7 * y[:, None], 2)
    folds = rng.permutation(np.arange(ROWS) % FOLDS)[None].astype(np.int16)
    table = MixedTable.from_array(numeric)

    labels = rng.integers(0, 2, 600)
    codes = (rng.random((600, 10)) < 0.4 + 0.2 * labels[:, None]).astype(np.int64)
    train, test = MixedTable.from_codes(codes[:300], 2), MixedTable.from_codes(codes[300:], 2)
    one_hot = np.concatenate([1.0 - codes, codes], axis=1)

    def folds_of(learner: object) -> None:
        for fold in range(FOLDS):
            trained = folds[0] != fold
            learner.fit(numeric[trained], y[trained])  # type: ignore[attr-defined]  # scikit-learn is untyped
            learner.predict(numeric[~trained])  # type: ignore[attr-defined]  # scikit-learn is untyped

    def tree_once() -> None:
        tree = DecisionTreeClassifier(random_state=0).fit(one_hot[:300], labels[:300])
        tree.predict(one_hot[300:])

    def bayes_once() -> None:
        CategoricalNB(min_categories=2).fit(codes[:300], labels[:300]).predict(codes[300:])

    def repeatedly(once: Callable[[], None]) -> None:
        for _ in range(TIMES):
            once()

    def repeated(learner: C45Classifier | MixedNaiveBayes) -> None:
        for _ in range(TIMES):
            fit_predict(train, labels[:300], test, 2, learner=learner)

    took = seconds(
        {
            "c45": lambda: predict_folds(table, y, folds, 2, learner=C45Classifier()),
            "tree": lambda: folds_of(DecisionTreeClassifier(random_state=0)),
            "nominal c45": lambda: repeated(C45Classifier()),
            "nominal tree": lambda: repeatedly(tree_once),
            "bayes": lambda: repeated(MixedNaiveBayes()),
            "categorical": lambda: repeatedly(bayes_once),
            "bayes folds": lambda: predict_folds(table, y, folds, 2, learner=MixedNaiveBayes()),
            "nearest folds": lambda: predict_folds(table, y, folds, 2, learner=NearestNeighbour()),
        }
    )
    return [
        Target("C4.5, ten folds of 768 x 8 numeric", took["tree"] / took["c45"], 1),
        Target("C4.5, 300 x 10 binary nominal", took["nominal tree"] / took["nominal c45"], 2),
        Target("naive Bayes, 300 x 10 binary nominal", took["categorical"] / took["bayes"], 20),
        Target("naive Bayes folds against tree folds", took["tree"] / took["bayes folds"], 1),
        Target("nearest neighbour folds against tree", took["tree"] / took["nearest folds"], 1),
    ]


if __name__ == "__main__":
    for target in run():
        print(target)
