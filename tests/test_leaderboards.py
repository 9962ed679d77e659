"""Leaderboards, a row for each model: what is no benchmark, what is better low, and what is asked."""

from pathlib import Path
from typing import Any

import pytest

import replicast as rc
from replicast import InvalidArgumentError
from replicast.errors import Choice
from replicast.reading.slices import read_slices

BENCHMARKS = {
    "MMLU": [89.0, 88.1, 78.7, 61.2],
    "GPQA": [59.0, 57.1, 47.6, 30.9],
    "HellaSwag": [92.0, 92.5, 85.2, 70.4],
    "WinoGrande": [74.1, 73.7, 71.7, 66.3],
    "BoolQ": [85.0, 79.3, 68.5, 71.9],
    "PIQA": [62.6, 63.9, 61.0, 52.2],
}
SPEECH = {
    "LibriSpeech clean": [2.24, 2.46, 3.19, 4.1],
    "TED-LIUM": [11.64, 12.6, 11.9, 13.0],
    "VoxPopuli": [12.92, 12.78, 14.27, 15.2],
    "Fisher": [8.2, 8.9, 9.1, 10.5],
    "AMI": [14.53, 15.51, 16.82, 17.9],
}
MODELS = ["qwen", "falcon", "yi", "olmo"]


def board(columns: dict[str, Any], first: str = "model") -> dict[str, bytes]:
    lines = [",".join([first, *columns])]
    lines += [
        ",".join([model, *(str(cells[at]) for cells in columns.values())])
        for at, model in enumerate(MODELS)
    ]
    return {"board.csv": "\n".join(lines).encode()}


def read(columns: dict[str, Any], **said: Any) -> rc.ScoreTable:
    return rc.read_scores(board(columns), **said)


def asked(source: Any, **said: Any) -> list[tuple[Choice, ...]]:
    """Return the choices of all questions; every answer that is offered first must work."""
    with pytest.raises(InvalidArgumentError) as error:
        rc.read_scores(source, **said)
    questions = [tuple(one.choices) for one in error.value.questions]
    answers = dict(said)
    for first, *_ in questions:
        if first.argument == "where":
            column, _, value = first.value.rpartition("=")
            answers["where"] = {column: value}
        elif first.argument == "greater_is_better":
            answers["greater_is_better"] = first.value == "True"
        else:
            answers[first.argument] = first.value
    rc.read_scores(source, **answers)
    return questions


def test_a_column_that_is_said_to_hold_no_scores_is_left_out_of_a_turned_table() -> None:
    found = read({**BENCHMARKS, "Toxicity": [2.8, 3.5, 7.2, 9.0]}, note_column="Toxicity+MMLU")
    assert found.datasets == tuple(name for name in BENCHMARKS if name != "MMLU")
    assert "Not used, since you said so: Toxicity, MMLU." in found.account


def test_a_column_that_is_said_to_hold_no_scores_is_left_out_of_a_wide_table() -> None:
    text = "dataset,a,b,c\nw,0.9,0.8,0.7\nx,0.8,0.9,0.7\ny,0.7,0.8,0.6\n"
    found = rc.read_scores({"wide.csv": text.encode()}, note_column="c")
    assert found.classifiers == ("a", "b")
    assert "Not used, since you said so: c." in found.account


def test_a_note_about_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="a table with a column Tox"):
        read(BENCHMARKS, note_column="Tox")


LOW = {"WikiText-2 PPL ↓": [6.9, 8.6, 9.9, 14.0], "ToxiGen ⬇": [2.8, 3.5, 4.6, 7.0]}


@pytest.mark.parametrize("said", [{}, {"greater_is_better": True}, {"metric": "accuracy"}])
def test_columns_marked_low_are_never_ranked_as_high(said: dict[str, Any]) -> None:
    source = board({**BENCHMARKS, **LOW})
    [(first, *_)] = asked(source, **said)
    assert first == Choice("note_column", "WikiText-2 PPL ↓+ToxiGen ⬇", first.meaning)
    assert read({**BENCHMARKS, **LOW}, note_column=first.value, **said).datasets == tuple(
        BENCHMARKS
    )


def test_arrows_of_both_ways_are_refused_whatever_is_said() -> None:
    up = {f"{name} ↑": cells for name, cells in BENCHMARKS.items()}
    for said in ({}, {"greater_is_better": True}, {"note_column": "none"}):
        with pytest.raises(InvalidArgumentError, match=r"better high, beside .*, better low") as no:
            read({**up, **LOW}, **said)
        assert all(c.argument == "note_column" for q in no.value.questions for c in q.choices)
    alone = read(up)
    assert (alone.greater_is_better, alone.direction) == (True, "known")
    low = read({f"{name} (lower is better)": cells for name, cells in SPEECH.items()})
    assert not low.greater_is_better


