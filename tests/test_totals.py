"""Totals of lm-eval and MTEB: tasks are datasets, and every measure is there."""

import json
from pathlib import Path
from typing import Any

import pytest

import replicast as rc

TOTALS = Path(__file__).parent / "golden" / "formats" / "totals"
TASKS = ("arc_easy", "boolq", "hellaswag", "piqa", "sciq", "winogrande")


def written(model: str) -> dict[str, Any]:
    [path] = (TOTALS / "lm-eval" / model).iterdir()
    results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["results"]
    return results


def test_tasks_of_lm_eval_are_datasets() -> None:
    table = rc.read_scores(TOTALS / "lm-eval", metric="acc_norm")
    assert (table.classifiers, table.datasets) == (("model-a", "model-b"), TASKS)
    told = [written("model-b")[task]["acc_norm,none"] for task in TASKS]
    assert table.scores[1, :, 0, 0].tolist() == told
    with pytest.raises(rc.InvalidArgumentError, match="one of acc, acc_norm"):
        rc.read_scores(TOTALS / "lm-eval")


def test_a_group_of_tasks_is_no_dataset_of_its_own(tmp_path: Path) -> None:
    for model in ("model-a", "model-b"):
        results = {**written(model), "all": {"acc,none": 0.7}}
        for task in TASKS:
            results[task]["exact_match,strict"] = results[task]["exact_match,flexible"] = 0.5
        told = {"results": results, "configs": {}, "versions": {}, "group_subtasks": {"all": TASKS}}
        (tmp_path / model).mkdir()
        (tmp_path / model / "results_1.json").write_text(json.dumps(told), encoding="utf-8")
    table = rc.read_scores([tmp_path / "model-a", tmp_path / "model-b"], metric="acc")
    assert (table.classifiers, table.datasets) == (("model-a", "model-b"), TASKS)
    strict = rc.read_scores(tmp_path, metric="exact_match,strict")
    assert set(strict.scores.flat) == {0.5}


def test_totals_of_lighteval_are_those_of_its_tasks() -> None:
    table = rc.read_scores(TOTALS / "lighteval")
    assert table.datasets == tuple(f"lighteval|{task}|0" for task in TASKS)
    told = [written("model-a")[task]["acc,none"] for task in TASKS]
    assert table.scores[0, :, 0, 0].tolist() == told


def test_an_option_is_applied_or_refused_whatever_the_format() -> None:
    weka = TOTALS.parent / "weka" / "iris-5x2-j48.csv"
    with pytest.raises(rc.InvalidArgumentError, match="`where` must be about one of"):
        rc.read_scores(weka, where={"nonsense": "3"})
    for options in ({"where": {"filter": "x"}}, {"rows": "datasets"}, {"case_column": "x"}):
        with pytest.raises(rc.InvalidArgumentError, match="lm-eval results, which are no table"):
            rc.read_scores(TOTALS / "lm-eval", **options)
    automl = TOTALS.parent / "automl" / "results.csv"
    every, fold = (rc.read_scores(automl, **more) for more in ({}, {"where": {"fold": "0"}}))
    assert (every.scores.shape[3], fold.scores.shape[3]) == (10, 1)


def test_an_answer_that_never_came_is_not_wrong() -> None:
    result = {"prompt": "q", "score": 1, "gradingResult": None}
    results = [
        {**result, "provider": provider, "testIdx": i, "success": i % (3 + (provider == "b")) > 0}
        for provider in "ab"
        for i in range(30)
    ]
    results[5] |= {"success": False, "error": "API error: 529", "failureReason": 2}
    files = {"results.json": json.dumps({"results": {"results": results}}).encode()}
    pair = rc.read_scores(files).pair("a", "b")
    assert (len(pair.first), pair.first.mean()) == (29, 19 / 29)
    assert "1 of 30 cases left out" in rc.compare(pair).cautions[0].text


def test_a_folder_of_mteb_has_a_file_for_each_task() -> None:
    table = rc.read_scores(TOTALS / "mteb")
    assert (table.classifiers, table.metric) == (("model-a", "model-b"), "main_score")
    first = json.loads((TOTALS / "mteb/model-a/revision/Banking77.json").read_text())
    assert table.scores[0, 0, 0, 0] == first["scores"]["test"][0]["main_score"]
    assert table.greater_is_better
    assert rc.compare(TOTALS / "mteb").evidence.n == 6


def test_a_task_of_mteb_without_its_score_is_refused(tmp_path: Path) -> None:
    told = {"task_name": "STS12", "mteb_version": "1.38.0", "scores": {"test": []}}
    (tmp_path / "STS12.json").write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(rc.InvalidArgumentError, match="main_score of a task, got none"):
        rc.read_scores(tmp_path)


def test_commas_between_thousands(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    rows = [f'game{i},"{i},192","1{i},179"' for i in range(1, 8)] + ["game0,92,79"]
    path.write_text("\n".join(["Game,DQN return,Rainbow return", *rows]), encoding="utf-8")
    table = rc.read_scores(path)
    assert table.scores[:, 0, 0, 0].tolist() == [1192, 11179]
    assert "Commas in numbers such as 1,192 stand between thousands." in table.account
    path.write_text(
        "\n".join(["data,a,b", 'x,"1,192","0,95"', 'y,"2,179","0,9"']), encoding="utf-8"
    )
    table = rc.read_scores(path, greater_is_better=True)
    assert table.scores[:, 0, 0, 0].tolist() == [1.192, 0.95]


def test_words_for_right_and_wrong_say_which_is_better(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    rows = [f"{i},{'CORRECT' if i % 3 else 'INCORRECT'},NOT_ATTEMPTED" for i in range(30)]
    rows += [f"{i},INCORRECT,CORRECT" for i in range(30, 40)]
    path.write_text("\n".join(["id,new,old", *rows]), encoding="utf-8")
    table = rc.read_scores(path, assume=False)
    assert table.direction == "known"
    assert table.scores.mean(axis=(1, 2, 3)).tolist() == [0.5, 0.25]
    [told] = [line for line in table.account if "NOT_ATTEMPTED" in line]
    assert told.endswith("is wrong, and so is NOT_ATTEMPTED in old.")
    path.write_text(path.read_text().replace("INCORRECT", "0").replace("CORRECT", "1"))
    path.write_text(path.read_text().replace("NOT_ATTEMPTED", "0"))
    with pytest.raises(rc.InvalidArgumentError, match="whether 1 is right or wrong"):
        rc.read_scores(path, assume=False)
