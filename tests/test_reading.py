"""Wide and long tables become score tables; broken ones get a sentence."""

import json
import re
import signal
from pathlib import Path

import numpy as np
import pytest

import replicast as rc
from replicast import InvalidArgumentError
from replicast.reading.syntaxes.grids import sheet_of_lines


def write(folder: Path, text: str, name: str = "scores.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_wide_over_datasets(tmp_path: Path) -> None:
    path = write(tmp_path, "dataset,svm,nb\niris,0.9,0.8\nvote,0.7,0.6\n")
    table = rc.read_scores(path, metric="accuracy")
    assert (table.classifiers, table.datasets) == (("svm", "nb"), ("iris", "vote"))
    assert table.design == rc.Datasets(2)
    assert table.pair("svm", "nb").first.tolist() == [0.9, 0.7]
    assert table.account == (
        "scores.csv: wide table, 4 scores of 2 classifiers (svm, nb) on 2 datasets.",
        "Design: 2 datasets (from the table).",
        "Scores: fractions; higher is better for accuracy.",
    )


def test_wide_with_an_unnamed_first_column(tmp_path: Path) -> None:
    path = write(tmp_path, ";svm;nb\niris;0.9;0.8\nvote;0.7;0.6\n")
    table = rc.read_scores(path, metric="accuracy")
    assert table.datasets == ("iris", "vote")


def test_wide_folds_need_a_design(tmp_path: Path) -> None:
    path = write(tmp_path, "svm,nb\n0.9,0.8\n0.8,0.7\n0.9,0.6\n", "accuracy.csv")
    assert rc.read_scores(path, design=rc.KFold(3)).pair("svm", "nb").design == rc.KFold(3)
    with pytest.raises(InvalidArgumentError, match="Say `design='kfold:folds=3'`"):
        rc.read_scores(path)
    with pytest.raises(
        InvalidArgumentError, match=r"a design with 3 scores, as accuracy.csv has rows, got"
    ):
        rc.read_scores(path, design=rc.KFold(10))
    assert rc.read_scores(path, design=rc.Datasets()).datasets == ("row 1", "row 2", "row 3")
    long = write(tmp_path, "classifier,accuracy\na,1\na,2\nb,1\nb,3\n")
    with pytest.raises(InvalidArgumentError, match="name the datasets in a column called dataset"):
        rc.read_scores(long, design=rc.Datasets())


def test_wide_folds_of_several_datasets(tmp_path: Path) -> None:
    rows = "".join(f"{d},{f},{0.1 * f},{0.2}\n" for d in ("a", "b") for f in (1, 2, 3))
    table = rc.read_scores(write(tmp_path, "dataset,fold,svm,nb\n" + rows), metric="acc")
    assert table.scores.shape == (2, 2, 1, 3)
    assert table.pair("svm", "nb", dataset="b").first == pytest.approx([0.1, 0.2, 0.3])
    assert table.pair("svm", "nb").design == rc.Datasets(2)


def test_long_with_runs_folds_and_sizes_in_any_order(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [
        f"{c},iris,{r},{f},{10 * r + f + (c == 'nb')},90,10"
        for c in ("svm", "nb") for r in range(1, 4) for f in range(1, 6)
    ]  # fmt: skip
    rng.shuffle(rows)
    text = "classifier,dataset,run,fold,accuracy,n_train,n_test\n" + "\n".join(rows)
    pair = rc.read_scores(write(tmp_path, text)).pair("nb", "svm")
    assert pair.design == rc.RepeatedKFold(runs=3, folds=5)
    assert pair.second.tolist() == [10 * r + f for r in range(1, 4) for f in range(1, 6)]
    assert (pair.differences == 1).all()


def test_long_five_by_two_and_random_splits(tmp_path: Path) -> None:
    rows = [f"{c},{r},{f},{r + f}" for c in "ab" for r in range(5) for f in range(2)]
    table = rc.read_scores(write(tmp_path, "model,run,fold,accuracy\n" + "\n".join(rows)))
    assert table.design == rc.FiveByTwo()
    rows = [f"{c},{r},{r},80,20" for c in "ab" for r in range(6)]
    table = rc.read_scores(write(tmp_path, "model,run,accuracy,n_train,n_test\n" + "\n".join(rows)))
    assert table.design == rc.RandomSplits(splits=6, n_train=80, n_test=20)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "`source` must be a table of scores, got scores.csv, an empty file."),
        ("  \n", "`source` must be a table of scores, got scores.csv, an empty file."),
        ("dataset,svm,nb\n", "`source` must be a table with at least one row of scores, got"),
        ("a\0b,c\n", "`source` must be a text file, got scores.csv, which holds binary data."),
        (
            "dataset,svm\niris,0.9\n",
            "`source` must be a table with a column for each of at least two",
        ),
        (
            "dataset,svm,nb\niris,0.9,0.8\nvote,x1,0.7\nwine,1,1\n",
            "scores.csv, row 3, column svm: expected a number, got 'x1'. Remove the row",
        ),
        (
            "dataset,svm,nb\niris,0.9,inf\nvote,0.8,0.7\n",
            "scores.csv, row 2, column nb: expected a number, got",
        ),
        (
            "classifier,dataset,score\nsvm,iris,0.9\nsvm,iris,0.8\nnb,iris,0.8\nnb,iris,0.7\n",
            "`design` must be given when nothing says what the 2 scores",
        ),
        (
            "classifier,dataset,fold,score\nsvm,iris,1,0.9\nsvm,iris,1,0.8\nnb,iris,1,0.8\n",
            "scores.csv, row 3: expected one score for each classifier, dataset, run and fold, got more",
        ),
        ("a,b\n1,2\n1,2,3,4\n", "`source` must be a table with as many cells in every row, got"),
    ],
)
def test_broken_files_get_their_sentence(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(text.encode())
    with pytest.raises(InvalidArgumentError) as error:
        rc.read_scores(path)
    assert str(error.value).startswith(message)


def test_latin_1_and_missing_files(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes("dataset,süd,nb\niris,0.9,0.8\nvote,0.9,0.7\n".encode("latin-1"))
    table = rc.read_scores(path, metric="accuracy")
    assert table.classifiers == ("süd", "nb")
    note = "scores.csv is not UTF-8 and was read as Latin-1; check names with accents."
    assert table.account[-1] == note
    path.write_bytes(b"\xef\xbb\xbf" + "dataset,süd,nb\niris,0.9,0.8\nvote,0.9,0.7\n".encode())
    table = rc.read_scores(path, metric="accuracy")
    assert (table.classifiers, table.datasets) == (("süd", "nb"), ("iris", "vote"))
    with pytest.raises(InvalidArgumentError, match=r"nowhere.csv: No such file or directory"):
        rc.read_scores(tmp_path / "nowhere.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidArgumentError, match=r"a folder with results, got empty without"):
        rc.read_scores(tmp_path / "empty")


def test_texts_are_read_as_they_stand_where_pieces_of_a_large_file_look_like_numbers(
    tmp_path: Path,
) -> None:
    """pandas reads large files in pieces; 600 columns make a piece of 1,024 rows."""
    datasets = [f"{i:04d}" for i in range(600)] + [f"d{i}" for i in range(900)]
    rows = [f"{name},{one},0.9{',' * 597}" for one in datasets for name in ("svm", "nb")]
    names = ["classifier", "dataset", "accuracy", *(f"x{i}" for i in range(597))]
    path = write(tmp_path, "\n".join([",".join(names), *rows]) + "\n")
    assert rc.read_scores(path).datasets == tuple(datasets)


def test_a_blank_before_a_quoted_cell_is_no_part_of_it(tmp_path: Path) -> None:
    plain = write(tmp_path, 'classifier,dataset,accuracy\n"a",x,0.9\n"b",x,0.8\n"a",y,1\n"b",y,0\n')
    blank = write(tmp_path, plain.read_text().replace(",", ", ").replace('\n"', '\n "'), "b.csv")
    first, second = rc.read_scores(plain), rc.read_scores(blank)
    assert first.classifiers == second.classifiers == ("a", "b")
    assert first.scores.tolist() == second.scores.tolist()


def test_infinite_numbers_in_a_key_get_their_sentence(tmp_path: Path) -> None:
    text = "classifier,dataset,run,fold,accuracy\na,x,0,0,0.5\na,x,0,inf,0.5\na,x,0,1e400,0.5\n"
    with pytest.raises(InvalidArgumentError):
        rc.read_scores(write(tmp_path, text))


def test_names_with_blanks_never_shift_the_scores(tmp_path: Path) -> None:
    """Four words over three cells: `SVM` was once left out, and its scores went to `Method`."""
    rows = ["iris   **96.0%**   94.0%", "vote   97.1%   95.2%", "sonar  81.0%   80.1%"]
    file = tmp_path / "pasted.txt"
    file.write_text("\n".join(["dataset   Our Method   SVM", *rows]), encoding="utf-8")
    table = rc.read_scores(file, metric="accuracy")
    assert table.classifiers == ("Our Method", "SVM")
    assert table.scores[:, 0, 0, 0].tolist() == [96.0, 94.0]
    narrow = [" ".join(row.split()) for row in ["dataset Our Method SVM", *rows]]
    for lines in (narrow, ["dataset   Our Method   SVM", *rows[:2], narrow[3]]):
        file.write_text("\n".join(lines), encoding="utf-8")
        with pytest.raises(rc.InvalidArgumentError, match="in two ways"):
            rc.read_scores(file, metric="accuracy")


@pytest.mark.parametrize(
    "above",
    [
        "Table 3. Accuracy on three datasets (best in bold).",
        "Table 3. Accuracy on three\ndatasets (best in bold).",
        "The best of each line is bold",
        "Table 3: Accuracy",  # as many words as there are columns behind the names of the rows
    ],
)
@pytest.mark.parametrize("blanks", [" ", "   "])
def test_a_caption_above_a_pasted_table_is_asked_about(
    tmp_path: Path, above: str, blanks: str
) -> None:
    rows = ["dataset A B C", "iris **96%** 94% 93%", "vote 97% 95% 94%", "sonar 81% 80% 79%"]
    file = tmp_path / "pasted.txt"
    text = "\n".join(rows).replace(" ", blanks)
    file.write_text(f"{above}\n{text}", encoding="utf-8")
    with pytest.raises(rc.InvalidArgumentError, match="Put commas or tabs between columns"):
        rc.read_scores(file, metric="accuracy")
    file.write_text(text, encoding="utf-8")
    assert rc.read_scores(file, metric="accuracy").classifiers == ("A", "B", "C")


@pytest.mark.parametrize("row", ["iris   0.9±0.1   0.8±0.1", "iris   -   -", "iris   0.9   0.8"])
def test_names_between_single_blanks_are_no_title(tmp_path: Path, row: str) -> None:
    file = tmp_path / "pasted.txt"
    text = f"dataset Our Method SVM\n{row}\nvote   0.9   0.7\nzoo   0.8   0.7\nlung   0.5   0.4\n"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(rc.InvalidArgumentError):
        rc.read_scores(file, metric="accuracy")


PRINTED = """\
dataset      C4.5   Unnamed: 0
1 234        0.610  0.585
0 0          0.113  0.848
top 5 % now  0.523  0.149
"""


def test_names_of_several_words_in_columns_that_line_up() -> None:
    """`1 234` were once two cells, as the names were, and `top 5 % now` lost a blank."""
    table = rc.read_scores({"table.txt": PRINTED.encode()}, metric="accuracy")
    assert table.classifiers == ("C4.5", "Unnamed: 0")
    assert table.datasets == ("1 234", "0 0", "top 5 % now")
    marked = PRINTED.replace("Unnamed: 0", "% x")
    table = rc.read_scores({"table.txt": marked.encode()}, metric="accuracy")
    assert table.classifiers == ("C4.5", "% x")  # no 4.5 %
    either = "my data  svm  nb\n00 0000  0.6  0.5\n11 1111  0.1  0.8\n"
    ragged = "x  svm  nb 2\n10 0  0.6  0.5\n1 100  0.1  0.8\n"
    for text in (either, ragged):
        with pytest.raises(InvalidArgumentError, match="in two ways"):
            rc.read_scores({"table.txt": text.encode()}, metric="accuracy")
    told = re.sub("  +", ",", either).encode()
    assert rc.read_scores({"table.txt": told}, metric="accuracy").datasets == ("00 0000", "11 1111")


def test_a_row_between_blanks_that_begins_like_a_remark_is_asked_about() -> None:
    for mark in ("//", "%"):
        text = f"dataset  Our Method  SVM\n{mark} x  0.6  0.5\nan old one  0.1  0.8\n#0  0.3  0.4\n"
        with pytest.raises(InvalidArgumentError, match="line 2, which may be either: "):
            rc.read_scores({"table.txt": text.encode()}, metric="accuracy")
        plain = text.replace(f"{mark} ", "").encode()
        found = rc.read_scores({"table.txt": plain}, metric="accuracy")
        assert found.datasets == ("x", "an old one", "#0")


def test_datasets_called_train_and_test_are_asked_about() -> None:
    rows = "".join(
        f"{c},{d},{f},0.{f}\n" for c in "ab" for d in ("train", "Test") for f in (1, 2, 3)
    )
    raw = {"s.csv": f"model,dataset,fold,accuracy\n{rows}".encode()}
    remedy = "Say which with `where={'dataset': '...'}`"
    with pytest.raises(InvalidArgumentError, match=re.escape(remedy)):
        rc.read_scores(raw)
    assert rc.read_scores(raw, dataset_column="dataset").datasets == ("train", "Test")
    assert rc.read_scores(raw, where={"dataset": "Test"}).datasets == ("Test",)
    parts = {"s.csv": raw["s.csv"].replace(b"dataset", b"part", 1)}
    assert "Only the 6 rows with part = test were used, of 12." in rc.read_scores(parts).account


def test_names_between_single_blanks_stand_over_rows_between_wide_ones(tmp_path: Path) -> None:
    """The names were once taken as a title, and the first row as names."""
    file = tmp_path / "pasted.txt"
    text = "dataset A B\niris   0.9   0.8\nvote   0.9   0.7\nzoo   0.8   0.7\n"
    file.write_text(text, encoding="utf-8")
    table = rc.read_scores(file, metric="accuracy")
    assert (table.classifiers, table.datasets) == (("A", "B"), ("iris", "vote", "zoo"))


# --------------------------------------------------------------------------- said as it was read


def written(*lines: str) -> dict[str, bytes]:
    return {"t.csv": "\n".join(lines).encode()}


def test_a_design_of_folds_is_refused_where_every_dataset_has_one_score() -> None:
    file = written("dataset,a,b", "iris,0.9,0.8", "wine,0.8,0.7", "vote,0.9,0.7")
    sentence = "datasets, where 3 datasets have one score each, got 5-fold cross-validation"
    with pytest.raises(InvalidArgumentError, match=sentence):
        rc.read_scores(file, metric="accuracy", design="kfold:folds=5")


def test_clusters_that_are_used_are_not_called_unused() -> None:
    lines = [f"{i},p{i % 3},{i % 2},{(i + 1) % 2}" for i in range(12)]
    table = rc.read_scores(written("case,passage,new,old", *lines), metric="accuracy")
    assert table.clusters is not None
    assert not any("Not used" in line for line in table.account)
    folds = [f"{i},p{i % 3},0.{80 + i},0.{70 + i}" for i in range(10)]
    table = rc.read_scores(written("fold,passage,new,old", *folds), metric="accuracy")
    assert "Not used: passage." in table.account


def test_a_column_that_looks_like_an_index_is_named_and_can_be_asked_for() -> None:
    lines = [f"d{i},{80 + i},{70 + i % 3}" for i in range(8)]
    file = written("dataset,new,old", *lines)
    with pytest.raises(InvalidArgumentError, match="old alone holds scores"):
        rc.read_scores(file, metric="accuracy")
    table = rc.read_scores(file, metric="accuracy", classifiers=["new", "old"])
    assert table.classifiers == ("new", "old")


def test_rows_in_percent_beside_rows_in_fractions_are_refused() -> None:
    mixed = ["d0,82.0,78.1", "d1,83.1,75.2", "d2,0.944,0.845", "d3,0.881,0.755"]
    with pytest.raises(InvalidArgumentError, match="numbers above 1 and fractions for others"):
        rc.read_scores(written("dataset,new,old", *mixed), metric="accuracy")
    with pytest.raises(InvalidArgumentError, match="numbers above 1 and fractions for others"):
        rc.read_scores(written("dataset,new,old", *mixed[:3]), metric="accuracy")
    hard = ["d0,82.0,78.1", "d1,83.1,75.2", "d2,0.3,0.4", "d3,88.1,75.5"]  # 0.3% may be meant
    assert rc.read_scores(written("dataset,new,old", *hard), metric="accuracy").datasets[2] == "d2"


BOARD = {"MMLU": 77.0, "GSM8K": 71.6, "HumanEval": 83.7, "ARC": 73.7, "HellaSwag": 82.0}


def board(**more: list[float]) -> rc.ScoreTable:
    """Read a leaderboard: a row for each model, a column for each benchmark, and others beside them."""
    head = ["model", *BOARD, *(name.replace("_", " ") for name in more)]
    lines = [",".join(head)]
    for at, model in enumerate(("GPT-4o", "Claude", "Llama", "Qwen")):
        cells = [f"{value - 3.1 * at:.1f}" for value in BOARD.values()]
        lines.append(",".join([model, *cells, *(str(column[at]) for column in more.values())]))
    return rc.read_scores({"board.csv": "\n".join(lines).encode()}, greater_is_better=True)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Price", [5.0, 3.0, 0.6, 0.2]),
        ("Price per 1M tokens", [5.0, 3.0, 0.6, 0.2]),
        ("Votes", [1000, 812, 95, 1200]),
        ("GPU hours", [70, 80, 61, 90]),
        ("Memory (GB)", [70, 80, 61, 90]),
        ("Energy (kWh)", [5, 4, 3, 8]),
        ("Speed", [140, 120, 300, 211]),
        ("tokens/s", [40, 70, 61, 90]),
        ("Elo", [1200, 1180, 1100, 1090]),
        ("Cost ($)", [5.0, 3.0, 0.6, 0.2]),
        ("Cost", [5.0, 3.0, 0.6, 0.2]),
        ("Throughput", [40, 70, 61, 90]),
        ("Params", [70, 8, 405, 72]),
        ("Year", [2024, 2024, 2023, 2025]),
        ("Context", [128, 200, 8, 32]),
        ("Latency (ms)", [500, 300, 200, 900]),
        ("Average", [75.81, 72.0, 70.1, 68.9]),
    ],
)
def test_what_a_model_costs_is_no_benchmark(name: str, values: list[float]) -> None:
    found = board(**{name: values})
    assert found.datasets == tuple(BOARD)
    assert f"Not used, since they are no datasets: {name}." in found.account
    assert f"Its columns are the datasets: {', '.join(BOARD)}." in found.account


def test_a_column_of_a_leaderboard_far_beyond_the_others_is_asked_about() -> None:
    with pytest.raises(InvalidArgumentError, match="Zorblax on another scale than"):
        board(Zorblax=[1200.5, 1180.2, 1100.9, 1090.4])
    hard = board(HLE=[5.2, 3.1, 2.2, 1.9], Energy=[77.0, 71.2, 75.1, 69.9])
    assert hard.datasets == (*BOARD, "HLE")
    assert "Not used, since they are no datasets: Energy." in hard.account


def test_the_history_of_one_training_is_no_comparison() -> None:
    """What Keras keeps, dumped as JSON: `json.dump(model.fit(...).history, file)`."""
    curve = [round(0.9 - 0.5 * 0.9**epoch, 4) for epoch in range(50)]
    history = {
        "accuracy": curve,
        "loss": curve[::-1],
        "val_accuracy": curve,
        "val_loss": curve[::-1],
    }
    for design in (None, "kfold:folds=50"):
        with pytest.raises(InvalidArgumentError, match="got a curve over steps of one training"):
            rc.read_scores({"history.json": json.dumps(history).encode()}, design=design)


def test_probabilities_beside_the_truth_are_not_compared_by_their_means() -> None:
    rng = np.random.default_rng(4)
    rows = [f"{at},{at % 2},{rng.random():.4f},{rng.random():.4f}" for at in range(60)]
    text = "\n".join(["id,label,A,B", *rows]).encode()
    for said in ({}, {"design": "holdout", "greater_is_better": True}, {"metric": "accuracy"}):
        with pytest.raises(InvalidArgumentError, match=r"may be probabilities\. Compare .*'auc'"):
            rc.read_scores({"prob.csv": text}, **said)
    losses = rc.read_scores({"loss.csv": text}, design="cases", metric="log loss")
    assert losses.design == rc.Cases(60)


def test_numbered_datasets_and_datasets_in_small_letters() -> None:
    counted = ",d0,d1,d2,d3\nAlpha,.851,.759,.827,.707\nBeta,.77,.822,.818,.731\nGamma,.7,.8,.9,.6"
    found = rc.read_scores({"t.csv": counted.encode()}, metric="accuracy", rows="classifiers")
    assert found.datasets == ("d0", "d1", "d2", "d3")
    with pytest.raises(InvalidArgumentError, match="tells classifiers from datasets"):
        rc.read_scores({"t.csv": counted.encode()}, metric="accuracy")
    small = "dataset,A,B,C\na,.9,.89,.88\nb,.8,.79,.7\nc,.7,.68,.6"
    assert rc.read_scores({"t.csv": small.encode()}, metric="accuracy").datasets == ("a", "b", "c")
    same = small.replace("a,", "A,").replace("b,", "B,").replace("c,", "C,")
    with pytest.raises(InvalidArgumentError, match="rows and columns of the same names"):
        rc.read_scores({"t.csv": same.encode()}, metric="accuracy")


def test_a_classifier_that_was_dropped_is_named_by_every_comparison() -> None:
    rows = "".join(f"d{at},0.9{at},0.8{at},{'' if at == 2 else 0.7}\n" for at in range(8))
    source = {"t.csv": f"dataset,rf,knn,svm\n{rows}".encode()}
    found = rc.read_scores(source, metric="accuracy", missing="drop-classifier")
    told = [caution.text for caution in rc.rank(found).cautions]
    assert "Left out for a missing score: svm." in told


@pytest.mark.parametrize(
    "cell", ["-" * 100_000 + "x", "-=:+" * 25_000 + " x", "-- " * 30_000 + "x"]
)
def test_a_cell_of_hyphens_is_told_from_a_rule_at_once(cell: str) -> None:
    """Hyphens that end in another sign can be cut in exponentially many ways: it would never end."""

    def give_up(*_: object) -> None:
        raise TimeoutError("not ended after a minute")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)  # ends what would never end; reading takes a thousandth of that
    try:
        lines = [(1, ["dataset", "svm", "nb"]), (2, [cell, "0.5", "0.6"]), (3, ["a", "0.7", "0.8"])]
        assert len(sheet_of_lines(lines, "t.md").frame) == 2
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("rule", ["", "  ", "---", " :--- --- ", "=====", "+---+---+", "-- == ::"])
def test_a_rule_between_names_and_rows_is_no_row(rule: str) -> None:
    lines = [(1, ["dataset", "svm", "nb"]), (2, [rule, "", ""]), (3, ["a", "0.7", "0.8"])]
    assert len(sheet_of_lines(lines, "t.md").frame) == 1


