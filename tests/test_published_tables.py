"""Tables as papers, leaderboards and notebooks have them: beside scores stand things that are none."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

import replicast as rc
from replicast import InvalidArgumentError
from replicast.reading.vocabulary.cells import parse_numbers

ROWS = ["iris", "wine", "glass", "sonar"]
SVM, RF = ["0.91", "0.92", "0.62", "0.72"], ["0.92", "0.94", "0.65", "0.74"]
OURS = ["0.95", "0.96", "0.66", "0.78"]


def wide(**columns: list[str]) -> str:
    """Write a table with a row for each dataset; `_` in a name stands for a blank."""
    names = [name.replace("_", " ") for name in columns]
    lines = zip(ROWS, *columns.values(), strict=False)
    return "\n".join(",".join(line) for line in [("dataset", *names), *lines])


def read(text: str, name: str = "t.csv", **said: Any) -> rc.ScoreTable:
    return rc.read_scores({name: text.encode()}, **({"metric": "accuracy"} | said))


def refuses(text: str, sentence: str, name: str = "t.csv", **said: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=sentence):
        read(text, name, **said)


@pytest.mark.parametrize(
    ("name", "cells", "why"),
    [
        ("Improvement", ["0.03", "0.02", "0.01", "0.04"], "they compare others"),
        ("Δ", ["+0.03", "+0.02", "+0.01", "+0.04"], "they compare others"),
        ("rel._gain_(%)", ["3.3", "-2.1", "1.5", "5.4"], "they compare others"),
        ("p-value", ["0.03", "0.02", "0.01", "0.04"], "they sum up others"),
        ("p-value_vs._RF", ["0.03", "0.02", "0.01", "0.04"], "they sum up others"),
        ("All", ["0.9267", "0.94", "0.6433", "0.7467"], "they sum up others"),
        ("SVM_Time(s)", ["1.2", "1.6", "1.1", "0.4"], "they are times of other columns"),
        ("SVM_ci95", ["0.02", "0.02", "0.01", "0.04"], "they are spreads of others"),
    ],
)
def test_a_column_made_from_others_is_no_classifier(name: str, cells: list[str], why: str) -> None:
    table = read(wide(SVM=SVM, RF=RF, Ours=OURS, **{name: cells}))
    assert table.classifiers == ("SVM", "RF", "Ours")
    told = f"Not used, since {why}: "
    assert told + name.replace("_", " ") + "." in table.account


def test_a_column_on_another_scale_is_one_question() -> None:
    text = wide(SVM=SVM, RF=RF, Ours=OURS, Vorsprung=["0.03", "0.02", "0.01", "0.04"])
    with pytest.raises(InvalidArgumentError) as asked:
        read(text)
    [question] = asked.value.questions
    assert (question.field, question.choices[0].value) == ("note_column", "Vorsprung")
    table = read(text, note_column="Vorsprung")
    assert table.classifiers == ("SVM", "RF", "Ours")
    assert "Not used, since you said so: Vorsprung." in table.account
    assert len(read(text, note_column="none").classifiers) == 4


def test_a_method_called_time_is_a_method() -> None:
    table = read(wide(Inception=SVM, InceptionTime=RF, LITE=SVM, LITETime=OURS))
    assert len(table.classifiers) == 4  # of the deep learners for time series
    assert len(read(wide(LSTM=SVM, LSTM_Time=RF)).classifiers) == 2
    table = read(wide(LSTM=SVM, LSTM_time=["12", "13", "9.5", "7"], GRU=RF))
    assert table.classifiers == ("LSTM", "GRU")


def test_ends_of_intervals_are_no_classifiers() -> None:
    low, high = [f"{float(x) - 0.02:.2f}" for x in SVM], [f"{float(x) + 0.02:.2f}" for x in SVM]
    table = read(wide(SVM=SVM, SVM_lower=low, SVM_upper=high, RF=RF))
    assert table.classifiers == ("SVM", "RF")


def test_a_method_called_gain_is_a_method() -> None:
    table = read(wide(SVM=SVM, GAIN=RF, Margin=OURS))
    assert table.classifiers == ("SVM", "GAIN", "Margin")


@pytest.mark.parametrize(
    "line",
    ["Time (s),0.5,0.6,0.9", "Params (M),1.2,5.6,0.9", "FLOPs,12,3,4",
     "p-value (vs Ours),0.03,0.1,-", "Average,0.8,0.8,0.8"],
)  # fmt: skip
def test_a_row_of_costs_or_summaries_is_no_dataset(line: str) -> None:
    table = read(wide(SVM=SVM, RF=RF, Ours=OURS) + "\n" + line)
    assert table.datasets == tuple(ROWS)
    assert any(note.startswith("Left out rows that") for note in table.account)


def test_rows_that_mostly_sum_up_are_refused() -> None:
    lines = [
        "name,svm,rf",
        "count,5,5",
        "mean,0.9,0.8",
        "std,0.1,0.1",
        "min,0.7,0.6",
        "p25,0.8,0.7",
    ]
    refuses("\n".join(lines), "mostly rows that sum up others", rows="datasets")


TURNED = (
    "Model,{}\nBERT,84.6,90.5,93.5,89.53\nXLNet,89.8,93.9,95.6,93.1\nRoBERTa,90.2,94.7,96.4,93.77"
)


def test_a_turned_table_has_no_dataset_called_average() -> None:
    for last in ("Avg.", "Average", "Score"):  # the last is the mean, whatever it is called
        table = read(TURNED.format(f"MNLI,QNLI,SST-2,{last}"))
        assert (table.classifiers, table.datasets) == (
            ("BERT", "XLNet", "RoBERTa"),
            ("MNLI", "QNLI", "SST-2"),
        )
    folds = read(TURNED.format("fold_0,fold_1,fold_2,mean"))
    assert folds.design == rc.KFold(3)


def test_columns_that_count_up_are_no_datasets() -> None:
    text = TURNED.replace("Model", "").format("0,1,2,3")
    refuses(text, "`design` must be given", rows="classifiers")
    assert read(text, rows="classifiers", design="kfold:folds=4").design == rc.KFold(4)
    ids = read(TURNED.format("3,31,37,40"), rows="classifiers")
    assert ids.datasets == ("3", "31", "37", "40")  # as OpenML calls its tasks


def test_measures_that_are_better_in_two_ways_are_not_one() -> None:
    text = TURNED.format("WikiText ppl ↓,LAMBADA acc ↑,PIQA acc ↑,ARC acc ↑")
    refuses(text, "WikiText ppl ↓, better low", rows="classifiers")
    refuses(text, "WikiText ppl ↓, better low", rows="classifiers", greater_is_better=True)
    kept = read(text, rows="classifiers", note_column="WikiText ppl ↓")
    assert len(kept.datasets) == 3
    rows = "dataset,svm,rf\nHellaSwag acc,0.9,0.8\nWikiText ppl,0.7,0.6\nARC acc,0.4,0.5"
    refuses(rows, "WikiText ppl, better low", rows="datasets")
    text = TURNED.format("win_rate,lc_win,length,links")
    refuses(text, "a row for each measure", rows="classifiers", metric="win_rate")


def test_rows_of_one_measure_in_a_wide_table() -> None:
    rows = [f"{d},{m},{a},{b}" for d in ("Daily", "Hourly") for m, a, b in
            (("MASE", 3.26, 3.35), ("time", 1.41, 27.61))]  # fmt: skip
    text = "\n".join(["dataset,metric,arima,prophet", *rows])
    refuses(text, r"`metric` must be one of MASE, time", metric=None)
    table = read(text, metric="MASE")
    assert (table.scores.shape, table.greater_is_better) == ((2, 2, 1, 1), False)


def test_counts_beside_fractions_are_asked_about() -> None:
    counts = ["4", "13", "9", "60"]
    refuses(wide(d=counts, SVM=SVM, RF=RF), "got d on another scale than SVM, RF")
    refuses(wide(Imb_ratio=["2.0", "1.5", "8.4", "1.1"], SVM=SVM, RF=RF), "numbers above 1 for Imb")


def test_scores_in_equal_steps_do_not_count_rows() -> None:
    table = read("dataset,svm,rf,nn\niris,90,70,91\nwine,80,80,92\nglass,70,90,93")
    assert table.classifiers == ("svm", "rf", "nn")
    assert read("dataset,level,svm,rf\na,10,70,91\nb,20,81,92\nc,30,90,95").classifiers == (
        "svm",
        "rf",
    )


def test_ranks_are_better_low() -> None:
    text = wide(SVM=["3", "3", "2.5"], RF=["1", "2", "2.5"], Ours=["2", "1", "1"])
    assert not read(text, metric="rank").greater_is_better


def test_folds_of_one_model_are_no_classifiers() -> None:
    text = "train_size,fold0,fold1\n12,0.3,0.4\n24,0.6,0.7\n48,0.9,0.8"
    refuses(text, "got one for each of fold0, fold1")


def test_classes_of_one_test_set_are_asked_about() -> None:
    text = "class,svm,rf\nbenign,0.9,0.8\nmalignant,0.7,0.8"
    refuses(text, "tells classifiers from datasets")
    assert read(text, rows="datasets").datasets == ("benign", "malignant")


def test_measures_of_one_model_beside_its_times() -> None:
    text = "dataset,accuracy_mean,time_training_seconds,time_test_seconds\na,0.9,3,2\nb,0.8,4,1"
    refuses(text, "one model with the measures accuracy_mean")


PANDAS = {
    "styler.tex": r"""
