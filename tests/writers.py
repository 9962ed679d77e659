"""Every format written from scores that are known, with names and numbers as people write them.

A writer returns the bytes of files and what the reader has to be told; `ROUND_TRIPS` has them by
format and, for tables, by syntax.
"""

import csv
import html
import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd

import replicast as rc

Files = dict[str, bytes]


@dataclass(frozen=True)
class Truth:
    """Scores as classifier x dataset x fold (or case), the names, and how numbers are written."""

    classifiers: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: np.ndarray
    cell: Callable[[float], str] = str
    order: int = 0

    @property
    def folds(self) -> int:
        return int(self.scores.shape[2])

    def rows(self) -> list[tuple[str, str, int, float]]:
        found = [
            (c, d, f + 1, float(self.scores[i, j, f]))
            for i, c in enumerate(self.classifiers)
            for j, d in enumerate(self.datasets)
            for f in range(self.folds)
        ]
        return [found[k] for k in np.random.default_rng(self.order).permutation(len(found))]

    @property
    def single(self) -> "Truth":
        """The first dataset alone."""
        return Truth(self.classifiers, self.datasets[:1], self.scores[:, :1], self.cell, self.order)

    @property
    def means(self) -> "Truth":
        """The first fold alone: one score a dataset."""
        return Truth(self.classifiers, self.datasets, self.scores[:, :, :1], self.cell, self.order)

    @property
    def right(self) -> "Truth":
        """Cases of the first dataset that are right or wrong."""
        scores = np.where(self.scores[:, :1] > np.median(self.scores), 1.0, 0.0)
        return Truth(self.classifiers, self.datasets[:1], scores, order=self.order)

    def grid(self) -> list[list[str]]:
        """One line a dataset, one column a classifier."""
        rows = [["dataset", *self.classifiers]]
        for j, d in enumerate(self.datasets):
            rows.append([d, *(self.cell(float(x)) for x in self.scores[:, j, 0])])
        return rows


@dataclass(frozen=True)
class Written:
    """Files, what to say to the reader, and what it has to find."""

    files: Files | pd.DataFrame
    truth: Truth
    said: dict[str, Any] = field(default_factory=dict)
    named: bool = True  # whether the file names the dataset
    higher: bool = True  # whether higher scores are better


Writer = Callable[[Truth], Written]
ACCURACY = {"metric": "accuracy"}


def csv_of(rows: list[list[Any]], separator: str = ",") -> bytes:
    sink = io.StringIO()
    csv.writer(sink, delimiter=separator, lineterminator="\n").writerows(rows)
    return sink.getvalue().encode()


