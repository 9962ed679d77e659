"""Terminal, report, notebook and page say the same three numbers in the same words."""

import html
import re
from pathlib import Path

import httpx
import numpy as np
import pytest
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.formatting import format_percent
from replicast.presentation.words.chances import ends
from replicast.replication.priors import RELATIONS


def plain(text: str) -> str:
    """Return what a reader sees, on one line."""
    shown = re.sub(r"<(style|script).*?</\1>", " ", text, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def said(words: list[str]) -> str:
    done = CliRunner().invoke(app, words, env={"COLUMNS": "80", "NO_COLOR": "1"})
    assert done.exit_code == 0, done.output
    return plain(done.stdout)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(
    ("reported", "flags", "query"),
    [
        (rc.replicate, {"z": 2.437, "datasets": 20}, "z=2.437&datasets=20"),
        (rc.replicate, {"wins": 16, "datasets": 20}, "wins=16&datasets=20"),
        (
            rc.replicate,
            {"discordant": (40, 20), "cases": 500},
            "first_only=40&second_only=20&cases=500",
        ),
    ],
    ids=["z", "wins", "discordant"],
)
def test_of_a_reported_number(
    web: httpx.Client, relation: str, reported: object, flags: dict[str, float], query: str
) -> None:
    found = reported(**flags, relation=relation)  # type: ignore[operator]  # one of three
    sentence = ends(found)
    other = {"close": found.by_relation.any, "any": found.by_relation.close}
    for chance in [other[relation]] if relation in other else list(other.values()):
        assert format_percent(chance).removesuffix("%") in sentence
    words = ["replicate", "--relation", relation]
    if "discordant" in flags:
        words += ["--discordant", "40,20", "--cases", "500"]
    else:
        words += [part for name, value in flags.items() for part in (f"--{name}", str(value))]
    assert sentence in said(words)
    assert sentence in plain(found._repr_html_())
    assert sentence in plain(web.get(f"/paper?{query}&relation={relation}").text)


@pytest.mark.parametrize("relation", RELATIONS)
def test_of_a_table(web: httpx.Client, tmp_path: Path, relation: str) -> None:
    rng = np.random.default_rng(1)
    second = rng.uniform(0.7, 0.9, 20).round(4)
    first = (second + rng.normal(0.012, 0.02, 20)).round(4)
    lines = [f"d{i},{a},{b}" for i, (a, b) in enumerate(zip(first, second, strict=True))]
    file = tmp_path / "scores.csv"
    file.write_text("dataset,svm,nb\n" + "\n".join(lines))
    pair = rc.PairedScores(first=first, second=second, design=rc.Datasets(), names=("svm", "nb"))
    found = rc.compare(pair, relation=relation)  # type: ignore[arg-type]  # words of a list
    assert found.replication is not None
    sentence = ends(found.replication)
    asked = [str(file), "--first", "svm", "--second", "nb", "--metric", "accuracy"]
    asked += ["--relation", relation]
    assert sentence in said(["compare", *asked])
    assert sentence in plain(found._repr_html_())
    for ending in ("html", "md"):
        report = tmp_path / f"report.{ending}"
        said(["compare", *asked, "-o", str(report)])
        assert sentence in plain(report.read_text(encoding="utf-8"))
    fields = {"first": "svm", "second": "nb", "metric": "accuracy", "relation": relation}
    with file.open("rb") as content:
        page = web.post("/scores", data=fields, files={"files": ("scores.csv", content)})
    assert sentence in plain(page.text)