def benchmark(score: str, *measures: str, low: float = 0.1) -> dict[str, bytes]:
    """Write a long table in which `good` has the lower numbers, a measure for each dataset in turn."""
    lines = [f"dataset,fold,method,metric,{score}"]
    more = score.count(",")
    for at in range(12):
        for name, lift in (("good", 0.0), ("bad", 0.1)):
            cells = ",".join(f"{low + lift + 0.005 * at + 0.3 * n:.4f}" for n in range(more + 1))
            lines.append(f"d{at},0,{name},{measures[at % len(measures)]},{cells}")
    return {"t.csv": "\n".join(lines).encode()}


LOST = "error loss test_error metric_error normalized_error regret rank metric_error_val err error_rate"


@pytest.mark.parametrize(
    "measure", ["roc_auc", "accuracy", "auc", "f1", "log_loss", "rmse", "quux"]
)
@pytest.mark.parametrize("score", LOST.split())
def test_the_name_of_the_scores_decides_which_way_is_better(score: str, measure: str) -> None:
    """TabArena calls 1 - AUC `metric_error` and the measure roc_auc: the lowest is the best."""
    table = rc.read_scores(benchmark(score, measure))
    assert not table.greater_is_better
    assert rc.rank(table).classifiers[0] == "good"
    wide = {"t.csv": f"dataset,metric,good_{score},bad_{score}\n".encode()
            + b"".join(f"d{at},{measure},0.1{at},0.2{at}\n".encode() for at in range(8))}  # fmt: skip
    if score not in ("rank", "metric_error_val"):  # which are not told from names of models
        assert not rc.read_scores(wide).greater_is_better


