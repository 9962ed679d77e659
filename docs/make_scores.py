"""Make the tables that the pages on formats read: python docs/make_scores.py"""

from pathlib import Path

import pandas as pd

import replicast as rc
from replicast.learners import C45Classifier, MixedNaiveBayes, NearestNeighbour

HERE = Path(__file__).parent / "formats"
MODELS = {"c45": C45Classifier(), "naive-bayes": MixedNaiveBayes(), "nearest": NearestNeighbour()}


def main() -> None:
    folds = []
    for name in rc.datasets.names():
        data = rc.datasets.load(name)
        table = rc.evaluate(
            MODELS, data.X, data.y, design=rc.KFold(10), rng=1, small_classes="allow"
        )
        for model, scores in zip(table.classifiers, table.scores, strict=True):
            folds += [(model, name, fold, s) for fold, s in enumerate(scores.ravel(), start=1)]
    long = pd.DataFrame(folds, columns=["classifier", "dataset", "fold", "accuracy"]).round(4)
    means = long.groupby(["dataset", "classifier"])["accuracy"].mean().unstack().round(4)
    means.to_csv(HERE / "uci.csv")
    chosen = long[long["dataset"].isin(["sonar", "vote", "glass"])]
    chosen.to_csv(HERE / "uci-folds.csv", index=False)
    vote = chosen[chosen["dataset"] == "vote"]
    wide = vote.pivot(index="fold", columns="classifier", values="accuracy")
    wide.to_csv(HERE / "vote-folds.csv", index=False)


if __name__ == "__main__":
    main()
