"""Reports: page, Markdown, LaTeX, CSV; what they say is what the record holds."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import replicast as rc
from browser import open_browser
from replicast.cli import app
from replicast.formatting import format_percent
from replicast.presentation.pictures.behind import as_csv
from replicast.presentation.pictures.figure import Data
from replicast.presentation.renderers.markup import (
    escape_latex,
    latex_table,
    latex_text,
    markdown_table,
)
from replicast.presentation.telling import rendered, tell
from replicast.replication.records import Replication

HOSTILE = (
    "<script>alert(1)</script>",
    "a & b_c 50% $x$ #1 {y} ~ ^ \\cmd",
    "\"quoted\" 'single'",
    "=HYPERLINK('x')",
    "\u202eright to left",
    "🤖 model",
    "x" * 300,
    "line\nbreak | pipe `code` *star*",
)


def pair(
    first: str = "svm", second: str = "nb", shift: float = 0.02, n: int = 10
) -> rc.PairedScores:
    rng = np.random.default_rng(3)
    base = rng.normal(0.8, 0.03, n)
    return rc.PairedScores(
        first=base + rng.normal(shift, 0.02, n),
        second=base,
        design=rc.KFold(n),
        names=(first, second),
    )


def page_of(found: Any, account: tuple[str, ...] = ()) -> str:
    return rendered(found, ".html", account).decode()


def headline(found: Any) -> str:
    return tell(found).headline


def never(found: Replication) -> str:
    return {row.label: row.value for row in tell(found).lines}["so"]


# --------------------------------------------------------------------------- statements
@pytest.mark.parametrize("shift", [-0.05, -0.01, 0.0, 0.01, 0.02, 0.05])
def test_statements_say_what_the_record_holds(shift: float) -> None:
    found = rc.compare(pair(shift=shift))
    told = tell(found)
    chance = format_percent(found.replication.probability)
    assert f"is {chance} (" in told.quote
    significant = found.evidence.pvalue < 0.05
    assert ("outperformed" in told.quote) == significant
    better = "svm" if found.evidence.estimate >= 0 else "nb"
    if significant:
        assert told.quote.startswith(f"{better} (")
        assert told.headline.startswith(f"{better} is better than")
    numbers = re.search(r"t\(9\) = (−?[\d.]+)", told.quote)
    t = abs(found.evidence.statistic) if significant else found.evidence.statistic
    assert float(numbers[1].replace("−", "-")) == pytest.approx(t, rel=0.01)
    assert any("corrected-t model" in text for text in told.how)


def test_headlines_follow_the_chance() -> None:
    met = set()
    for shift in np.linspace(0.01, 0.08, 60):
        found = rc.compare(pair(shift=shift))
        if found.verdict.significant:
            chance = format_percent(found.replication.probability).rstrip("%")
            again = {row.label: row.value for row in tell(found).lines}["again"]
            assert again == f"{chance} of 100 repeats"
            met.add(chance)
    assert len(met) >= 3


def test_other_designs_have_statements() -> None:
    rng = np.random.default_rng(0)
    truth = np.ones(60, dtype=int)
    predictions = rc.PairedPredictions(
        truth=truth,
        first=(rng.random(60) < 0.9).astype(int),
        second=(rng.random(60) < 0.6).astype(int),
    )
    ten = rng.normal(0.02, 0.03, 10)
    for scores, method in (
        (predictions, None),
        (rc.PairedScores(first=ten, second=np.zeros(10), design=rc.FiveByTwo()), None),
        (rc.PairedScores(first=ten, second=np.zeros(10), design=rc.Datasets()), None),
        (
            rc.PairedScores(first=ten, second=np.zeros(10), design=rc.KFold(10)),
            "correlated-posterior",
        ),
        (rc.PairedScores(first=ten, second=np.zeros(10), design=rc.Datasets()), "sign-test"),
    ):
        found = rc.compare(scores, method=method)
        assert len(tell(found).quote) > 40
        assert "nan" not in page_of(found).lower().replace("nano", "")


# --------------------------------------------------------------------------- markup
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names(name: str) -> None:
    found = rc.compare(pair(first=name))
    assert "<script" not in page_of(found)
    latex = rendered(found, ".tex").decode()
    lead = latex.split("\\begin{table}")[0].split("booktabs}\n")[1]
    for raw in re.findall(r"(?<!\\)[&%#_$]", lead):
        assert raw == "$"
    markdown = rendered(found, ".md").decode()
    assert "<script>" not in markdown.replace("\\<", "")
    cells = list(csv.reader(io.StringIO(as_csv(Data(("name",), ((name,),))))))
    assert not cells[1][0].startswith(("=", "+", "@"))
    found.plot().get_figure().canvas.draw()


def test_tables() -> None:
    rows = [["a|b", "1"], ["c", "-2.5"]]
    assert markdown_table(["x", "y"], rows).splitlines()[2] == r"| a\|b | 1 |"
    assert r"c & $-2.5$ \\" in latex_table(["x", "y"], rows)
    data = Data(("x", "y"), (("-a", -2.5), ("c", "-1")))
    assert as_csv(data).splitlines() == ["x,y", "'-a,-2.5", "c,-1"]
    assert escape_latex("a\x00b") == "a b"


def test_no_name_keeps_latex_busy() -> None:
    """`k(` with 60 digits once took longer than anyone can wait: each digit doubled the time.

    In a process of its own, which can be ended; how fast the machine is does not matter.
    """
    program = """
