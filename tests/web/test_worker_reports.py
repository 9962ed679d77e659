"""What a worker makes of a table, asked directly: files, records, questions and refusals."""

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.comparison.records import Comparison
from replicast.reading.limits import PAGE
from replicast.web import jobs as reports
from replicast.web.forms import EVERY, ScoresQuestion
from replicast.web.jobs import FILES, report_scores

RNG = np.random.default_rng(11)
PAIR = pd.DataFrame({"new": RNG.normal(0.85, 0.02, 10), "old": RNG.normal(0.8, 0.02, 10)})
FOUR = pd.DataFrame(RNG.normal(0.8, 0.03, (12, 4)), columns=list("abcd"))
FOUR.insert(0, "dataset", [f"d{i}" for i in range(12)])


def files(frame: pd.DataFrame) -> dict[str, bytes]:
    return {"table.csv": frame.to_csv(index=False).encode()}


def ask(frame: pd.DataFrame, wanted: str = "page", **answers: object) -> reports.Outcome:
    question = ScoresQuestion.model_validate({"direction": "higher", **answers})
    return report_scores(files(frame), question, wanted)


def expected(design: object) -> Comparison:
    return rc.compare(
        rc.PairedScores(first=PAIR["new"], second=PAIR["old"], design=design, names=("new", "old"))
    )


def sentences(found: reports.Outcome) -> dict[str, str]:
    return {mistake.field: mistake.text for mistake in found.mistakes}


@pytest.mark.parametrize("kind", FILES)
def test_files_to_keep(kind: str) -> None:
    files = ask(PAIR, kind, rows="folds").file, ask(FOUR, kind, first=EVERY).file
    if kind == "png":
        assert all(file.startswith(b"\x89PNG") for file in files)
        return
    two, many = (file.decode() for file in files)
    if kind == "json":
        assert json.loads(two)["evidence"]["pvalue"] == expected(rc.KFold(10)).evidence.pvalue
        assert set(json.loads(many)["classifiers"]) == set("abcd")
    elif kind == "svg":
        assert all(ElementTree.fromstring(text).tag.endswith("svg") for text in (two, many))
    else:
        if kind == "pdf":  # an old link answers with the page, which prints
            assert two.startswith("<!doctype html>")
        assert "new" in two
        assert "old" in two
        assert all(name in many for name in "abcd")


def test_records() -> None:
    record = ask(PAIR, "record", rows="folds").record
    assert record["evidence"] == expected(rc.KFold(10)).to_dict()["evidence"]
    assert record["account"]
    assert set(ask(FOUR, "record", first=EVERY).record["classifiers"]) == set("abcd")


def test_parts_of_a_page() -> None:
    two = ask(PAIR, rows="folds")
    assert "new" in two.title
    assert two.classifiers == ("new", "old")
    assert dict(two.kept).keys() == {"table.csv"}
    many = ask(FOUR, first="a", second=EVERY)
    assert many.datasets == ()
    assert many.html != two.html


@pytest.mark.parametrize(
    ("answers", "design"),
    [
        ({"rows": "folds"}, rc.KFold(10)),
        ({"rows": "runs", "folds": 5}, rc.RepeatedKFold(runs=2, folds=5)),
        (
            {"rows": "splits", "n_train": 90, "n_test": 10},
            rc.RandomSplits(splits=10, n_train=90, n_test=10),
        ),
        ({"rows": "datasets"}, rc.Datasets(10)),
        ({"rows": "seeds"}, rc.Seeds(10)),
        ({"rows": "seeds-unsplit"}, rc.Seeds(10, split=None)),
    ],
)
def test_what_the_rows_are(answers: dict[str, object], design: object) -> None:
    found = ask(PAIR, "record", **answers).record["evidence"]["pvalue"]
    assert found == expected(design).evidence.pvalue


