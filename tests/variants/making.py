"""Files with their questions and truths, from a seed; each function makes those of one family."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from variants import truths
from variants.headers import WORDS
from variants.measures import NAMES

Entry = dict[str, Any]
MODELS = ("svm", "nb")
_SETS = (
    "iris", "wine", "glass", "vote", "sonar", "labor", "zoo", "heart", "pima", "ecoli", "yeast",
    "segment", "vowel", "letter", "letters2", "satimage",
)  # fmt: skip
_AMOUNTS = ("time", "latency", "memory", "seconds", "duration", "aic", "bic", "inertia", "ms", "mb")


def measures(folder: Path, rng: np.random.Generator, share: float = 1.0) -> Iterator[Entry]:
    """One measure each, in a long table over datasets."""
    for number, (name, direction) in enumerate(NAMES.items()):
        if rng.random() > share:
            continue
        scores = _pair(rng, len(_SETS), _level(name))
        rows = [(m, d, v) for m in MODELS for d, v in zip(_SETS, scores[m], strict=True)]
        path = folder / f"measure-{number}.csv"
        pd.DataFrame(rows, columns=["model", "dataset", name]).to_csv(path, index=False)
        yield _entry(path, "measure", name, truths.over_datasets(scores, direction))


def classifier_words(folder: Path, rng: np.random.Generator) -> Iterator[Entry]:
    """Words above the column of classifiers."""
    for number, word in enumerate(WORDS["classifier"]):
        scores = _pair(rng, len(_SETS))
        rows = [(m, d, v) for m in MODELS for d, v in zip(_SETS, scores[m], strict=True)]
        path = folder / f"classifier-{number}.csv"
        frame = pd.DataFrame(rows, columns=[word, "dataset", "accuracy"])
        frame.sample(frac=1, random_state=number).to_csv(path, index=False)
        yield _entry(path, "classifier", word, truths.over_datasets(scores, "higher"))


def dataset_words(folder: Path, rng: np.random.Generator) -> Iterator[Entry]:
    """Words above the column of datasets, in long and in wide tables."""
    for number, word in enumerate(WORDS["dataset"]):
        scores = _pair(rng, len(_SETS))
        truth = truths.over_datasets(scores, "higher")
        rows = [(m, d, v) for m in MODELS for d, v in zip(_SETS, scores[m], strict=True)]
        path = folder / f"dataset-{number}.csv"
        pd.DataFrame(rows, columns=["classifier", word, "accuracy"]).to_csv(path, index=False)
        yield _entry(path, "dataset", word, truth)
        path = folder / f"wide-{number}.csv"
        pd.DataFrame({word: _SETS, **scores}).to_csv(path, index=False)
        yield _entry(path, "wide", word, truth, "--metric", "accuracy")


def fold_words(folder: Path, rng: np.random.Generator) -> Iterator[Entry]:
    """Words above folds, runs and seeds of one dataset."""
    for number, word in enumerate((*WORDS["fold"], *WORDS["seed"])):
        scores = _pair(rng, 10)
        truth = truths.one_run(scores, "higher")
        path = folder / f"fold-{number}.csv"
        labels = [f"{word}{i}" if number % 3 == 2 and word.isalpha() else i for i in range(10)]
        rows = [(m, f, v) for m in MODELS for f, v in zip(labels, scores[m], strict=True)]
        pd.DataFrame(rows, columns=["model", word, "accuracy"]).to_csv(path, index=False)
        told = truths.one_split(scores, "higher") if word in WORDS["seed"] else truth
        yield _entry(path, "fold", word, told)
        path = folder / f"fold-wide-{number}.csv"
        pd.DataFrame({word: labels, **scores}).to_csv(path, index=False)
        yield _entry(path, "fold, wide", word, told, "--metric", "accuracy")
    for number, word in enumerate(WORDS["run"]):
        scores = _pair(rng, 50)
        rows = [
            (m, i // 10, i % 10, v) for m in MODELS for i, v in enumerate(scores[m])
        ]  # fmt: skip
        path = folder / f"run-{number}.csv"
        frame = pd.DataFrame(rows, columns=["model", word, "fold", "accuracy"])
        frame.sample(frac=1, random_state=number).to_csv(path, index=False)
        yield _entry(path, "run", word, truths.repeated(scores, 10, "higher"))


def company(folder: Path, rng: np.random.Generator) -> Iterator[Entry]:
    """Columns of numbers, sizes and times beside those of classifiers."""
    n = len(_SETS)
    made: dict[str, Callable[[], Any]] = {
        "number": lambda: np.arange(1, n + 1),
        "size": lambda: rng.integers(50, 5000, n),
        "time": lambda: rng.gamma(2.0, 3.0, n).round(2),
    }
    for kind, column in made.items():
        for number, word in enumerate(WORDS[kind]):
            scores = _pair(rng, n)
            parts: dict[str, Any] = {"dataset": _SETS, word: column(), **scores}
            if number % 2:
                parts = {"dataset": _SETS, **scores, word: column()}
            if kind == "number" and number % 2 == 0:
                parts = {word: column(), "dataset": _SETS, **scores}
            path = folder / f"{kind}-{number}.csv"
            pd.DataFrame(parts).to_csv(path, index=False)
            truth = truths.over_datasets(scores, "higher")
            yield _entry(path, kind, word, truth, "--metric", "accuracy")
            ranked = {"classifiers": list(MODELS), "n_datasets": n, "direction": "higher"}
            ask = ["rank", "FILE", "--metric", "accuracy"]
            yield {**_entry(path, f"{kind}, ranked", word, ranked), "ask": ask}


def writings(folder: Path, rng: np.random.Generator) -> Iterator[Entry]:
    """One table as pandas writes it: marks, decimals, indexes, syntaxes."""
    writers: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
        "a.csv": lambda t, p: t.to_csv(p),
        "b.csv": lambda t, p: t.to_csv(p, sep=";", decimal=","),
        "c.tsv": lambda t, p: t.to_csv(p, sep="\t", float_format="%.4f"),
        "d.csv": lambda t, p: t.to_csv(p, sep="|"),
        "e.csv": lambda t, p: t.to_csv(p, encoding="utf-16"),
        "f.csv": lambda t, p: t.to_csv(p, encoding="utf-8-sig", lineterminator="\r\n"),
        "g.txt": lambda t, p: p.write_text(t.to_string()),
        "h.html": lambda t, p: t.to_html(p),
        "i.json": lambda t, p: t.reset_index().to_json(p, orient="records"),
        "j.jsonl": lambda t, p: t.reset_index().to_json(p, orient="records", lines=True),
        "k.parquet": lambda t, p: t.to_parquet(p),
        "l.csv.gz": lambda t, p: t.to_csv(p),
        "m.csv.xz": lambda t, p: t.to_csv(p),
        "n.csv.zip": lambda t, p: t.to_csv(p),
        "o.csv": lambda t, p: (100 * t).round(2).map("{:.2f}%".format).to_csv(p),
        "p.csv": lambda t, p: t.map("{:.4f} ± 0.012".format).to_csv(p),
        "q.csv": lambda t, p: t.map("{:.4f} (0.012)".format).to_csv(p),
        "r.csv": lambda t, p: pd.concat([t, t.mean().to_frame("mean").T]).to_csv(p),
        "s.csv": lambda t, p: pd.concat([t, t.mean().to_frame("Avg.").T]).to_csv(p),
        "t.csv": lambda t, p: pd.concat({"accuracy": t}, axis=1).to_csv(p),
        "u.json": lambda t, p: p.write_text(json.dumps({m: list(t[m]) for m in t})),
        "v.csv": lambda t, p: t.T.rename_axis("model").to_csv(p),
        "w.csv": lambda t, p: t.T.to_csv(p, index_label="dataset"),
        "x.csv": lambda t, p: t.reset_index(drop=True).to_csv(p),
        "y.csv": lambda t, p: t.stack().rename("accuracy").reset_index().to_csv(p, index=False),
        "z.csv": lambda t, p: t.melt(ignore_index=False).to_csv(p),
    }  # fmt: skip
    for name, write in writers.items():
        scores = _pair(rng, len(_SETS))
        table = pd.DataFrame(scores, index=pd.Index(_SETS, name="dataset"))
        write(table, folder / f"written-{name}")
        truth = truths.over_datasets(scores, "higher")
        known = None if name[0] in "ux" else truth  # the names of the datasets are lost
        if name[0] == "w":
            known = None  # the rows are models, and called datasets
        yield _entry(folder / f"written-{name}", "written", name, known, "--metric", "accuracy")


def _level(name: str) -> tuple[float, float]:
    """Return a mean and a spread that such a measure may have."""
    low = name.lower()
    if low.startswith(("neg", "test_neg")):
        return -0.5, 0.1
    return (40.0, 9.0) if any(part in low for part in _AMOUNTS) else (0.6, 0.1)


def _pair(
    rng: np.random.Generator, n: int, level: tuple[float, float] = (0.8, 0.06)
) -> dict[str, list[float]]:
    """Return scores of two models, one of them better by a spread that varies."""
    base = rng.normal(*level, n)
    lead = level[1] * rng.choice([-1, 1]) * rng.uniform(0.1, 0.6)
    other = base + lead + rng.normal(0, 0.3 * level[1], n)
    return {
        name: [round(float(v), 4) for v in values]
        for name, values in zip(MODELS, (base, other), strict=True)
    }


def _entry(path: Path, kind: str, word: str, truth: Any, *more: str) -> Entry:
    ask = ["compare", "FILE", "--first", MODELS[0], "--second", MODELS[1], *more]
    return {"file": path.name, "what": f"{kind}: {word!r}", "ask": ask, "truth": truth}