@pytest.mark.parametrize("score", ["score", "value", "result", "mean", "final_score"])
def test_a_name_that_says_nothing_leaves_it_to_the_measure(score: str) -> None:
    assert rc.read_scores(benchmark(score, "roc_auc")).greater_is_better
    assert not rc.read_scores(benchmark(score, "log_loss")).greater_is_better


@pytest.mark.parametrize(
    ("score", "measure"),
    [("accuracy", "log_loss"), ("reward", "regret"), ("gap", "accuracy"), ("loss", "neg_log_loss"),
     ("neg_log_loss", "log_loss"), ("score ↓", "accuracy"), ("rmse", "r2"), ("penalty", "auc")],
)  # fmt: skip
def test_scores_and_measure_that_disagree_are_asked_about(score: str, measure: str) -> None:
    source = benchmark(score, measure)
    for said in ({}, {"metric": measure}):
        with pytest.raises(
            InvalidArgumentError, match=f"scores called {score}.* {measure}"
        ) as found:
            rc.read_scores(source, **said)
        assert found.value.argument == "greater_is_better"
    for way in (True, False):
        assert rc.read_scores(source, greater_is_better=way).greater_is_better == way


def test_two_measures_of_one_column_of_errors_can_be_told_apart() -> None:
    source = benchmark("metric_error", "roc_auc", "log_loss")
    with pytest.raises(InvalidArgumentError, match="`metric` must be one of roc_auc, log_loss"):
        rc.read_scores(source)
    for measure in ("roc_auc", "log_loss"):
        for said in ({"metric": measure}, {"where": {"metric": measure}}):
            table = rc.read_scores(source, **said)
            assert (len(table.datasets), table.greater_is_better) == (6, False)
    two = benchmark("metric_error,metric_error_val", "roc_auc", "log_loss")
    tested, named = (
        rc.read_scores(two, metric="roc_auc", **said)
        for said in ({}, {"score_column": "metric_error"})
    )
    assert tested.scores.tolist() == named.scores.tolist()  # those of validation are left out
    table = rc.read_scores(two, metric="roc_auc", score_column="metric_error")
    assert (len(table.datasets), table.greater_is_better) == (6, False)
    assert table.scores.min() == pytest.approx(0.1)


