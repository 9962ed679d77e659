"""What is written in any format is what is read: scores, names and order, rows shuffled or not."""

import io
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import replicast as rc

CLASSIFIERS, DATASETS = ("svm", "nb", "c4.5", "süm é"), ("iris", "vote 2", "x_y", "1nd")
quick = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@dataclass(frozen=True)
class Truth:
    """Scores as classifier x dataset x fold, with the order in which rows are written."""

    scores: np.ndarray
    order: int

    @property
    def classifiers(self) -> tuple[str, ...]:
        return CLASSIFIERS[: self.scores.shape[0]]

    @property
    def datasets(self) -> tuple[str, ...]:
        return DATASETS[: self.scores.shape[1]]

    def rows(self) -> list[tuple[str, str, int, float]]:
        rows = [
            (c, d, f + 1, float(self.scores[i, j, f]))
            for i, c in enumerate(self.classifiers)
            for j, d in enumerate(self.datasets)
            for f in range(self.scores.shape[2])
        ]
        return [rows[k] for k in np.random.default_rng(self.order).permutation(len(rows))]

    def frame(self) -> pd.DataFrame:
        return pd.DataFrame(self.rows(), columns=["classifier", "dataset", "fold", "accuracy"])


@st.composite
def truths(draw: Any, *, folds: int | None = None, fewest: int = 2) -> Truth:
    shape = (
        draw(st.integers(fewest, 4)),
        draw(st.integers(2, 4)),
        folds or draw(st.integers(2, 6)),
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    digits = draw(st.sampled_from([1, 3, 17]))
    return Truth(rng.random(shape).round(digits), draw(st.integers(0, 1000)))


def check(truth: Truth, table: rc.ScoreTable) -> None:
    """Compare by name: files may be in any order."""
    assert sorted(table.classifiers) == sorted(truth.classifiers)
    assert sorted(table.datasets) == sorted(truth.datasets)
    for i, c in enumerate(truth.classifiers):
        for j, d in enumerate(truth.datasets):
            found = table.scores[table.classifiers.index(c), table.datasets.index(d)].ravel()
            assert found.tolist() == truth.scores[i, j].tolist()
    assert table.account


def as_bytes(frame: pd.DataFrame, **options: Any) -> bytes:
    return frame.to_csv(index=False, **options).encode()


@quick
@given(truths(), st.sampled_from([",", ";", "\t"]))
def test_long(truth: Truth, separator: str) -> None:
    check(truth, rc.read_scores({"s.csv": as_bytes(truth.frame(), sep=separator)}))


@quick
@given(truths())
def test_long_parquet_and_frame(truth: Truth) -> None:
    sink = io.BytesIO()
    truth.frame().to_parquet(sink)
    check(truth, rc.read_scores({"s.parquet": sink.getvalue()}))
    check(truth, rc.read_scores(truth.frame()))


@quick
@given(truths())
def test_wide(truth: Truth) -> None:
    wide = truth.frame().pivot(index=["dataset", "fold"], columns="classifier", values="accuracy")
    wide = wide.reset_index().sample(frac=1, random_state=truth.order)
    check(truth, rc.read_scores({"s.csv": as_bytes(wide)}, metric="accuracy"))


@quick
@given(truths())
def test_weka(truth: Truth) -> None:
    frame = truth.frame()
    weka = pd.DataFrame(
        {
            "Key_Dataset": frame["dataset"],
            "Key_Run": 1,
            "Key_Fold": frame["fold"],
            "Key_Scheme": "weka.classifiers." + frame["classifier"].str.replace(".", "_"),
            "Key_Scheme_options": "''",
            "Percent_correct": frame["accuracy"],
        }
    )
    renamed = Truth(truth.scores, truth.order)
    table = rc.read_scores({"w.csv": as_bytes(weka)})
    names = {c: c.replace(".", "_") for c in renamed.classifiers}
    for i, c in enumerate(renamed.classifiers):
        for j, d in enumerate(renamed.datasets):
            place = table.classifiers.index(names[c]), table.datasets.index(d)
            assert table.scores[place].ravel().tolist() == truth.scores[i, j].tolist()


@quick
@given(truths())
def test_aeon(truth: Truth) -> None:
    files = {}
    for i, c in enumerate(truth.classifiers):
        frame = pd.DataFrame(truth.scores[i], columns=range(truth.scores.shape[2]))
        frame.insert(0, "Resamples:", truth.datasets)
        files[f"{c}_accuracy.csv"] = as_bytes(frame)
    design = rc.RandomSplits(splits=truth.scores.shape[2], n_train=90, n_test=10)
    check(truth, rc.read_scores(files, design=design))


@quick
@given(truths())
def test_automl(truth: Truth) -> None:
    frame = truth.frame()
    told = pd.DataFrame(
        {
            "id": "x",
            "task": frame["dataset"],
            "framework": frame["classifier"],
            "constraint": "1h",
            "fold": frame["fold"],
            "result": frame["accuracy"],
            "metric": "auc",
        }
    )
    check(truth, rc.read_scores({"results.csv": as_bytes(told)}))


@quick
@given(truths())
def test_openml(truth: Truth) -> None:
    rows = [
        {"run_id": k, "setup_id": i, "flow_id": i, "flow_name": c, "data_name": d,
         "function": "predictive_accuracy", "value": 0.5,
         "values": json.dumps(truth.scores[i, j].tolist())}
        for k, (i, c, j, d) in enumerate(
            (i, c, j, d) for i, c in enumerate(truth.classifiers) for j, d in enumerate(truth.datasets)
        )
    ]  # fmt: skip
    design = rc.KFold(truth.scores.shape[2])
    check(truth, rc.read_scores({"evaluations.csv": as_bytes(pd.DataFrame(rows))}, design=design))


@quick
@given(truths())
def test_mlflow(truth: Truth) -> None:
    frame = truth.frame()
    runs = pd.DataFrame(
        {
            "run_id": [f"r{k}" for k in range(len(frame))],
            "status": "FINISHED",
            "metrics.accuracy": frame["accuracy"],
            "params.model": frame["classifier"],
            "tags.data": frame["dataset"],
            "params.fold": frame["fold"],
        }
    )
    named = {
        "classifier_column": "params.model",
        "dataset_column": "tags.data",
        "fold_column": "params.fold",
    }
    check(truth, rc.read_scores({"runs.csv": as_bytes(runs)}, **named))


@quick
@given(truths())
def test_scikit_learn(truth: Truth) -> None:
    one = Truth(truth.scores[:, :1], truth.order)
    results = {
        c: {"test_score": one.scores[i, 0], "fit_time": np.ones(one.scores.shape[2])}
        for i, c in enumerate(one.classifiers)
    }
    design = rc.KFold(one.scores.shape[2])
    table = rc.read_scores(results, design=design)
    assert table.classifiers == one.classifiers
    assert np.array_equal(table.scores[:, 0, 0], one.scores[:, 0])
    search = {"params": [{"C": 10.0**i} for i in range(len(one.classifiers))]} | {
        f"split{f}_test_score": one.scores[:, 0, f] for f in range(one.scores.shape[2])
    }
    table = rc.read_scores(pd.DataFrame(search), design=design)
    assert np.array_equal(table.scores[:, 0, 0], one.scores[:, 0])


@pytest.mark.parametrize("form", ["predictions", "lm-eval", "tsml"])
@quick
@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(3, 30))
def test_cases(form: str, seed: int, models: int, cases: int) -> None:
    right = np.random.default_rng(seed).integers(0, 2, size=(models, cases))
    names = [f"m{i}" for i in range(models)]
    files: dict[str, bytes] = {}
    if form == "predictions":
        truth = np.arange(cases) % 2
        told = pd.DataFrame({"y_true": np.where(truth, "yes", "no")})
        for name, row in zip(names, right, strict=True):
            told[name] = np.where(row == 1, told["y_true"], np.where(truth, "no", "yes"))
        files["test.csv"] = as_bytes(told)
    for name, row in zip(names, right, strict=True):
        if form == "lm-eval":
            lines = [json.dumps({"doc_id": k, "acc": float(v)}) for k, v in enumerate(row)]
            files[f"{name}/samples_task_2026-01-01T00-00-00.jsonl"] = "\n".join(lines).encode()
        if form == "tsml":
            head = f"data,{name},TEST,0,MILLISECONDS,PREDICTIONS\nx\n{row.mean()},1,1\n"
            body = "".join(f"1,{v},,0,1\n" for v in row)
            files[f"{name}/testResample0.csv"] = (head + body).encode()
    table = rc.read_scores(files)
    assert table.classifiers == tuple(names)
    for i in range(models):
        mean = float(np.mean(table.scores[i]))
        assert mean == pytest.approx(right[i].mean(), rel=1e-12, abs=1e-12)


@quick
@given(truths(), st.integers(0, 10**6))
def test_a_missing_score_is_never_made_up(truth: Truth, place: int) -> None:
    frame = truth.frame()
    gone = place % len(frame)
    told = {"s.csv": as_bytes(frame.drop(index=frame.index[gone]))}
    gaps = rc.read_scores(told)
    assert np.isnan(gaps.scores).sum() == 1
    with pytest.raises(rc.errors.DesignMismatchError, match="lacks scores on"):
        rc.friedman_test(gaps)
    kept = rc.read_scores(told, missing="drop-dataset")
    assert frame["dataset"].iloc[gone] not in kept.datasets
    assert not np.isnan(kept.scores).any()


@quick
@given(truths(), st.integers(0, 10**6), st.sampled_from(["x1", "nan?", "1:5", "+-", "0x10"]))
def test_a_cell_that_is_no_number_is_named(truth: Truth, place: int, cell: str) -> None:
    frame = truth.frame().astype({"accuracy": object})
    row = place % len(frame)
    frame.iloc[row, 3] = cell
    with pytest.raises(
        rc.InvalidArgumentError, match=f"row {row + 2}, column accuracy: expected a num"
    ):
        rc.read_scores({"s.csv": as_bytes(frame)})