def zipped(files: dict[str, bytes | str]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return sink.getvalue()


def long(truth: Truth, separator: str = ",") -> Written:
    rows = [[c, d, f, truth.cell(x)] for c, d, f, x in truth.rows()]
    raw = csv_of([["classifier", "dataset", "fold", "accuracy"], *rows], separator)
    return Written({"scores.csv": raw}, truth)


def semicolons(truth: Truth) -> Written:
    return long(truth, ";")


def tabs(truth: Truth) -> Written:
    return long(truth, "\t")


def frame(truth: Truth) -> Written:
    columns = ["classifier", "dataset", "fold", "accuracy"]
    return Written(pd.DataFrame(truth.rows(), columns=columns), truth)


def parquet(truth: Truth) -> Written:
    found, sink = frame(truth).files, io.BytesIO()
    assert isinstance(found, pd.DataFrame)
    found.to_parquet(sink)
    return Written({"scores.parquet": sink.getvalue()}, truth)


def json_records(truth: Truth) -> Written:
    rows = [dict(zip(("model", "dataset", "fold", "accuracy"), row, strict=True))
            for row in truth.rows()]  # fmt: skip
    return Written({"scores.json": json.dumps(rows).encode()}, truth)


def json_lines(truth: Truth) -> Written:
    rows = [dict(zip(("model", "dataset", "fold", "accuracy"), row, strict=True))
            for row in truth.rows()]  # fmt: skip
    return Written({"scores.jsonl": "\n".join(map(json.dumps, rows)).encode()}, truth)


def wide(truth: Truth, separator: str = ",", encoding: str = "utf-8") -> Written:
    text = csv_of(truth.means.grid(), separator).decode()
    return Written({"scores.csv": text.encode(encoding)}, truth.means, ACCURACY)


def utf_16(truth: Truth) -> Written:
    return wide(truth, ";", "utf-16")


def markdown(truth: Truth) -> Written:
    head, *rows = truth.means.grid()
    marks = re.compile(r"([\\`*_{}\[\]<>|~])")
    lines = [
        [marks.sub(r"\\\1", cell) for cell in head],
        *([marks.sub(r"\\\1", d), *cells] for d, *cells in rows),
    ]
    lines.insert(1, [":---"] * len(lines[0]))
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return Written({"table.md": f"Results.\n\n{text}\n".encode()}, truth.means, ACCURACY)


_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX |= {mark: "\\" + mark for mark in "&%$#_{}"}


def latex(truth: Truth) -> Written:
    told = [["".join(_LATEX.get(x, x) for x in cell) for cell in row] for row in truth.means.grid()]
    lines = [" & ".join(line) + r" \\" for line in told]
    lines.insert(1, r"\midrule")
    body = "\n".join(lines)
    spec = "l" + "r" * len(truth.classifiers)
    text = f"\\begin{{tabular}}{{{spec}}}\n\\toprule\n{body}\n\\bottomrule\n\\end{{tabular}}\n"
    return Written({"table.tex": text.encode()}, truth.means, ACCURACY)


def html_page(truth: Truth) -> Written:
    rows = [[html.escape(cell) for cell in row] for row in truth.means.grid()]
    lines = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    text = "<table>" + "".join(f"<tr>{line}</tr>\n" for line in lines) + "</table>"
    return Written({"page.html": text.encode()}, truth.means, ACCURACY)


def blanks(truth: Truth) -> Written:
    """Columns as wide as their widest cell, two blanks between, as pandas and R print them."""
    rows = truth.means.grid()
    wide = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    text = "\n".join(
        "  ".join(cell.ljust(n) for cell, n in zip(row, wide, strict=True)).rstrip() for row in rows
    )
    return Written({"table.txt": text.encode()}, truth.means, ACCURACY)


_BOOK = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def xlsx(truth: Truth) -> Written:
    def cell(text: object, row: int, column: int) -> str:
        place = f'r="{chr(65 + column)}{row}"'
        if isinstance(text, float):
            return f"<c {place}><v>{text!r}</v></c>"
        inner = escape(str(text))
        return f'<c {place} t="inlineStr"><is><t xml:space="preserve">{inner}</t></is></c>'

    lines = "".join(
        f'<row r="{r}">{"".join(cell(one, r, c) for c, one in enumerate(row))}</row>'
        for r, row in enumerate(_typed(truth.means), start=1)
    )
    raw = zipped({
        "_rels/.rels": f'<Relationships xmlns="{_LINKS}"><Relationship Id="r1" '
        f'Type="{_KIND}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_BOOK}" xmlns:r="{_KIND}"><sheets>'
        '<sheet name="s1" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_LINKS}"><Relationship Id="r1" '
        f'Type="{_KIND}/worksheet" Target="worksheets/s1.xml"/></Relationships>',
        "xl/worksheets/s1.xml": f'<worksheet xmlns="{_BOOK}"><sheetData>{lines}</sheetData></worksheet>',
    })  # fmt: skip
    return Written({"book.xlsx": raw}, truth.means, ACCURACY)


def ods(truth: Truth) -> Written:
    def cell(text: object) -> str:
        if isinstance(text, float):
            return (
                f'<table:table-cell office:value-type="float" office:value="{text!r}">'
                f"<text:p>{text!r}</text:p></table:table-cell>"
            )
        return (
            '<table:table-cell office:value-type="string">'
            f"<text:p>{escape(str(text))}</text:p></table:table-cell>"
        )

    rows = "".join(
        f"<table:table-row>{''.join(map(cell, row))}</table:table-row>"
        for row in _typed(truth.means)
    )
    name = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = " ".join(f'xmlns:{one}="{name}:{one}:1.0"' for one in ("office", "table", "text"))
    raw = zipped({
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{name}:manifest:1.0"/>',
        "content.xml": f"<office:document-content {spaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="s1">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>",
    })  # fmt: skip
    return Written({"book.ods": raw}, truth.means, ACCURACY)


def _typed(truth: Truth) -> list[list[object]]:
    """Return the grid with numbers as numbers, unless they are written in a way of their own."""
    head, *rows = truth.grid()
    own = truth.cell is not str
    return [
        list(head),
        *([d, *(row if own else map(float, row))] for d, *row in rows),
    ]


def caret(truth: Truth) -> Written:
    """`write.csv(resamples(...)$values, row.names = FALSE)`."""
    one = truth.single
    head = ["Resample", *(f"{c}~{m}" for c in one.classifiers for m in ("Accuracy", "Kappa"))]
    rows = [
        [f"Fold{f + 1:02}", *(x for c in one.scores[:, 0, f] for x in (one.cell(float(c)), 0.5))]
        for f in range(one.folds)
    ]
    return Written({"resamples.csv": csv_of([head, *rows])}, one, ACCURACY, named=False)


def caret_long(truth: Truth) -> Written:
    rows = [[k + 1, one.cell(x), 0.5, f"Fold{f:02}.Rep1", c]
            for one in (truth.single,) for k, (c, _, f, x) in enumerate(one.rows())]  # fmt: skip
    head = ["", "Accuracy", "Kappa", "Resample", "model"]
    return Written({"caret.csv": csv_of([head, *rows])}, truth.single, ACCURACY, named=False)


def mlr(truth: Truth) -> Written:
    rows = [[d, c, f, truth.cell(x), 0.5] for c, d, f, x in truth.rows()]
    raw = csv_of([["task.id", "learner.id", "iter", "acc", "mmce"], *rows])
    return Written({"bmr.csv": raw}, truth, {"metric": "acc"})


def mlr3(truth: Truth) -> Written:
    rows = [[1, d, c, "cv", f, truth.cell(x)] for c, d, f, x in truth.rows()]
    head = ["nr", "task_id", "learner_id", "resampling_id", "iteration", "classif.acc"]
    return Written({"score.csv": csv_of([head, *rows])}, truth)


def tidymodels(truth: Truth) -> Written:
    one = truth.single
    rows = [[c, f"Fold{f:02}", m, "binary", one.cell(x) if m == "accuracy" else 0.5, "Model1"]
            for c, _, f, x in one.rows() for m in ("accuracy", "roc_auc")]  # fmt: skip
    head = ["wflow_id", "id", ".metric", ".estimator", ".estimate", ".config"]
    return Written({"metrics.csv": csv_of([head, *rows])}, one, ACCURACY, named=False)


def weka(truth: Truth) -> Written:
    """Schemes are Java classes; datasets may be called anything."""
    called = tuple(f"Class{i}" for i in range(len(truth.classifiers)))
    one = Truth(called, truth.datasets, truth.scores, truth.cell, truth.order)

    def quoted(text: str) -> str:
        odd = any(mark in text for mark in " ,'\"\\%{}?\t")
        return "'" + re.sub(r"(['\"\\%])", r"\\\1", text) + "'" if odd else text

    head = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct"
    lines = [
        f"{quoted(d)},1,{f},weka.classifiers.x.{c},'-K \\'x\\'',{one.cell(x)}"
        for c, d, f, x in one.rows()
    ]
    return Written({"weka.csv": "\n".join([head, *lines]).encode()}, one)


def aeon(truth: Truth) -> Written:
    files = {}
    for i, c in enumerate(truth.classifiers):
        rows = [[d, *map(truth.cell, map(float, truth.scores[i, j]))]
                for j, d in enumerate(truth.datasets)]  # fmt: skip
        files[f"{c}_accuracy.csv"] = csv_of([["Resamples:", *range(truth.folds)], *rows])
    return Written(
        files, truth, {"design": rc.RandomSplits(splits=truth.folds, n_train=90, n_test=10)}
    )


def tsml_eval(truth: Truth) -> Written:
    grid = truth.means.grid()
    raw = csv_of([["Estimators:", *grid[0][1:]], *grid[1:]])
    return Written({"accuracy_mean.csv": raw}, truth.means)


def tsml(truth: Truth) -> Written:
    one, files = truth.right, {}
    for i, c in enumerate(one.classifiers):
        right = one.scores[i, 0]
        lines = [
            f"{one.datasets[0]},{c},TEST,0,MILLISECONDS,PREDICTIONS",
            "x",
            f"{right.mean()},1,1",
        ]
        lines += [f"1,{int(x)},,0,1" for x in right]
        files[f"{i}/testResample0.csv"] = "\n".join(lines).encode()
    return Written(files, one)


def automl(truth: Truth) -> Written:
    rows = [["x", d, c, "1h", f, truth.cell(x), "auc"] for c, d, f, x in truth.rows()]
    head = ["id", "task", "framework", "constraint", "fold", "result", "metric"]
    return Written({"results.csv": csv_of([head, *rows])}, truth)


def openml(truth: Truth) -> Written:
    rows = [
        [k, i, i, c, d, "predictive_accuracy", 0.5, json.dumps(truth.scores[i, j].tolist())]
        for k, (i, c, j, d) in enumerate(
            (i, c, j, d)
            for i, c in enumerate(truth.classifiers)
            for j, d in enumerate(truth.datasets)
        )
    ]
    head = [
        "run_id",
        "setup_id",
        "flow_id",
        "flow_name",
        "data_name",
        "function",
        "value",
        "values",
    ]
    said = {"design": rc.KFold(truth.folds)}
    return Written({"evaluations.csv": csv_of([head, *rows])}, truth, said)


def mlflow(truth: Truth) -> Written:
    rows = [[f"r{k}", "FINISHED", truth.cell(x), c, d, f]
            for k, (c, d, f, x) in enumerate(truth.rows())]  # fmt: skip
    head = ["run_id", "status", "metrics.accuracy", "params.model", "tags.data", "params.fold"]
    said = {
        "classifier_column": "params.model",
        "dataset_column": "tags.data",
        "fold_column": "params.fold",
    }
    return Written({"runs.csv": csv_of([head, *rows])}, truth, said)


def scikit_learn(truth: Truth) -> Written:
    one = truth.single
    found = {
        c: {"fit_time": [0.1] * one.folds, "test_score": one.scores[i, 0].tolist()}
        for i, c in enumerate(one.classifiers)
    }
    said = {"design": rc.KFold(one.folds)}
    return Written({"cv.json": json.dumps(found).encode()}, one, said, named=False)


def search(truth: Truth) -> Written:
    one = truth.single
    head = ["params", *(f"split{f}_test_score" for f in range(one.folds))]
    rows = [[repr({"model": c}), *map(repr, map(float, one.scores[i, 0]))]
            for i, c in enumerate(one.classifiers)]  # fmt: skip
    called = Truth(tuple(f"model={c}" for c in one.classifiers), one.datasets, one.scores)
    said = {"design": rc.KFold(one.folds)}
    return Written({"search.csv": csv_of([head, *rows])}, called, said, named=False)


def lm_eval(truth: Truth) -> Written:
    one, files = truth.right, {}
    for i, c in enumerate(one.classifiers):
        lines = [json.dumps({"doc_id": k, "acc": x}) for k, x in enumerate(one.scores[i, 0])]
        path = f"{c}/samples_{one.datasets[0]}_2026-01-01T00-00-00.jsonl"
        files[path] = "\n".join(lines).encode()
    return Written(files, one)


def _inspect_log(truth: Truth, at: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    about = {"model": truth.classifiers[at], "task": truth.datasets[0]}
    words = {1.0: "C", 0.0: "I"}
    samples = [
        {"id": f"q,{k}", "epoch": 1, "scores": {"match": {"value": words[float(x)]}}}
        for k, x in enumerate(truth.scores[at, 0])
    ]
    return {"version": 2, "status": "success", "eval": about}, samples


def inspect_json(truth: Truth) -> Written:
    one, files = truth.right, {}
    for i in range(len(one.classifiers)):
        head, samples = _inspect_log(one, i)
        files[f"log-{i}.json"] = json.dumps({**head, "samples": samples}).encode()
    return Written(files, one)


def inspect_eval(truth: Truth) -> Written:
    one, files = truth.right, {}
    for i in range(len(one.classifiers)):
        head, samples = _inspect_log(one, i)
        parts: dict[str, bytes | str] = {
            f"samples/{k}_epoch_1.json": json.dumps(sample) for k, sample in enumerate(samples)
        }
        files[f"log-{i}.eval"] = zipped({"header.json": json.dumps(head), **parts})
    return Written(files, one)


def inspect_frame(truth: Truth) -> Written:
    one = truth.right
    rows = [[f"s{k}", f"e{c}", c, d, f, 1, "C" if x else "I"]
            for k, (c, d, f, x) in enumerate(one.rows())]  # fmt: skip
    head = ["sample_id", "eval_id", "model", "task_name", "id", "epoch", "score_match"]
    return Written({"samples.csv": csv_of([head, *rows])}, one)


def helm(truth: Truth) -> Written:
    one, files = truth.right, {}
    for i, c in enumerate(one.classifiers):
        found = [
            {"instance_id": f"id{k}", "train_trial_index": 0,
             "stats": [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": x}]}
            for k, x in enumerate(one.scores[i, 0].tolist())
        ]  # fmt: skip
        path = f"{one.datasets[0]}:model={c}/per_instance_stats.json"
        files[path] = json.dumps(found).encode()
    return Written(files, one)


def openai_evals(truth: Truth) -> Written:
    one, files = truth.right, {}
    for i, c in enumerate(one.classifiers):
        lines: list[dict[str, Any]] = [
            {"spec": {"completion_fns": [c], "eval_name": one.datasets[0]}},
            *({"run_id": "r", "event_id": k, "sample_id": f"s.{k}", "type": "match",
               "data": {"correct": bool(x)}} for k, x in enumerate(one.scores[i, 0])),
        ]  # fmt: skip
        files[f"events-{i}.jsonl"] = "\n".join(map(json.dumps, lines)).encode()
    return Written(files, one)


def deepeval(truth: Truth) -> Written:
    one, files = truth.right, {}
    for i, c in enumerate(one.classifiers):
        cases = [
            {"name": f"case_{k}", "input": f"question {k}", "success": bool(x),
             "metricsData": [{"name": "Relevancy", "threshold": 0.5, "success": bool(x), "score": x}]}
            for k, x in enumerate(one.scores[i, 0].tolist())
        ]  # fmt: skip
        found = {"testCases": cases, "hyperparameters": {"model": c}}
        files[f"run-{i}.json"] = json.dumps(found).encode()
    return Written(files, one, named=False)


def promptfoo_json(truth: Truth) -> Written:
    one = truth.right
    found = [
        {"provider": {"id": c}, "prompt": {"raw": "Q", "label": "Q"}, "testIdx": f - 1,
         "success": bool(x), "score": x, "gradingResult": {"pass": bool(x)}, "namedScores": {}}
        for c, _, f, x in one.rows()
    ]  # fmt: skip
    raw = json.dumps({"results": {"results": found}}).encode()
    return Written({"results.json": raw}, one, named=False)


def promptfoo_csv(truth: Truth) -> Written:
    one = truth.right
    head = ["Description", "n"]
    for c in one.classifiers:
        head += [
            f"[{c}] Q {{{{n}}}}",
            "Status",
            "Score",
            "Named Scores",
            "Grader Reason",
            "Comment",
        ]
    rows = [
        [f"Row #{k + 1}", k, *(
            cell for x in one.scores[:, 0, k]
            for cell in ("text", "PASS" if x else "FAIL", f"{x:.2f}", "", "why, and how", "")
        )]
        for k in range(one.folds)
    ]  # fmt: skip
    return Written({"results.csv": csv_of([head, *rows])}, one, named=False)


def predictions(truth: Truth) -> Written:
    one = truth.right
    head = ["id", "y_true", *one.classifiers]
    rows = [
        [k + 1, "yes" if k % 2 else "no", *(
            ("yes" if k % 2 else "no") if x else ("no" if k % 2 else "yes")
            for x in one.scores[:, 0, k]
        )]
        for k in range(one.folds)
    ]  # fmt: skip
    return Written({"test.csv": csv_of([head, *rows])}, one, named=False)


def model_id_score(truth: Truth) -> Written:
    one = truth.right
    rows = [[c, f"q{f}", int(x)] for c, _, f, x in one.rows()]
    raw = csv_of([["model", "question_id", "correct"], *rows])
    return Written({"answers.csv": raw}, one, named=False)


def file_per_model(truth: Truth) -> Written:
    one, files = truth.single, {}
    for i, c in enumerate(one.classifiers):
        rows = [[f + 1, one.cell(float(x))] for f, x in enumerate(one.scores[i, 0])]
        files[f"{c}.csv"] = csv_of([["fold", "accuracy"], *rows])
    return Written(files, one, named=False)


ROUND_TRIPS: dict[str, tuple[Writer, ...]] = {
    "lm-eval samples": (lm_eval,),
    "Inspect logs": (inspect_json, inspect_eval),
    "HELM instances": (helm,),
    "OpenAI evals": (openai_evals,),
    "DeepEval runs": (deepeval,),
    "promptfoo results": (promptfoo_json, promptfoo_csv),
    "tsml results": (tsml,),
    "results of scikit-learn": (scikit_learn,),
    "Weka Experimenter results": (weka,),
    "AutoML benchmark results": (automl,),
    "OpenML evaluations": (openml,),
    "cv_results_ of scikit-learn": (search,),
    "MLflow runs": (mlflow,),
    "samples of Inspect": (inspect_frame,),
    "tsml-eval table": (tsml_eval,),
    "aeon reference results": (aeon,),
    "tables": (
        long, semicolons, tabs, frame, parquet, json_records, json_lines, wide, utf_16, markdown,
        latex, html_page, blanks, xlsx, ods, caret, caret_long, mlr, mlr3, tidymodels, predictions,
        model_id_score, file_per_model,
    ),
}  # fmt: skip
