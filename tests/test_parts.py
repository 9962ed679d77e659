"""Comparisons side by side: slices, measures and pairs, corrected together."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.presentation.telling import tell, write

RNG = np.random.default_rng(33)
LANGUAGES = np.array(["en", "es", "fr"])[np.arange(300) % 3]
NEW, OLD = RNG.random(300) < 0.85 - 0.5 * (LANGUAGES == "es"), RNG.random(300) < 0.7


def pair() -> rc.PairedScores:
    return rc.PairedScores(first=NEW, second=OLD, design="holdout", names=("new", "old"))


def run(*words: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.csv"
    rows = [
        {"model": model, "case": at, "language": LANGUAGES[at], "correct": int(scores[at])}
        for model, scores in (("new", NEW), ("old", OLD))
        for at in range(300)
    ]
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


def test_slices_are_compared_and_corrected_together() -> None:
    slices = pair().slices(LANGUAGES.tolist())
    results = {name: rc.compare(part) for name, part in slices.items()}
    found = rc.side_by_side(results, by="language", whole=rc.compare(pair()))
    raw = np.array([result.evidence.pvalue for result in results.values()])
    order = np.argsort(raw)
    holm = np.maximum.accumulate(raw[order] * [3, 2, 1]).clip(max=1)
    assert [found.parts[at].adjusted for at in order] == pytest.approx(holm)
    assert [part.n for part in found.parts] == [100, 100, 100]
    assert not found.same_winner
    assert found.outcome is None
    assert found["en"] is results["en"]
    for part in found.parts:
        result = results[part.label]
        assert part.interval == result.difference.confidence_interval()
        assert part.again == result.replication.probability
        assert (part.first, part.second) == (
            result.scores.first.mean(),
            result.scores.second.mean(),
        )


def test_what_a_slice_sees_is_what_80_of_100_show() -> None:
    """A true difference as large as `visible` is significant in about 80 of 100 draws."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(2, 400))
    design = rc.Cases(400)
    one = rc.side_by_side({"x": rc.compare(*scores, design=design)}).parts[0]
    draws = rng.normal(one.visible, np.sqrt(2), size=(4000, 400))
    shown = rc.METHODS["case-ttest"].batch_pvalues(draws, design) < 0.05
    assert shown.mean() == pytest.approx(0.8, abs=0.06)  # the spread seen is not the true one


def test_gates_of_slices_pass_together_or_not_at_all() -> None:
    equal = rc.PairedScores(first=OLD, second=OLD, design="holdout")
    slices = equal.slices(LANGUAGES.tolist())
    gates = {name: rc.gate(part, margin=0.1) for name, part in slices.items()}
    found = rc.side_by_side(gates, by="language", whole=rc.gate(equal, margin=0.1))
    assert (found.outcome, found.exit_code) == ("pass", 0)
    worse = {**gates, "es": rc.gate(pair().slices(LANGUAGES.tolist())["es"], margin=0.02)}
    assert worse["es"].outcome == "fail"
    found = rc.side_by_side(worse, by="language")
    assert (found.outcome, found.exit_code) == ("fail", 1)
    assert [part.outcome for part in found.parts] == ["pass", "fail", "pass"]


def test_slices_on_the_command_line(cases: Path, tmp_path: Path) -> None:
    said = run("compare", cases, "--by", "language")
    for word in (
        "new leads in 2, old leads in 1 of 3 by language",
        "all",
        "en",
        "es",
        "fr",
        "visible",
    ):
        assert word in said
    told = json.loads(run("compare", cases, "--by", "language", "--json"))
    assert [part["label"] for part in told["parts"]] == ["en", "es", "fr"]
    whole = json.loads(run("compare", cases, "--columns", "cluster=none", "--json"))
    assert told["whole"]["evidence"]["pvalue"] == whole["evidence"]["pvalue"]
    gated = run("gate", cases, "--by", "language", "--candidate", "new", "--baseline", "old",
                "--margin", "2", code=1)  # fmt: skip
    assert "FAIL  in es" in gated
    for ending in ("html", "md", "tex", "csv", "json", "txt"):
        target = tmp_path / f"report.{ending}"
        run("compare", cases, "--by", "language", "-o", target)
        assert "es" in target.read_text()
    assert "`--by` must be one of the columns" in run("compare", cases, "--by", "lang", code=2)


def test_slices_have_the_sign_of_the_whole(tmp_path: Path) -> None:
    """A slice whose first row was the other model's once had the other sign."""
    lines = ["case,site,model,dice"]
    for at in range(12):
        rows = [f"c{at},{'Wien' if at < 6 else 'Graz'},{name},{score + at / 100:.3f}"
                for name, score in (("A", 0.75 + at % 3 / 100), ("B", 0.7))]  # fmt: skip
        lines += rows if at < 6 else rows[::-1]
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(lines))
    done = CliRunner().invoke(app, ["compare", str(path), "--by", "site", "--json"])
    parts = json.loads(done.stdout)["parts"]
    assert [part["names"] for part in parts] == [["A", "B"]] * 2
    assert min(part["difference"] for part in parts) > 0


