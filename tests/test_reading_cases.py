"""Files with a score of any kind for every case: graded, clustered, several answers."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import replicast as rc
from replicast import Cases, Holdout, InvalidArgumentError, PairedCases
from replicast.errors import DesignMismatchError
from replicast.kernels.cases import case_mean
from replicast.reading.slices import read_slices

INSPECT = Path(__file__).parent / "golden" / "formats" / "inspect"


def long_table(answers: int = 3, column: str = "passage_id", cases: int = 24) -> str:
    rng = np.random.default_rng(3)
    lines = [f"model,question_id,{column},epoch,score"]
    for case in range(cases):
        for model in ("new", "old"):
            for answer in range(1, answers + 1):
                score = rng.uniform(0, 0.8) + 0.1 * (model == "new")
                lines.append(f"{model},q{case},p{case // 4},{answer},{score:.4f}")
    return "\n".join(lines) + "\n"


def read(text: str, name: str = "graded.csv", **options) -> rc.ScoreTable:
    return rc.read_scores({name: text.encode()}, **options)


def columns(text: str) -> dict[str, list[str]]:
    head, *rows = (line.split(",") for line in text.split())
    return {name: [row[i] for row in rows] for i, name in enumerate(head)}


def test_several_answers_in_clusters_end_as_paired_cases() -> None:
    text = long_table()
    table = read(text, greater_is_better=True)
    assert table.design == Cases(24, clusters=6, answers=3)
    assert table.case_names[:3] == ("q0", "q1", "q2")
    assert "The score of a case is the mean of its 3 answers." in table.account
    told = columns(text)
    answers = {
        model: np.array(told["score"], dtype=float)[np.array(told["model"]) == model].reshape(24, 3)
        for model in ("new", "old")
    }
    expected = PairedCases(
        first=answers["new"], second=answers["old"], clusters=np.arange(24) // 4,
        names=("new", "old"),
    )  # fmt: skip
    found = table.pair("new", "old")
    np.testing.assert_allclose(found.differences, expected.differences, atol=1e-12)
    assert found.clusters.tolist() == expected.clusters.tolist()
    assert found.answer_variance == pytest.approx(expected.answer_variance, rel=1e-12)
    assert rc.compare(found).evidence.pvalue == pytest.approx(rc.case_ttest(expected).pvalue)


def test_answers_may_be_missing_but_not_all_of_them() -> None:
    lines = long_table().splitlines()
    fewer = read("\n".join(lines[:1] + lines[2:]), greater_is_better=True)
    assert rc.compare(fewer.pair("new", "old")).scores.design == Cases(24, clusters=6, answers=3)
    without = "\n".join(lines[:1] + lines[4:])
    assert len(read(without, greater_is_better=True).pair("new", "old").first) == 23
    gone = read(without, greater_is_better=True, missing="refuse")
    with pytest.raises(DesignMismatchError, match="new lacks 1 case"):
        gone.pair("new", "old")


def test_a_category_is_a_cluster_only_if_it_is_said() -> None:
    text = long_table(answers=1, column="category")
    assert read(text, greater_is_better=True, cluster_column="none").design == Cases(24)
    said = read(text, greater_is_better=True, cluster_column="category")
    assert said.design == Cases(24, clusters=6)
    assert said.clusters.tolist() == (np.arange(24) // 4).tolist()
    right = "id,category,truth,a,b\n" + "".join(f"{i},k{i // 5},1,1,{i % 2}\n" for i in range(20))
    assert read(right, "predictions.csv", cluster_column="none").design == Holdout(20)
    assert read(right, "predictions.csv", cluster_column="category").design == Cases(20, clusters=4)
    with pytest.raises(InvalidArgumentError, match="nowhere"):
        read(text, greater_is_better=True, cluster_column="nowhere")


def test_a_case_in_two_clusters_is_refused() -> None:
    text = long_table(answers=1).replace("old,q1,p0", "old,q1,p1")
    with pytest.raises(InvalidArgumentError, match="one cluster for each case, got case q1 in two"):
        read(text, greater_is_better=True)


def test_a_wide_table_of_losses() -> None:
    rows = "".join(f"{i},{0.1 * (i % 7):.2f},{0.09 * (i % 5):.2f}\n" for i in range(30))
    table = read("example_id,nb,logit\n" + rows, design="cases", greater_is_better=False)
    assert table.design == Cases(30)
    assert rc.compare(table.pair("nb", "logit")).evidence.method == "case-ttest"
    patients = "".join(
        f"s{i},p{i // 3},{0.1 * (i % 7):.2f},{0.09 * (i % 5):.2f}\n" for i in range(30)
    )
    said = {"design": "holdout", "greater_is_better": True}
    table = read("scan_id,patient,unet,resnet\n" + patients, cluster_column="patient", **said)
    assert table.design == Cases(30, clusters=10)
    with pytest.raises(DesignMismatchError, match="cases:count=30"):
        read("id,nb,logit\n" + rows, design="cases:count=31", greater_is_better=False)


@pytest.mark.parametrize("layout", ["long", "wide", "predictions"])
def test_several_rows_of_a_case_are_asked_about_and_the_remedy_is_right(layout: str) -> None:
    right = np.random.default_rng(2).integers(0, 2, (2, 20, 3))
    both = [(i, q, a) for i in range(2) for q in range(20) for a in range(3)]
    texts = {
        "long": ["model,doc_id,correct"] + [f"{'ab'[i]},q{q},{right[i, q, a]}" for i, q, a in both],
        "wide": ["doc_id,a,b"] + [
            f"q{q},{right[0, q, a]},{right[1, q, a]}" for q in range(20) for a in range(3)
        ],
        "predictions": ["id,model,y_true,y_pred"] + [
            f"q{q},{'ab'[i]},1,{right[i, q, a]}" for i, q, a in both
        ],
    }  # fmt: skip
    head, *rows = texts[layout]
    said = {"metric": "accuracy"} if layout == "wide" else {}
    with pytest.raises(InvalidArgumentError, match="number them in a column named answer; else"):
        read("\n".join([head, *rows]), **said)
    told = [f"{row},{at % 3 + 1}" for at, row in enumerate(rows)]
    table = read("\n".join([f"{head},answer", *told]), **said)
    assert table.design == Cases(20, answers=3)
    means = dict(zip(table.case_names, table.scores[0, 0, 0], strict=True))
    assert [means[f"q{q}"] for q in range(20)] == pytest.approx(right[0].mean(axis=1))


def logs(epochs: int) -> dict[str, bytes]:
    rng = np.random.default_rng(1)
    found = {}
    for model in ("a", "b"):
        samples = [
            {"id": f"s{i}", "epoch": e + 1, "scores": {"judge": {"value": round(rng.random(), 2)}}}
            for i in range(15)
            for e in range(epochs)
        ]
        log = {"version": 2, "eval": {"task": "sums", "model": model}, "samples": samples}
        found[f"{model}.json"] = json.dumps(log).encode()
    return found


def test_epochs_of_inspect_are_answers() -> None:
    table = rc.read_scores(logs(4), metric="judge", greater_is_better=True)
    assert table.design == Cases(15, clusters=None, answers=4)
    assert table.case_names[0] == "s0"
    assert table.pair("a", "b").answer_variance > 0


@pytest.mark.parametrize(("scorer", "score"), [("match", {"C": 1.0, "I": 0.0}), ("graded", None)])
def test_the_standard_error_is_that_inspect_wrote(scorer: str, score) -> None:
    for file in sorted(INSPECT.glob("model-*.json")):
        log = json.loads(file.read_text(encoding="utf-8"))
        values = [sample["scores"][scorer]["value"] for sample in log["samples"]]
        found = case_mean(np.array([value if score is None else score[value] for value in values]))
        [told] = [one["metrics"] for one in log["results"]["scores"] if one["name"] == scorer]
        name = "accuracy" if scorer == "match" else "mean"
        assert found.mean == pytest.approx(told[name]["value"], rel=1e-12)
        assert found.standard_error == pytest.approx(told["stderr"]["value"], rel=1e-12)


def test_several_tasks_with_several_answers_are_a_score_each() -> None:
    lines = ["model,task,question_id,epoch,score"]
    rng = np.random.default_rng(4)
    for task in range(6):
        lines += [
            f"{model},t{task},q{case},{e},{rng.random():.3f}"
            for case in range(5) for model in ("new", "old") for e in (1, 2)
        ]  # fmt: skip
    table = read("\n".join(lines), greater_is_better=True)
    assert table.design == rc.Datasets(6)
    alone = read("\n".join(lines), greater_is_better=True, dataset="t2")
    assert alone.design == Cases(5, clusters=None, answers=2)


def test_cases_that_a_model_lacks_can_be_left_out() -> None:
    lines = long_table(answers=1).splitlines()
    gone = "\n".join(lines[:1] + lines[2:])
    with pytest.raises(
        DesignMismatchError, match=r"^new lacks 1 case\. Complete the table, or leave"
    ):
        read(gone, greater_is_better=True, missing="refuse").pair("new", "old")
    shared = read(gone, greater_is_better=True).pair("new", "old")
    assert shared.left_out.startswith("1 of 24 cases left out for a missing score: q0.")
    assert shared.design == Cases(23, clusters=6)
    table = read(gone, greater_is_better=True, missing="drop-case")
    assert table.design == Cases(23, clusters=6)
    assert table.case_names == tuple(f"q{i}" for i in range(1, 24))
    assert table.clusters.tolist() == (np.arange(1, 24) // 4).tolist()
    assert "Dropped 1 case with missing scores: q0." in table.account
    whole = read(long_table(answers=1), greater_is_better=True)
    found, before = (one.pair("new", "old").differences for one in (table, whole))
    assert found.tolist() == before[1:].tolist()
    right = "model,id,correct\n" + "".join(f"{m},{i},{i % 2}\n" for m in "ab" for i in range(9))
    short = right.replace("a,0,0\n", "")
    assert read(short, "right.csv", missing="drop-case").design == Holdout(8)
    few = "model,id,score\na,1,0.5\na,2,0.1\nb,2,0.3\nb,3,0.9\n"
    with pytest.raises(DesignMismatchError, match="at least two cases"):
        read(few, design="cases", greater_is_better=True, missing="drop-case")
    sets = "dataset,a,b\nx,0.5,\ny,0.5,0.4\nz,0.4,0.3\n"
    with pytest.raises(DesignMismatchError, match="where rows are not the cases"):
        read(sets, "accuracy.csv", metric="accuracy", missing="drop-case")


def test_an_id_beside_a_score_is_asked_about_and_said() -> None:
    text = "model,id,score\n" + "".join(
        f"{m},{i},{0.1 * (i % 7)}\n" for m in "ab" for i in range(30)
    )
    with pytest.raises(InvalidArgumentError, match=r"datasets or cases.*design='cases'"):
        read(text, greater_is_better=True)
    assert read(text, greater_is_better=True, design="cases").design == Cases(30)


def inspect_log(lift: float, model: str = "gpt", **metadata: str) -> bytes:
    """Return a log of Inspect: 12 questions in 4 passages, twice each."""
    samples = [
        {"id": f"q{i}", "epoch": epoch, "metadata": {"passage": f"p{i % 4}", **metadata},
         "scores": {"match": {"value": "C" if (7 * i + 3 * epoch) % 10 < 5 + lift else "I"}}}
        for i in range(12) for epoch in (1, 2)
    ]  # fmt: skip
    log = {"version": 2, "eval": {"task": "qa", "model": model}, "samples": samples}
    return json.dumps(log).encode()


def test_two_prompts_of_one_model_go_by_their_files_and_passages_are_clusters() -> None:
    table = rc.read_scores({"new.json": inspect_log(3), "old.json": inspect_log(0)})
    assert table.classifiers == ("new", "old")
    assert table.design == Cases(12, clusters=4, answers=2)
    assert "All logs are of gpt; they go by their files." in table.account
    two = rc.read_scores({"a.json": inspect_log(3), "b.json": inspect_log(0, model="other")})
    assert two.classifiers == ("gpt", "other")
    named = {"a.json": inspect_log(3, unit="u1"), "b.json": inspect_log(0, unit="u1")}
    assert rc.read_scores(named, cluster_column="unit").design == Cases(
        12, clusters=None, answers=2
    )
    with pytest.raises(
        rc.InvalidArgumentError, match="a field that the samples of these logs have"
    ):
        rc.read_scores(named, cluster_column="units")
    with pytest.raises(rc.InvalidArgumentError, match="or two files of one model"):
        rc.read_scores({"new.json": inspect_log(3)})


def test_samples_of_lm_eval_name_their_passages(tmp_path: Path) -> None:
    for run, step in (("out-new", 2), ("out-old", 3)):
        folder = tmp_path / run / "gpt"
        folder.mkdir(parents=True)
        records = [
            {"doc_id": i, "doc": {"passage": f"p{i % 3}"}, "acc": float(i % step == 0)}
            for i in range(12)
        ]
        (folder / "samples_boolq_2026-01-05T10-11-12.131415.jsonl").write_text(
            "\n".join(map(json.dumps, records))
        )
    files = sorted(tmp_path.rglob("*.jsonl"))
    table = rc.read_scores(files)
    assert table.classifiers == ("out-new", "out-old")
    assert table.design == Cases(12, clusters=3)


def harness_lines(offset: int = 0, prompt: str = "p", **other: object) -> bytes:
    """What lm-eval writes with --log_samples, of questions counted from `offset`."""
    rng = np.random.default_rng(offset + len(prompt))
    lines = []
    for at in range(40):
        question = {"question": f"q{at + offset}", "choices": ["x", "y"], "answer": at % 2}
        known = (json.dumps(question), f"{prompt} {question}", str(at % 2))
        hashes = [hashlib.sha256(text.encode()).hexdigest() for text in known]
        line = {
            "doc_id": at, "doc": question, "target": str(at % 2),
            "arguments": {"gen_args_0": {"arg_0": known[1], "arg_1": " x"}}, "resps": [["x"]],
            "filtered_resps": ["x"], "filter": "none", "metrics": ["acc"], "doc_hash": hashes[0],
            "prompt_hash": hashes[1], "target_hash": hashes[2], "acc": float(rng.integers(0, 2)),
        }  # fmt: skip
        lines.append(json.dumps(line | other))
    return "\n".join(lines).encode()


def asked_log(model: str, **changed: object) -> bytes:
    """A log of Inspect whose samples say what they ask; `changed` replaces fields of samples."""
    rng = np.random.default_rng(len(model))
    samples = [
        {
            "id": at + 1, "epoch": 1, "input": f"Who wrote book {at}?", "target": "B", "messages": [],
            "scores": {"match": {"value": "CI"[rng.integers(0, 2)], "answer": "B"}}, "metadata": {},
        }
        | {key: value(at) if callable(value) else value for key, value in changed.items()}
        for at in range(40)
    ]  # fmt: skip
    log = {"version": 2, "status": "success", "eval": {"task": "books", "model": model}}
    return json.dumps(log | {"samples": samples}).encode()


SAMPLES = "samples_arc_2025-01-01T00-00-00.000.jsonl"


def test_logs_of_other_questions_are_not_joined_by_number() -> None:
    logs = {f"a/{SAMPLES}": harness_lines(), f"b/{SAMPLES}": harness_lines(1000)}
    with pytest.raises(
        InvalidArgumentError,
        match=r"the same question behind an id in every log, got case 0 of arc with two values of "
        r"doc_hash \(.*\), and 39 more such cases\. Compare logs of the same questions",
    ):
        rc.read_scores(logs)
    logs = {f"a/{SAMPLES}": harness_lines(), f"b/{SAMPLES}": harness_lines(prompt="other prompt")}
    assert rc.read_scores(logs).design == Holdout(40)  # the same questions, put in other words
    older = {"doc_hash": None, "target_hash": None, "doc": None}
    logs = {f"a/{SAMPLES}": harness_lines(), f"b/{SAMPLES}": harness_lines(**older, target="y")}
    with pytest.raises(InvalidArgumentError, match=r"two values of target \('0' and 'y'\)"):
        rc.read_scores(logs)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"input": lambda at: f"Compute {at * 7 % 40}"}, r"input .* and 39 more such cases"),
        ({"target": "C"}, r"case 1 of books with two values of target \('B' and 'C'\), and 39"),
        ({"target": lambda at: "C" if at == 3 else "B"}, r"case 4 .*; or leave those cases out of"),
    ],
)
def test_samples_of_inspect_that_say_other_things_are_refused(changed: dict, told: str) -> None:
    logs = {"a.json": asked_log("a"), "b.json": asked_log("bb", **changed)}
    with pytest.raises(InvalidArgumentError, match=told):
        rc.read_scores(logs)


def test_another_prompt_is_no_other_question() -> None:
    first = {"a.json": asked_log("a")}
    asked = first | {
        "b.json": asked_log("bb", input=lambda at: f"Say who wrote book {at}. Please.")
    }
    with pytest.raises(InvalidArgumentError, match="two values of input"):  # no answer tells them
        rc.read_scores(asked)
    letters = {"target": lambda at: "ABCD"[at % 4]}  # answers that tell one question from another
    told = {"a.json": asked_log("a", **letters), "b.json": asked_log("bb", **letters)}
    told["b.json"] = asked_log("bb", **letters, input=lambda at: f"Other words {at * 7 % 40}")
    table = rc.read_scores(told)
    assert table.design == Holdout(40)
    assert any("read as other prompts" in line for line in table.account)
    assert not any(
        "prompts" in line for line in rc.read_scores(first | {"b.json": asked_log("bb")}).account
    )


@pytest.mark.parametrize("kind", ["logs", "table"])
def test_grades_beside_right_and_wrong_are_refused(kind: str) -> None:
    def graded(at: int) -> dict[str, object]:
        return {"match": {"value": at % 6, "answer": "B"}}

    logs = {"a.json": asked_log("a"), "b.json": asked_log("bb", scores=graded)}
    rows = "".join(f"a,q{at},{at % 2}\nbb,q{at},{at % 6}\n" for at in range(40))
    files = logs if kind == "logs" else {"t.csv": f"model,question_id,match\n{rows}".encode()}
    told = "all scores on one scale, got 0 and 1 for a and grades for bb"
    with pytest.raises(InvalidArgumentError, match=told):
        rc.read_scores(files)


def samples(head: str, *, graded: bool = False, answers: int = 3, items: int = 30) -> str:
    """Write answers of two models; `sample` counts those of an item, `sample_id` all of them."""
    rng = np.random.default_rng(11)
    columns = head.split(",")
    lines = [head]
    for model in "ab":
        for item in range(items):
            for at in range(answers):
                score = rng.random() if graded else rng.integers(0, 2)
                cells = {"model": model, "sample": at, "sample_id": item * answers + at, "run": at,
                         "trial": at, "completion": f"return {score > 0.5}"}  # fmt: skip
                told = [cells.get(name, f"HumanEval/{item}") for name in columns[:-1]]
                lines.append(",".join(map(str, [*told, round(float(score), 3)])))
    return "\n".join(lines)


ITEMS = (
    "task_id question_id instance_id problem problem_id utt query sentence image taskId segment_id"
)


@pytest.mark.parametrize("key", ITEMS.split())
@pytest.mark.parametrize("between", [",sample", ",sample_id", "", ",completion"])
def test_samples_of_one_item_are_its_answers(key: str, between: str) -> None:
    """Code evaluations: ten samples of 164 problems are no 164 datasets."""
    text = samples(f"model,{key}{between},passed")
    for said in ({}, {"design": "cases"}, {"design": "holdout"}):
        table = read(text, **said)
        assert table.design == Cases(30, answers=3), said
        assert table.case_names[3] == "HumanEval/3"
    right = [line.rpartition(",")[2] for line in text.splitlines()[1:91]]
    means = np.array(right, float).reshape(30, 3).mean(axis=1)
    order = [table.case_names.index(f"HumanEval/{item}") for item in range(30)]
    assert table.scores[0, 0, 0, order] == pytest.approx(means)
    assert rc.compare(table.pair("a", "b")).evidence.n == 30


@pytest.mark.parametrize("key", ITEMS.split())
def test_one_row_of_an_item_is_a_case(key: str) -> None:
    right = samples(f"model,{key},passed", answers=1)
    assert read(right).design == Holdout(30)
    assert read(right, design="cases").design == Holdout(30)
    graded = samples(f"model,{key},reward", answers=1, graded=True)
    assert read(graded, design="cases").design == Cases(30)
    assert read(graded).design == Cases(30)
    if key in ("task_id", "taskId", "problem"):  # HumanEval has tasks, and so has OpenML
        assert read(graded, dataset_column=key).design == rc.Datasets(30)
    wide = "\n".join([f"{key},a,b", *(f"t{at},{0.1 * (at % 7):.2f},0.3" for at in range(30))])
    assert read(wide, design="cases", greater_is_better=True).design == Cases(30)


@pytest.mark.parametrize(
    "head",
    ["model,task_id,fold,passed", "model,task_id,accuracy", "model,task_id,auc", "model,task_id,rmse",
     "model,task_id,repeat,rmse", "learner.id,task.id,f1", "model,data_name,task_id,f1"],
)  # fmt: skip
def test_a_task_of_openml_is_a_dataset(head: str) -> None:
    lines = [head]
    for model in "ab":
        for task in range(12):
            told = {
                "repeat": "1",
                "fold": "1",
                head.split(",")[0]: model,
                "data_name": f"set{task}",
            }
            cells = [told.get(name, f"t{task}") for name in head.split(",")[:-1]]
            lines.append(",".join([*cells, f"0.{1 + task}{'ab'.index(model)}"]))
    assert read("\n".join(lines)).design == rc.Datasets(12)


def test_runs_of_items_are_asked_about() -> None:
    for head in ("model,task_id,trial,passed", "model,question_id,run,passed"):
        with pytest.raises(InvalidArgumentError, match=r"cases with several runs.*design='cases'"):
            read(samples(head))
        assert read(samples(head), design="cases").design == Cases(30, answers=3)


@pytest.mark.parametrize("key", ["task_id", "question_id"])
def test_copies_and_rows_that_another_column_tells_apart_are_no_answers(key: str) -> None:
    once = samples(f"model,{key},passed", answers=1)
    twice = "\n".join([once, *once.splitlines()[1:]])
    with pytest.raises(InvalidArgumentError, match="more than one case"):
        read(twice)
    one_twin = "\n".join([once, once.splitlines()[1]])
    with pytest.raises(InvalidArgumentError, match="more than one case"):
        read(one_twin)
    languages = samples(f"model,{key},sample,passed").replace("sample", "language")
    with pytest.raises(InvalidArgumentError, match="rows of one classifier apart, got language"):
        read(languages)
    rows = [
        f"t{i},{organ},{(i * 7 + o) % 10 / 10},0.4"
        for i in range(20)
        for o, organ in enumerate("xy")
    ]
    with pytest.raises(InvalidArgumentError, match="apart, got organ"):
        read("\n".join([f"{key},organ,a,b", *rows]), design="cases", greater_is_better=True)


def test_what_stands_beside_an_item_does_not_make_it_a_dataset() -> None:
    """A prompt belongs to its task; an index of rows may count samples, or cases of a task."""
    text = samples("model,task_id,prompt,completion,passed")
    assert read(text).design == Cases(30, answers=3)
    counted = samples("model,sample_id,task_id,passed").replace("sample_id", "id")
    assert read(counted).design == Cases(30, answers=3)
    assert read(counted, design="cases").design == Cases(30, answers=3)
    assert read(counted, dataset_column="task_id").design == rc.Datasets(30)
    asked = samples("model,task_id,sample_id,passed").replace("sample_id", "question_id")
    assert read(asked).design == rc.Datasets(30)  # tasks, and their questions
    other = samples("model,doc_id,sample_id,score", answers=1, graded=True)
    assert read(other, greater_is_better=True).design == Cases(30)


def test_runs_of_items_of_several_datasets_are_means() -> None:
    lines = samples("model,question_id,run,passed").splitlines()
    told = [f"{line},{'xyz'[at % 3]}" for at, line in enumerate(lines[1:])]
    table = read("\n".join([f"{lines[0]},dataset", *told]))
    assert table.design == rc.Datasets(3)
    one = samples("model,question_id,run,passed", answers=1)  # one run is none
    with pytest.raises(InvalidArgumentError, match="several scores per classifier"):
        read(one)
    assert read(one, design="cases").design == Holdout(30)


# ----------------------------------------------------------------- cases of a few datasets or tasks
def cases_of_tasks(tasks: int) -> pd.DataFrame:
    rows = [
        (f"task{task}", case, model, int((case * skill + task) % 7 > 1))
        for task in range(tasks)
        for case in range(60)
        for model, skill in (("old", 3), ("new", 5))
    ]
    return pd.DataFrame(rows, columns=["task", "sample_id", "model", "correct"])


def test_cases_of_few_tasks_are_asked_about() -> None:
    with pytest.raises(
        rc.InvalidArgumentError, match="given for 300 cases of 5 datasets"
    ) as caught:
        rc.read_scores(cases_of_tasks(5))
    assert [choice.value for choice in caught.value.choices] == ["cases", "datasets"]
    assert len(rc.read_scores(cases_of_tasks(6)).datasets) == 6


def test_cases_of_all_tasks_are_compared_together() -> None:
    table = rc.read_scores(cases_of_tasks(5), design="cases")
    assert table.design == Holdout(300)
    assert table.case_names[:2] == ("task0 0", "task0 1")
    assert rc.read_scores(cases_of_tasks(5), design="datasets").datasets[0] == "task0"
    patients = cases_of_tasks(5).assign(patient=lambda frame: frame["sample_id"] // 4)
    assert rc.read_scores(patients, design="cases").design == Cases(300, clusters=15)


def test_cases_that_are_numbered_in_each_task_are_cut_by_task(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    cases_of_tasks(5).to_csv(path, index=False)
    whole, parts = read_slices(path, "task")
    assert rc.read_scores(whole).design == Holdout(300)
    assert [rc.read_scores(part).design for part in parts.values()] == [Holdout(60)] * 5


def test_patients_that_stand_in_several_datasets_are_clusters_of_their_cases() -> None:
    rng = np.random.default_rng(0)
    rows = [
        {"label": label, "patient_id": f"pat{at}", "network": name, "dice": rng.random()}
        for label in ("LV", "RV", "Myo")
        for at in range(20)
        for name in ("old", "new")
    ]
    frame = pd.DataFrame(rows)
    table = rc.read_scores(frame, dataset_column="label", design="cases")
    assert (table.design.n_scores, table.design.clusters) == (60, 20)
    frame["patient_id"] = frame["patient_id"].str.removeprefix("pat").astype(int)
    table = rc.read_scores(frame, dataset_column="label", design="cases")
    assert table.design.clusters is None  # numbers may begin anew


def test_many_unnamed_rows_of_right_and_wrong_are_cases(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    rows = [f"{at % 3 > 0:d},{at % 2:d}" for at in range(60)]
    path.write_text("\n".join(["a,b", *rows]), encoding="utf-8")
    table = rc.read_scores(path)
    assert table.design == rc.Holdout(60)
    assert any("Rows of right and wrong without a name were taken" in one for one in table.account)
    path.write_text("\n".join(["a,b", *rows[:50]]), encoding="utf-8")
    with pytest.raises(InvalidArgumentError, match="seeds:count=50"):
        rc.read_scores(path)
