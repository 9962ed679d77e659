"""Make src/replicast/data/breast-cancer-10x10.csv: ten runs of 10-fold cross-validation on real data.

Data: Breast Cancer Wisconsin (Diagnostic), 569 cases, as shipped with scikit-learn.
Run: python examples/make_demo_scores.py
"""

from pathlib import Path

import pandas as pd
import sklearn
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

MODELS = {
    "svm": make_pipeline(StandardScaler(), SVC()),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "random-forest": RandomForestClassifier(100, random_state=0),
    "naive-bayes": GaussianNB(),
}


def main() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    splits = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=2024)
    sizes = [(len(train), len(test)) for train, test in splits.split(X, y)]
    rows = [
        (name, "breast-cancer", i // 10 + 1, i % 10 + 1, round(score, 6), *sizes[i])
        for name, model in MODELS.items()
        for i, score in enumerate(cross_val_score(model, X, y, cv=splits))
    ]
    columns = ["classifier", "dataset", "run", "fold", "accuracy", "n_train", "n_test"]
    target = Path(__file__).parents[1] / "src/replicast/data/breast-cancer-10x10.csv"
    pd.DataFrame(rows, columns=columns).to_csv(target, index=False)
    print(f"{len(rows)} scores with scikit-learn {sklearn.__version__} in {target.name}")


if __name__ == "__main__":
    main()
