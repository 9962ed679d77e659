"""Files that installed programs write: scikit-learn, and R with its base packages."""

import json
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RepeatedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from variants import truths
from variants.making import _SETS, MODELS, Entry, _entry, _pair

_R = r"""
d <- read.csv("r-table.csv")
write.csv(d, "r-1.csv")
write.csv(d, "r-2.csv", row.names = FALSE)
write.csv2(d, "r-3.csv", row.names = FALSE)
write.table(d, "r-4.txt")
write.table(d, "r-5.tsv", sep = "\t", quote = FALSE, row.names = FALSE)
rownames(d) <- d$dataset
write.csv(d[, -1], "r-6.csv")
write.table(d[, -1], "r-7.txt", quote = FALSE)
capture.output(print(d[, -1]), file = "r-8.txt")
long <- reshape(read.csv("r-table.csv"), direction = "long", varying = c("svm", "nb"),
                v.names = "accuracy", timevar = "model", times = c("svm", "nb"), idvar = "dataset")
write.csv(long, "r-9.csv", row.names = FALSE)
write.csv(long, "r-10.csv")
d$nb[3] <- NA
write.csv(d, "r-11.csv", row.names = FALSE)
write.csv(t(as.matrix(read.csv("r-table.csv", row.names = 1))), "r-12.csv")
"""


def scikit_learn(folder: Path, rng: np.random.Generator) -> Iterator[Entry]:
    """Results of cross-validation and of a search, as users save them."""
    seed = int(rng.integers(2**31))
    X, y = make_classification(200, 8, n_informative=4, flip_y=0.2, random_state=seed)
    cv = RepeatedKFold(n_splits=5, n_repeats=4, random_state=seed)
    scoring = ["accuracy", "neg_log_loss", "roc_auc"]
    rivals = dict(zip(MODELS, (LogisticRegression(max_iter=500), GaussianNB()), strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whether learners converge is no matter of the files
        found = {
            name: cross_validate(one, X, y, cv=cv, scoring=scoring) for name, one in rivals.items()
        }
        search = GridSearchCV(LogisticRegression(max_iter=500), {"C": [0.01, 10.0]}, cv=5).fit(X, y)
    place = {"repeat": np.arange(20) // 5, "fold": np.arange(20) % 5}
    frames = [pd.DataFrame({"model": name, **place, **one}) for name, one in found.items()]
    pd.concat(frames).to_csv(folder / "sklearn-long.csv", index=False)
    for metric in scoring:
        scores = {name: one[f"test_{metric}"] for name, one in found.items()}
        truth = truths.repeated(scores, 5, "higher")
        path = folder / "sklearn-long.csv"
        yield _entry(path, "scikit-learn", metric, truth, "--metric", f"test_{metric}")
    wide = pd.DataFrame({name: one["test_accuracy"] for name, one in found.items()})
    wide.to_csv(folder / "sklearn-wide.csv", index=False)
    truth = truths.repeated(dict(wide.items()), 5, "higher")
    design = ["--design", "repeated-kfold:runs=4,folds=5", "--metric", "accuracy"]
    yield _entry(folder / "sklearn-wide.csv", "scikit-learn", "given design", truth, *design)
    yield _entry(folder / "sklearn-wide.csv", "scikit-learn", "no design", None, *design[2:])
    told = {name: {k: v.tolist() for k, v in one.items()} for name, one in found.items()}
    (folder / "sklearn.json").write_text(json.dumps(told))
    yield _entry(
        folder / "sklearn.json", "scikit-learn", "JSON", truth, *design[:2], "--metric", "accuracy"
    )
    pd.DataFrame(search.cv_results_).to_csv(folder / "sklearn-search.csv", index=False)
    splits = {f"C={c}": [float(search.cv_results_[f"split{i}_test_score"][k]) for i in range(5)]
              for k, c in enumerate((0.01, 10.0))}  # fmt: skip
    truth = truths.one_run(splits, "higher")
    entry = _entry(folder / "sklearn-search.csv", "scikit-learn", "search", truth)
    yield {**entry, "ask": ["compare", "FILE", "--first", "C=0.01", "--second", "C=10.0"]}


def r_base(folder: Path, rng: np.random.Generator) -> Iterator[Entry]:
    """Tables as base R writes and prints them; nothing where R is not installed."""
    if shutil.which("Rscript") is None:
        return
    scores = _pair(rng, len(_SETS))
    pd.DataFrame({"dataset": _SETS, **scores}).to_csv(folder / "r-table.csv", index=False)
    subprocess.run(["Rscript", "-e", _R], cwd=folder, check=True, capture_output=True)
    truth = truths.over_datasets(scores, "higher")
    for path in sorted(folder.glob("r-[0-9]*")):
        known: Any = truth
        if path.name == "r-11.csv":  # a gap: the two are compared on what they share
            whole = pd.read_csv(path).dropna()
            known = truths.over_datasets({name: whole[name] for name in scores}, "higher")
        yield _entry(path, "R", path.name, known, "--metric", "accuracy")


def cases(folder: Path, rng: np.random.Generator) -> Iterator[Entry]:
    """Language models on one test set: samples as lm-eval logs them, and tables of cases."""
    right = {
        name: (rng.random(150) < p).astype(int) for name, p in zip(MODELS, (0.6, 0.7), strict=True)
    }
    truth = truths.one_test_set(right)
    files = []
    for name, answers in right.items():
        (folder / name).mkdir(exist_ok=True)
        path = folder / name / "samples_task_2026-01-05T10-11-12.131415.jsonl"
        lines = [
            {"doc_id": i, "doc": {"q": f"q{i}"}, "target": "a", "filter": "none",
             "metrics": ["acc", "acc_norm"], "acc": float(a), "acc_norm": float(a),
             "resps": [["x"]], "filtered_resps": ["x"], "doc_hash": f"{i:x}",
             "prompt_hash": f"{i:x}", "target_hash": "a", "arguments": {}}
            for i, a in enumerate(answers)
        ]  # fmt: skip
        path.write_text("\n".join(map(json.dumps, lines)))
        files.append(str(path.relative_to(folder)))
    entry = _entry(folder / "x", "lm-eval", "samples", truth, "--metric", "acc")
    yield {**entry, "file": files}
    rows = [(m, i, v) for m, answers in right.items() for i, v in enumerate(answers)]
    named = (
        ("model", "question_id", "correct"), ("llm", "id", "exact_match"),
        ("system", "example", "is_correct"), ("model", "doc_id", "score"),
    )  # fmt: skip
    for number, names in enumerate(named):
        path = folder / f"cases-{number}.csv"
        pd.DataFrame(rows, columns=list(names)).sample(frac=1, random_state=1).to_csv(
            path, index=False
        )
        more = ("--metric", "accuracy") if names[2] == "score" else ()
        yield _entry(path, "cases", " ".join(names), truth, *more)
    classes = rng.integers(0, 3, 150)
    predicted = {m: np.where(right[m] == 1, classes, (classes + 1) % 3) for m in MODELS}
    for number, word in enumerate(
        ("y_true", "label", "target", "actual", "gold", "truth", "class")
    ):
        path = folder / f"predictions-{number}.csv"
        pd.DataFrame({"id": np.arange(150), word: classes, **predicted}).to_csv(path, index=False)
        yield _entry(path, "predictions", word, truth)