def test_a_note_that_was_given_stays_in_the_next_answer() -> None:
    with pytest.raises(InvalidArgumentError) as error:
        read({**BENCHMARKS, **LOW}, note_column="ToxiGen ⬇")
    assert error.value.choices[0].value == "ToxiGen ⬇+WikiText-2 PPL ↓"


def test_rows_marked_low_are_refused_too() -> None:
    lines = [
        "benchmark,qwen,yi",
        "MMLU,89.0,78.7",
        "GPQA,59.0,47.6",
        "PIQA,62.6,61.0",
        "PPL ↓,6.9,9",
    ]
    source = {"t.csv": "\n".join(lines).encode()}
    [(first, *_)] = asked(source, greater_is_better=True)
    assert (first.argument, first.value) == ("where", "benchmark!=PPL ↓")


BETTER = """benchmark,Better,qwen,yi
MMLU,higher,89.0,78.7
GPQA,higher,59.0,47.6
A,lower,6.9,9.1
B,lower,2.8,4
"""
LONG = "model,benchmark,Direction,score\n" + "".join(
    f"{model},{name},{way},{score}\n"
    for name, way, *scores in (
        ("MMLU", "max", 89, 78),
        ("GPQA", "max", 59, 47),
        ("PPL", "min", 6, 9),
    )
    for model, score in zip(("qwen", "yi"), scores, strict=True)
)


@pytest.mark.parametrize(
    ("text", "where"), [(BETTER, {"Better": "higher"}), (LONG, {"Direction": "max"})]
)
def test_a_column_that_says_which_way_is_better_is_used_or_asked_about(
    text: str, where: dict[str, str]
) -> None:
    source = {"t.csv": text.encode()}
    [(column, value)] = where.items()
    for said in ({}, {"greater_is_better": True}):
        [(first, _)] = asked(source, **said)
        assert (first.argument, first.value) == ("where", f"{column}={value}")
    found = rc.read_scores(source, where=where)
    assert (found.greater_is_better, found.direction, len(found.datasets)) == (True, "known", 2)
    if text is BETTER:
        assert not rc.read_scores(source, where={"Better": "lower"}).greater_is_better


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Platz", [1, 2, 3, 4]),
        ("Place", [2, 1, 3, 4]),
        ("Pos", [4, 2, 3, 1]),
        ("Pos.", [1, 2, 3, 5]),
        ("Position", [1, 1, 3, 4]),
        ("Standing", [1, 2, 3, 4]),
        ("Released", [2024, 2023, 2024, 2022]),
        ("Throughput (tok/s)", [81, 70, 66, 91]),
        ("Context length", [128, 200, 8, 32]),
        ("Price ($/1M tok)", [5.0, 3.0, 0.6, 0.2]),
        ("Preis", [5.0, 3.0, 0.6, 0.2]),
        ("Kontextlänge", [128, 200, 8, 32]),
        ("RTFx ⬆️", [95.2, 75.1, 65.2, 80.3]),
        ("License", ["mit", "mit", "apache", "gpl"]),
        ("Größe", ["34B", "34B", "72B", "7B"]),
        ("z", [1, 2, 3, 4]),
    ],
)
def test_ranks_costs_and_words_are_no_benchmarks(name: str, cells: list[Any]) -> None:
    found = read({name: cells, **BENCHMARKS})
    assert found.datasets == tuple(BENCHMARKS)
    assert f"Not used, since they are no datasets: {name}." in found.account


def test_a_place_in_scores_is_a_dataset() -> None:
    assert "Place" in read({"Place": [81.2, 70.5, 66.1, 59.9], **BENCHMARKS}).datasets


@pytest.mark.parametrize("cells", [[21.5, 2970.1, 1200.0, 880.0], [0.92, 0.9, 0.85, 0.7]])
def test_a_column_on_another_scale_than_the_others_is_one_question(cells: list[float]) -> None:
    source = {**BENCHMARKS, "Zorblax": cells}
    [(first, second)] = asked(board(source))
    assert [one.value for one in (first, second)] == ["Zorblax", "none"]
    assert len(read(source, note_column="none", greater_is_better=True).datasets) == 7