def test_a_measure_asked_for_does_not_turn_columns_of_errors() -> None:
    rows = "".join(f"d{at},0.1{at},0.2{at}\n" for at in range(8))
    source = {"t.csv": f"dataset,svm_error,nb_error\n{rows}".encode()}
    table = rc.read_scores(source, metric="accuracy")
    assert (table.classifiers, table.greater_is_better) == (("svm", "nb"), False)
    source = {"t.csv": f"dataset,svm_acc,nb_acc\n{rows}".encode()}
    assert rc.read_scores(source, metric="accuracy").greater_is_better
    with pytest.raises(InvalidArgumentError, match="scores called acc in a table of log_loss"):
        rc.read_scores(source, metric="log_loss")


def test_1_is_right_unless_somebody_must_know() -> None:
    rows = "".join(f"q{at},{at % 2},{at % 3 == 0:d}\n" for at in range(12))
    source = {"t.csv": f"question_id,old,new\n{rows}".encode()}
    table = rc.read_scores(source)
    assert (table.greater_is_better, table.direction) == (True, "assumed")
    assert any("`greater_is_better=False` if 1 is wrong" in line for line in table.account)
    with pytest.raises(InvalidArgumentError, match="tells whether 1 is right or wrong") as found:
        rc.read_scores(source, assume=False)
    assert [one.meaning for one in found.value.choices] == ["if 1 is right", "if 1 is wrong"]


