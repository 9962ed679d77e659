"""The same table in other clothes gives the same finding, or the same question."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import replicast as rc
from replicast.errors import InvalidArgumentError

TABLES = sorted((Path(__file__).parents[1] / "golden" / "everyday").glob("*.csv"))
OTHERS: dict[str, tuple[str, ...]] = {
    "model": ("classifier", "Verfahren", "Method"), "classifier": ("model", "modèle", "Algorithm"),
    "Model": ("Classifier", "Modell", "method"), "Method": ("Model", "Verfahren", "algorithm"),
    "method": ("model", "Verfahren", "Algorithm"), "system": ("model", "Modell", "approach"),
    "algo": ("algorithm", "Algorithmus", "agent"), "variant": ("model", "Variante", "method"),
    "dataset": ("Data set", "Datensatz", "corpus"), "Dataset": ("data_set", "Datensatz", "dataset"),
    "fold": ("Fold", "Falte", "cv_fold"), "run": ("repeat", "Wiederholung", "Run"),
    "seed": ("random_state", "Seed", "rng_seed"), "env": ("environment", "Environment", "env_name"),
    "score": ("value", "Result", "test_score"), "value": ("score", "Result", "performance"),
    "acc": ("accuracy", "Genauigkeit", "test_acc"), "accuracy": ("acc", "Genauigkeit", "Accuracy (%)"),
    "query": ("query_id", "Query", "queryId"), "utt": ("utterance", "utt_id", "utterance_id"),
    "patient_id": ("patient", "PatientID", "Patient"), "metric": ("measure", "Metric", "eval_metric"),
}  # fmt: skip


@cache
def outcome(raw: bytes, name: str) -> tuple[Any, ...]:
    """Return what comes of a table: a finding, the fields it asks about, or that it is refused."""
    try:
        table = rc.read_scores({name: raw})
        best = rc.rank(table)
    except InvalidArgumentError as error:
        return ("asked" if error.questions else "refused", *(one.field for one in error.questions))
    found = rc.compare(table.pair(*best.classifiers[:2]))
    design = str(found.scores.design)
    names = tuple(sorted(table.classifiers))
    return (
        "found",
        best.classifiers[0],
        names,
        design,
        float(f"{found.evidence.pvalue:.6g}"),
    )


def frame_of(path: Path) -> pd.DataFrame:
    marks = {"sep": ";", "decimal": ","} if path.name == "semicolon.csv" else {}
    return pd.read_csv(path, **marks)


def csv(frame: pd.DataFrame, **options: Any) -> bytes:
    return frame.to_csv(index=False, **options).encode()


def renamed(at: int) -> Callable[[pd.DataFrame], bytes]:
    def change(frame: pd.DataFrame) -> bytes:
        return csv(frame.rename(columns={old: new[at] for old, new in OTHERS.items()}))

    return change


def shuffled(frame: pd.DataFrame) -> bytes:
    """Rows without a key are in an order that means something, and stay in it."""
    rng = np.random.default_rng(7)
    keyed = frame.iloc[:, 0].dtype.kind == "O" or frame.columns[0] in ("fold", "seed", "split")
    keyed = keyed and "sample" not in frame.columns
    order = rng.permutation(len(frame)) if keyed else np.arange(len(frame))
    return csv(frame.iloc[order])


def other_columns(frame: pd.DataFrame) -> bytes:
    """The first column, which may name the rows, stays the first."""
    return csv(frame[[frame.columns[0], *frame.columns[:0:-1]]])


def comma(frame: pd.DataFrame) -> bytes:
    return csv(frame, sep=";", decimal=",")


def markdown(frame: pd.DataFrame) -> bytes:
    cells = [
        list(frame.columns),
        ["---"] * frame.shape[1],
        *frame.astype(object).to_numpy().tolist(),
    ]
    told = [["" if cell != cell else str(cell) for cell in row] for row in cells]
    return "\n".join(f"| {' | '.join(row)} |" for row in told).encode()


CLOTHES: dict[str, Callable[[pd.DataFrame], bytes]] = {
    "other words": renamed(0), "German words": renamed(1), "more words": renamed(2),
    "rows": shuffled, "columns": other_columns, "semicolons": comma,
    "tabs": lambda frame: csv(frame, sep="\t"), "bars": lambda frame: csv(frame, sep="|"),
    "spreadsheet quotes": lambda frame: csv(frame, quoting=1),
    "markdown": lambda frame: markdown(frame),
}  # fmt: skip


@pytest.mark.parametrize("dress", CLOTHES)
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_in_other_clothes(path: Path, dress: str) -> None:
    plain = outcome(path.read_bytes(), path.name)
    ending = ".md" if dress == "markdown" else path.suffix
    assert outcome(CLOTHES[dress](frame_of(path)), path.stem + ending) == plain


@pytest.mark.parametrize("name", ["wide_dataset.csv", "accuracy_uci.csv", "semicolon.csv"])
def test_percent_and_turned_tables(name: str) -> None:
    path = next(one for one in TABLES if one.name == name)
    frame = frame_of(path)
    plain = outcome(path.read_bytes(), path.name)
    assert plain[0] == "found"
    numbers = frame.select_dtypes("number").columns
    percent = frame.assign(**{one: (100 * frame[one]).round(6) for one in numbers})
    assert outcome(csv(percent), name)[1:] == plain[1:]
    signs = frame.assign(**{one: [f"{100 * x:.4f}%" for x in frame[one]] for one in numbers})
    assert outcome(csv(signs), name)[1:] == plain[1:]
    turned = frame.set_index("dataset").T.rename_axis("model").reset_index()
    assert outcome(csv(turned), name)[1:] == plain[1:]
