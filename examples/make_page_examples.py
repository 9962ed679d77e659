"""Make the examples of the page "From scores": a table over datasets, and cases of one test set.

Data: those of `replicast.datasets`, whose sources stand in src/replicast/data/uci/SOURCES.tsv.
Run: python examples/make_page_examples.py
"""

import csv
from pathlib import Path

import numpy as np

import replicast as rc
from replicast import datasets
from replicast.experiment.specs import read_estimator

MODELS = {name: read_estimator(name) for name in ("c45", "naive-bayes", "nearest-neighbour")}
DATA = Path(__file__).parents[1] / "src/replicast/data"
CASES = "credit-g"


def main() -> None:
    rows = []
    for name in datasets.names():
        found = datasets.load(name)
        scores = rc.evaluate(MODELS, found.X, found.y, design=rc.KFold(10), small_classes="allow")
        rows.append([name, *(f"{100 * mean:.2f}" for mean in scores.scores.mean(axis=(1, 2, 3)))])
    write("example-datasets.csv", ["dataset", *MODELS], rows)

    found = datasets.load(CASES)
    order = np.random.default_rng(0).permutation(len(found.y))
    train, test = order[: 2 * len(order) // 3], order[2 * len(order) // 3 :]
    X, y = found.X, np.asarray(found.y)
    taught = [MODELS[name].fit(X.iloc[train], y[train]) for name in ("naive-bayes", "c45")]
    guesses = [model.predict(X.iloc[test]) for model in taught]
    cases = [[i + 1, *row] for i, row in enumerate(zip(y[test], *guesses, strict=True))]
    write("example-cases.csv", ["case", "truth", "naive-bayes", "c45"], cases)


def write(name: str, headings: list[str], rows: list[list[object]]) -> None:
    with (DATA / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(headings)
        writer.writerows(rows)
    print(f"{len(rows)} rows in {name}")


if __name__ == "__main__":
    main()