\begin{tabular}{lrr}
model & SVM & RF \\
dataset &  &  \\
iris & 0.91 & \bfseries 0.92 \\
wine & 0.92 & \bfseries 0.94 \\
\end{tabular}
""",
    "two-levels.csv": """
,accuracy,accuracy,log_loss,log_loss
model,SVM,RF,SVM,RF
dataset,,,,
iris,0.91,0.92,0.2,0.3
wine,0.92,0.94,0.2,0.3
""",
    "mean-std.csv": """
,,accuracy,accuracy,f1,f1
,,mean,std,mean,std
dataset,model,,,,
iris,SVM,0.91,0.1,0.8,0.1
iris,RF,0.92,0.1,0.8,0.1
wine,SVM,0.92,0.1,0.8,0.1
wine,RF,0.94,0.1,0.8,0.1
""",
    "mean-std-wide.csv": """
,mean,mean,std,std
model,SVM,RF,SVM,RF
dataset,,,,
iris,0.91,0.92,0.1,0.1
wine,0.92,0.94,0.1,0.1
""",
    "mean-std-turned.csv": """
,mean,mean,std,std
dataset,iris,wine,iris,wine
model,,,,
SVM,0.91,0.92,0.1,0.1
RF,0.92,0.94,0.1,0.1
""",
    "tuples.md": """
