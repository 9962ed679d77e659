"""Every foreign format from file to verdict, and every error sentence of its reader."""

import gzip
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from fuzz.golden import GOLDEN
from hypothesis import given, settings
from hypothesis import strategies as st

import replicast as rc
from replicast import InvalidArgumentError
from replicast.errors import DesignMismatchError
from replicast.reading import catalogue, packing
from replicast.reading.documents import Document
from replicast.reading.limits import Limits

FORMATS = Path(__file__).parent / "golden" / "formats"
DOCS = Path(__file__).parents[1] / "docs"
WEKA = [FORMATS / "weka" / f"{name}.arff.gz" for name in ("nb", "j48", "ibk")]


def outcome(table: rc.ScoreTable, first: str, second: str, dataset: str | None = None) -> str:
    return rc.compare(table.pair(first, second, dataset=dataset)).verdict.outcome


def refused(source: Any, message: str, **options: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        rc.read_scores(source, **options)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# One door


@pytest.mark.parametrize("form", catalogue.FORMATS, ids=lambda form: form.name)
def test_a_format_is_one_row_a_golden_file_and_a_page(form: catalogue.Format) -> None:
    page = DOCS / "formats" / form.page
    assert page.exists()
    assert f"({form.page})" in (DOCS / "formats" / "index.md").read_text(encoding="utf-8")
    assert f"formats/{form.page}" in (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    for name in GOLDEN[form.name]:
        raw = packing.unpack((FORMATS / name).read_bytes(), name)
        document = Document(path=Path(name), raw=raw)
        first = next(one for one in catalogue.FORMATS if one.recognises(document))
        assert first.name == form.name
    assert len(GOLDEN[form.name]) > 1 or form.files == "one"


# Wide and long: Parquet, frames, missing cells, robustness


def test_parquet_and_frames_read_like_csv(tmp_path: Path) -> None:
    wide = pd.DataFrame({"dataset": list("abcdef"), "svm": 0.9, "nb": np.linspace(0.7, 0.8, 6)})
    long = wide.melt("dataset", var_name="classifier", value_name="accuracy").sample(
        frac=1, random_state=0
    )
    for frame in (wide, long):
        frame.to_parquet(tmp_path / "scores.parquet")
        frame.to_csv(tmp_path / "scores.csv", index=False)
        pairs = [
            rc.read_scores(source, metric="accuracy").pair("svm", "nb")
            for source in (frame, tmp_path / "scores.parquet", tmp_path / "scores.csv")
        ]
        assert rc.compare(pairs[0]).verdict.outcome == "first better"
        assert {tuple(sorted(pair.differences)) for pair in pairs} == {
            tuple(sorted(pairs[0].differences))
        }
    named = rc.read_scores(wide.set_index("dataset"), metric="accuracy")
    assert named.datasets == tuple("abcdef")
    unnamed = wide.set_index("dataset").rename_axis(None)
    assert rc.read_scores(unnamed, metric="accuracy").datasets == tuple("abcdef")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    refused(tmp_path / "broken.parquet", "an intact Parquet file, got broken.parquet: ")
    refused(wide.iloc[:0], "at least one row of scores, got an empty data frame")
    odd = wide.assign(svm=["high", *[0.5] * 5])
    refused(odd, "data frame, row 0, column svm: expected a number, got 'high'")
    refused(
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        "a column of each name, got data frame: 'a' twice",
    )


def test_columns_by_name(tmp_path: Path) -> None:
    rows = "".join(f"{c},iris,{f},{0.1 * f + (c == 'x')}\n" for c in "xy" for f in range(5))
    path = write(tmp_path / "s.csv", "who,where,part,f1\n" + rows)
    names = {"classifier_column": "who", "dataset_column": "where", "fold_column": "part"}
    table = rc.read_scores(path, metric="f1", **names)
    assert (table.design, table.metric, table.datasets) == (rc.KFold(5), "f1", ("iris",))
    names["fold_column"] = "nowhere"
    refused(
        path, "a table with a column nowhere, got s.csv with columns who,", metric="f1", **names
    )


def test_scores_under_another_name() -> None:
    rows = [(model, fold) for model in "uv" for fold in range(10)]
    frame = pd.DataFrame(rows, columns=["model", "fold"]).assign(n_test=20)
    rng = np.random.default_rng(1)
    frame["kappa"], frame["log_loss"], frame["note"] = rng.random(20), rng.random(20), "fine"
    one = rc.read_scores(frame.drop(columns="log_loss"))
    assert (one.classifiers, one.metric, one.design.n_scores) == (("u", "v"), "kappa", 10)
    told = "`metric` must be one of kappa, log_loss, the measures beside model, got none."
    refused(frame, told)
    refused(frame, "the measures beside model, got 'f1'", metric="f1")
    chosen = rc.read_scores(frame, metric="kappa")
    assert (chosen.scores == one.scores).all()
    assert "Scores are those in kappa; not used: log_loss." in chosen.account
    assert not rc.read_scores(frame, metric="log_loss").greater_is_better


def file_of(*lines: str) -> dict[str, bytes]:
    return {"t.csv": "\n".join(lines).encode()}


MODELS = [(model, data) for data in ("d1", "d2", "d3") for model in "AB"]


def test_percent_signs_and_decimal_commas() -> None:
    percent = rc.read_scores(
        file_of(
            "model,dataset,acc,time", *(f"{m},{d},8{i}%,1{i}" for i, (m, d) in enumerate(MODELS))
        )
    )
    assert (percent.metric, percent.scores[:, 0, 0, 0].tolist()) == ("acc", [80, 81])
    assert "Scores have percent signs." in percent.account
    comma = file_of("model;dataset;acc", *(f"{m};{d};0,8{i}" for i, (m, d) in enumerate(MODELS)))
    assert rc.read_scores(comma).scores[:, 0, 0, 0].tolist() == [0.80, 0.81]


def test_a_column_says_which_metric_a_row_is_about() -> None:
    both = file_of("model,dataset,metric,value", *(f"{m},{d},{k},0.{i}{len(k)}" for i, (m, d) in
                   enumerate(MODELS) for k in ("acc", "rmse")))  # fmt: skip
    refused(both, "`metric` must be one of acc, rmse, got none")
    refused(
        both, "`metric` must be one of acc, rmse, got 'rmsee'. Did you mean rmse", metric="rmsee"
    )
    chosen = rc.read_scores(both, metric="rmse")
    assert (chosen.metric, chosen.greater_is_better) == ("rmse", False)
    assert chosen.scores[:, 0, 0, 0].tolist() == [0.04, 0.14]
    assert rc.read_scores(both, metric="acc").greater_is_better
    one = file_of(
        "model,dataset,metric,value", *(f"{m},{d},rmse,0.{i}" for i, (m, d) in enumerate(MODELS))
    )
    assert not rc.read_scores(one).greater_is_better


def test_rows_that_are_no_scores_of_their_own() -> None:
    parts = file_of(
        "model,dataset,split,accuracy",
        *(
            f"{m},{d},{k},{0.5 + i / 10}"
            for m, d in MODELS
            for i, k in enumerate(("train", "test"))
        ),
    )
    table = rc.read_scores(parts)
    assert "Only the 6 rows with split = test were used, of 12." in table.account
    assert (table.scores == 0.6).all()
    folds = file_of(
        "fold,A,B", *(f"{i},0.{i},0.2" for i in range(1, 6)), "mean,0.3,0.2", "std,0.1,0.0"
    )
    table = rc.read_scores(folds, metric="accuracy")
    assert table.design == rc.KFold(5)
    assert "Left out rows that sum up others: mean, std in column fold." in table.account
    for last in ("Average", "Ø"):
        wide = file_of(
            "dataset,A,B", "iris,0.1,0.22", "vote,0.2,0.1", "x,0.3,0.4", f"{last},0.2,0.24"
        )
        assert len(rc.read_scores(wide, metric="accuracy").datasets) == 3


@pytest.mark.parametrize("name", ["", "index", "id", "Unnamed: 0"])
def test_a_column_that_numbers_the_rows_is_no_classifier(name: str) -> None:
    table = rc.read_scores(
        file_of(f"{name},dataset,A,B", *(f"{i},d{i},0.{i},0.2" for i in range(4))), metric="acc"
    )
    assert table.classifiers == ("A", "B")
    assert any(line.startswith("Not used") for line in table.account)
    long = file_of(
        f"{name},model,dataset,auc", *(f"{i},{m},{d},0.{i}" for i, (m, d) in enumerate(MODELS))
    )
    assert rc.read_scores(long).metric == "auc"


@pytest.mark.parametrize(
    "metric",
    ["err", "err_rate", "mape", "misclassification", "cross_entropy", "WER", "EER", "FPR", "deviance",
     "1-acc", "cost", "risk", "negative_log_likelihood", "nll", "log_loss", "RMSE", "brier_score_loss"],
)  # fmt: skip
def test_losses_by_name(metric: str) -> None:
    table = rc.read_scores(
        file_of(f"model,dataset,{metric}", *(f"{m},{d},0.{i}" for i, (m, d) in enumerate(MODELS)))
    )
    assert not table.greater_is_better


def test_directions_that_no_name_tells_are_asked_for() -> None:
    rows = [f"{m},{d},0.{i}" for i, (m, d) in enumerate(MODELS)]
    strange = file_of("model,dataset,zork", *rows)
    refused(
        strange, "whose name tells which way is better, got zork, which may be better high or low"
    )
    refused(
        file_of("model,dataset,score", *rows),
        "scores that have no name. Say `greater",
    )
    assert not rc.read_scores(strange, greater_is_better=False).greater_is_better
    told = rc.read_scores(strange, greater_is_better=True)
    assert "Scores: fractions; higher is better, as you said." in told.account


def test_classifiers_called_like_keys() -> None:
    lines = [f"d{i},0.{i},0.2,0.3" for i in range(1, 6)]
    found = rc.read_scores(file_of("dataset,R,Python,k", *lines), metric="acc")
    assert found.classifiers == ("R", "Python", "k")
    found = rc.read_scores(file_of("dataset,baseline,method,model", *lines), metric="acc")
    assert found.classifiers == ("baseline", "method", "model")


def test_names_that_look_like_numbers_stay_as_they_are_written() -> None:
    rows = [(m, d, 0.5 + i / 10) for i, m in enumerate(("3.1", "3.10")) for d in ("007", "7")]
    long = "model,dataset,accuracy\n" + "".join(f"{m},{d},{x}\n" for m, d, x in rows)
    for raw in (long, long.replace(",", "  "), long.replace("\n", "\n\n", 1)):
        table = rc.read_scores({"s.csv": raw.encode()})
        assert (table.classifiers, table.datasets) == (("3.1", "3.10"), ("007", "7"))
    baseline = b"dataset,baseline,model\niris,0.5,0.6\nvote,0.7,0.8\n"  # scores, not names
    assert rc.read_scores({"s.csv": baseline}, metric="accuracy").classifiers == (
        "baseline",
        "model",
    )
    for text in (
        "Resamples:,0,1\n01,0.5,0.6\n12e3,0.7,0.8\n",
        "Resamples:,0,1\n\n# x\n01,.5,.6\n12e3,1,0\n",
    ):
        files = {f"{name}_accuracy.csv": text.encode() for name in ("a", "b")}
        found = rc.read_scores(files, design=rc.RandomSplits(splits=2, n_train=90, n_test=10))
        assert found.datasets == ("01", "12e3")


def test_a_line_with_a_mark_is_a_remark_names_or_asked_about() -> None:
    body = "iris,0.9,0.8\nvote,0.7,0.6\nwine,0.5,0.7\n"

    def read(text: str) -> rc.ScoreTable:
        return rc.read_scores({"s.csv": text.encode()}, metric="accuracy")

    table = read("# dataset,svm,nb\n" + body)  # as NumPy writes names
    assert (table.classifiers, table.datasets) == (("svm", "nb"), ("iris", "vote", "wine"))
    found = read("# by me, today, at home\ndataset,svm,nb\n" + body + "# the end\n")
    assert found.datasets == ("iris", "vote", "wine")
    assert "Taken as remarks: lines 1, 6." in found.account
    for text in (body.replace("vote", "# vote"), body.replace("vote", "// vote")):
        with pytest.raises(InvalidArgumentError, match="line 3, which may be either: "):
            read("dataset,svm,nb\n" + text)
        with pytest.raises(InvalidArgumentError, match="line 3, which may be either: "):
            read("dataset  svm  nb\n" + text.replace(",", "  "))


def test_columns_that_are_left_out_are_said() -> None:
    head = "dataset,svm,nb,{}\n"
    body = "iris,0.9,0.8,0.7\nvote,0.7,0.6,0.5\n"
    for name, why in (
        ("lr_std", "they are spreads of others"),
        ("time", "they are times or ranks"),
    ):
        table = rc.read_scores({"s.csv": (head.format(name) + body).encode()}, metric="accuracy")
        assert table.classifiers == ("svm", "nb")
        assert f"Not used, since {why}: {name}." in table.account


def test_classifiers_called_like_measures_are_asked_about() -> None:
    raw = b"Resample,AUC~Accuracy,AUC~Kappa,F1~Accuracy,F1~Kappa\nFold1,1,2,3,4\nFold2,2,3,4,5\n"
    with pytest.raises(InvalidArgumentError, match="AUC of Accuracy or Accuracy of AUC"):
        rc.read_scores({"s.csv": raw})


def test_a_header_with_the_words_of_tsml_above_rows_as_long_is_a_table() -> None:
    raw = b'id,y_true,test,1,"RF, x"\n1,no,no,no,no\n2,yes,no,no,no\n3,no,yes,no,yes\n'
    table = rc.read_scores({"s.csv": raw})
    assert table.classifiers == ("test", "1", "RF, x")
    assert table.scores.reshape(3, 3).tolist() == [[1, 0, 0], [1, 0, 1], [1, 0, 0]]


def test_classes_with_a_decimal_comma() -> None:
    raw = b"id;y_true;a;b\n1;1,0;1,0;2,0\n2;2,0;1,0;2,0\n3;1,0;1,0;1,0\n"
    table = rc.read_scores({"s.csv": raw})
    assert table.scores.reshape(2, 3).tolist() == [[1, 0, 1], [0, 1, 1]]


def test_what_was_dropped_for_a_missing_score_is_a_caution() -> None:
    rows = [f"d{i},0.{i},0.2" for i in range(1, 8)]
    gaps = [f"g{i},0.5,{word}" for i, word in enumerate(("OOM", "timeout", "NA", ""))]
    raw = file_of("dataset,svm,nb", *rows, *gaps)
    told = "nb lacks 4 scores on 'g0', 'g1', 'g2' and 1 more"
    with pytest.raises(DesignMismatchError, match=told):
        rc.read_scores(raw, metric="acc", missing="refuse").pair("svm", "nb")
    table = rc.read_scores(raw, metric="acc", missing="drop-dataset")
    sentence = "4 of 11 datasets left out for a missing score: g0, g1, g2 and 1 more. Failures are"
    assert rc.compare(table.pair("svm", "nb")).cautions[0].text.startswith(sentence)
    assert rc.rank(table).cautions[0].text.startswith(sentence)
    whole = rc.read_scores(file_of("dataset,svm,nb", *rows), metric="acc", missing="drop-dataset")
    assert whole.left_out == ""


def test_a_column_without_a_name_is_spoken_of_by_its_number() -> None:
    rows = [f"{i},0.{i},0.1,Fold{i % 4},{m}" for i, m in enumerate("aaaabbbb", start=1)]
    raw = file_of(",Accuracy,Kappa,Resample,model", *rows)
    account = " ".join(rc.read_scores(raw, metric="Accuracy").account)
    assert "not used: column 1 (without a name)" in account


def test_a_file_may_name_the_measure_and_words_for_many_things_do_not() -> None:
    raw = b"dataset,svm,nb\niris,0.1,0.2\nvote,0.3,0.2\n"
    for name in ("loss.csv", "time.csv", "rank.csv", "map.csv", "cost.csv", "error_vs_auc.csv"):
        with pytest.raises(InvalidArgumentError, match="scores that have no name") as asked:
            rc.read_scores({name: raw})
        assert asked.value.argument == "greater_is_better"
        assert not rc.read_scores({name: raw}, metric="error").greater_is_better
    for name in ("rmse.csv", "test_error.csv", "uci-error-rates.csv"):
        assert not rc.read_scores({name: raw}).greater_is_better
    high = b"dataset,svm,nb\niris,0.9,0.8\nvote,0.7,0.8\n"
    refused({"test_error.csv": high}, "numbers that are hardly testerror")
    assert rc.read_scores({"accuracy.csv": raw}).greater_is_better
    assert rc.read_scores({"accuracy_uci.csv": raw}).greater_is_better
    long = b"model,dataset,error\na,x,.1\nb,x,.2\na,y,.3\nb,y,.2\n"
    assert not rc.read_scores({"time.csv": long}).greater_is_better  # a header says it


@pytest.mark.parametrize(
    ("head", "more"),
    [
        ("dataset,svm,nb\n,(%),(%)", ()), ("dataset,svm,nb", ("* significant at 0.05",)),
        ("dataset,svm,nb", ("Source: me,,",)), ("Table 2,,\ndataset,svm,nb", ("Large ones,,",)),
        ("dataset,svm,nb", ("Mean (UCI),60.1,70.2",)),
    ],
)  # fmt: skip
def test_lines_that_people_put_around_scores(head: str, more: tuple[str, ...]) -> None:
    rows = [f"{d},{60.5 + i},{70.5 - i}" for i, d in enumerate(("iris", "vote", "wine", "zoo"))]
    table = rc.read_scores(file_of(head, *rows, *more), metric="accuracy")
    assert (table.classifiers, table.datasets) == (("svm", "nb"), ("iris", "vote", "wine", "zoo"))
    assert not np.isnan(table.scores).any()
    assert head != "dataset,svm,nb" or any(line.startswith("Left out ") for line in table.account)


def test_counts_ids_and_measures_are_no_classifiers_and_no_datasets() -> None:
    rows = [f"d{i},6{i}.5,7{i}.5,{i + 2},{7 * i * i + 1}" for i in range(6)]
    for name in ("openml_id", "c"):
        raw = file_of(f"dataset,svm,nb,classes,{name}", *rows)
        if name == "c":
            with pytest.raises(InvalidArgumentError, match="got c on another scale than svm, nb"):
                rc.read_scores(raw, metric="accuracy")
        else:
            assert rc.read_scores(raw, metric="accuracy").classifiers == ("svm", "nb")
    raw = file_of("dataset,svm,nb", "accuracy,0.9,0.8", "f1,0.7,0.8", "auc,0.9,0.8")
    with pytest.raises(InvalidArgumentError, match=r"a row for each measure \(accuracy, f1, auc\)"):
        rc.read_scores(raw, metric="accuracy")


def test_keys_in_other_spellings() -> None:
    lines = [f"{m},{d},{f},0.{f}" for m, d in MODELS for f in range(3)]
    table = rc.read_scores(file_of("Algorithm,Data set,fold_id,Accuracy", *lines))
    assert (table.datasets, table.design) == (("d1", "d2", "d3"), rc.KFold(3))
    odd = rc.read_scores(
        file_of("Model,Corpus,Fold,Accuracy", *(f"{m},c,{f},0.{f}" for m in "AB" for f in range(5)))
    )
    assert odd.datasets == ("c",)


def test_joined_by_key_with_numeric_order(tmp_path: Path) -> None:
    rows = [f"{c},{f},{f}" for c in "ab" for f in (10, 2, 1, 9, 3, 11, 4)]
    table = rc.read_scores(write(tmp_path / "s.csv", "model,fold,rmse\n" + "\n".join(rows)))
    assert table.pair("a", "b").first.tolist() == [1, 2, 3, 4, 9, 10, 11]


def test_missing_cells(tmp_path: Path) -> None:
    text = "classifier,dataset,accuracy\n" + "".join(
        f"{c},{d},0.{i}\n"
        for i, (c, d) in enumerate((c, d) for c in "abc" for d in "xyz")
        if (c, d) not in (("a", "x"), ("a", "z"))
    )
    path = write(tmp_path / "s.csv", text)
    kept = rc.read_scores(path, missing="refuse")
    assert kept.account[-1] == "Scores are missing for a on x, a on z."
    assert len(kept.pair("b", "c").differences) == 3  # gaps of a third matter to no one
    message = "a lacks 2 scores on 'x', 'z'. Complete"
    with pytest.raises(DesignMismatchError, match=re.escape(message)):
        kept.pair("a", "b")
    with pytest.raises(DesignMismatchError, match=r"^a lacks scores on 'x', 'z'\. Complete"):
        rc.rank(kept)
    refused(path, "several scores per classifier, got s.csv with one", missing="drop-dataset")
    alone = rc.read_scores(path, missing="drop-dataset", classifiers=["b", "c"])
    assert (alone.classifiers, alone.datasets) == (("b", "c"), ("y", "x", "z"))
    table = rc.read_scores(path, missing="drop-classifier")
    assert (table.classifiers, len(table.datasets)) == (("b", "c"), 3)
    assert table.account[-1] == "Dropped 1 classifier with missing scores: a."
    text = "dataset,a,b\n" + "".join(f"{d},{d},\n" for d in range(7)) + "8,,1\n"
    path = write(tmp_path / "accuracy.csv", text)
    refused(path, r"at least 1 dataset .*leaves 0; .*and 3 more", missing="drop-dataset")
    refused(path, "at least 2 classifiers of accuracy.csv", missing="drop-classifier")
    known = "share, refuse, drop-dataset, drop-classifier, drop-case"
    refused(path, f"`missing` must be one of {known}", missing="drop")


@pytest.mark.parametrize(
    "word", ["", "NA", "n/a", "-", "--", "–", "?", "None", "OOM", "#N/A", "nan"]
)
def test_words_for_missing_scores(word: str) -> None:
    rows = [f"d{i},0.{i},0.2,0.3" for i in range(1, 8)]
    table = rc.read_scores(file_of("dataset,svm,nb,rf", *rows, f"d9,0.5,0.6,{word}"), metric="acc")
    assert len(table.pair("svm", "nb").differences) == 8
    assert np.isnan(table.scores[2, 7, 0, 0])
    if word not in ("", "nan"):
        assert f"Cells that say {word!r} are missing scores." in table.account


def test_the_dropped_leave_no_runs_behind(tmp_path: Path) -> None:
    rows = [f"{c},{d},{f},0.5" for c in "ab" for d, n in (("x", 3), ("y", 5)) for f in range(n)]
    path = write(tmp_path / "s.csv", "model,data,fold,accuracy\n" + "\n".join(rows[:-1]))
    table = rc.read_scores(path, missing="drop-dataset")
    assert (table.design, table.scores.shape) == (rc.KFold(3), (2, 1, 1, 3))


def test_robustness(tmp_path: Path) -> None:
    path = write(tmp_path / "s.csv", "dataset,fold,a,b\nx,1,1,2\n,2,1,2\n")
    refused(path, "s.csv, row 3, column dataset: expected a name, got an empty cell")
    refused(write(path, "dataset,a,a\nx,1,2\n"), "a column of each name, got s.csv: 'a' twice")
    refused(write(path, "a,b\n1,2,3\n1,2,3\n"), "rows with more cells than the header")
    comma = write(path, "dataset;a;b\nx;0,9;0,8\ny;0,7;0,8\n")
    assert rc.read_scores(comma, metric="acc").scores[0, :, 0, 0].tolist() == [0.9, 0.7]
    unclear = write(path, 'dataset,a,b\nx,"12,345","12,346"\ny,"12,345","12,346"\n')
    refused(unclear, "numbers that can be read in one way, got '12,345'", metric="rmse")
    header = write(path, "dataset,train,test,both\nx,1,2,3\ny,1,2,3\n")
    refused(header, "columns of classifiers alone, got test beside train, both", metric="acc")
    refused(3, "a path, a list of paths, a data frame or a dict, got int")
    refused([], "at least one file, got an empty list")
    refused(
        write(tmp_path / "bad.csv", "").parent / "bad.csv",
        "a table of scores, got bad.csv, an empty",
    )
    (tmp_path / "s.csv.gz").write_bytes(gzip.compress(b"dataset,a,b\nx,1,2\ny,2,2\n"))
    assert rc.read_scores(tmp_path / "s.csv.gz", metric="acc").datasets == ("x", "y")
    (tmp_path / "s.csv.gz").write_bytes(gzip.compress(b"dataset,a,b\nx,1,2\ny,2,2\n")[:-9])
    refused(tmp_path / "s.csv.gz", "an intact gzip file, got s.csv.gz")
    with (tmp_path / "large.csv").open("wb") as file:
        os.truncate(file.fileno(), 3 * 1024**3)  # sparse: takes no room on the disk
    refused(tmp_path / "large.csv", r"a file of at most 2 GB, got large.csv with 3 GB. Keep the")
    bomb = gzip.compress(b"1,2\n" * 300_000)
    with pytest.raises(
        InvalidArgumentError, match=r"at most 1 MB, got s.csv.gz with more when unp"
    ):
        packing.unpack(bomb, "s.csv.gz", Limits(unpacked=1024**2))


def test_files_in_memory(tmp_path: Path) -> None:
    raw = b"dataset,a,b\nx,1,2\ny,2,2\n"
    on_disk = tmp_path / "s.csv"
    on_disk.write_bytes(raw)
    table = rc.read_scores({"folder/s.csv": raw}, metric="acc")
    other = rc.read_scores(on_disk, metric="acc")
    assert table.account == other.account
    assert np.array_equal(table.scores, other.scores)
    packed = rc.read_scores({"s.csv.gz": gzip.compress(raw)}, metric="acc")
    assert packed.datasets == ("x", "y")
    one = b"gun,knn,TEST,0,MILLISECONDS\nnone\n0.5,1,1\n1,1\n0,1\n"
    train = b"gun,knn,TRAIN,0,MILLISECONDS\nnone\n0.5\n1,1\n0,1\n1,1\n"
    (tmp_path / "trainResample0.csv").write_bytes(train)  # a file beside must not be looked at
    two = {"testResample0.csv": one, "b_testResample0.csv": one.replace(b"knn", b"svm")}
    assert rc.read_scores(two).n_train is None
    refused({"s.csv": b""}, "a table of scores, got s.csv, an empty file")


def test_a_grid_that_is_none(tmp_path: Path) -> None:
    frame = pd.DataFrame({c: np.arange(200) for c in ("model", "dataset", "run", "fold", "mae")})
    refused(frame, "expected the same runs and folds on every dataset, got 200 x 200 x 200 x 200")


def test_seeds_over_datasets_are_averaged() -> None:
    rows = [(c, d, s, i) for i, c in enumerate("ab") for d in range(8) for s in range(3)]
    frame = pd.DataFrame(rows, columns=["model", "dataset", "seed", "acc"])
    table = rc.read_scores(frame)
    assert (table.design, table.scores.shape) == (rc.Datasets(8), (2, 8, 1, 1))
    assert any(line.startswith("Each score is the mean of 3 seeds") for line in table.account)
    assert outcome(table, "b", "a") == "first better"
    assert rc.read_scores(frame[frame.dataset == 0]).design == rc.Seeds(3)  # on one split


def test_scales_are_kept_and_said() -> None:
    frame = pd.DataFrame({"dataset": list("abcdef"), "u": 0.5, "v": 80.0})
    refused(
        frame,
        "all scores on one scale, got numbers above 1 for v and fractions for others",
        metric="acc",
    )
    table = rc.read_scores(frame, greater_is_better=True)
    assert "mixed-scales" in [caution.code for caution in rc.compare(table.pair("u", "v")).cautions]
    errors = rc.read_scores(frame, metric="MAE")
    assert errors.account[2] == "Scores: kept as they are; lower is better for MAE."
    assert outcome(errors, "u", "v") == "first better"


# Weka


def test_weka_means_and_marks() -> None:
    table = rc.read_scores(WEKA)
    assert table.classifiers == ("NaiveBayes", "J48", "IBk")
    means = table.scores.mean(axis=(2, 3)).T
    expected = [[75.75, 74.49, 70.62], [95.53, 94.73, 95.40], [49.45, 67.63, 69.95]]
    assert means.round(2).tolist() == expected
    assert (table.design, table.metric) == (rc.RepeatedKFold(runs=10, folds=10), "Percent_correct")
    marks = {
        "J48": ("inconclusive", "inconclusive", "first better"),
        "IBk": ("second better", "inconclusive", "first better"),
    }
    for classifier, wanted in marks.items():
        found = [
            outcome(table, classifier, "NaiveBayes", dataset)
            for dataset in ("pima_diabetes", "iris", "Glass")
        ]
        assert tuple(found) == wanted
    assert table.account[2] == (
        "Scores: percent, kept as percent; higher is better for Percent_correct."
    )
    assert table.n_train is not None
    assert table.n_test is not None
    assert (table.n_train[1] == 135).all()
    assert (table.n_test[1] == 15).all()


def test_weka_csv_metrics_and_names(tmp_path: Path) -> None:
    path = FORMATS / "weka" / "iris-5x2-j48.csv"
    table = rc.read_scores(path, metric="Mean_absolute_error")
    assert (table.design, table.greater_is_better) == (rc.FiveByTwo(), False)
    assert table.scores[0, 0, 0, 0] == pytest.approx(0.0687179487179487)
    text = path.read_text()
    other = write(tmp_path / "other.csv", text.replace("-M 2", "-M 5"))
    names = rc.read_scores([path, other]).classifiers
    assert names == ("J48 -C 0.25 -M 2", "J48 -C 0.25 -M 5")
    other = write(tmp_path / "other.csv", text.replace("weka.classifiers.trees", "mine"))
    names = rc.read_scores([path, other]).classifiers
    assert names == ("weka.classifiers.trees.J48 -C 0.25 -M 2", "mine.J48 -C 0.25 -M 2")
    refused(
        [path, path],
        "iris-5x2-j48.csv, row 2: .* more than one score for J48 on iris, run 1, fold 1",
    )
    refused(
        path,
        "`metric` must be one of .*Did you mean Percent_correct?",
        metric="Percent_corect",
    )
    plain = write(tmp_path / "plain.csv", "dataset,a,b\nx,1,2\n")
    refused(
        [path, plain],
        r"got iris-5x2-j48.csv \(Weka Experimenter results\) and plain.csv \(tables\)",
    )
    bad = write(tmp_path / "bad.csv", text.replace("90.66666666666667", "high"))
    refused(bad, "bad.csv, row 2, column Percent_correct: expected a number, got 'high'")
    fewer = write(tmp_path / "fewer.csv", text.replace("-M 2", "-M 5").rsplit("iris,5,2", 1)[0])
    gaps = rc.read_scores([path, fewer])
    assert gaps.account[-1] == "Scores are missing for J48 -C 0.25 -M 5 on iris."


def test_weka_random_splits(tmp_path: Path) -> None:
    empty = write(tmp_path / "e.arff", "@relation r\n@attribute a numeric\n@data\n")
    refused(empty, "at least one row of scores, got e.arff with none")
    rows = [f"iris,{r},w.{c},'',90,60,{r + (c == 'B')}" for c in "AB" for r in range(1, 6)]
    head = "Key_Dataset,Key_Run,Key_Scheme,Key_Scheme_options,Number_of_training_instances,"
    head += "Number_of_testing_instances,Percent_correct\n"
    table = rc.read_scores(write(tmp_path / "s.csv", head + "\n".join(rows)))
    assert table.design == rc.RandomSplits(splits=5, n_train=90, n_test=60)
    rows[0] = rows[0].replace("90,60", "95,55")
    rows[5] = rows[5].replace("90,60", "95,55")
    table = rc.read_scores(write(tmp_path / "s.csv", head + "\n".join(rows)))
    said = "Training and test sets differ in size; their medians, 90 and 60, are used."
    assert table.account[-1] == said


# scikit-learn


def test_cross_validate_with_indices() -> None:
    import sklearn.model_selection as sklearn
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    X, y = load_iris(return_X_y=True)
    cv = sklearn.RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=1)
    models = {"nb": GaussianNB(), "knn": KNeighborsClassifier(100)}
    found = {
        name: sklearn.cross_validate(model, X, y, cv=cv, return_indices=True)
        for name, model in models.items()
    }
    table = rc.read_scores(found)
    assert table.design == rc.RepeatedKFold(runs=3, folds=5)
    assert table.n_train is not None
    assert (table.n_train == 120).all()
    assert table.pair("nb", "knn").first.tolist() == found["nb"]["test_score"].tolist()
    assert outcome(table, "nb", "knn") == "first better"
    assert any("those of the indices" in line for line in table.account)
    splits = sklearn.ShuffleSplit(n_splits=12, test_size=0.2, random_state=1)
    other = sklearn.cross_validate(GaussianNB(), X, y, cv=splits, return_indices=True)
    assert rc.read_scores({"a": other, "b": other}).design == rc.RandomSplits(
        splits=12, n_train=120, n_test=30
    )
    other = sklearn.cross_validate(
        GaussianNB(),
        X,
        y,
        cv=cv.__class__(n_splits=5, n_repeats=3, random_state=2),
        return_indices=True,
    )
    refused({"nb": found["nb"], "other": other}, "got other test cases for other in split 0. Give")


def test_cross_validate_without_indices() -> None:
    def result(n: int, level: float) -> dict[str, Any]:
        return {
            "fit_time": [1.0] * n,
            "test_acc": level + 0.001 * np.arange(n),
            "test_f1": [0.5] * n,
        }

    two = {"a": result(10, 0.9), "b": result(10, 0.8)}
    refused(two, "`metric` must be one of acc, f1, got none")
    refused(two, r"one of acc, f1, got 'ac'. Did you mean acc\?", metric="ac")
    refused(
        two, "`design` must be given for lists of 10 scores, got source. Say `design", metric="acc"
    )
    table = rc.read_scores(two, metric="acc", design=rc.KFold(10))
    assert (table.design, table.greater_is_better) == (rc.KFold(10), True)
    assert table.account[-3:] == (
        "Lists of scores were taken as fold after fold, run after run.",
        "Splits are assumed to be the same for all classifiers.",
        "Set sizes are unknown; folds are taken as equally large.",
    )
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        assert outcome(table, "a", "b") == "first better"
    long = {"a": result(100, 0.9), "b": result(100, 0.8)}
    refused(long, "`design` must be given for lists of 100 scores, got source. Say", metric="acc")
    design = rc.RepeatedKFold(runs=10, folds=10)
    table = rc.read_scores(long, metric="acc", design=design)
    assert table.scores[0, 0, 1, 0] == pytest.approx(0.91)
    refused(long, "a design with 100 scores, as source has rows", metric="acc", design=rc.KFold(5))
    refused({"a": result(5, 0), "b": result(6, 0)}, "got 5 for a, 6 for b scores", metric="acc")
    refused({}, "to results of cross_validate, or a cv_results_, got an empty dict")
    refused({"a": "x", "b": 1}, "got a dict with a, b")
    bare = {"a": [0.9, 0.8], "b": np.array([0.7, 0.9])}
    table = rc.read_scores(bare, design=rc.KFold(2))
    assert table.pair("a", "b").first.tolist() == [0.9, 0.8]
    frames = {key: pd.DataFrame({"test_score": values}) for key, values in bare.items()}
    assert (rc.read_scores(frames, design=rc.KFold(2)).scores == table.scores).all()
    refused(np.ones((3, 4)), "scores with names, got an array of 3 x 4 numbers. Give a dict")
    refused([[0.9, 0.8], [0.7, 0.9]], "scores with names, got an array of 2 x 2 numbers")
    loss = {key: {"test_log_loss": values} for key, values in bare.items()}
    refused(
        loss, "got log_loss, though scorers of scikit-learn change the sign", design=rc.KFold(2)
    )
    refused({"a": {"score": [1]}, "b": {}}, "among results that have test_score, got none")
    refused({"a": {"test_score": [[1]]}}, r"a list of scores, got shape \(1, 1\) for a")
    bad = {"a": {"test_score": [1, 2]}, "b": {"test_score": [1, "x1"]}}
    refused(bad, "source, row 1, column score: expected a number, got 'x1'", design=rc.KFold(2))
    gap = {"a": {"test_score": [1, 2]}, "b": {"test_score": [1, np.nan]}}
    assert "Scores are missing for b." in rc.read_scores(gap, design=rc.KFold(2)).account


@pytest.mark.parametrize("count", range(2, 11))
def test_a_few_results_of_cross_validate_are_the_folds_of_one_run(count: int) -> None:
    """Five folds are the default; four may be two runs of two, and a bare list may be anything."""
    scores = {"svm": 0.8 + 0.01 * np.arange(count), "nb": 0.7 + 0.02 * np.arange(count)}
    results = {name: {"fit_time": one, "test_score": one} for name, one in scores.items()}
    splits = {f"split{at}_test_score": [0.9, 0.8 + 0.01 * at] for at in range(count)}
    search = {"params": [{"C": 1}, {"C": 2}], **splits}
    for source in (results, search, pd.DataFrame(search)):
        if count in (2, 3, 5, 7):
            table = rc.read_scores(source)
            assert table.design == rc.KFold(count)
            assert f"{count}-fold cross-validation (from the number of scores)" in table.account[1]
            design = rc.RandomSplits(splits=count, n_train=90, n_test=10)
            assert rc.read_scores(source, design=design).design == design
        else:
            refused(source, f"`design` must be given for lists of {count} scores")
    refused(scores, f"nothing says what the {count} scores of each classifier are")


def test_a_real_search() -> None:
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV
    from sklearn.neighbors import KNeighborsClassifier

    X, y = load_iris(return_X_y=True)
    grid = [{"n_neighbors": [1, 100]}, {"n_neighbors": [3], "weights": ["distance"]}]
    search = GridSearchCV(KNeighborsClassifier(), grid, cv=5).fit(X, y)
    table = rc.read_scores(search.cv_results_, design=rc.KFold(5))
    names = ("n_neighbors=1", "n_neighbors=100", "n_neighbors=3, weights=distance")
    assert (table.classifiers, table.design) == (names, rc.KFold(5))
    assert table.scores.mean(axis=(1, 2, 3)) == pytest.approx(search.cv_results_["mean_test_score"])
    framed = rc.read_scores(pd.DataFrame(search.cv_results_), design=rc.KFold(5))
    assert (framed.scores == table.scores).all()
    assert framed.classifiers == names


def test_cv_results(tmp_path: Path) -> None:
    path = FORMATS / "sklearn" / "cv-results.csv"
    table = rc.read_scores(path, design=rc.KFold(10))
    assert (table.classifiers, table.design) == (("C=1", "C=10"), rc.KFold(10))
    assert outcome(table, "C=10", "C=1") == "first better"
    odd = path.read_text().replace("{'C': 10}", "{'C': np.float64(10)}")
    table = rc.read_scores(write(tmp_path / "odd.csv", odd), design=rc.KFold(10))
    assert table.classifiers == ("C=1", "C=10")
    scores = {f"split{i}_test_score": np.array([0.1, 0.2 + i]) for i in range(12)}
    found = {"params": [{"C": 1, "k": "rbf"}, {"C": 2, "k": "rbf"}], **scores}
    refused(found, "given for lists of 12 scores")
    table = rc.read_scores(found, design=rc.RepeatedKFold(runs=4, folds=3))
    assert table.classifiers == ("C=1, k=rbf", "C=2, k=rbf")
    assert table.scores[1, 0, 3, 2] == 11.2  # split 11, although its name sorts before split 2
    splits = rc.read_scores(found, design=rc.RandomSplits(splits=12, n_train=90, n_test=10))
    assert splits.pair("C=1, k=rbf", "C=2, k=rbf").second.tolist() == (0.2 + np.arange(12)).tolist()
    refused(
        {**found, "params": [{"C": 1}] * 2},
        "cv_results_, row 0: .* more than one candidate with C=1",
    )
    refused({**found, "params": [{"C": 1}]}, "a cv_results_ with columns of one length")
    del found["params"]
    refused(found, "a cv_results_ with a column params")


# tsml and aeon


def test_tsml_folder() -> None:
    table = rc.read_scores(FORMATS / "tsml")
    assert table.classifiers == ("1NN-DTW", "ROCKET")
    assert table.design == rc.Datasets(6)
    assert outcome(table, "ROCKET", "1NN-DTW") == "first better"
    assert len(table.case_scores) == 6
    assert table.case_scores[0].shape == (2, 1, 30)
    assert table.case_scores[0].mean(axis=(1, 2)) == pytest.approx(table.scores[:, 0, 0, 0])
    files = [
        FORMATS / "tsml" / name / "Predictions" / "Coffee" / "testResample0.csv"
        for name in ("ROCKET", "1NN-DTW")
    ]
    one_of_six = table.pair("ROCKET", "1NN-DTW", dataset="Coffee")
    table = rc.read_scores(files)
    assert table.design == rc.Holdout(30)
    comparison = rc.compare(table.pair("ROCKET", "1NN-DTW"))
    assert rc.compare(one_of_six).evidence == comparison.evidence
    assert comparison.evidence.method == "mcnemar"
    assert comparison.verdict.outcome == "first better"


def resample(folder: Path, classifier: str, number: int, rows: str, **parts: str) -> Path:
    kind = parts.get("kind", "TEST")
    text = (
        f"Toy,{classifier},{kind},{number},MILLISECONDS\n{{}}\n{parts.get('accuracy', '0.5')},1,2\n"
    )
    return write(folder / classifier / f"{kind.lower()}Resample{number}.csv", text + rows)


def test_tsml_resamples(tmp_path: Path) -> None:
    for name, rows in (("a", "1,1.0,,1\n0,1,,0\n"), ("b", "1,1,,1\n0,0,,0\n")):
        for number in range(4):
            resample(tmp_path, name, number, rows, accuracy="1.0" if name == "b" else "0.5")
    refused(tmp_path, "given for 4 resamples: bootstrap, random splits or folds, got 8 files")
    resample(tmp_path, "a", 0, "1,1\n0,1\n1,1\n", kind="TRAIN")
    table = rc.read_scores(tmp_path)
    assert table.design == rc.RandomSplits(splits=4, n_train=3, n_test=2)
    assert table.case_scores[0].shape == (2, 4, 8)
    assert table.pair("a", "b").case_differences is None  # other cases in every resample
    off = resample(tmp_path, "a", 3, "1,1,,1\n0,0,,0\n")
    table = rc.read_scores(tmp_path)
    assert "Accuracy and predictions disagree in a/Toy/testResample3.csv." in table.account
    pair = [off, resample(tmp_path, "b", 3, "1,1,,1\n")]
    with pytest.raises(DesignMismatchError, match="b lacks 1 case"):
        rc.read_scores(pair).pair("a", "b")
    refused(pair, "metric` must be accuracy for tsml result files, got 'f1'", metric="f1")
    refused(
        pair, "left out, holdout or cases, for the predictions or cases of one", design=rc.KFold(3)
    )
    refused([off, off], "more than one result for a on Toy, resample 3")
    refused(resample(tmp_path, "a", 3, "1\n"), "line 4: expected true and predicted class, got '1'")
    refused(resample(tmp_path, "a", 3, ""), "line 4: expected true and predicted class")
    bad = resample(tmp_path, "a", 3, "1,1\n", accuracy="?")
    refused(bad, r"line 3: expected the accuracy as a number, got '\?'")
    refused(
        tmp_path / "a" / "trainResample0.csv",
        "line 1: expected results on a test set .TEST., as in the testResample files",
    )
    refused(
        write(tmp_path / "x.csv", "d,c,TEST,none,PREDICTIONS\n\n1\n1,1\n"),
        "number of the resample as fourth",
    )


def test_aeon_reference_results(tmp_path: Path) -> None:
    table = rc.read_scores(FORMATS / "aeon")
    assert (table.classifiers, table.metric) == (("HC2", "TSF"), "accuracy")
    assert table.design == rc.Datasets(8)
    assert outcome(table, "HC2", "TSF") == "first better"
    a = write(tmp_path / "A_logloss.csv", "folds:,0,1\nx,0.1,0.2\ny,0.1,0.1\n")
    b = write(tmp_path / "B_logloss.csv", "folds:,0,1\ny,0.4,0.4\nx,0.3,0.4\n")
    table = rc.read_scores([a, b], design=rc.RandomSplits(splits=2, n_train=80, n_test=20))
    assert not table.greater_is_better
    assert table.pair("A", "B", dataset="x").second.tolist() == [0.3, 0.4]
    c = write(tmp_path / "B_auroc.csv", "folds:,0\ny,0.4\n")
    refused([a, c], "`metric` must be one of logloss, auroc, got none")
    bad = write(tmp_path / "B_logloss.csv", "folds:,0,1\nx,0.1,0.2\nx,0.1,0.1\n")
    refused([a, bad], "B_logloss.csv, row 3: .* more than one score for B on x, run 0, fold 1")
    refused(
        [write(tmp_path / "A.csv", "d,0\nx,1\n"), a],
        "`metric` must be one of A, logloss",
    )
    plain = write(tmp_path / "plain.csv", "dataset,a,b\nx,1,2\n")
    refused(
        [a, plain], r"several files of one format, got A_logloss.csv \(aeon ref.* and plain.csv"
    )
    refused([a, bad.with_name("none.csv")], "a readable file, got none.csv: No such file")


# AutoML benchmark, OpenML, MLflow


def test_automl_benchmark(tmp_path: Path) -> None:
    path = FORMATS / "automl" / "results.csv"
    gaps = rc.read_scores(path)
    assert gaps.account[-1] == "Scores are missing for flaml on vehicle."
    with pytest.raises(DesignMismatchError, match=r"^flaml lacks 1 score on 'vehicle'"):
        gaps.pair("flaml", "rf")
    table = rc.read_scores(path, missing="drop-dataset")
    assert (table.datasets, table.design) == (("adult",), rc.KFold(10))
    assert table.failures == ("flaml on vehicle, fold 3: TimeoutError: interrupted after 3600s",)
    assert outcome(table, "flaml", "rf") == "first better"
    assert "neg_logloss is a loss with its sign changed: higher is better." in table.account
    frame = pd.read_csv(path).query("task == 'vehicle' and fold != 3")
    frame["metric"], frame["result"] = "logloss", -frame["result"]
    table = rc.read_scores(frame)
    assert (table.metric, table.greater_is_better) == ("logloss", False)
    assert outcome(table, "flaml", "rf") == "first better"
    mixed = pd.concat([frame, pd.read_csv(path).query("task == 'adult' and fold != 3")])
    table = rc.read_scores(mixed)
    assert "The sign of logloss was changed, so that higher is better." in table.account
    assert (table.greater_is_better, table.metric) == (True, "result")
    assert outcome(table, "flaml", "rf", "vehicle") == "first better"
    both = pd.concat([frame, frame.assign(constraint="4h8c")])
    assert rc.read_scores(both).classifiers[0] == "flaml (1h8c)"
    refused(pd.concat([frame, frame]), "more than one score for flaml on vehicle, run 1, fold 0")
    refused(
        path,
        "`metric` must be one of result, duration, got 'acc'",
        metric="acc",
    )


def test_openml(tmp_path: Path) -> None:
    path = FORMATS / "openml" / "evaluations.csv"
    means = rc.read_scores(path)
    assert (means.design, means.metric) == (rc.Datasets(2), "predictive_accuracy")
    assert any("Each score is the mean of 10 " in line for line in means.account)
    refused(path, "given for 10 iterations: folds of one run, or of several", dataset="credit-g")
    table = rc.read_scores(path, design=rc.KFold(10))
    assert outcome(table, "weka.J48(1)", "weka.NaiveBayes(2)", "credit-g") == "first better"
    frame = pd.read_csv(path)
    lists = frame.assign(values=frame["values"].map(json.loads))
    assert (rc.read_scores(lists, design=rc.KFold(10)).scores == table.scores).all()
    twice = pd.concat([frame, frame])
    refused(
        twice, r"data frame, row 4: .* more than one run of weka.J48\(1\) on credit-g. Keep one"
    )
    two = pd.concat([frame, frame.assign(setup_id=2)])
    assert rc.read_scores(two).classifiers[0] == "weka.J48(1) (setup 1)"
    more = pd.concat([frame, frame.assign(function="auc")])
    assert rc.read_scores(more).scores.shape == means.scores.shape
    refused(more, "`metric` must be one of predictive_accuracy, auc, got 'f1'", metric="f1")
    refused(
        frame.assign(values="[]").drop(columns="value"),
        r"row 0, column values: expected a list of scores, got '\[\]'",
    )
    refused(frame.assign(values="[0.5, x1]"), "row 0, column values: expected a number, got 'x1'")
    alone = rc.read_scores(frame.drop(columns="values").assign(value=[0.5, 0.6, 0.7, 0.8]))
    assert (alone.design, alone.scores.shape) == (rc.Datasets(2), (2, 2, 1, 1))
    long = rc.read_scores(
        frame.assign(values=str([0.5] * 100)), design=rc.RepeatedKFold(runs=10, folds=10)
    )
    assert long.scores.shape == (2, 2, 10, 10)


def test_mlflow(tmp_path: Path) -> None:
    path = FORMATS / "mlflow" / "runs.csv"
    refused(path, "`metric` must be one of accuracy, f1, got none")
    named = {"params.model": "params.what"}
    refused(
        pd.read_csv(path).rename(columns=named),
        "`classifier_column` must be .* one of params.what, params.fold, tags.data, got none",
        metric="f1",
    )
    refused(
        path,
        r"a column params.modl.* Did you mean params.model\?",
        classifier_column="params.modl",
        metric="f1",
    )
    names: dict[str, Any] = {"score_column": "metrics.accuracy"}
    table = rc.read_scores(path, **names)
    assert (table.design, table.datasets, table.metric) == (rc.KFold(10), ("vote",), "accuracy")
    assert outcome(table, "svm", "nb") == "first better"
    assert (rc.read_scores(path, **{**names, "score_column": None}, metric="accuracy").scores
            == table.scores).all()  # fmt: skip
    assert (rc.read_scores(path, classifier_column="params.model", dataset_column="tags.data",
                           fold_column="params.fold", **names).scores == table.scores).all()  # fmt: skip
    refused(path, "a table with a column seed", run_column="seed", **names)
    refused(
        path,
        "runs.csv, row 4: .* more than one score for nb on all, run 1",
        **{**names, "fold_column": "tags.data"},
    )
    frame = pd.read_csv(path)
    frame.loc[frame.run_id == "svm3", "status"] = "FAILED"
    assert "Scores are missing for svm on vote." in rc.read_scores(frame, **names).account
    table = rc.read_scores(
        pd.concat([frame, frame[frame["params.model"] == "nb"].assign(**{"params.model": "x"})]),
        missing="drop-classifier", **names,
    )  # fmt: skip
    assert table.failures == ("svm, run svm3: FAILED",)


# Predictions


def test_predictions_of_cases(tmp_path: Path) -> None:
    table = rc.read_scores(FORMATS / "predictions" / "test-set.csv")
    assert (table.classifiers, table.datasets) == (("A", "B"), ("test-set",))
    assert table.design == rc.Holdout(60)
    assert table.account[0].startswith("test-set.csv: predictions, 120 scores")
    comparison = rc.compare(table.pair("A", "B"))
    assert comparison.evidence.method == "mcnemar"
    assert comparison.verdict.outcome == "first better"
    path = tmp_path / "p.csv"
    table = rc.read_scores(write(path, "id,y_true,A,B\n1,1,1.0,0\n2,0,0.0,0\n"))
    assert table.scores[:, 0, 0].tolist() == [[1, 1], [0, 1]]
    refused(
        write(path, "id,y_true,A,B\n1,1,1,0\n1,0,0,0\n2,0,0,0\n"),
        "p.csv, row 3: .* more than one case 1 of one model",
    )
    refused(
        write(path, "y_true,A,B\n,1,1\n0,0,0\n"),
        "row 2, column y_true: expected a class, got an em",
    )
    path = write(path, "y_true,A,B,C\n1,1,,1\n0,0,0,1\n")
    assert rc.read_scores(path, missing="drop-classifier").classifiers == ("A", "C")
    refused(
        write(path, "y_true,A,B\n1,0.93,1\n0,0.1,0\n"), "p.csv, column A: .*probabilities by auc"
    )
    refused(
        write(path, "y_true,A,B\n1,1.0,1\n0,0.1,0\n"), "p.csv, column A: .*probabilities by auc"
    )
    placed = rc.read_scores(write(path, "y_true,fold,A,B\n1,1,1,1\n0,2,0,1\n"))
    assert (placed.classifiers, placed.design) == (("A", "B"), rc.KFold(2))
    alone = rc.read_scores(write(path, "y_true,A\n1,1\n0,1\n"))
    assert (alone.classifiers, alone.design) == (("A",), rc.Holdout(2))


def test_lm_eval_samples(tmp_path: Path) -> None:
    table = rc.read_scores(FORMATS / "lm-eval")
    assert (table.classifiers, table.datasets) == (("model-a", "model-b"), ("arc_easy",))
    assert outcome(table, "model-a", "model-b") == "first better"
    named = rc.read_scores({"x": table_file("model-b"), "y": table_file("model-a")})
    assert named.classifiers == ("x", "y")
    assert (
        named.pair("y", "x").differences.mean()
        == table.pair("model-a", "model-b").differences.mean()
    )

    def samples(name: str, *rows: dict[str, Any]) -> Path:
        return write(tmp_path / name, "\n".join(map(json.dumps, rows)))

    a = samples("a.jsonl", {"doc_id": 1, "exact_match": 1}, {"doc_id": 0, "exact_match": 0})
    b = samples("b.jsonl", {"doc_id": 0, "exact_match": 1}, {"doc_id": 1, "exact_match": 1})
    table = rc.read_scores([a, b])
    assert table.pair("a", "b").differences.tolist() == [0, -1]
    for folder in ("u", "v"):
        hits = (1, 0, 1) if folder == "u" else (1, 1, 0)
        rows = ({"doc_id": i, "acc": hit} for i, hit in enumerate(hits))
        samples(f"tasks/{folder}/samples_one.jsonl", *rows)
        samples(f"tasks/{folder}/samples_two.jsonl", {"doc_id": 0, "acc": 1})
    samples("tasks/w/samples_one.jsonl", *({"doc_id": i, "acc": 1} for i in range(4)))
    samples("tasks/w/samples_two.jsonl", {"doc_id": 0, "acc": 1})
    tasks = rc.read_scores(tmp_path / "tasks", design="datasets")
    alone = tasks.pair("u", "v", dataset="one")
    assert (alone.design, alone.differences.tolist()) == (rc.Holdout(3), [0, -1, 1])
    with pytest.raises(DesignMismatchError, match="u lacks 1 score on 'one'"):
        tasks.pair("u", "w", dataset="one")
    refused(a, "logs of at least two models .* got a.jsonl with a alone")
    short = samples("c.jsonl", {"doc_id": 0, "exact_match": 1})
    with pytest.raises(DesignMismatchError, match="c lacks 1 case"):
        rc.read_scores([a, short]).pair("a", "c")
    table = rc.read_scores([a, b, short], missing="drop-classifier")
    assert table.classifiers == ("a", "b")
    rows = [{"doc_id": 0, "filter": f, "exact_match": m} for f, m in (("strict", 0), ("loose", 1))]
    twice = samples("d.jsonl", *rows)
    other = samples("e.jsonl", *rows)
    assert rc.read_scores([twice, other], metric="exact_match,loose").scores.sum() == 2
    both = "`metric` must be one of exact_match,strict, exact_match,loose, got "
    refused([twice, other], both + "none")
    refused([twice, other], both + "'exact_match,soft'", metric="exact_match,soft")
    refused([a, b], "one of exact_match,none, exact_match, got 'acc'", metric="acc")
    refused(
        [a, write(tmp_path / "f.jsonl", '{"doc_id": 1}\n{no json')],
        "f.jsonl, row 2: expected a JSON value, got",
    )
    tasks = [
        samples(f"{model}/samples_{task}.jsonl", *[{"doc_id": i, "acc": i % k} for i in range(2)])
        for model, k in (("m", 2), ("n", 3)) for task in ("t", "u")
    ]  # fmt: skip
    with pytest.raises(InvalidArgumentError, match="given for 4 cases of 2 datasets, got t, u"):
        rc.read_scores(tasks)
    assert rc.read_scores(tasks, design="datasets").datasets == ("t", "u")
    assert rc.read_scores(tasks, design="cases").design == rc.Holdout(4)


def table_file(model: str) -> Path:
    return next((FORMATS / "lm-eval" / model).iterdir())


# Any text parses or is refused in words

_HEADS = {
    "wide.csv": "dataset,a,b\n",
    "long.csv": "classifier,dataset,run,fold,score\n",
    "weka.csv": "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct\n",
    "weka.arff": "@relation r\n@attribute Key_Dataset string\n@attribute Key_Scheme string\n"
    "@attribute Percent_correct numeric\n@data\n",
    "tsml.csv": "Toy,clf,TEST,0,X\n{}\n0.5,1\n",
    "A_accuracy.csv": "folds:,0,1\n",
    "automl.csv": "task,framework,fold,result,metric,info\n",
    "openml.csv": "flow_name,data_name,values\n",
    "mlflow.csv": "run_id,status,metrics.acc,params.model\n",
    "cv.csv": "params,split0_test_score,split1_test_score\n",
    "predictions.csv": "y_true,a,b\n",
    "samples.jsonl": '{"doc_id": 9, "acc": 1}\n',
}
_KINDS = {  # what the columns of a format hold: names, numbers, a status
    "wide.csv": "n##", "long.csv": "nn###", "weka.csv": "n##nn#", "weka.arff": "nn#", "tsml.csv": "##",
    "A_accuracy.csv": "n##", "automl.csv": "nn##nn", "openml.csv": "nn#", "mlflow.csv": "nf#n",
    "cv.csv": "n##", "predictions.csv": "nnn",
}  # fmt: skip
_PLAIN = {"n": ["a", "b", "c", "d"], "#": ["0", "1", "2", "0.5"], "f": ["FINISHED", "FAILED"]}
_ODD = ["", "nan", "inf", "x y", "'", '"', '"[1, 2]"', "[1", "é", "1e400", "1,", "?", "a"]
_SAMPLES = st.fixed_dictionaries(
    {
        "doc_id": st.integers(0, 8),
        "acc": st.sampled_from([0, 1, 1.0, True]) | st.sampled_from([0, 1, None, "x", 0.5]),
    },
    optional={"filter": st.just("none")},
)


def rows_of(name: str) -> st.SearchStrategy[str]:
    """Draw rows that mostly fit the head of a format, so that its reader gets to see them."""
    if name.endswith(".jsonl"):
        return st.lists(_SAMPLES.map(json.dumps), min_size=1, max_size=3).map("\n".join)
    cells = [st.sampled_from(_PLAIN[kind]) for kind in _KINDS[name]]
    plain = st.tuples(*cells).map(",".join)
    odd = st.tuples(*(cell | st.sampled_from(_ODD) for cell in cells)).map(",".join)
    some = st.lists(plain, min_size=1, max_size=8)
    return (some | st.lists(plain | odd, max_size=8)).map("\n".join)


@pytest.mark.parametrize("name", _HEADS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_text_parses_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    paths = []
    for folder in ("first", "second")[: data.draw(st.integers(1, 2))]:
        rows = data.draw(rows_of(name))
        text = _HEADS[name] + rows
        if data.draw(st.integers(0, 5)) == 5:
            text = data.draw(st.sampled_from([rows, _HEADS[name][:-1]]) | st.text(max_size=60))
        paths.append(tmp_path_factory.getbasetemp() / folder / name)
        paths[-1].parent.mkdir(exist_ok=True)
        encoding = data.draw(st.sampled_from(["utf-8", "latin-1"]))
        paths[-1].write_bytes(text.encode(encoding, "replace"))
    source: Any = paths[0] if len(paths) == 1 else paths
    if name.endswith(".jsonl"):
        source = dict(zip("ab", paths, strict=False))
    with suppress(InvalidArgumentError):
        table = rc.read_scores(
            source,
            missing=data.draw(st.sampled_from(["refuse", "drop-dataset", "drop-classifier"])),
        )
        assert table.account


def test_a_gap_that_all_share_is_told() -> None:
    lines = [f"{m},{d},{f},0.{f}" for m, d in MODELS for f in range(1, 5) if (d, f) != ("d1", 2)]
    table = rc.read_scores(file_of("model,dataset,fold,acc", *lines))
    assert "Fewer than 4 scores per classifier on d1 (3)." in table.account
