"""From scikit-learn's cross_validate to a verdict: python examples/scores/cross_validate.py"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import replicast as rc


def main() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    splits = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=1)
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "naive-bayes": GaussianNB(),
    }
    results = {
        name: cross_validate(model, X, y, cv=splits, return_indices=True)
        for name, model in models.items()
    }
    table = rc.read_scores(results, design=rc.RepeatedKFold(runs=3, folds=10))
    print(rc.compare(table.pair("logistic", "naive-bayes")))


if __name__ == "__main__":
    main()
