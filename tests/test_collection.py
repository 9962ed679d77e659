"""Files that real programs wrote: read rightly, asked about or refused, never misread."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from replicast.cli import app

FOLDER = Path(__file__).parent / "golden" / "collection"
ENTRIES: list[dict[str, Any]] = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
GRADED = ("loss_long.csv", "loss_wide.csv")  # scores per case that are not 0 or 1 are asked about


def name_of(entry: dict[str, Any]) -> str:
    first = entry["file"] if isinstance(entry["file"], str) else entry["file"][0]
    ask = entry["ask"][0] if isinstance(entry["ask"][0], list) else entry["ask"]
    return f"{first} {' '.join(word for word in ask if word != 'FILE')}"


def plain(name: object) -> str:
    return re.sub(r"[^a-z0-9]", "", str(name).lower())


def alike(first: object, second: object) -> bool:
    a, b = plain(first), plain(second)
    return a == b or (min(len(a), len(b)) > 1 and (a in b or b in a))


def near(found: float, true: float) -> bool:
    """Equal up to rounding, in percent or as a fraction."""
    return any(math.isclose(found * k, true, rel_tol=5e-3, abs_tol=1e-6) for k in (1, 100, 0.01))


def near_p(found: float, true: float, tolerance: float) -> bool:
    if min(found, true) <= 0:
        return max(found, true) < 1e-12
    return abs(math.log(found / true)) <= tolerance * max(1, abs(math.log(true)))


def contradictions(truth: dict[str, Any], told: dict[str, Any]) -> list[str]:
    """Say what in an answer is not true."""
    wrong = []
    pair = "names" in told
    names = list(told.get("names") or told["classifiers"])
    evidence = told.get("evidence") or {}
    if not pair and truth.get("classifiers"):
        wanted = truth["classifiers"]
        if len(names) != len(wanted) or not all(any(alike(w, n) for n in names) for w in wanted):
            wrong.append(f"classifiers {names}")
    if truth.get("n_classifiers") and len(names) != truth["n_classifiers"]:
        wrong.append(f"{len(names)} classifiers")
    if not pair and truth.get("n_datasets") and len(told["datasets"]) != truth["n_datasets"]:
        wrong.append(f"{len(told['datasets'])} datasets")
    design = str(evidence.get("design") or told.get("design") or "")
    if truth.get("design_pattern") and not re.search(truth["design_pattern"], design):
        wrong.append(f"design {design}")
    if truth.get("n") and evidence.get("n") not in (None, truth["n"]):
        wrong.append(f"n = {evidence['n']}")
    account = " ".join(told["account"])
    said = re.search(r"(higher|lower) is better", account)
    if truth.get("direction") and (said is None or said[1] != truth["direction"]):
        wrong.append("direction")
    if truth.get("winner"):
        better = names[0]
        if pair:
            better = names[0] if told["difference"]["estimate"] > 0 else names[1]
        if not alike(better, truth["winner"]):
            wrong.append(f"{better} wins")
    by_mean = pair and told["difference"]["kind"] == "mean-difference"
    if (
        by_mean
        and truth.get("difference")
        and not near(abs(told["difference"]["estimate"]), truth["difference"])
    ):
        wrong.append(f"difference {told['difference']['estimate']}")
    means = dict(zip(names, told.get("mean_scores") or (), strict=False))
    for name, value in (truth.get("means") or {}).items():
        if means and not any(alike(n, name) and near(m, value) for n, m in means.items()):
            wrong.append(f"mean of {name}")
    tolerance = truth.get("tolerance", 0.02)
    p, known = evidence.get("pvalue"), truth.get("pvalue") or ()
    if known and p is not None and not any(near_p(p, q, tolerance) for q in known):
        wrong.append(f"p = {p}")
    friedman = (told.get("friedman") or {}).get("pvalue")
    known = truth.get("friedman")
    if known and friedman is not None and not near_p(friedman, known, tolerance):
        wrong.append(f"Friedman's p = {friedman}")
    if evidence.get("method") in (truth.get("method_not") or ()):
        wrong.append(f"test {evidence['method']}")
    wrong += [
        f"calls scores {word}" for word in truth.get("account_lacks") or () if word in account
    ]
    return wrong


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_a_file_is_never_misread(entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    files = [entry["file"]] if isinstance(entry["file"], str) else entry["file"]
    asks = entry["ask"] if isinstance(entry["ask"][0], list) else [entry["ask"]]
    sentences = []
    for ask in asks:
        words = [one for word in ask for one in (files if word == "FILE" else [word])]
        done = CliRunner().invoke(app, [*words, "--json"], env={"COLUMNS": "400", "NO_COLOR": "1"})
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        if done.exit_code == 0:
            assert "truth" in entry, "it was read, and there is nothing to read"
            assert contradictions(entry["truth"], json.loads(done.stdout)) == []
            assert entry["expect"] in ("read", "either")
            return
        assert done.exit_code == 2
        sentences.append(done.stderr)
    assert all("Error: " in text for text in sentences)
    if entry["expect"] == "read":
        assert files[0] in GRADED, sentences
    if entry["expect"] == "asks":
        heard = " ".join(sentences).lower()
        assert any(word.lower() in heard for word in entry["words"])


def asked(words: list[str]) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [*words, "--json"], env={"COLUMNS": "4000", "NO_COLOR": "1"})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_the_first_remedy_is_right_for_its_table(
    entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    files = [entry["file"]] if isinstance(entry["file"], str) else entry["file"]
    ask = entry["ask"][0] if isinstance(entry["ask"][0], list) else entry["ask"]
    words = [one for word in ask for one in (files if word == "FILE" else [word])]
    code, _, told = asked(words)
    remedies = re.findall(r"`(--[a-z-]+ [^`]+)`", " ".join(told.split()).rpartition(", got ")[2])
    if code == 0 or not remedies:
        return
    option, _, value = remedies[0].partition(" ")
    code, answer, _ = asked([*words, option, value])
    if code == 0:
        assert entry["expect"] != "refuses"
        assert contradictions(entry.get("truth") or {}, json.loads(answer)) == []
    else:
        assert code == 2