| dataset | ('accuracy', 'SVM') | ('accuracy', 'RF') | ('log_loss', 'SVM') | ('log_loss', 'RF') |
|:--------|--------------------:|-------------------:|--------------------:|-------------------:|
| iris    |                0.91 |               0.92 |                 0.2 |                0.3 |
| wine    |                0.92 |               0.94 |                 0.2 |                0.3 |
""",
    "stacked.csv": "dataset,model,0\niris,SVM,0.91\niris,RF,0.92\nwine,SVM,0.92\nwine,RF,0.94\n",
    "names.json": '{"SVM": {"iris": 0.91, "wine": 0.92}, "RF": {"iris": 0.92, "wine": 0.94}}',
    "below.tex": r"""
\begin{tabular}{lll}
Dataset & SVM & RF \\
iris & $0.91_{\pm 0.01}$ & $\mathbf{0.92}_{0.02}$ \\
wine & $0.92_{\pm 0.01}$ & $0.94_{\pm 0.02}$ \\
\end{tabular}
""",
    "spans.tex": r"""
\begin{tabular}{lll}
\multirow{2}{*}{Dataset} & \multicolumn{2}{c}{Accuracy} \\ \cmidrule{2-3}
& SVM & RF \\ \midrule
iris & 0.91 & 0.92 \\
wine & 0.92 & 0.94 \\
\end{tabular}
""",
    "intervals.csv": """