def test_every_surface_tells_parts(tmp_path: Path) -> None:
    found = rc.side_by_side(
        {name: rc.compare(part) for name, part in pair().slices(LANGUAGES.tolist()).items()},
        by="language", whole=rc.compare(pair()), left_out="de (no case)",
    )  # fmt: skip
    assert "Not compared: de (no case)." in [caution.text for caution in found.cautions]
    document = tell(found)
    assert document.listing is not None
    assert [row[0] for row in document.listing.rows] == ["all", "en", "es", "fr"]
    assert "es" in found._repr_html_()
    assert "es" in str(found)
    write(found, tmp_path / "parts.html")
    assert len(str(found).splitlines()) <= 10


def predictions(tmp_path: Path) -> Path:
    truth = RNG.integers(2, size=200)
    said = {f"pred_{m}": np.where(RNG.random(200) < s, truth, 1 - truth)
            for m, s in (("a", 0.85), ("b", 0.8), ("c", 0.6))}  # fmt: skip
    path = tmp_path / "predictions.csv"
    pd.DataFrame({"y_true": truth, **said}).to_csv(path, index=False)
    return path


def test_measures_in_every_command(tmp_path: Path) -> None:
    path = predictions(tmp_path)
    frame = pd.read_csv(path)
    value = f1_score(frame["y_true"], frame["pred_a"])
    pair_of = ("--first", "a", "--second", "c")
    told = json.loads(run("compare", path, "--measure", "f1", *pair_of, "--json"))
    assert told["first"] == pytest.approx(value)
    gated = json.loads(run("gate", path, "--measure", "f1", "--candidate", "a", "--baseline", "c",
                           "--margin", "5", "--json"))  # fmt: skip
    assert (gated["outcome"], gated["margin"]) == ("pass", 0.05)
    assert "cases make 80 of 100" in run("plan", path, "--measure", "f1", "--first", "a",
                                         "--second", "b")  # fmt: skip
    ranked = json.loads(run("rank", path, "--measure", "f1", "--json"))
    assert [part["label"] for part in ranked["parts"]] == ["a - b", "a - c", "b - c"]
    assert ranked["parts"][1]["pvalue"] == told["pvalue"]


def test_all_measures_at_once(tmp_path: Path) -> None:
    path = predictions(tmp_path)
    said = run("compare", path, "--measure", "all", "--first", "a", "--second", "c")
    assert "By measure, a leads in " in said
    told = json.loads(run("compare", path, "--measure", "accuracy,mcc", "--first", "a", "--second",
                          "c", "--json"))  # fmt: skip
    assert told["same_winner"]
    assert [part["label"] for part in told["parts"]] == ["accuracy", "mcc"]


def test_all_metrics_of_a_table_of_scores(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"dataset": f"d{d}", "model": model, "metric": metric, "value": RNG.random() * 0.1 + 0.8}
        for d in range(12) for model in "AB" for metric in ("accuracy", "auc", "f1")
    ]  # fmt: skip
    path = tmp_path / "metrics.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    told = json.loads(run("compare", path, "--metric", "all", "--json"))
    assert [part["label"] for part in told["parts"]] == ["accuracy", "auc", "f1"]
    alone = json.loads(run("compare", path, "--metric", "auc", "--json"))
    assert told["parts"][1]["pvalue"] == alone["evidence"]["pvalue"]
    ranked = json.loads(run("rank", path, "--metric", "all", "--json"))
    assert len(ranked["parts"]) == 3
    some = json.loads(run("compare", path, "--metric", "auc,f1", "--json"))
    assert [part["label"] for part in some["parts"]] == ["auc", "f1"]


def test_all_metrics_name_what_they_leave_out(tmp_path: Path) -> None:
    scores = pd.DataFrame(RNG.random((60, 3)), columns=["f1", "auc", "latency_ms"])
    scores.insert(0, "model", ["A", "B"] * 30)
    scores.insert(1, "case", [f"q{at}" for at in range(30) for _ in "AB"])
    path = tmp_path / "columns.csv"
    scores.to_csv(path, index=False)
    said = run("compare", path, "--metric", "all", "--design", "cases")
    assert "latency_ms" in said.partition("read:")[0]


def test_what_is_refused() -> None:
    with pytest.raises(rc.InvalidArgumentError, match="`results` must be a dict of comparisons"):
        rc.side_by_side({})
    with pytest.raises(rc.InvalidArgumentError, match="comparisons, findings or gates"):
        rc.side_by_side({"x": 3})
    folds = rc.PairedScores(first=[1, 2], second=[2, 3], design=rc.KFold(2))
    with pytest.raises(rc.errors.DesignMismatchError, match="given with scores of cases"):
        folds.slices(["a", "b"])