def test_a_measure_among_many_benchmarks_does_not_make_it_a_table_of_measures() -> None:
    source = {"Average WER ⬇️": [10.3, 10.8, 11.5, 12.6], "RTFx ⬆️": [95, 1075, 1652, 80], **SPEECH}
    for said in ({"greater_is_better": False}, {"metric": "WER"}):
        [(first, second)] = asked(board(source), **said)
        assert [one.value for one in (first, second)] == ["AMI", "none"]
        for answer in ({"note_column": "none"}, {"rows": "classifiers"}):
            found = read(source, **said, **answer)
            assert (found.datasets, found.greater_is_better) == (tuple(SPEECH), False)
    others = {
        "ECE": [3.1, 2.2, 4.0, 5.0],
        "Hallucination rate ↓": [4, 5, 6, 8],
        "PPL ↓": [7, 8, 9, 14],
    }
    [(left_out, _)] = asked(board({**BENCHMARKS, **others}))
    assert left_out.value == "+".join(others)
    assert read({**BENCHMARKS, **others}, note_column=left_out.value).datasets == tuple(BENCHMARKS)
    [(first, _)] = asked(board({**BENCHMARKS, "Win rate": [70.1, 60.2, 55.3, 40.4]}))
    assert first.value == "Win rate"


def test_a_wrong_cell_of_a_turned_table_is_named_as_it_stands_in_the_file() -> None:
    cells = {**BENCHMARKS, "GPQA": [59.0, 57.1, "4x7", 30.9]}
    with pytest.raises(InvalidArgumentError, match=r"board.csv, row 4, column GPQA: .*'4x7'"):
        read(cells)


@pytest.mark.parametrize("word", ["k. A.", "k.A.", "n. v.", "K.A."])
def test_german_words_for_a_missing_score(word: str) -> None:
    found = read({**BENCHMARKS, "GPQA": [59.0, word, 47.6, 30.9]})
    assert f"Cells that say '{word}' are missing scores." in found.account


LATEX = r"""\begin{table}\caption{Test accuracy}
\begin{tabular}{llcc}
Domain & Dataset & BERT & Ours\\
\multirow{2}{*}{News} & AGNews & 94.2 & 95.3\\
 & 20NG & 71.4 & 74.6\\
\multirow{2}{*}{Other} & TREC & 96.8 & 97.6\\
 & SUBJ & 97.3 & 98.0\\
\multicolumn{2}{l}{Avg.} & 89.9 & 91.4\\
$\Delta$ vs.\ BERT & & -- & +1.5\\
\end{tabular}\end{table}
"""


def test_a_name_of_several_rows_stands_in_each_and_a_difference_is_no_dataset() -> None:
    found = rc.read_scores({"error.tex": LATEX.encode()})
    assert found.datasets == ("AGNews", "20NG", "TREC", "SUBJ")
    assert any("Avg., Δ vs. BERT in column Domain" in line for line in found.account)
    assert any(
        "higher is better for accuracy (the table's title)" in line for line in found.account
    )
    news = rc.read_scores({"error.tex": LATEX.encode()}, where={"Domain": "News"})
    assert news.datasets == ("AGNews", "20NG")


def test_slices_keep_the_name_of_their_file_and_need_a_table(tmp_path: Path) -> None:
    table = tmp_path / "grades.csv"
    table.write_text("id,topic,a,b\n" + "".join(f"{i},{'xy'[i % 2]},{i},{i}\n" for i in range(4)))
    whole, parts = read_slices([table], "topic")
    with pytest.raises(InvalidArgumentError, match=r"grades\.csv: expected"):
        rc.read_scores(parts["x"], design="cases")
    assert list(whole.columns) == ["id", "a", "b"]
    other = tmp_path / "log.json"
    other.write_text('{"metric_per_case": [], "x": {"y": 1}}')
    with pytest.raises(InvalidArgumentError, match=r"where a file is no table, got .*log\.json"):
        read_slices([other], "topic")


@pytest.mark.parametrize(
    "columns", [("accuracy", "f1", "auc"), ("accuracy", "x1a", "x2b"), ("accuracy", "loss")]
)
def test_one_row_for_each_model_with_its_measures_is_no_comparison(
    columns: tuple[str, ...],
) -> None:
    cells = {name: [0.9, 0.8, 0.7, 0.6] for name in columns}
    with pytest.raises(InvalidArgumentError, match="several scores per classifier") as error:
        read(cells)
    assert not error.value.choices


def test_what_is_left_out_is_left_out_for_its_own_reason() -> None:
    text = "dataset,svm,nb,score\niris,0.61,0.58,0.7\nwine,0.71,0.84,0.8\ntime (s),0.13,0.53,0.4\n"
    account = rc.read_scores({"board.csv": text.encode()}, metric="accuracy").account
    assert "Left out rows that are no scores: time (s) in column dataset." in account
    assert "Not used, since no model is called so: score." in account


@pytest.mark.parametrize("name", ["true", "12e3"])
def test_models_whose_names_were_read_as_values_are_refused(name: str) -> None:
    text = f"question_id,model_a,model_b,winner\nq1,svm,{name},model_a\nq2,svm,{name},tie\n"
    with pytest.raises(rc.ReplicastError, match="model_b"):
        rc.read_scores({"votes.csv": text.encode()})