dataset;SVM;RF
iris;0.91 [0.89, 0.93];0.92 (0.90-0.94)
wine;0.92 [0.89, 0.93];0.94 (95% CI 0.90–0.96)
""",
    "merged.html": """
<table><tr><th rowspan="2">Dataset</th><th colspan="2">Accuracy</th></tr><tr><th>SVM</th><th>RF</th></tr>
<tr><td>iris</td><td>0.91</td><td>0.92</td></tr><tr><td>wine</td><td>0.92</td><td>0.94</td></tr></table>
""",
}


@pytest.mark.parametrize("name", PANDAS)
def test_tables_of_pandas_and_of_papers(name: str) -> None:
    table = read(PANDAS[name].lstrip("\n"), name)
    assert (table.classifiers, table.datasets) == (("SVM", "RF"), ("iris", "wine"))
    assert table.scores.ravel().tolist() == [0.91, 0.92, 0.92, 0.94]


def test_a_heading_below_the_names_is_not_theirs() -> None:
    text = "Dataset,SVM,RF\nSmall data,,\niris,0.91,0.92\nwine,0.92,0.94"
    assert read(text).datasets == ("iris", "wine")


def test_a_cell_that_says_it_took_too_long_is_missing() -> None:
    table = read(wide(SVM=SVM, RF=["0.92", ">24h", "> 2 days", "0.74"]))
    assert "Scores are missing for RF on wine, RF on glass." in table.account
    refuses(wide(SVM=SVM, RF=["0.92", "<0.01", "0.65", "0.74"]), "expected a number, got '<0.01'")


def test_names_that_only_count_are_no_datasets() -> None:
    text = ",V1,V2,V3\nrpart,0.9,0.8,0.9\nknn,0.8,0.8,0.7"  # as R writes t(scores)
    refuses(text, "`design` must be given", rows="classifiers")
    assert read(text, rows="classifiers", design="kfold:folds=3").datasets == ("all",)


def test_true_classes_that_caret_calls_obs() -> None:
    rows = [f"{m},{i},{o},{p},Fold{i % 2 + 1}" for m in ("rpart", "lda")
            for i, (o, p) in enumerate(["aa", "ab", "bb", "ba"])]  # fmt: skip
    text = "\n".join(["model,rowIndex,obs,pred,Resample", *rows])
    table = read(text, metric=None)
    assert (table.classifiers, table.design) == (("rpart", "lda"), rc.KFold(2))


def test_measures_of_every_query_by_name() -> None:
    one = '{"q1": {"map": 0.5, "recip_rank": 1.0}, "q2": {"map": 0.4, "recip_rank": 0.5}}'
    other = '{"map": {"q1": 0.3, "q2": 0.2}, "recip_rank": {"q1": 0.5, "q2": 0.25}}'
    for text in (one, other):
        files = {f"{name}.json": text.encode() for name in ("bm25", "dpr")}
        with pytest.raises(InvalidArgumentError, match="key, which may name datasets or cases"):
            rc.read_scores(files, metric="map")
        table = rc.read_scores(files, metric="map", design="cases")
        assert (table.classifiers, table.case_names) == (("bm25", "dpr"), ("q1", "q2"))


def test_a_first_line_of_scores_has_no_names() -> None:
    text = "map\tq1\t0.5000\nndcg\tq1\t0.6\nmap\tq2\t0.4\nndcg\tq2\t0.3"  # as trec_eval writes it
    refuses(text, "a table with names in its first line")
    assert read("dataset,0.5,0.1\niris,0.8,0.9\nwine,0.7,0.6").classifiers == ("0.5", "0.1")


def test_tables_that_print_letters_behind_scores() -> None:
    lines = ["#    Dataset    RF      SVM", "---  ---------  ------  ------"]
    lines += ["a    iris       0.92ᵇᶜ  0.91", "b    wine       0.94 ab  0.92"]
    table = read("\n".join(lines), "t.txt")
    assert (table.classifiers, table.datasets) == (("RF", "SVM"), ("iris", "wine"))
    marked = [f"{a} {b}" for a, b in zip(RF, ("a", "ab", "bc", "abc"), strict=True)]
    assert read(wide(SVM=SVM, RF=marked)).scores[1].ravel().tolist() == [0.92, 0.94, 0.65, 0.74]


def test_a_leaderboard_is_turned_without_what_is_no_score() -> None:
    names = "Mean win rate,MMLU - EM,BoolQ - EM,DROP - F1,MMLU - inference time (s)"
    rows = ["A,0.9,0.5,0.7,0.6,3.1", "B,0.7,0.45,0.72,0.62,1.1", "C,0.5,0.3,0.6,0.5,0.4"]
    text = "\n".join([f"Model,{names}", *rows])
    table = read(text, metric=None)
    assert (table.greater_is_better, table.direction) == (True, "assumed")
    assert table.datasets == ("MMLU - EM", "BoolQ - EM", "DROP - F1")


def test_a_share_has_no_unit_and_is_not_above_100() -> None:
    def text(last: str, cells: tuple[str, ...]) -> str:
        rows = [f"{'ABC'[i]},7{i}.5,8{i}.2,6{i}.1,{cell}" for i, cell in enumerate(cells)]
        return "\n".join([f"Model,MMLU,ARC,DROP,{last}", *rows])

    large = text("Dimensions of it", ("1024", "768", "768"))
    refuses(large, "numbers above 100 among shares", rows="classifiers")
    assert len(read(large, rows="classifiers", metric="rmse").datasets) == 4
    priced = read(text("CO₂ cost (kg)", ("1.2", "12.4", "3.3")), rows="classifiers")
    assert priced.datasets == ("MMLU", "ARC", "DROP")
    assert "Not used, since they are no datasets: CO₂ cost (kg)." in priced.account


def test_a_curve_of_training_is_told() -> None:
    refuses("Wall time,Step,Value\n1.6e9,0,0.1\n1.6e9,1,0.2\n1.7e9,2,0.3", "a row for each Step")


def test_markdown_with_short_rules_and_footnotes() -> None:
    rows = "| iris [^2] | 0.91 | **0.92*** |\n| wine | 0.92 | 0.94† |"
    text = f"| Dataset | SVM[^1] | RF |\n|:-|:-:|-:|\n{rows}"
    table = read(text, "t.md")
    assert (table.classifiers, table.datasets) == (("SVM", "RF"), ("iris", "wine"))
    assert table.scores.ravel().tolist() == [0.91, 0.92, 0.92, 0.94]


def test_rows_of_intervals_are_no_folds() -> None:
    text = "fold,A,B\n1,0.9,0.8\n2,0.7,0.8\n3,0.6,0.5\nMedian (IQR),0.7,0.8\n95% CI,0.1,0.1"
    assert read(text).design == rc.KFold(3)
    refuses(text + "\nour guess,0.9,0.8", "expected a number as in other rows, got 'our guess'")


def test_signs_for_spreads_are_read() -> None:
    text = "dataset,A,±,B,±.1\niris,0.9,0.02,0.8,0.03\nwine,0.7,0.02,0.8,0.03"
    assert read(text).classifiers == ("A", "B")
    text = "dataset,A μ,A σ,B μ,B σ\niris,0.9,0.02,0.8,0.03\nwine,0.7,0.02,0.8,0.03"
    assert "Not used, since they are spreads of others: A σ, B σ." in read(text).account


def test_datasets_with_0_or_1_are_cases() -> None:
    rows = [f"{m},HumanEval/{i},{bool(i % k)}" for m, k in (("a", 2), ("b", 3)) for i in range(6)]
    text = "\n".join(["model,task_id,passed", *rows])
    assert read(text, metric=None).design == rc.Holdout(6)
    assert len(read(text, metric=None, design="datasets").datasets) == 6
    text = "task,a,b\nt1,1,0\nt2,0,0\nt3,1,1"
    assert read(text).case_names == ("t1", "t2", "t3")


def test_settings_are_no_classifiers_and_no_folds() -> None:
    for name, values in (("noise", (0.1, 0.2)), ("n_shot", (0, 5)), ("mode", ("gen", "ppl"))):
        cells = [(d, v) for d in ("iris", "wine") for v in values]
        rows = [f"{d},{v},0.9{i},0.8{i}" for i, (d, v) in enumerate(cells)]
        text = "\n".join([f"dataset,{name},svm,rf", *rows])
        refuses(text, f"got {name}")
        assert read(text, where={name: str(values[0])}).scores.shape == (2, 2, 1, 1)


def test_what_stands_beside_predictions_is_not_one() -> None:
    names = "id,text,y_true,svm_pred,rf_pred,svm_proba,rf_proba,radius"
    rows = ["1,good,1,1,0,0.9,0,1.5", "2,bad,0,0,0,0.2,0,2.5", "3,meh,1,1,1,0.8,1,3.5"]
    table = read("\n".join([names, *rows]), metric=None)
    assert table.classifiers == ("svm", "rf")
    assert "Not used: text, svm_proba, rf_proba, radius." in table.account


def test_records_in_records() -> None:
    rows = [f'{{"model": "{m}", "dataset": "{d}", "scores": {{"acc": 0.{i}}}}}'
            for i, (m, d) in enumerate((m, d) for m in "ab" for d in "xy")]  # fmt: skip
    table = read("\n".join(rows), "t.jsonl", metric="acc")
    assert (table.classifiers, table.datasets) == (("a", "b"), ("x", "y"))


def test_scales_are_checked_of_those_that_are_left() -> None:
    text = "dataset,nn,svm,rf\niris,,0.9,92.5\nwine,0.8,0.7,81\nglass,0.7,0.6,70"
    refuses(text, "numbers above 1 for rf", missing="drop-classifier")


def test_resamples_in_files_that_are_called_anything() -> None:
    text = "dataset,0,1,2\nACSF1,0.92,0.83,0.84\nAdiac,0.81,0.8,0.77"
    files = {f"accuracy_{name}_resamples.csv": text.encode() for name in ("rocket", "quant")}
    table = rc.read_scores(files, metric="accuracy")
    assert (table.classifiers, table.scores.shape) == (("rocket", "quant"), (2, 2, 1, 1))
    refuses(text, "Give a second file too", "accuracy_resamples_ucr.csv")


def test_a_time_is_known_by_its_unit() -> None:
    text = (
        "dataset,accuracy,time_transform_test_seconds,time_fit_model_seconds\na,0.9,3,2\nb,0.8,4,1"
    )
    refuses(text, "one model with the measures accuracy")


def test_a_column_called_mean_is_no_classifier() -> None:
    assert read(wide(SVM=SVM, RF=RF, Mean=["0.915", "0.93", "0.64", "0.73"])).classifiers == (
        "SVM",
        "RF",
    )


def test_several_measures_of_every_dataset_in_a_turned_table() -> None:
    rows = ["SVM,0.9,0.8,0.7,0.6", "RF,0.91,0.81,0.72,0.63", "NB,0.8,0.7,0.6,0.5"]
    for head in ("Model,iris,,wine,\n,Acc,F1,Acc,F1", "Model,iris_Acc,iris_F1,wine_Acc,wine_F1"):
        text = "\n".join([head, *rows])
        refuses(text, "`metric` must be one of Acc, F1", metric=None)
        table = read(text, metric="F1")
        assert (table.classifiers, table.datasets) == (("SVM", "RF", "NB"), ("iris", "wine"))
        assert table.scores[0].ravel().tolist() == [0.8, 0.6]


def test_latex_of_papers() -> None:
    cells = [r"92.1{\scriptsize$\pm$0.3}", r"92.1\textsubscript{$\pm$0.3}", r"\num{92.1}",
             r"$92.1^{+0.3}_{-0.2}$", r"92.1 $\uparrow$", r"\SI{92.1}{\percent}", r"92.1$^{\dagger}$",
             r"92.1\hphantom{$^{ab}$}", r"{\bf 92.1} (+1.3)", r"$92.1_{(0.3)}$"]  # fmt: skip
    rows = "".join(rf"d{i}~\cite{{x}} & {cell} & 8{i}.5 \\" for i, cell in enumerate(cells))
    head = (
        r"\thead{Data\\set} & SVM \citep[see][]{svm} & \rotatebox[origin=c]{90}{RF}\footnotemark \\"
    )
    table = read(rf"\begin{{tabular}}{{lll}}{head}{rows}\end{{tabular}}", "t.tex", rows="datasets")
    assert table.classifiers == ("SVM", "RF")
    assert table.datasets == tuple(f"d{i}" for i in range(len(cells)))
    assert set(table.scores[0].ravel()) == {92.1}


@pytest.mark.parametrize("cell", ["92.1 (sd=0.3)", "92.1 (SD 0.3)", "92.1 (0.3)", "92.1 +/- 0.3"])
def test_spreads_behind_scores(cell: str) -> None:
    table = read(wide(SVM=[cell] * 4, RF=[f"9{i}.4 ± 0.2" for i in (1, 5, 3, 9)]))
    assert table.spreads is not None
    assert table.spreads[0].ravel().tolist() == [0.3] * 4


@pytest.mark.parametrize("cell", ["92.1 (3)", "92.1 (+0.4)", "92.1 (-1.2)", "92.1 [90.1; 94.2]"])
def test_ranks_and_differences_in_brackets_are_no_spreads(cell: str) -> None:
    table = read(wide(SVM=[cell] * 4, RF=["93.4", "95.1", "91.2", "99.0"]))
    assert table.scores[0].ravel().tolist() == [92.1] * 4
    assert table.spreads is None
    assert "What stands in brackets behind scores is no spread, and was not kept." in table.account


def test_folds_in_columns_of_a_long_table() -> None:
    means = {"a,svm": 0.90, "a,rf": 0.92, "b,svm": 0.80, "b,rf": 0.82}
    rows = [
        f"{key},{m:.2f},{m + 0.01:.2f},{m + 0.02:.2f},{m + 0.01:.2f}" for key, m in means.items()
    ]
    table = read("\n".join(["dataset,model,fold1,fold2,fold3,mean", *rows]))
    assert (table.design, table.scores.shape) == (rc.KFold(3), (2, 2, 1, 3))
    assert table.scores[1, 0].ravel().tolist() == [0.92, 0.93, 0.94]
    table = read("\n".join(["dataset,model,seed 1,seed 2,seed 3,mean", *rows]))
    assert (table.datasets, table.scores.shape) == (("a", "b"), (2, 2, 1, 1))


SIX = (("glass", 0.70, 0.68), ("sonar", 0.81, 0.77), ("iris", 0.95, 0.93), ("vote", 0.96, 0.95),
       ("heart", 0.82, 0.79), ("wine", 0.85, 0.82))  # fmt: skip


def table_of(rows: Sequence[tuple[str, float, float]]) -> str:
    lines = [f"{name},{new:.2f},{old:.2f}" for name, new, old in rows]
    return "\n".join(["dataset,new,old", *lines, ""])


@pytest.mark.parametrize("at", range(6))
def test_a_dataset_that_the_mean_of_the_others_rounds_to_stays(at: int) -> None:
    rows = list(SIX[:5])
    rows.insert(at, SIX[5])
    found = read(table_of(rows))
    assert found.datasets == tuple(name for name, *_ in rows)
    less = read(table_of(rows), where={"dataset!": "wine"})
    assert sorted(less.datasets) == sorted(name for name, *_ in SIX[:5])
    assert "Kept 5 rows with dataset other than wine." in less.account


def test_a_mean_that_is_called_so_is_left_out() -> None:
    assert len(read(table_of([*SIX[:5], ("Mean", 0.85, 0.82)])).datasets) == 5


def test_a_zero_at_the_end_widens_nothing() -> None:
    """0.80 is read as 0.8, and is no mean of 0.805 for that."""
    rows = [(f"d{i}", new, 0.8) for i, new in enumerate([0.81] * 9 + [0.79] * 2 + [0.8] * 3)]
    assert len(read(table_of(rows)).datasets) == 14


def test_by_chance_a_mean_is_seldom_taken_for_one() -> None:
    """No table of 200 loses a dataset: 2% of such tables did, where a last row agreed."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        old = rng.uniform(0.7, 0.95, 10)
        new = (old + rng.normal(0.01, 0.02, 10)).clip(0, 1)
        rows = [(f"d{i}", a, b) for i, (a, b) in enumerate(zip(new, old, strict=True))]
        assert len(read(table_of(rows)).datasets) == 10