def test_a_missing_score_is_told_in_plain_words() -> None:
    source = {"t.csv": b"dataset,svm,nb\na,0.9,0.8\nb,,0.7\nc,0.8,0.6\nd,0.7,0.6\n"}
    table = rc.read_scores(source, metric="accuracy", missing="refuse")
    for compared in (lambda: table.pair("svm", "nb"), lambda: rc.rank(table)):
        with pytest.raises(
            rc.errors.DesignMismatchError, match=r"^svm lacks (1 score|scores) on 'b'"
        ) as e:
            compared()
        told = e.value.sentence(advice=False)  # as a page asks it
        assert told in ("svm lacks 1 score on 'b'.", "svm lacks scores on 'b'.")
        assert "Complete the table, or leave out" in str(e.value)
        assert e.value.domain == "drop-dataset or drop-classifier"


def test_a_pair_is_compared_on_what_it_shares_and_many_on_what_costs_least() -> None:
    rows = [[0.9 - i / 50 - m / 20 for m in range(4)] for i in range(9)]
    cells = [[f"{x:.3f}" for x in row] for row in rows]
    cells[0][3] = cells[5][3] = ""
    lines = "".join(f"d{i},{','.join(row)}\n" for i, row in enumerate(cells))
    table = rc.read_scores({"accuracy.csv": f"dataset,a,b,c,e\n{lines}".encode()})
    assert len(table.pair("a", "b").first) == 9  # the gap of another matters to no one
    pair = table.pair("a", "e")
    assert (len(pair.first), pair.design) == (7, rc.Datasets(7))
    assert pair.left_out.startswith("2 of 9 datasets left out for a missing score: d0, d5.")
    assert rc.compare(pair).cautions[0].text == pair.left_out
    found = rc.rank(table)
    assert (len(found.classifiers), len(found.datasets)) == (4, 7)
    assert "22% of them; leaving out classifiers instead would cost 25%" in found.cautions[0].text
    cells[1][3] = cells[2][3] = ""
    lines = "".join(f"d{i},{','.join(row)}\n" for i, row in enumerate(cells))
    table = rc.read_scores({"accuracy.csv": f"dataset,a,b,c,e\n{lines}".encode()})
    found = rc.rank(table)
    assert (len(found.classifiers), len(found.datasets)) == (3, 9)
    assert "25% of them; leaving out datasets instead would cost 44%" in found.cautions[0].text
    for at in (3, 4, 6):
        cells[at][3] = ""
    lines = "".join(f"d{i},{','.join(row)}\n" for i, row in enumerate(cells))
    table = rc.read_scores({"accuracy.csv": f"dataset,a,b,c,e\n{lines}".encode()})
    with pytest.raises(rc.errors.DesignMismatchError, match="e lacks 7 scores"):
        table.pair("a", "e")  # most would be left out


def test_thousands_of_datasets_are_not_each_asked_for_a_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from replicast.reading.formats.tables import scoring

    asked = []
    monkeypatch.setattr(scoring, "find_measure", asked.append)
    path = tmp_path / "many.csv"
    rows = (f"d{at},0.{at % 90 + 10},0.{at % 80 + 10}\n" for at in range(3000))
    path.write_text("dataset,svm,nb\n" + "".join(rows))
    assert len(rc.read_scores(path, greater_is_better=True).datasets) == 3000
    assert len(asked) < 100