from replicast.presentation.renderers.markup import escape_markdown, latex_text
for inside in ("1", "1, ", "1.1", "1.", "1.1, ", ", ", "(1", "k(1", "k(1) ", "k = ", "-", "-1", "k = 1"):
    for start in ("k(", "k = ", "-", ""):
        for end in ("", ")", "x", ") = 1x", ") = "):
            name = start + inside * 5000 + end
            latex_text(name), escape_markdown(name)
print("done")
"""
    command = [sys.executable, "-c", program]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert told.stdout == "done\n"


@pytest.mark.parametrize("df", ["", "(9)", "(9.5)", "(2, 38)", "(2.5, 38.25)", "(1, 2, 3)"])
def test_statistics_are_set_in_math(df: str) -> None:
    assert latex_text(f"F{df} = 2.45 of a_b") == rf"$F{df} = 2.45$ of a\_b"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
@pytest.mark.parametrize("name", HOSTILE)
def test_latex_compiles(tmp_path: Path, name: str) -> None:
    found = rc.compare(pair(first=name))
    body = rendered(found, ".tex").decode() + latex_table(["≤ é"], [["± → –"]])
    text = (
        "\\documentclass{article}\\usepackage{booktabs}\\begin{document}" + body + "\\end{document}"
    )
    (tmp_path / "a.tex").write_text(text, encoding="utf-8")
    subprocess.run(
        ["pdflatex", "-halt-on-error", "a.tex"], cwd=tmp_path, check=True, capture_output=True
    )


# --------------------------------------------------------------------------- the page
def test_page_is_self_contained() -> None:
    page = page_of(rc.compare(pair()), ("scores.csv: 10 rows.",))
    assert not re.search(r"https?://|src=|<link|@import|url\(", page)
    assert page.count("<h1 ") == 1
    assert page.count('role="img" aria-label=') == page.count('role="img"')
    assert page.count('role="group" aria-label=') == page.count("<svg class") == 2
    assert "scores.csv: 10 rows." in page


def test_many_cases_are_counted() -> None:
    rng = np.random.default_rng(0)
    truth = np.ones(3000, dtype=int)
    found = rc.compare(
        rc.PairedPredictions(
            truth=truth, first=(rng.random(3000) < 0.9).astype(int),
            second=(rng.random(3000) < 0.85).astype(int),
        )
    )  # fmt: skip
    page = page_of(found)
    assert len(page) < 60_000
    right = found.scores.first == 1, found.scores.second == 1
    counts = [(right[0] == a) & (right[1] == b) for a in (True, False) for b in (True, False)]
    for count in counts:
        assert f">{int(count.sum()):,} (" in page


def test_page_in_a_browser(tmp_path: Path) -> None:
    """Renders without script, asks for nothing, logs nothing, prints to one page."""
    from pypdf import PdfReader

    path = tmp_path / "report.html"
    found = rc.compare(pair(second="<b>naive</b>"))
    path.write_text(page_of(found), encoding="utf-8")
    requests: list[str] = []
    messages: list[str] = []
    with open_browser(java_script_enabled=False) as context:
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: messages.append(message.text))
        page.goto(path.as_uri())
        assert page.inner_text("h1") == tell(found).headline
        chance = format_percent(found.replication.probability).rstrip("%")
        assert f"{chance} of 100 repeats" in page.inner_text("table.lines >> nth=0")
        page.set_viewport_size({"width": 360, "height": 800})
        wide = page.locator("main").bounding_box()["width"]
        assert wide <= 360
        page.pdf(path=str(tmp_path / "report.pdf"), format="A4")
    assert requests == [path.as_uri()]
    assert messages == []
    assert len(PdfReader(tmp_path / "report.pdf").pages) == 1


# --------------------------------------------------------------------------- numbers, LaTeX, PDF
def test_csv_is_columns_of_numbers() -> None:
    """A report as CSV was once prose, and negative cells got an apostrophe."""
    found = rc.compare(pair(first="=nb", shift=-0.03))
    (row,) = csv.DictReader(io.StringIO(rendered(found, ".csv").decode()))
    assert row["names_1"] == "'=nb"
    assert float(row["difference_estimate"]) == found.difference.estimate < 0
    low, high = found.difference.confidence_interval()
    assert float(row["difference_confidence_interval_low"]) == low
    assert float(row["difference_confidence_interval_high"]) == high
    assert float(row["evidence_pvalue"]) == found.evidence.pvalue
    assert float(row["replication_probability"]) == found.replication.probability
    judged = rendered(rc.judge(pair(), pair(n=12, shift=0.01)), ".csv").decode()
    (row,) = csv.DictReader(io.StringIO(judged))
    assert float(row["original_pvalue"]) > 0
    assert not any(cell.startswith("[") for cell in row.values())


def test_latex_sets_statistics_in_math() -> None:
    text = rendered(rc.compare(pair(shift=-0.03)), ".tex").decode()
    assert re.search(r"\$t\(9\) = -?\d", text)
    assert re.search(r"\$p [=<] 0", text)
    assert "\\label{tab:nb-is-better-than-svm-by-" in text
    outside = re.sub(r"\$[^$]*\$", "", text)
    assert not re.search(r"[ (\[][-−]\d", outside)
    assert not re.search(r"\bp = ", outside)
    assert latex_text("x-1, 10-fold, a_b = 3") == r"x-1, 10-fold, a\_b = 3"
    assert r"\begin{tabular}{lr}" in latex_table(["a", "b"], [["x", "−1.5"]])


# --------------------------------------------------------------------------- command line
@pytest.mark.parametrize("ending", ["html", "md", "tex", "csv", "json", "txt", "svg", "png", "pdf"])
def test_report_command(ending: str, tmp_path: Path) -> None:
    scores = tmp_path / "accuracy.csv"
    scores.write_text(
        "fold,svm,nb\n" + "".join(f"{i},0.9{i},0.8{9 - i}\n" for i in range(10)), encoding="utf-8"
    )
    target = tmp_path / f"out.{ending}"
    done = CliRunner().invoke(app, ["compare", str(scores), "-o", str(target)])
    assert done.exit_code == 0, done.stderr
    assert target.stat().st_size > 100
    assert "Written to" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"accuracy.csv", target.name}
    if ending == "json":
        assert json.loads(target.read_text("utf-8"))["verdict"]["outcome"] == "first better"


@pytest.mark.parametrize(
    ("output", "match"),
    [("out.docx", "must be a file ending in .html"), ("no/where/out.html", "that can be written")],
)
def test_report_mistakes(output: str, match: str, tmp_path: Path) -> None:
    scores = tmp_path / "accuracy.csv"
    scores.write_text("fold,a,b\n0,0.9,0.8\n1,0.8,0.7\n2,0.7,0.65\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["compare", str(scores), "-o", str(tmp_path / output)])
    assert done.exit_code == 2
    assert match in " ".join(done.stderr.split())


def test_hostile_names_in_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "accuracy.csv"
    evil = "a\x1b[31mred [bold]x[/] \u202e"
    rows = "".join(f"{i},0.9{i},0.8{i}\n" for i in range(6))
    path.write_text(f"fold,{evil},b\n{rows}", encoding="utf-8")
    done = CliRunner().invoke(app, ["compare", str(path)])
    assert done.exit_code == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    assert "[bold]x[/]" in done.stdout


# --------------------------------------------------------------------------- many classifiers
@pytest.fixture
def many(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    lines = ["dataset,forest,svm,<b>knn</b>,tree\n"]
    for i in range(15):
        base = rng.uniform(0.7, 0.9)
        scores = [base + lift + rng.normal(0, 0.02) for lift in (0.03, 0.025, 0.0, -0.02)]
        lines.append(f"d{i}," + ",".join(f"{s:.4f}" for s in scores) + "\n")
    path = tmp_path / "accuracy.csv"
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_rank_command(many: Path, tmp_path: Path) -> None:
    asked = ["rank", str(many), "-o"]
    done = CliRunner().invoke(app, [*asked, str(tmp_path / "cd.png")], env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.stderr
    matrix = CliRunner().invoke(app, [*asked, str(tmp_path / "m.svg"), "--figure", "matrix"])
    assert matrix.exit_code == 0, matrix.stderr
    assert "lead and cannot be told apart" in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert {"cd.png", "m.svg"} <= {path.name for path in tmp_path.iterdir()}
    record = json.loads(CliRunner().invoke(app, ["rank", str(many), "--json"]).stdout)
    assert len(record["pairs"]) == 6
    control = CliRunner().invoke(app, ["rank", str(many), "--control", "svm", "--json"])
    assert len(json.loads(control.stdout)["pairs"]) == 3
    wrong = CliRunner().invoke(app, ["rank", str(many), "--control", "smv"])
    assert "`--control` must be one of" in " ".join(wrong.stderr.split())


@pytest.mark.parametrize("ending", ["html", "md", "tex", "csv", "json", "svg"])
def test_report_of_many(many: Path, ending: str, tmp_path: Path) -> None:
    target = tmp_path / f"out.{ending}"
    done = CliRunner().invoke(app, ["--quiet", "rank", str(many), "-o", str(target)])
    assert done.exit_code == 0, done.stderr
    assert done.stderr == ""
    text = target.read_text("utf-8")
    assert "forest" in text
    if ending == "html":
        assert "<b>knn</b>" not in text
        assert "<script" not in text
        assert "first again in" in text


def test_weka_files_from_the_command_line() -> None:
    folder = Path(__file__).parents[1] / "examples" / "scores"
    files = [str(folder / name) for name in ("nb.arff.gz", "j48.arff.gz", "ibk.arff.gz")]
    done = CliRunner().invoke(
        app,
        [
            "compare",
            *files,
            "--first",
            "J48",
            "--second",
            "NaiveBayes",
            "--dataset",
            "Glass",
            "--json",
        ],
    )
    assert json.loads(done.stdout)["verdict"]["outcome"] == "first better"
    ranked = CliRunner().invoke(app, ["rank", *files])
    assert "3 datasets" in ranked.stdout
    automl = CliRunner().invoke(
        app, ["rank", str(folder / "automl-results.csv"), "--missing", "drop-dataset"]
    )
    assert automl.exit_code == 0, automl.stderr


def test_headlines_of_unusual_results() -> None:
    rng = np.random.default_rng(3)
    base = rng.random(30)
    same = rc.PairedScores(first=base, second=base, design=rc.Datasets(), names=("a", "b"))
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        assert headline(rc.compare(same)) == "a and b have the same score everywhere"
    close = rc.PairedScores(
        first=base + rng.normal(0, 1e-3, 30), second=base, design=rc.Datasets(), names=("a", "b")
    )
    found = rc.compare(close, method="signed-rank-posterior", rope=0.05)
    assert headline(found) == "a and b are equivalent within 5 points"
    nothing = rc.PairedScores(
        first=base + np.resize([0.01, -0.01], 30),
        second=base,
        design=rc.Datasets(),
        names=("a", "b"),
    )
    assert headline(rc.compare(nothing)).startswith("No clear difference between")


def test_a_lead_by_more_wins_but_not_by_the_mean() -> None:
    differences = np.append(np.linspace(0.01, 0.02, 15), -0.6)
    pair = rc.PairedScores(
        first=0.7 + differences, second=np.full(16, 0.7), design=rc.Datasets(), names=("a", "b")
    )
    assert headline(rc.compare(pair)) == "a is better than b more often than not"


def test_results_without_a_model_of_replication_are_told_without() -> None:
    rng = np.random.default_rng(8)
    base = rng.random(10)
    pair = rc.PairedScores(
        first=base + 0.2 + rng.normal(0, 0.05, 10),
        second=base,
        design=rc.FiveByTwo(),
        names=("a", "b"),
    )
    found = rc.compare(pair, method="five-by-two-ftest")
    assert found.replication is None
    assert "again" not in {row.label for row in tell(found).lines}
    assert headline(found).startswith("a is better than b")
    assert not any(line.startswith("Replication") for line in tell(found).how)
    assert "nan" not in page_of(found)


def test_two_scores_leave_no_interval_to_speak_of() -> None:
    pair = rc.PairedScores(first=[0.9, 0.8], second=[0.7, 0.8], design=rc.Datasets())
    found = rc.compare(pair)
    assert "nan" not in found.more()
    assert "(95% interval −117.1 to 137.1 points (for the mean, by t), " in tell(found).quote


@pytest.mark.parametrize("ending", [".md", ".tex", ".html", ".json"])
def test_reports_keep_cautions_and_what_was_dropped(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "accuracy.csv"
    rows = "".join(f"d{i},0.{i}1,0.{i}2,0.{i}3\n" for i in range(1, 6))
    path.write_text(f"dataset,a,b,c\n{rows}holed,,0.5,0.5\n")
    common = [str(path), "--missing", "drop-dataset"]
    for command in (["rank"], ["compare", "--first", "a", "--second", "b"]):
        target = tmp_path / f"r{ending}"
        told = CliRunner().invoke(app, [*command, *common, "-o", str(target)])
        assert told.exit_code == 0, told.output
        text = target.read_text(encoding="utf-8")
        assert "Dropped 1 dataset with missing scores: holed" in text
        assert "--more" not in text  # which a terminal has
        assert re.search("cannot|too few", text)  # five datasets are too few


def test_equal_scores_are_not_too_few() -> None:
    """Ten datasets with equal scores were once said to be too few, and too few to be significant."""
    same = np.full(10, 0.8)
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        found = rc.replicate(rc.PairedScores(first=same, second=same, design=rc.Datasets()))
    assert found.cautions == ()
    assert 0 < found.probability < 0.01  # fresh datasets may differ
    assert headline(found) == "under 1 of 100 repeats would be significant"
    assert never(rc.replicate(wins=3, datasets=4)).startswith("4 datasets can never be significant")
    for won in (1, 5):  # all of them differ: it is the cases that are too few
        found = rc.replicate(discordant=(won, 0), cases=won)
        cases = f"{won} case{'s' * (won > 1)}"
        said = f"one test set of {cases} can never be significant at 0.05, whatever the scores."
        assert never(found) == said