@pytest.mark.parametrize(
    ("answers", "field", "sentence"),
    [
        ({"rows": "runs"}, "folds", "divides the 10 scores of a classifier into runs, got nothing"),
        ({"rows": "runs", "folds": 3}, "folds", "divides the 10 scores"),
        ({"rows": "splits", "n_train": 9}, "n_test", "given with random splits, got nothing"),
        ({"rows": "splits", "n_test": 9}, "n_train", "given with random splits, got nothing"),
        ({"rows": "folds", "first": "new", "second": "new"}, "second", "another classifier"),
        ({"rows": "folds", "first": "newer", "second": "old"}, "first", "Did you mean new?"),
    ],
)
def test_answers_that_do_not_fit(answers: dict[str, object], field: str, sentence: str) -> None:
    assert sentence in sentences(ask(PAIR, **answers))[field]


def test_what_a_table_leaves_open_is_asked_once() -> None:
    (rows,) = ask(PAIR).questions
    assert rows.field == "rows"
    assert rows.preset == ""
    assert [*rows.choices] == [
        "datasets",
        "folds",
        "runs",
        "splits",
        "seeds",
        "seeds-unsplit",
        "cases",
    ]

    assert [asked.field for asked in ask(FOUR).questions] == ["first", "second"]

    gaps = FOUR.copy()
    gaps.loc[3, "b"] = np.nan
    (missing,) = ask(gaps, first=EVERY).questions
    assert missing.field == "missing"
    left = ask(gaps, "record", first=EVERY, missing="drop-dataset").record
    assert not ask(gaps, "record", first=EVERY, missing="drop-dataset").questions
    assert any("d3" in line for line in left["account"])

    several = pd.DataFrame(
        {
            "model": np.repeat(["u", "v"], 10),
            "fold": np.tile(np.arange(10), 2),
            "kappa": RNG.random(20),
            "f1": RNG.random(20),
        }
    )
    (metric,) = ask(several).questions
    assert metric.field == "metric"
    assert not ask(several, metric="f1").questions
    assert "`metric` must be" in sentences(ask(several, metric="auc"))["metric"]

    unnamed = several.drop(columns="f1").rename(columns={"kappa": "value"})
    (direction,) = ask(unnamed, direction=None).questions
    assert direction.field == "direction"
    up, down = (ask(unnamed, "record", direction=d).record for d in ("higher", "lower"))
    assert up["evidence"]["statistic"] == -down["evidence"]["statistic"]


def logs(kind: str) -> dict[str, bytes]:
    """Logs of two models: JSON in one line as of Inspect, or lines with prompts full of commas."""
    found = {}
    for model in ("new", "old"):
        right = np.random.default_rng(len(model) + ord(model[0])).integers(0, 2, 600)
        samples = [
            {"id": at, "epoch": 1, "input": f"question {at}", "target": "B", "scores":
             {"match": {"value": "CI"[value], "answer": "B", "explanation": "a, b, c"}}}
            for at, value in enumerate(right.tolist())
        ]  # fmt: skip
        lines = [
            {"doc_id": at, "doc": {"question": "one, two, " * 1500}, "target": "B", "acc": value}
            for at, value in enumerate(right.tolist()[:50])
        ]
        if kind == "json":
            log = {"version": 2, "status": "success", "eval": {"task": "t", "model": model}}
            found[f"{model}.json"] = json.dumps(log | {"samples": samples}).encode()
        else:
            found[f"{model}.jsonl"] = "\n".join(map(json.dumps, lines)).encode()
    return found


@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_commas_in_logs_are_no_columns(kind: str) -> None:
    found = report_scores(logs(kind), ScoresQuestion(), "record")
    assert not found.mistakes
    assert found.record["evidence"]["method"] == "mcnemar"


def test_records_of_json_have_a_limit_too() -> None:
    wide = json.dumps([{f"c{at}": 1 for at in range(2001)}] * 2).encode()
    found = report_scores({"wide.json": wide}, ScoresQuestion())
    assert "at most 2,000 columns, got wide.json with 2,001" in sentences(found)["table"]
    broken = report_scores({"half.json": b'{"a": [1, 2' + b", 3" * 5000}, ScoresQuestion())
    assert "must be JSON, got half.json" in sentences(broken)["table"]