def test_a_method_between_two_others_is_no_mean_of_them() -> None:
    between = ["0.92", "0.93", "0.64", "0.73"]
    assert read(wide(SVM=SVM, RF=RF, Ours=between)).classifiers == ("SVM", "RF", "Ours")


@pytest.mark.parametrize("form", ["**{}** ± {}", "*{}* ± {}", "**{}** (±{})", "**{}**±**{}**",
                                  "***{}*** ({})", "_{}_ ± {}", "__{}__ ± {}", "`{}` ± {}", "{}* ± {}",
                                  "**{} ± {}**"])  # fmt: skip
@pytest.mark.parametrize("between", ["|", ",", "\t", "   "])
def test_the_best_score_may_be_bold_without_its_spread(form: str, between: str) -> None:
    means, spreads = (80.6, -1.25, 71.0), (0.3, 1.1, 0.25)
    bold = [form.format(*cells).replace("-", "−") for cells in zip(means, spreads, strict=True)]
    rows = [between.join((d, one, "70.1 ± 0.2")) for d, one in zip(ROWS, bold, strict=False)]
    rule = ["---|---|---"] if between == "|" else []
    table = read("\n".join([between.join(("dataset", "SVM", "RF")), *rule, *rows]), metric="r2")
    assert table.scores[0].ravel().tolist() == list(means)
    assert table.spreads is not None
    assert table.spreads[0].ravel().tolist() == list(spreads)


