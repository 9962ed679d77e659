"""The corpora as tables of models against cases or datasets; higher scores are better."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FOLDER = Path(__file__).parents[1] / "corpora"

_MTEB_MODELS, _MTEB_GAPS = 52, 20


@dataclass(frozen=True)
class Table:
    """Scores of models (rows) on cases or datasets (columns).

    `corpus` is what is left out as a whole: tables of one corpus share models.
    """

    corpus: str
    name: str
    models: tuple[str, ...]
    scores: Floats


def one_test_set() -> list[Table]:
    """Return who gets which case right: language models, image classifiers, our own learners."""
    return [*livebench(), cifar("orig"), *own_test_sets()]


def datasets(*, one_unit: bool = False) -> list[Table]:
    """Return mean scores over datasets: time series, text embeddings, tabular data.

    `one_unit` leaves out tables whose datasets are scored in different units.
    """
    found = [time_series("ucr"), time_series("uea"), mteb(), own_folds()]
    return found if one_unit else [*found, tabm()]


def livebench() -> list[Table]:
    """Return a table for each category; an answer with half of the points or more is right."""
    rows = pd.read_parquet(FOLDER / "livebench.parquet")
    found = []
    for category, part in rows.groupby("category"):
        scores = _largest(part.pivot(index="model", columns="question", values="score"))
        right = (scores.to_numpy() >= 0.5).astype(np.float64)
        name = f"LiveBench, {str(category).replace('_', ' ')}"
        found.append(Table("LiveBench", name, tuple(scores.index), right))
    return found


def _largest(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the largest table without gaps: models that answered much, questions they all answered."""
    answered = scores.notna().sum(axis=1)
    whole: list[pd.DataFrame] = [
        scores[answered >= count].dropna(axis=1) for count in answered.unique()
    ]
    return max(whole, key=lambda table: table.size)


def cifar(version: str) -> Table:
    """Return who gets which image of CIFAR-10 (`orig`) or CIFAR-10.1 (`v4`, `v6`) right."""
    with np.load(FOLDER / "cifar.npz") as content:
        count = int(content["n"][["orig", "v4", "v6"].index(version)])
        right = np.unpackbits(content[version], axis=1, count=count).astype(np.float64)
        models = tuple(content["models"].tolist())
    return Table("CIFAR-10", "CIFAR-10" if version == "orig" else "CIFAR-10.1", models, right)


def own_test_sets() -> list[Table]:
    """Return who of our own learners, fitted once, gets which other case right."""
    with np.load(FOLDER / "own.npz") as content:
        models = tuple(content["models"].tolist())
        names = [name for name in content.files if f"{name} cases" in content.files]
        return [
            Table("our learners", f"our learners, {name}", models, _bits(content, name))
            for name in names
        ]


def _bits(content: Any, name: str) -> Floats:
    count = int(content[f"{name} cases"])
    return np.unpackbits(content[name], axis=1, count=count).astype(np.float64)


def time_series(name: str) -> Table:
    """Return mean accuracies over 30 resamples, on the datasets that all classifiers share."""
    rows = pd.read_parquet(FOLDER / f"{name}.parquet")
    scores = rows.pivot_table(index="classifier", columns="dataset", values="accuracy")
    return _complete(name.upper(), scores, most_gaps=scores.shape[1] // 3)


def mteb() -> Table:
    """Return main scores on tasks that most models have, one task of each family."""
    rows = pd.read_csv(FOLDER / "mteb.csv.gz")
    scores = rows.pivot_table(index="model", columns="task", values="score")
    scores = scores.loc[:, scores.notna().sum(axis=0) >= _MTEB_MODELS]
    families = [_family(task) for task in scores.columns]
    first = ~pd.Series(families).duplicated().to_numpy()
    return _complete("MTEB", scores.loc[:, first], most_gaps=_MTEB_GAPS)


def _family(task: str) -> str:
    """Return the name of a task without version, language and kind of text."""
    plain = re.sub(r"(\.v\d|-NL|P2P|S2S|HardNegatives|Hierarchical|Multilingual)", "", task)
    return re.sub(
        r"^(CQADupstack|STS1|STSB|CodeTrans|CodeFeedback|SICK|OpenTender|VABB"
        r"|DutchNewsArticles|MasakhaNEWS|TempReason|AILA|LegalQ|Wikipedia).*",
        r"\1",
        plain,
    )


def tabm() -> Table:
    """Return mean scores over 15 seeds, on the first split of every dataset."""
    rows = pd.read_csv(FOLDER / "tabm.csv.gz")
    rows["split"] = rows["split"].fillna(0)
    rows = rows[rows["split"] == rows.groupby("dataset")["split"].transform("min")]
    scores = rows.pivot_table(index="model", columns="dataset", values="score")
    return _complete("TabM", scores, most_gaps=5)


def own_folds() -> Table:
    """Return the mean accuracy of our own learners over ten folds of every dataset of the package."""
    rows = pd.read_csv(FOLDER / "own-folds.csv.gz")
    scores = rows.pivot_table(index="classifier", columns="dataset", values="accuracy")
    found = _complete("our learners", scores, most_gaps=0)
    return Table(found.corpus, "UCI, our learners", found.models, found.scores)


def _complete(corpus: str, scores: pd.DataFrame, *, most_gaps: int) -> Table:
    """Return models with few gaps, on the columns they all have."""
    kept = scores[scores.isna().sum(axis=1) <= most_gaps].dropna(axis=1)
    values = kept.to_numpy(dtype=np.float64).round(6)
    return Table(corpus, corpus, tuple(map(str, kept.index)), values)