def test_what_is_too_large_or_too_small() -> None:
    wide = pd.DataFrame(RNG.random((5, 101)), columns=[f"c{i}" for i in range(101)])
    wide.insert(0, "dataset", list("vwxyz"))
    assert "at most 100 classifiers to be ranked" in sentences(ask(wide, first=EVERY))["first"]
    assert not ask(wide, first="c1", second="c2").mistakes

    long = {"long.csv": b"a,b\n" + b"1,2\n" * (PAGE.rows + 1)}
    found = report_scores(long, ScoresQuestion())
    assert "at most 200,000 rows" in sentences(found)["table"]
    columns = ",".join(f"c{i}" for i in range(2001)).encode()
    found = report_scores({"wide.csv": columns + b"\n"}, ScoresQuestion())
    assert "at most 2,000 columns" in sentences(found)["table"]
    found = report_scores({"broken.parquet": b"PAR1 not really PAR1"}, ScoresQuestion())
    assert "an intact Parquet file, got broken.parquet" in sentences(found)["table"]

    alone = pd.DataFrame({"model": ["m"] * 10, "fold": range(10), "accuracy": RNG.random(10)})
    assert "`table` must be scores of at least two classifiers" in sentences(ask(alone))["table"]


def test_a_table_too_deep_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise RecursionError

    monkeypatch.setattr("replicast.reading.door.read_documents", exhausted)
    assert "Use the command line for it." in sentences(ask(PAIR))["table"]