@pytest.mark.parametrize("cell", ["2*3", "2*3*4", "1_000_", "80.6_0.3", "a*80.6*", "*80.6*0.3"])
def test_marks_between_digits_are_no_emphasis(cell: str) -> None:
    assert parse_numbers(pd.Series([cell])).wrong.all()


def test_a_missing_score_may_be_bold() -> None:
    assert parse_numbers(pd.Series(["**n/a**", "*-*"])).absent == ("**n/a**", "*-*")


def test_signs_of_a_minus_are_read_in_every_kind_of_table() -> None:
    rows = [("iris", "−0.31", "0.2"), ("wine", "0.1", "–0.25"), ("glass", "-0.05", "−0.15")]
    lines = [("dataset", "SVM", "RF"), *rows]
    rule = ("---", "---", "---")
    for name, text in {
        "t.csv": "\n".join(map(",".join, lines)),
        "t.tsv": "\n".join(map("\t".join, lines)),
        "t.txt": "\n".join(map("   ".join, lines)),
        "t.md": "\n".join(map("|".join, [lines[0], rule, *rows])),
        "t.tex": "\n".join(" & ".join(line) + r" \\" for line in lines),
        "de.csv": "\n".join(";".join(line).replace(".", ",") for line in lines),
    }.items():
        table = read(text, name, metric="mcc")
        assert table.scores.ravel().tolist() == [-0.31, 0.1, -0.05, 0.2, -0.25, -0.15], name
