"""Tables as strangers write them: what is meant is read, said or asked, never turned round."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

import replicast as rc
from replicast import InvalidArgumentError
from replicast.cli import app


def write(folder: Path, name: str, head: str, line: Callable[[int], str], count: int = 60) -> Path:
    path = folder / name
    path.write_text("\n".join([head, *map(line, range(count))]) + "\n", encoding="utf-8")
    return path


def run(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(word) for word in words])
    return done.exit_code, " ".join((done.stdout + done.stderr).split())


def read(folder: Path, text: str, **options: Any) -> rc.ScoreTable:
    path = folder / "table.csv"
    path.write_text(text + "\n", encoding="utf-8")
    return rc.read_scores(path, **options)


def right(case: int, one_in: int) -> int:
    return int(case % one_in == 0)


# --------------------------------------------------------------------------- which way is better
@pytest.mark.parametrize(
    "word",
    ["wrong", "failed", "failure", "mistake", "incorrect", "hallucination", "hallucinated", "refusal",
     "toxic", "violation", "crash", "timeout", "bug", "defect", "unsafe", "fehler", "crash_rate"],
)  # fmt: skip
def test_what_went_wrong_is_better_low(tmp_path: Path, word: str) -> None:
    path = write(
        tmp_path,
        "cases.csv",
        f"question_id,old_{word},new_{word}",
        lambda i: f"q{i},{right(i, 3)},{right(i, 9)}",
    )
    table = rc.read_scores(path)
    assert (table.greater_is_better, table.classifiers) == (False, ("old", "new"))
    assert rc.compare(table.pair("old", "new")).difference.estimate < 0


def test_a_column_of_failures_beside_models_is_better_low(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "cases.csv",
        "model,question_id,failed",
        lambda i: f"{'ab'[i % 2]},{i // 2},{'yes' if i % 3 else 'no'}",
    )
    table = rc.read_scores(path)
    assert not table.greater_is_better
    assert "yes is 1 and no is 0 in failed." in table.account


@pytest.mark.parametrize("name", ["hallucination.csv", "toxic_answers.csv", "bugs.csv"])
def test_a_file_named_for_what_went_wrong_is_asked_about(tmp_path: Path, name: str) -> None:
    path = write(
        tmp_path, name, "question_id,old,new", lambda i: f"q{i},{right(i, 3)},{right(i, 9)}"
    )
    with pytest.raises(InvalidArgumentError, match="if 1 is wrong") as caught:
        rc.read_scores(path)
    assert caught.value.questions[0].choices[0].value == "False"


def test_an_assumed_direction_stands_in_the_answer(tmp_path: Path) -> None:
    said = "higher is better, assumed: --lower-is-better"
    path = write(
        tmp_path,
        "cases.csv",
        "question_id,old_quux,new_quux",
        lambda i: f"q{i},{right(i, 3)},{right(i, 2)}",
    )
    code, text = run("compare", path)
    assert (code, said in text) == (0, True)
    path = write(
        tmp_path,
        "three.csv",
        "question_id,a,b,c",
        lambda i: f"q{i},{right(i, 3)},{right(i, 2)},{right(i, 4)}",
    )
    assert said in run("rank", path)[1]
    assert said not in run("compare", path, "--higher-is-better")[1]
    table = rc.read_scores(path)
    assert said in str(rc.compare(table.pair("a", "b")))


# --------------------------------------------------------------------------- columns that count
COUNTED = ("split{}_test_score", "cv{}", "score_{}", "{}", "V{}", "c{}")


def by_rows(folder: Path, name: str, first: str = "model", count: int = 10) -> Path:
    """Write a table with a row for each model and columns that differ by a number alone."""
    head = ",".join((first, *(name.format(at) for at in range(count))))
    scores = [[0.8 + at % 7 / 50 + bonus for at in range(count)] for bonus in (0.0, 0.03)]
    return write(
        folder,
        "t.csv",
        head,
        lambda i: ",".join((("svm", "nb")[i], *(f"{one + i / 90:.4f}" for one in scores[i]))),
        2,
    )


def by_columns(folder: Path, name: str) -> Path:
    return write(
        folder,
        "t.csv",
        "name,svm,nb",
        lambda i: f"{name.format(i)},{0.8 + i % 7 / 50:.3f},{0.81 + i % 3 / 50:.3f}",
        10,
    )


@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize("layout", [by_rows, by_columns])
def test_names_that_count_are_no_datasets(
    tmp_path: Path, name: str, layout: Callable[[Path, str], Path]
) -> None:
    path = layout(tmp_path, name)
    if name.startswith("split"):  # folds, as scikit-learn calls them
        assert rc.read_scores(path).design == rc.KFold(10)
        return
    with pytest.raises(InvalidArgumentError, match="kfold:folds=10") as caught:
        rc.read_scores(path)
    assert caught.value.questions[0].field == "design"
    assert rc.read_scores(path, design="10-fold").pair("svm", "nb").design == rc.KFold(10)
    named = rc.read_scores(path, design="datasets")
    assert named.datasets[:2] == (name.format(0), name.format(1)) or name == "{}"


def test_names_of_datasets_may_have_numbers(tmp_path: Path) -> None:
    for name in ("task{}", "D{}", "ds_{}"):
        assert rc.read_scores(by_rows(tmp_path, name)).design == rc.Datasets(10)


def test_splits_of_two_measures_are_not_mixed(tmp_path: Path) -> None:
    names = [f"split{at}_test_{one}" for one in ("accuracy", "f1") for at in range(3)]
    path = write(
        tmp_path,
        "t.csv",
        ",".join(("model", *names)),
        lambda i: ",".join((f"m{i}", *(f"{0.7 + at / 30 + i / 50:.3f}" for at in range(6)))),
        2,
    )
    with pytest.raises(InvalidArgumentError):
        rc.read_scores(path)


# --------------------------------------------------------------------------- designs
def grid(folder: Path) -> Path:
    return write(
        folder,
        "grid.csv",
        "Model,rep,split,F1 score",
        lambda i: f"{'ab'[i // 15]},{i % 15 // 5},{i % 5},{0.8 + i * 7 % 11 / 90:.4f}",
        30,
    )


def test_splits_of_every_repeat_are_folds(tmp_path: Path) -> None:
    assert rc.read_scores(grid(tmp_path)).design == rc.RepeatedKFold(runs=3, folds=5)


@pytest.mark.parametrize("design", ["repeated-kfold:runs=5,folds=3", "kfold:folds=15", "5x2"])
def test_a_design_that_contradicts_the_columns_is_refused(tmp_path: Path, design: str) -> None:
    with pytest.raises(InvalidArgumentError, match="repeated-kfold:runs=3,folds=5, as the columns"):
        rc.read_scores(grid(tmp_path), design=design)
    assert rc.read_scores(grid(tmp_path), design="3x5").pair("a", "b").design.runs == 3


@pytest.mark.parametrize("count", [15, 23, 30])
def test_no_command_is_proposed_that_cannot_run(tmp_path: Path, count: int) -> None:
    path = write(
        tmp_path,
        "splits.csv",
        "model,split,accuracy",
        lambda i: f"{'ab'[i // count]},{i % count},{0.8 + i * 7 % 11 / 90:.4f}",
        2 * count,
    )
    code, text = run("compare", path)
    assert code == 2
    _, _, instance = text.partition("For instance, ")
    meaning, _, proposed = instance.partition(": replicast ")
    assert "..." not in proposed
    assert not proposed or run(*proposed.split())[0] == 0
    if count == 15:
        assert meaning == "for 15 random splits" or meaning.startswith("for 15 folds"), meaning


# --------------------------------------------------------------------------- changed signs
def of_sign(folder: Path, sign: float, name: str = "folds.csv", head: str = "fold,svm,nb") -> Path:
    return write(
        folder, name, head, lambda i: f"{i},{sign * (58 + i % 3)},{sign * (55 + i % 4)}", 10
    )


@pytest.mark.parametrize("metric", ["rmse", "mae", "mse", "log_loss", "test_mean_squared_error"])
def test_errors_that_are_all_negative_are_better_high(tmp_path: Path, metric: str) -> None:
    table = rc.read_scores(of_sign(tmp_path, -1), metric=metric)
    assert (table.greater_is_better, table.direction) == (True, "assumed")
    assert f"neg_{metric}" in table.account[2]
    assert not rc.read_scores(of_sign(tmp_path, 1), metric=metric).greater_is_better
    with pytest.raises(InvalidArgumentError, match="hardly"):
        rc.read_scores(of_sign(tmp_path, -1), metric=metric, assume=False)


def test_a_file_of_negative_errors_is_better_high(tmp_path: Path) -> None:
    code, text = run("compare", of_sign(tmp_path, -1, "rmse.csv"))
    assert (code, "nb scores higher than svm" in text, "higher is better, assumed" in text) == (
        0,
        True,
        True,
    )


def test_an_error_above_and_below_zero_is_asked_about(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "t.csv",
        "model,fold,rmse",
        lambda i: f"{'ab'[i % 2]},{i // 2},{(-1) ** (i // 2) * (i + 1)}",
        10,
    )
    with pytest.raises(InvalidArgumentError, match="hardly rmse"):
        rc.read_scores(path)


# --------------------------------------------------------------------------- verdicts in words
def answers(
    folder: Path, fields: Callable[[int, int], dict[str, object]], count: int = 60
) -> list[Path]:
    """Write the answers of two models, a file of JSON lines each."""
    paths = []
    for at, name in enumerate(("old", "new")):
        lines = [json.dumps(fields(i, at)) for i in range(count)]
        paths.append(folder / f"{name}.jsonl")
        paths[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


def judged(case: int, model: int, key: str, words: tuple[str, str]) -> dict[str, object]:
    return {
        "id": case,
        "expected": f"answer {case}",
        "model_answer": f"answer {case - case % 2}",
        key: words[case % (2 + model) == 0],
        "latency_ms": 100 + case * 7 % 50,
        "tokens": 20 + case * 3 % 11,
        "cost": case / 100,
        "response_length": 5 + case,
    }


@pytest.mark.parametrize(
    ("key", "words"),
    [("grade", ("pass", "fail")), ("result", ("PASS", "FAIL")), ("verdict", ("correct", "incorrect")),
     ("correct", ("yes", "no")), ("passed", ("Y", "N"))],
)  # fmt: skip
def test_a_verdict_is_the_score(tmp_path: Path, key: str, words: tuple[str, str]) -> None:
    paths = answers(tmp_path, lambda i, model: judged(i, model, key, words))
    table = rc.read_scores(paths)
    assert rc.read_scores(paths, metric=key).metric == key
    assert rc.read_scores(paths, score_column=key).scores.tolist() == table.scores.tolist()
    assert table.metric == key
    assert table.scores.mean(axis=(1, 2, 3)) == pytest.approx([1 / 2, 2 / 3])
    assert table.greater_is_better


def test_words_of_any_case_are_one_verdict_and_an_odd_one_is_named(tmp_path: Path) -> None:
    def marks(odd: str) -> Path:
        return write(
            tmp_path,
            "marks.csv",
            "qid,old,new",
            lambda i: f"q{i},{'YN'[i % 2]},{odd if i == 7 else 'YN'[i % 3 == 0]}",
        )

    assert rc.read_scores(marks("n")).pair("old", "new").design == rc.Holdout(60)
    assert rc.read_scores(marks("")).pair("old", "new").design == rc.Holdout(59)
    for odd in ("error", "maybe"):
        with pytest.raises(
            InvalidArgumentError, match="row 9, column new: expected y or n"
        ) as caught:
            rc.read_scores(marks(odd))
        assert f"'{odd}'" in str(caught.value)


def test_a_model_that_is_right_everywhere_has_verdicts_too(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", "qid,old,new", lambda i: f"q{i},{('pass', 'fail')[i % 2]},pass")
    assert rc.read_scores(path).scores[1].mean() == 1


def test_a_column_of_words_is_not_mended_row_by_row(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "t.csv",
        "model,case,tone,score",
        lambda i: f"{'ab'[i % 2]},{i // 2},{('warm', 'cold', 'flat')[i % 3]},{i % 5}",
    )
    with pytest.raises(InvalidArgumentError, match="words, as 'warm'") as caught:
        rc.read_scores(path, score_column="tone")
    assert "Remove the row" not in str(caught.value)


# --------------------------------------------------------------------------- percent
def test_percent_without_a_name_is_told_in_points(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "t.csv",
        "Fold;RandomForest;XGBoost",
        lambda i: f"{i};{91 + i % 3},25;{88 + i % 4},5",
        10,
    )
    assert "percent, kept as percent" in rc.read_scores(path).account[2]
    code, text = run("compare", path)
    assert (code, "points" in text, "%" in text) == (0, True, True)
    code, text = run("rank", path)
    assert (code, "%" in text) == (0, True)


# --------------------------------------------------------------------------- answers, gaps, groups
def test_numbers_behind_models_may_be_answers(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "t.csv",
        "qid,old_1,old_2,old_3,new_1,new_2,new_3",
        lambda i: f"q{i}," + ",".join(str(right(i + at, 2 + at % 3)) for at in range(6)),
    )
    with pytest.raises(InvalidArgumentError, match="2 models or 6") as caught:
        rc.read_scores(path)
    assert [one.value for one in caught.value.questions[0].choices] == ["numbers", "none"]
    table = rc.read_scores(path, answer_column="numbers")
    assert (table.classifiers, table.design) == (("old", "new"), rc.Cases(60, answers=3))
    assert len(rc.read_scores(path, answer_column="none").classifiers) == 6
    assert rc.read_scores(path, classifiers=["old_1", "new_1"]).pair("old_1", "new_1").names


@pytest.mark.parametrize("names", ["gpt-3,gpt-4,claude-3,claude-4", "a_1,a_2,b_1,c_1"])
def test_models_of_several_versions_are_models(tmp_path: Path, names: str) -> None:
    path = write(
        tmp_path,
        "t.csv",
        f"qid,{names}",
        lambda i: f"q{i}," + ",".join(str(right(i + at, 2 + at % 3)) for at in range(4)),
    )
    assert len(rc.read_scores(path).classifiers) == 4


def with_a_gap(folder: Path, models: str) -> Path:
    def line(i: int) -> str:
        scores = [0.8 + i % 3 / 50 + at / 90 for at in range(models.count(",") + 1)]
        cells = ["" if (i, at) == (3, 1) else f"{one:.4f}" for at, one in enumerate(scores)]
        return ",".join((str(i), *cells))

    return write(folder, "gap.csv", f"fold,{models}", line, 10)


def test_a_fold_cannot_be_left_out(tmp_path: Path) -> None:
    path = with_a_gap(tmp_path, "svm,nb")
    for missing in ((), ("--missing", "refuse"), ("--missing", "drop-dataset")):
        code, text = run("compare", path, "--metric", "accuracy", *missing)
        assert code == 2
        assert "no fold can be left out: complete it." in text
        assert "'all'" not in text
        assert "on all" not in text
        assert "--missing drop-" not in text
    path = with_a_gap(tmp_path, "svm,nb,rf")
    for verb in ("rank", "compare"):
        code, text = run(verb, path, "--metric", "accuracy")
        assert (code, "leave out the classifier with `--missing drop-classifier`" in text) == (
            2,
            True,
        )
        assert run(verb, path, "--metric", "accuracy", "--missing", "drop-classifier")[0] == 0


def of_three(folder: Path) -> Path:
    return write(
        folder,
        "grades.csv",
        "qid,category,gpt-old,gpt-new",
        lambda i: f"q{i},{'abc'[i % 3]},{right(i, 3)},{right(i, 2)}",
    )


def test_few_groups_are_no_clusters_unless_someone_says_so(tmp_path: Path) -> None:
    code, text = run("compare", of_three(tmp_path))
    assert code == 2
    assert "--columns cluster=none" in text.partition("For instance")[2]
    path = write(
        tmp_path,
        "many.csv",
        "qid,category,gpt-old,gpt-new",
        lambda i: f"q{i},{i % 12}x,{right(i, 3)},{right(i, 2)}",
    )
    assert "--columns cluster=category" in run("compare", path)[1].partition("For instance")[2]


def test_a_slice_goes_by_the_name_of_its_file(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "grades.csv",
        "qid,part,category,gpt-old,gpt-new",
        lambda i: f"q{i},{'xy'[i % 2]},{'abc'[i % 3]},{right(i, 3)},{right(i, 2)}",
    )
    code, text = run("compare", path, "--by", "part")
    assert (code, "grades.csv" in text, "data frame" in text) == (2, True, False)


def test_one_prompt_in_all_rows_tells_no_cases_apart(tmp_path: Path) -> None:
    paths = answers(tmp_path, lambda i, model: {"prompt": "Why?", "score": right(i, 2 + model)})
    with pytest.raises(InvalidArgumentError, match=r"more than one score|nothing says what"):
        rc.read_scores(paths)


# --------------------------------------------------------------------------- what stands beside scores
def test_what_stands_beside_scores_is_no_score(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "t.csv",
        "model,fold,auc,failed,timeouts",
        lambda i: f"{'ab'[i % 2]},{i // 2},{0.8 + i % 7 / 70:.4f},{right(i, 9)},0",
        20,
    )
    assert rc.read_scores(path).metric == "auc"
    marks = ("pass", "fail")
    path = write(
        tmp_path,
        "t.csv",
        "qid,flagged,old,new",
        lambda i: f"{i},{('yes', 'no')[i % 2]},{marks[i % 3 > 0]},{marks[i % 5 > 2]}",
    )
    assert rc.read_scores(path).classifiers == ("old", "new")


def test_a_harm_among_benchmarks_is_asked_about(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "t.csv",
        "model,mmlu,gsm8k,arc,toxicity",
        lambda i: f"m{i},0.6{i},0.7{i},0.8{i},0.2{i}",
        6,
    )
    with pytest.raises(InvalidArgumentError, match="toxicity, which may be a measure or a dataset"):
        rc.read_scores(path)
    table = rc.read_scores(path, note_column="toxicity")
    assert table.datasets == ("mmlu", "gsm8k", "arc")


def test_a_share_that_is_negative_everywhere_is_asked_about(tmp_path: Path) -> None:
    path = of_sign(tmp_path, -0.01)
    with pytest.raises(InvalidArgumentError, match="hardly accuracy"):
        rc.read_scores(path, metric="accuracy")


# ------------------------------------------------------------------- what stands beside the models
def beside(name: str, cells: list[float], **said: Any) -> rc.ScoreTable:
    frame = pd.DataFrame({"dataset": list("abcdefg"), name: cells, "A": GOOD, "B": FAIR})
    return rc.read_scores(frame, **said)


GOOD, FAIR = ([round(top - at / 40, 3) for at in range(7)] for top in (0.95, 0.91))


@pytest.mark.parametrize(
    "name",
    ["prevalence", "imbalance", "base rate", "majority class share", "missing rate", "sparsity",
     "class imbalance ratio", "density"],
)  # fmt: skip
def test_a_property_of_datasets_is_no_model(name: str) -> None:
    table = beside(name, [0.471, 0.22, 0.399, 0.51, 0.33, 0.62, 0.74])
    assert table.classifiers == ("A", "B")
    assert f"Not used: {name}." in table.account


@pytest.mark.parametrize("name", ["age", "sessions", "genes"])
def test_what_is_counted_beside_models_is_no_model(name: str) -> None:
    assert beside(name, [31, 22, 45, 51, 38, 62, 29]).classifiers == ("A", "B")


@pytest.mark.parametrize("name", ["ref_words", "tokens", "n"])
def test_what_errors_are_divided_by_is_no_model(name: str) -> None:
    frame = pd.DataFrame(
        {
            "utt_id": [f"u{at}" for at in range(40)],
            "spk_id": [f"s{at // 4}" for at in range(40)],
            name: [5 + at % 9 for at in range(40)],
            "errors_base": [at % 4 for at in range(40)],
            "errors_new": [at % 3 for at in range(40)],
        }
    )
    if name != "n":
        with pytest.raises(InvalidArgumentError, match=f"`measure='wer'` to divide them by {name}"):
            rc.read_scores(frame)
    table = rc.read_scores(frame, note_column=name)
    assert table.classifiers == ("base", "new")
    assert table.design == rc.Cases(40, clusters=10)


# -------------------------------------------------------------------------------- what a row is
@pytest.mark.parametrize("name", ["patient", "subject_id", "speaker"])
def test_patients_are_cases_of_a_measure_in_wide_and_long_tables(name: str) -> None:
    wide = pd.DataFrame({name: list("abcdefg"), "ASSD base": GOOD, "ASSD new": FAIR})
    long = wide.melt(name, var_name="model", value_name="ASSD")
    for frame in (wide, long):
        assert rc.read_scores(frame).design == rc.Cases(7)


@pytest.mark.parametrize(
    "name", ["case", "case_id", "scan", "series", "pair_id", "seg", "segment", "Frage"]
)
def test_rows_are_named_by_their_cases(name: str) -> None:
    frame = pd.DataFrame({name: range(1, 8), "A": GOOD, "B": FAIR})
    assert rc.read_scores(frame).design.of_cases


@pytest.mark.parametrize("name", ["conjunto de dados", "condition", "language", "lang pair"])
def test_rows_are_named_by_their_datasets(name: str) -> None:
    frame = pd.DataFrame({name: list("pqrstuv"), "A": GOOD, "B": FAIR})
    assert rc.read_scores(frame).design.over_datasets


# ------------------------------------------------------------------------ what may not be guessed
def test_seeds_that_are_not_equally_many_are_asked_about() -> None:
    rows = [("ours", seed, 71 + seed / 7) for seed in range(5)]
    rows += [("baseline", seed, 70 + seed / 9) for seed in range(8)]
    frame = pd.DataFrame(rows, columns=["method", "seed", "acc"])
    with pytest.raises(InvalidArgumentError, match="5 of ours, 8 of baseline") as caught:
        rc.read_scores(frame)
    [choice] = caught.value.choices
    assert (choice.argument, choice.value) == ("design", "seeds:count=5")
    assert rc.read_scores(frame, design=choice.value).scores.size == 10


def test_predictions_beside_what_they_predict_are_no_scores() -> None:
    frame = pd.DataFrame({"Id": range(7), "SalePrice": GOOD, "ridge_pred": FAIR, "lgbm_pred": GOOD})
    with pytest.raises(
        InvalidArgumentError, match="SalePrice, which may be what ridge_pred, lgbm_pred"
    ):
        rc.read_scores(frame)


def test_a_row_that_stands_twice_is_named() -> None:
    frame = pd.DataFrame({"dataset": list("abcdefa"), "A": GOOD, "B": FAIR})
    with pytest.raises(InvalidArgumentError, match="more than one for A on a"):
        rc.read_scores(frame)


def test_right_and_wrong_are_no_folds() -> None:
    frame = pd.DataFrame({"A": [0, 1] * 10, "B": [0, 1, 1, 1] * 5})
    with pytest.raises(InvalidArgumentError) as caught:
        rc.read_scores(frame)
    assert [choice.value for choice in caught.value.choices] == ["cases", "seeds:count=20"]


def test_two_spellings_of_one_model_are_refused() -> None:
    rows = [("RF", "a", 0.9), ("SVM", "a", 0.8), ("RF", "b", 0.7), ("svm", "b", 0.8)]
    frame = pd.DataFrame(rows, columns=["model", "dataset", "acc"])
    with pytest.raises(InvalidArgumentError, match="SVM and svm, never side by side"):
        rc.read_scores(frame)


# --------------------------------------------------------------------------- written by people


def read_text(name: str, text: str, **options: Any) -> rc.ScoreTable:
    return rc.read_scores({name: text.encode()}, **options)


SCORES = [("abalone", 0.836, 0.801), ("adult", 0.923, 0.911), ("car", 0.845, 0.847)]


def rows_of_two(form: str) -> str:
    return "".join(form.format(*row) for row in SCORES)


def test_several_lines_of_title_stand_above_the_names() -> None:
    above = "Versuch 12: Vergleich;;\nStand: 03.03.2024, M. Schulz;;\n;;\n"
    text = above + "Probe;Neu;Alt\n" + rows_of_two("{};{};{}\n")
    table = read_text("lab.csv", text, metric="accuracy", rows="datasets")
    assert table.classifiers == ("Neu", "Alt")
    assert "Line 2 was taken as a title: Stand: 03.03.2024, M. Schulz." in table.account


def test_names_that_stand_again_are_no_row() -> None:
    rows = {name: rows_of_two(f"{{0}},{name},{{{at}}}\n") for at, name in ((1, "A"), (2, "B"))}
    text = "".join(f"dataset,model,acc\n{part}" for part in rows.values())
    table = read_text("joined.csv", text)
    assert (table.classifiers, len(table.datasets)) == (("A", "B"), 3)
    assert table.scores[1, :, 0, 0].tolist() == [0.801, 0.911, 0.847]
    assert "The names of the columns stand again in line 5." in table.account


def test_columns_of_spreads_belong_to_the_columns_before_them() -> None:
    text = "dataset,SVM,±,RF,±\n" + rows_of_two("{},{},0.02,{},0.03\n")
    table = read_text("spreads.csv", text, metric="accuracy")
    assert table.classifiers == ("SVM", "RF")
    with pytest.raises(rc.InvalidArgumentError, match="'SVM' twice"):
        read_text("twins.csv", text.replace("±", "SVM"), metric="accuracy")


def test_shares_of_so_many_are_scores() -> None:
    text = "task,policy A,policy B\nt0,19/20,14/20\nt1,15/20,11/20\nt2,17/20,20/20\n"
    table = read_text("tasks.csv", text, metric="success rate")
    assert table.scores[:, :, 0, 0].tolist() == [[0.95, 0.75, 0.85], [0.7, 0.55, 1.0]]
    folds = "model,fold,acc\n" + "".join(
        f"{name},{at}/5,0.{at + size}\n"
        for name, size in (("a", 4), ("b", 2))
        for at in range(1, 6)
    )
    assert read_text("folds.csv", folds).design == rc.KFold(5)  # no shares
    with pytest.raises(rc.InvalidArgumentError, match="expected a number, got '21/20'"):
        read_text("tasks.csv", text.replace("20/20", "21/20"), metric="success rate")


def test_ticks_and_crosses_are_verdicts() -> None:
    rows = "".join(f"| t/{i} | {'✗✓'[i % 3 > 0]} | {'✗✓'[i % 5 > 0]} |\n" for i in range(12))
    table = read_text("checks.md", "| problem | a | b |\n|---|---|---|\n" + rows)
    assert table.design == rc.Holdout(12)
    assert table.scores.mean(axis=(1, 2, 3)) == pytest.approx([8 / 12, 9 / 12])


def test_records_in_an_envelope_are_a_table() -> None:
    records = [
        {"task": task, "model": model, "n": 500, "metrics": {"acc": score}}
        for task, *scores in SCORES
        for model, score in zip("ab", scores, strict=True)
    ]
    text = json.dumps({"run": "2024-05-01", "results": records})
    assert read_text("records.json", text).classifiers == ("a", "b")


def test_two_files_of_one_model_on_the_same_cases_go_by_their_names() -> None:
    """Two prompts for one model: it was refused as more than one case of one model."""
    first, second = (
        "id,model,correct\n" + "".join(f"q{i},m-7b,{int(i % k > 0)}\n" for i in range(40))
        for k in (4, 5)
    )
    files = {"prompt_old.csv": first.encode(), "prompt_new.csv": second.encode()}
    table = rc.read_scores(files)
    assert (table.classifiers, table.design) == (("old", "new"), rc.Holdout(40))
    assert "All files are of m-7b: models are called by their files: old, new." in table.account
    apart = {**files, "prompt_new.csv": second.replace("q", "r").encode()}
    assert rc.read_scores(apart).classifiers == ("m-7b",)  # parts of one log


def test_marks_beside_the_right_answers_are_no_predictions(tmp_path: Path) -> None:
    rows = [f"{at},{7 * at},{at % 3 > 0:d},{at % 2:d}" for at in range(40)]
    table = read(tmp_path, "\n".join(["id,gold,a,b", *rows]))
    assert (table.classifiers, table.design) == (("a", "b"), rc.Holdout(40))
    assert table.scores[:, 0, 0].sum(axis=1).tolist() == [26, 20]
    rows = [f"{at},{'ABCD'[at % 4]},{at % 3 > 0},{at % 2 > 0}" for at in range(40)]
    table = read(tmp_path, "\n".join(["id,answer,model_a_correct,model_b_correct", *rows]))
    assert (table.classifiers, table.metric) == (("model_a", "model_b"), "correct")
    assert table.design == rc.Holdout(40)


def test_chances_beside_right_and_wrong_tell_the_truth(tmp_path: Path) -> None:
    rows = [f"P{at},{at % 2},{at % 7 / 7 + 0.01:.2f},{at % 5 / 5 + 0.01:.2f}" for at in range(40)]
    with pytest.raises(InvalidArgumentError, match="measure='auc'"):
        read(tmp_path, "\n".join(["PatientID,outcome,prob_xgb,prob_logit", *rows]))
    rows = [f"{at},{at + 0.5},{at + 0.7},{at}" for at in range(40)]
    with pytest.raises(InvalidArgumentError, match="measure='mae'"):
        read(tmp_path, "\n".join(["id,price_true,pred_gbm,pred_lin", *rows]))


def test_seeds_and_raters_of_cases_are_no_folds(tmp_path: Path) -> None:
    cells = [(m, c, k) for m in "ab" for c in range(12) for k in range(3)]
    rows = [f"{m},q{c},{k},{(c * k + (m == 'a')) % 2}" for m, c, k in cells]
    with pytest.raises(InvalidArgumentError, match="given for cases with several runs"):
        read(tmp_path, "\n".join(["model,question_id,seed,correct", *rows]))
    table = read(tmp_path, "\n".join(["model,question_id,seed,correct", *rows]), design=rc.Cases())
    assert table.design == rc.Cases(12, answers=3)
    rows = [f"{m},{c},judge {k},{c + k + (m == 'a')}" for m, c, k in cells]
    table = read(tmp_path, "\n".join(["model,prompt_id,judge,rating", *rows]))
    assert table.design == rc.Cases(12, answers=3)


def test_cases_numbered_within_patients_are_clusters(tmp_path: Path) -> None:
    rows = [f"P{p},{k},{p % 5 + k},{p % 3}" for p in range(12) for k in (1, 2, 3)]
    table = read(
        tmp_path, "\n".join(["Patient,Schicht,Dice A,Dice B", *rows]), greater_is_better=True
    )
    assert table.design == rc.Cases(36, clusters=12)


def test_an_interval_in_the_header_stands_in_the_cells(tmp_path: Path) -> None:
    rows = [
        f"Hospital {one};0.8{at} [0.7, 0.9];0.7{at} [0.6, 0.8]" for at, one in enumerate("ABCDEFGH")
    ]
    table = read(tmp_path, "\n".join(["Center;x AUC (95% CI);y AUC (95% CI)", *rows]))
    assert (table.classifiers, table.metric, len(table.datasets)) == (("x", "y"), "AUC", 8)


def test_a_table_of_several_rows_of_one_model_is_not_blamed_on_an_option(tmp_path: Path) -> None:
    rows = ["ppo,1.5,2.5,3.5", "ppo,1.1,2.1,3.1", "sac,1.2,2.2,3.2"]
    with pytest.raises(InvalidArgumentError, match="one row for each classifier, got 'ppo' twice"):
        read(tmp_path, "\n".join(["model,iris,wine,vote", *rows]))


def test_two_parts_of_one_test_set_are_no_datasets(tmp_path: Path) -> None:
    rows = ["1,alpha,0.8123,0.8101,34", "2,beta,0.8119,0.8111,51", "3,gamma,0.8102,0.8099,12"]
    with pytest.raises(InvalidArgumentError, match="Public LB, Private LB, parts of one test set"):
        read(tmp_path, "\n".join(["Rank,Team,Public LB,Private LB,Entries", *rows]))


def test_tables_under_each_other_are_told_by_the_measures_in_their_titles(tmp_path: Path) -> None:
    rows = [f"set {one},0.8{at},0.7{at}" for at, one in enumerate("abcdef")]
    table = ["dataset,A,B", *rows]
    text = "\n".join(["Accuracy", *table, "", "F1", *table])
    with pytest.raises(InvalidArgumentError, match="`metric` must be one of accuracy, f1"):
        read(tmp_path, text)
    assert read(tmp_path, text, metric="f1").scores.shape == (2, 6, 1, 1)


def test_rows_of_a_setting_may_be_models(tmp_path: Path) -> None:
    text = "\n".join(["k,iris,wine,vote", "1,0.9,0.8,0.9", "3,0.9,0.7,0.9", "5,0.8,0.9,0.7"])
    with pytest.raises(InvalidArgumentError, match="tells classifiers from datasets") as told:
        read(tmp_path, text)
    assert [one.value for one in told.value.choices] == ["classifiers", "datasets"]
    assert read(tmp_path, text, rows="classifiers").classifiers == ("1", "3", "5")


def test_unnamed_runs_of_many_datasets_are_averaged(tmp_path: Path) -> None:
    cells = [(m, d, r) for m in "ab" for d in range(6) for r in range(3)]
    rows = [f"{m},d{d},0.8{d + r + (m == 'b')}" for m, d, r in cells]
    table = read(tmp_path, "\n".join(["model,dataset,accuracy", *rows]))
    assert (table.design, table.scores.shape) == (rc.Datasets(6), (2, 6, 1, 1))
    assert any(line.startswith("Each score is the mean of 3 runs") for line in table.account)


def test_cases_in_other_orders_are_joined_by_name_and_that_is_said(tmp_path: Path) -> None:
    rows = [f"a,q{at},{at % 4}" for at in range(9)] + [f"b,q{8 - at},{at % 3}" for at in range(9)]
    table = read(tmp_path, "\n".join(["model,question,score", *rows]), greater_is_better=True)
    assert any("joined by their names" in line for line in table.account)


def test_an_answer_that_leads_nowhere_is_offered_last(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{at},{'xy'[at % 2]},{at + 100.5}" for at in range(20)]
    path.write_text("\n".join(["nr,who,ms", *rows]), encoding="utf-8")
    code, said = run("compare", path)
    assert code == 2
    assert "For instance" not in said
