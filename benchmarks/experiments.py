"""Cross-validation, audits and retraining against scikit-learn as one would ordinarily write it."""

from typing import Any

from sklearn.datasets import make_classification
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks.timing import Target, seconds
from replicast import RepeatedKFold, evaluate
from replicast.learners import CartClassifier

ROWS, FEATURES, RUNS = 600, 12, 100


def run() -> list[Target]:
    X, y = make_classification(
        ROWS, FEATURES, n_informative=6, n_redundant=2, flip_y=0.1, class_sep=0.8, random_state=0
    )
    theirs: dict[str, Any] = {
        "naive Bayes": GaussianNB(),
        "1-NN": KNeighborsClassifier(1),
        "3-NN": KNeighborsClassifier(3),
        "SVM": make_pipeline(StandardScaler(), SVC()),
        "tree": DecisionTreeClassifier(),
    }
    ours = {**theirs, "tree": CartClassifier()}
    splits = RepeatedStratifiedKFold(n_splits=10, n_repeats=1, random_state=0)

    def ordinary() -> list[Any]:
        return [cross_val_score(model, X, y, cv=splits) for model in theirs.values()]

    took = seconds(
        {
            "ours": lambda: evaluate(ours, X, y, design=RepeatedKFold(runs=RUNS, folds=10)),
            "theirs": ordinary,
        },
        rounds=2,
    )
    return [
        Target(
            "audit of one dataset, five learners, 10 reruns of 10x10",
            RUNS * took["theirs"] / took["ours"], 15, 40, 60,
        )
    ]  # fmt: skip
