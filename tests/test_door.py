"""What people type: names cut short, designs in their own words, objects of Python, pasted cells."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.errors import InvalidArgumentError
from replicast.scores.tables import resolve_name


def run(*words: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [str(word) for word in words])
    return done.exit_code, done.stdout, " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("text", "design"),
    [
        ("10-fold", rc.KFold(10)), ("10 fold cv", rc.KFold(10)), ("kfold:10", rc.KFold(10)),
        ("5x10", rc.RepeatedKFold(runs=5, folds=10)), ("10 × 10-fold", rc.RepeatedKFold()),
        ("5x2", rc.FiveByTwo()), ("5x2cv", rc.FiveByTwo()), ("5 seeds", rc.Seeds(5)),
        ("seeds:5", rc.Seeds(5)), ("12 datasets", rc.Datasets(12)), ("cases", rc.Cases()),
    ],
)  # fmt: skip
def test_designs_as_people_write_them(text: str, design: object) -> None:
    rows = {"a": np.linspace(0.7, 0.9, 10), "b": np.linspace(0.6, 0.9, 10)}
    if getattr(design, "n_scores", None) == 10:
        assert rc.read_scores(rows, design=text, metric="accuracy").design == design
    from replicast.design import parse_design

    assert parse_design(text) == design


@pytest.mark.parametrize("text", ["fold", "ten-fold", "5x", "x10", "10", "0-fold", "seeds"])
def test_what_is_no_design_is_refused(text: str) -> None:
    from replicast.design import parse_design

    with pytest.raises(InvalidArgumentError):
        parse_design(text)


def test_names_are_found_by_case_prefix_and_file() -> None:
    known = ["Random Forest", "svm-rbf", "svm-linear"]
    assert resolve_name("random", known) == "Random Forest"
    assert resolve_name("SVM-RBF", known) == "svm-rbf"
    assert resolve_name("svm", known) == "svm"  # two begin so
    assert resolve_name("runs/prompt_v1.jsonl", ["v1", "v2"]) == "v1"
    with pytest.raises(InvalidArgumentError):
        rc.read_scores({"a": [1.0, 2.0], "b": [2.0, 1.0]}, design="2-fold").pair("c", "b")


@pytest.fixture
def three(tmp_path: Path) -> Path:
    path = tmp_path / "three.csv"
    rows = [f"{m},d{i},{0.9 - i / 40 - k / 20:.3f}" for k, m in enumerate("abc") for i in range(9)]
    path.write_text("model,dataset,accuracy\n" + "\n".join(rows) + "\n")
    return path


def test_compare_of_three_ranks_them_and_says_so(three: Path) -> None:
    code, out, said = run("compare", three)
    assert code == 0
    assert "all 3 are ranked" in said
    code, out, _ = run("compare", three, "--json")
    found = json.loads(out)
    assert found["ranking"]["classifiers"] == ["a", "b", "c"]
    assert found["names"] == ["a", "b"]
    code, out, _ = run("compare", three, "--first", "A", "--second", "c", "--json")
    assert json.loads(out)["names"] == ["a", "c"]


def test_a_gate_asks_for_all_it_needs_at_once(tmp_path: Path) -> None:
    for name, least in (("new", 3), ("old", 4)):
        lines = [json.dumps({"id": i, "score": int(i % 9 > least)}) for i in range(60)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    files = (tmp_path / "new.jsonl", tmp_path / "old.jsonl")
    code, _, said = run("gate", *files)
    assert code == 2
    for option in ("--higher-is-better", "--candidate new", "--margin 1"):
        assert option in said
    words = said[said.rindex("old.jsonl ") :].split()[1:]
    assert run("gate", *files, *words)[0] in (0, 1, 3)


def test_a_fitted_search_tells_its_design_and_is_no_candidate_for_a_gate(tmp_path: Path) -> None:
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold

    data, target = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=300)
    search = GridSearchCV(model, {"C": [0.001, 1.0]}, cv=5).fit(data, target)
    table = rc.read_scores(search)
    assert table.design == rc.KFold(5)
    assert "chosen on these folds" in rc.compare(table.pair("C=1.0", "C=0.001")).cautions[0].text
    more = GridSearchCV(model, {"C": [0.001, 0.002, 1.0]}, cv=5).fit(data, target)
    ranked = rc.rank(more)  # type: ignore[arg-type]  # as read_scores
    assert "chosen on these folds" in ranked.cautions[0].text
    others = rc.read_scores(more).pair("C=0.001", "C=0.002")
    assert "chosen" not in others.left_out  # neither was
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    repeated = GridSearchCV(model, {"C": [0.001, 1.0]}, cv=cv).fit(data, target)
    assert rc.read_scores(repeated).design == rc.RepeatedKFold(runs=2, folds=3)
    import pandas as pd

    path = tmp_path / "cv.csv"
    pd.DataFrame(search.cv_results_).to_csv(path)
    words = ("--candidate", "C=1.0", "--baseline", "C=0.001", "--margin", "1")
    code, _, said = run("gate", path, *words)
    assert code == 2
    assert "chosen on these folds" in said


def test_archives_of_arrays_are_read(tmp_path: Path) -> None:
    scores = {"svm": np.linspace(0.7, 0.9, 10), "nb": np.linspace(0.6, 0.85, 10)}
    path = tmp_path / "scores.npz"
    np.savez(path, **scores)
    for source in (path, np.load(path), scores, {k: v.tolist() for k, v in scores.items()}):
        table = rc.read_scores(source, design="10-fold")
        assert table.pair("svm", "nb").first == pytest.approx(scores["svm"])
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(InvalidArgumentError):
        rc.read_scores(path)


def test_means_are_pasted_as_papers_have_them() -> None:
    told = run("replicate", "--means", "93.4 ± 1.2, 92.1 ± 1.0", "--folds", "10", "--json")
    plain = run("replicate", "--means", "93.4,92.1", "--sds", "1.2,1.0", "--folds", "10", "--json")
    assert told[0] == plain[0] == 0
    assert told[1] == plain[1]
    for design in (" over 10 folds", " (10-fold CV)", ", over 10-fold CV"):
        text = f"93.4 ± 1.2 vs 92.1 ± 1.0{design}"
        assert run("replicate", "--means", text, "--json")[1] == plain[1], design
    twice = run("replicate", "--means", "93.4 ± 1.2 vs 92.1 ± 1.0 (10-fold CV)", "--folds", "5")
    assert twice[0] == 2


def test_a_column_of_cases_or_answers_can_be_named(tmp_path: Path) -> None:
    rows = [
        f"{m},w{i},{k},{0.5 + (i * 7 + k * 3 + (m == 'a') * 2) % 11 / 20:.2f}"
        for m in "ab"
        for i in range(12)
        for k in range(2)
    ]
    path = tmp_path / "t.csv"
    path.write_text("model,wort,mal,accuracy\n" + "\n".join(rows) + "\n")
    code, out, said = run("compare", path, "--columns", "case=wort,answer=mal", "--json")
    assert code == 0, said
    assert json.loads(out)["evidence"]["design"].startswith("cases:count=12")
    wide = tmp_path / "wide.csv"
    wide.write_text("wort,a,b\n" + "".join(f"w{i},0.{i + 1},0.{9 - i}\n" for i in range(8)))
    code, out, said = run("compare", wide, "--columns", "case=wort", "--higher-is-better", "--json")
    assert json.loads(out)["evidence"]["design"].startswith("cases:count=8"), said