def test_a_worker_out_of_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who runs the worker has a sentence for it, and replaces the worker."""

    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("replicast.reading.door.read_documents", exhausted)
    with pytest.raises(MemoryError):
        ask(PAIR)


SETS = (("iris", 0.96, 0.94), ("vote", 0.97, 0.95), ("glass", 0.71, 0.69), ("zoo", 0.95, 0.96),
        ("wine", 0.98, 0.97), ("sonar", 0.80, 0.77), ("heart", 0.83, 0.80))  # fmt: skip
PASTED_AS = {
    "Markdown": ("| set | new | old |\n|---|---|---|\n", "| {0} | {1} | {2} |"),
    "LaTeX": ("set & new & old \\\\ \\hline\n", "{0} & {1} & {2} \\\\"),
    "blanks": ("dataset new old\n", "{0} {1} {2}"),
    "tabs": ("dataset\tnew\told\n", "{0}\t{1}\t{2}"),
    "deviations": ("dataset,new,old\n", "{0},{1} ± 0.02,{2} ± 0.03"),
    "percent": ("dataset,new,old\n", "{0},{1:.0%},{2:.0%}"),
    "names of two words": ("dataset new old\n", "the {0} {1} {2}"),
    "bold": ("dataset new old\n", "{0} **{1}** {2}"),
    "uneven blanks": ("dataset    new   old\n", "uci {0} (w)  {1}   {2}"),
}


@pytest.mark.parametrize("kind", [*PASTED_AS, "decimal commas"])
def test_what_people_have_can_be_pasted(kind: str) -> None:
    head, line = PASTED_AS.get(kind, ("dataset;new;old\n", "{0};{1};{2}"))
    text = head + "\n".join(line.format(*row) for row in SETS) + "\n"
    if kind == "decimal commas":
        text = text.replace(".", ",")
    question = ScoresQuestion(rows="datasets", direction="higher")
    record = report_scores({"pasted table": text.encode()}, question, "record").record
    scale = 100 if kind == "percent" else 1
    first, second = ([scale * row[k] for row in SETS] for k in (1, 2))
    told = rc.compare(rc.PairedScores(first=first, second=second, design=rc.Datasets()))
    assert record["names"] == ["new", "old"]
    assert record["evidence"]["pvalue"] == pytest.approx(told.evidence.pvalue)
    assert record["difference"]["estimate"] == pytest.approx(told.difference.estimate)


HOLES = "dataset,flaml,tpot,auto\n" + "".join(
    f"{name},{'' if name == 'vehicle' else 80.5 + k},{70.2 + k * k / 2},{75.3 + k % 3}\n"
    for k, name in enumerate(("iris", "vote", "vehicle", "zoo", "wine", "sonar", "heart"))
)
ZEROS = "case,a,b\n" + "".join(f"c{k},{k % 2},{int(k % 3 > 0)}\n" for k in range(30))
WHICH = "model,dataset,fold,accuracy,f1\n" + "".join(
    f"{m},{d},{f},{0.7 + f / 90},{0.6 + f / 80}\n" for m in "ab" for d in "xyz" for f in range(5)
)
PLAIN = (
    (HOLES, {"direction": "higher"},
     {"missing": "flaml lacks scores on 'vehicle'. What shall be left out?"}),
    (HOLES.replace("zoo,83.5", "zoo,"), {"direction": "higher"},
     {"missing": "flaml lacks scores on 'vehicle', 'zoo'. What shall be left out?"}),
    (ZEROS, {"rows": "cases"}, {}),
    (HOLES.replace("vehicle,", "vehicle,82").replace(",7", ",17"), {},
     {"direction": "The table holds scores that have no name. Which scores are better?"}),
    ("model,dataset,rmsle\na,x,1.5\na,y,2.5\na,z,2\nb,x,1\nb,y,2.7\nb,z,1.9\n", {}, {}),
    (WHICH, {}, {}),
    ("name,u,v,w\np,0.1,0.2,0.3\nq,0.2,0.3,0.4\nr,0.3,0.1,0.2\n", {}, {}),
)  # fmt: skip


@pytest.mark.parametrize(("table", "said", "asked"), PLAIN)
def test_questions_are_asked_in_english(
    table: str, said: dict[str, str], asked: dict[str, str]
) -> None:
    """Refusals of the library once stood there: "`missing` must be drop-dataset, got 1 missing"."""
    question = ScoresQuestion.model_validate({"first": EVERY, **said})
    found = report_scores({"pasted table": table.encode()}, question)
    told = {one.field: one.text for one in found.questions}
    assert asked.items() <= told.items()
    for one in found.questions:
        assert one.text.endswith("?")
        for word in ("`", "must be", " got ", "expected", "drop-", " of which "):
            assert word not in one.text, one.text
    if "missing" in asked:
        labels = {v: words for one in found.questions for v, words in one.choices.items()}
        many = "zoo" in asked["missing"]
        assert labels == {
            "drop-dataset": "'vehicle'" + ", 'zoo'" * many,
            "drop-classifier": "flaml",
        }
        for answer in labels:
            done = report_scores({"pasted table": table.encode()},
                                 question.model_copy(update={"missing": answer}))  # fmt: skip
            assert done.html, done


def test_gaps_of_others_are_not_asked_about() -> None:
    pair = {"direction": "higher", "first": "tpot", "second": "auto"}
    question = ScoresQuestion.model_validate(pair)
    assert report_scores({"pasted table": HOLES.encode()}, question).html


def test_models_on_different_cases_are_compared_without_pairs() -> None:
    """The command line did; the page asked which cases to leave out, and none were left."""
    lines = ["model,case,correct"]
    lines += [f"new,x{k},{int(k % 3 > 0)}" for k in range(40)]
    lines += [f"old,y{k},{k % 2}" for k in range(40)]
    files = {"cases.csv": "\n".join(lines).encode()}
    record = report_scores(files, ScoresQuestion(direction="higher"), "record").record
    assert record["way"] == "unpaired"
    assert record["names"] == ["new", "old"]


def test_slices_are_compared_one_by_one_as_by_the_command_line(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    lines = ["language,case,new,old"]
    for k in range(240):
        new, old = rng.random(2) < (0.8, 0.7)
        lines.append(f"{('de', 'en', 'fr')[k % 3]},{k},{int(new)},{int(old)}")
    table = "\n".join(lines).encode()
    said = {"rows": "cases", "direction": "higher"}
    question = ScoresQuestion.model_validate({**said, "by": "language"})
    found = report_scores({"cases.csv": table}, question, "record").record
    (path := tmp_path / "cases.csv").write_bytes(table)
    told = CliRunner().invoke(app, ["compare", str(path), "--by", "language", "--json"])
    for part, other in zip(found["parts"], json.loads(told.stdout)["parts"], strict=True):
        assert part == other
    page = report_scores({"cases.csv": table}, question)
    assert "language" in page.html
    assert "<svg" in page.html
    wrong = ScoresQuestion.model_validate({**said, "by": "tongue"})
    (mistake,) = report_scores({"cases.csv": table}, wrong).mistakes
    assert mistake.field == "by"
