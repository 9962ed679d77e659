"""Thirty-three questions that people asked in public, each rebuilt as a small file: what is answered.

A question is right if the answer needs no more than options that its messages name; a refusal is right
where it names the reason and a way on. `test_how_many_are_answered` counts; none may be wrong.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app

N = 200
Rows = dict[str, Any] | list[dict[str, Any]]
Build = Callable[[np.random.Generator], Rows | str]


class Asked(NamedTuple):
    """A question: its subject, the file, the words of the command, and what its answer must say."""

    subject: str
    build: Build
    words: tuple[str, ...]
    says: tuple[str, ...]
    code: int = 0
    verdict: str = "right"  # or `partly`
    command: str = "compare"


def scored(rng: np.random.Generator, *places: tuple[str, int], gain: float = 0.02) -> Rows:
    """Return a long table: two models on every combination of places."""
    keys = [{}]
    for name, count in places:
        keys = [{**key, name: at} for key in keys for at in range(count)]
    return [
        {"model": model, **key, "accuracy": 0.8 + gain * (model == "new") + rng.normal() / 100}
        for model in ("new", "old") for key in keys
    ]  # fmt: skip


def wide(rng: np.random.Generator, count: int, **columns: float) -> dict[str, Any]:
    return {name: level + rng.normal(size=count) / 50 for name, level in columns.items()}


def predicted(rng: np.random.Generator, classes: int) -> Rows:
    truth = rng.integers(classes, size=N)
    said = {f"pred_{m}": np.where(rng.random(N) < s, truth, rng.integers(classes, size=N))
            for m, s in (("a", 0.8), ("b", 0.5))}  # fmt: skip
    return {"y_true": truth, **said}


def regression(rng: np.random.Generator) -> Rows:
    y = rng.normal(size=N)
    return {"y_true": y, "fold": np.arange(N) % 10, "site": np.arange(N) % 4,
            "pred_ridge": y + 0.4 * rng.normal(size=N),
            "pred_forest": y + 0.8 * rng.normal(size=N)}  # fmt: skip


def seeds(rng: np.random.Generator, place: str, tasks: dict[str, float], score: str) -> Rows:
    return [
        {"algorithm": name, place: task, "seed": seed,
         score: scale * (1 + 0.1 * (name == "new") + rng.normal() / 30)}
        for name in ("new", "old") for task, scale in tasks.items() for seed in range(5)
    ]  # fmt: skip


def answers(rng: np.random.Generator) -> Rows:
    hard = rng.random(40)
    return [
        {"model": model, "task_id": f"HumanEval/{task}", "sample": sample,
         "passed": int(rng.random() < min(1, hard[task] + 0.3 * (model == "A")))}
        for model in "AB" for task in range(40) for sample in range(10)
    ]  # fmt: skip


def survival(rng: np.random.Generator) -> Rows:
    risk = rng.normal(size=N)
    return {"time": rng.exponential(np.exp(-risk)).round(4),
            "event": (rng.random(N) < 0.7).astype(int),
            "risk_A": risk + 0.3 * rng.normal(size=N),
            "risk_B": risk + 2 * rng.normal(size=N)}  # fmt: skip


def utterances(rng: np.random.Generator) -> Rows:
    words = rng.integers(5, 30, size=100)
    return {"utt": np.arange(100), "words": words, "errors_A": rng.binomial(words, 0.08),
            "errors_B": rng.binomial(words, 0.16)}  # fmt: skip


def several_classes(rng: np.random.Generator) -> Rows:
    truth = rng.integers(3, size=N)
    columns: dict[str, Any] = {"y_true": truth}
    for model, strength in (("a", 2.5), ("b", 1.0)):
        raw = np.exp(strength * np.eye(3)[truth] + rng.normal(size=(N, 3)))
        raw /= raw.sum(axis=1, keepdims=True)
        columns |= {f"{model}_{c}": raw[:, c] for c in range(3)}
    return columns


def areas(rng: np.random.Generator) -> Rows:
    truth = rng.integers(2, size=N)
    return {"y_true": truth, "prob_a": 1 / (1 + np.exp(-2 * truth + 1 - rng.normal(size=N))),
            "prob_b": 1 / (1 + np.exp(-rng.normal(size=N)))}  # fmt: skip


def calibration(rng: np.random.Generator) -> Rows:
    chance = rng.random(N)
    return {"y_true": (rng.random(N) < chance).astype(int), "prob_a": chance, "prob_b": chance**4}


def images(rng: np.random.Generator) -> Rows:
    return [
        {"model": model, "image": f"i{at}", "patient": f"p{at // 3}", "label": label,
         "dice": 0.7 + 0.05 * (model == "a") + rng.random() / 10}
        for model in "ab" for at in range(60) for label in ("liver", "spleen")
    ]  # fmt: skip


def forecasts(rng: np.random.Generator) -> Rows:
    y = rng.normal(size=(12, 30))
    return [
        {"unique_id": f"s{at}", "ds": t, "cutoff": 10 * (t // 10), "y": y[at, t],
         "arima": y[at, t] + rng.normal() / 2, "ets": y[at, t] + rng.normal()}
        for at in range(12) for t in range(30)
    ]  # fmt: skip


def segments(rng: np.random.Generator) -> Rows:
    quality = 0.95 + rng.normal(size=N) / 10
    return {"segment": np.arange(N), "comet_sysA": quality + 0.02,
            "comet_sysB": quality + rng.normal(size=N) / 20}  # fmt: skip


def detections(_: np.random.Generator) -> str:
    one = {"image_id": 1, "category_id": 2, "bbox": [1, 2, 3, 4], "score": 0.9}
    return json.dumps([one] * 20)


def votes(rng: np.random.Generator) -> Rows:
    first = np.arange(120) % 2 == 0
    better = rng.random(120) < 0.7
    return {"model_a": np.where(first, "x", "y"), "model_b": np.where(first, "y", "x"),
            "winner": np.where(rng.random(120) < 0.1, "tie",
                               np.where(better == first, "model_a", "model_b"))}  # fmt: skip


def verdicts(rng: np.random.Generator) -> Rows:
    return {"question_id": np.arange(80),
            "winner": rng.choice(["A", "B", "tie"], p=[0.6, 0.2, 0.2], size=80)}  # fmt: skip


MEASURE = "--measure"
QUESTIONS: dict[str, Asked] = {
    "1": Asked("a thousand random splits",
               lambda rng: wide(rng, 100, new=0.82, old=0.8),
               ("--design", "random-splits:splits=100,n_train=400,n_test=100"),
               ("2.0 points [−0.7, 4.7]", "100 random splits of 400 training and 100 test cases")),
    "2": Asked("runs of ten folds", lambda rng: scored(rng, ("run", 3), ("fold", 10)), (),
               ("new is better than old", "corrected resampled t-test")),
    "3": Asked("one run of five folds, own loss",
               lambda rng: {"fold": range(5), **wide(rng, 5, new=0.5, old=0.8)},
               ("--lower-is-better",), ("new is better than old",)),
    "4": Asked("regression out of folds, sites", regression,
               (MEASURE, "mse", "--columns", "cluster=none"),
               ("ridge is better than forest", "200 cases of 10-fold cross-validation")),
    "5": Asked("three datasets of ten folds",
               lambda rng: scored(rng, ("dataset", 3), ("fold", 10)),
               ("--tasks", "fixed"), ("new is better than old", "3 fixed tasks")),
    "6": Asked("own folds against a paper's mean",
               lambda rng: {"fold": range(10), **wide(rng, 10, ours=0.9), "theirs": [0.88] * 10},
               (), ("of 'theirs' are the same number",)),
    "7": Asked("nested cross-validation", lambda rng: scored(rng, ("outer_fold", 10)), (),
               ("new is better than old", "10 folds")),
    "8": Asked("one network each, mAP", detections, (), ("detections", "compare the images as cases"),
               code=2),
    "9": Asked("F1 of four classes", lambda rng: predicted(rng, 4), (MEASURE, "macro-f1"),
               ("a is better than b", "macro-f1")),
    "10": Asked("F1, and how many cases", lambda rng: predicted(rng, 2), (MEASURE, "f1"),
                ("a is better than b", "f1")),
    "11": Asked("one model, four folds",
                lambda _: {"fold": range(4), "accuracy": [0.80, 0.82, 0.79, 0.84]}, (),
                ("accuracy 0.812 [", "4-fold cross-validation"), command="rank"),
    "12": Asked("accuracy of subjects, above chance?",
                lambda rng: {"subject": [f"s{at}" for at in range(20)],
                             "accuracy": 0.5 + rng.random(20) / 5}, (),
                ("accuracy 0.583 [0.555, 0.611]",), command="rank"),
    "13": Asked("nine algorithms, two datasets",
                lambda rng: {"dataset": ["a", "b"],
                             **wide(rng, 2, **{f"m{at}": 0.8 for at in range(9)})}, (),
                ("2 datasets are too few to show any difference",)),
    "14": Asked("error rates of five datasets",
                lambda _: {"dataset": list("abcde"), "new": [4.3, 5.6, 30.7, 8.4, 6.4],
                           "old": [4.9, 5.8, 30.0, 8.0, 7.4]},
                ("--metric", "error rate"), ("Too few datasets to show any difference",)),
    "15": Asked("seeds of two scenes",
                lambda rng: seeds(rng, "scene", {"a": 25.0, "b": 30.0}, "psnr"),
                ("--tasks", "fixed", "--design", "seeds:count=5,split=none"),
                ("new is better than old", "5 seeds on 2 fixed tasks")),
    "16": Asked("ten seeds a model", lambda rng: scored(rng, ("seed", 10)), (),
                ("10 seeds on one split",)),
    "17": Asked("seeds on samples",
                lambda rng: [{"model": m, "seed": s, "case": c,
                              "correct": int(rng.random() < 0.6 + 0.3 * (m == "a"))}
                             for m in "ab" for s in range(3) for c in range(40)], (),
                ("--design cases", "--design seeds:count=3"), code=2),
    "18": Asked("returns of algorithms on environments",
                lambda rng: seeds(rng, "env", {"hopper": 3000.0, "ant": 100.0}, "return"),
                ("--tasks", "fixed", "--design", "seeds:count=5,split=none", "--scaling", "range"),
                ("new is better than old", "runs of new beat one of old")),
    "19": Asked("the best trial of a search",
                lambda rng: {"trial": range(30), "params_depth": range(30),
                             "value": 0.8 + rng.normal(size=30) / 50,
                             "state": ["COMPLETE"] * 30}, (),
                ("at least two classifiers",), code=2, verdict="partly"),
    "20": Asked("problems with ten answers each", answers, (MEASURE, "pass@5"),
                ("A is better than B", "pass@5", "40 cases")),
    "21": Asked("pass rates of two models",
                lambda rng: [{"model": m, "case": c,
                              "passed": int(rng.random() < 0.5 + 0.3 * (m == "a"))}
                             for m in "ab" for c in range(150)], (),
                ("a is better than b", "McNemar's test")),
    "22": Asked("votes of an arena", votes, (), ("x is better than y", "120 cases")),
    "23": Asked("verdicts of a judge", verdicts, (), ("A is better than B", "80 cases")),
    "24": Asked("COMET of segments", segments, (), ("sysA is better than sysB by 0.0", "comet")),
    "25": Asked("errors and words of utterances", utterances, (MEASURE, "wer"),
                ("A is better than B", "wer")),
    "26": Asked("nDCG of users", lambda rng: {"user": range(N), **wide(rng, N, bpr=0.5, ease=0.45)},
                ("--design", "cases", "--metric", "ndcg"), ("bpr is better than ease",)),
    "27": Asked("Dice of images, patients, labels", images, ("--by", "label"),
                ("a leads in 2 of 2 by label", "liver", "20 clusters")),
    "28": Asked("COCO detections", detections, (), ("detections",), code=2),
    "29": Asked("times, events and risks", survival, (MEASURE, "c-index"),
                ("A is better than B", "c-index")),
    "30": Asked("area under the curve", areas, (MEASURE, "auc"), ("a is better than b", "auc")),
    "31": Asked("forecasts of many series", forecasts, (), ("arima is better than ets", "12 datasets")),
    "32": Asked("accuracy of clients with their sizes",
                lambda rng: {"client": [f"c{at}" for at in range(20)], "n": range(20, 40),
                             **wide(rng, 20, fedavg=0.8, ours=0.9)},
                ("--rows", "datasets"), ("ours scores higher than fedavg",), verdict="partly"),
    "33": Asked("calibration of two models", calibration, (MEASURE, "ece"),
                ("a is better than b", "ece")),
}  # fmt: skip


def answered(name: str, folder: Path, command: str = "", *more: str) -> tuple[int, str]:
    asked = QUESTIONS[name]
    command = command or asked.command
    content = asked.build(np.random.default_rng(int(name)))
    path = folder / "scores.csv"
    if isinstance(content, str):
        path = folder / "scores.json"
        path.write_text(content)
    else:
        pd.DataFrame(content).to_csv(path, index=False)
    words = [command, str(path), *asked.words, *more]
    done = CliRunner().invoke(app, words, env={"COLUMNS": "200"})
    return done.exit_code, " ".join(done.output.split())


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_answered(name: str, tmp_path: Path) -> None:
    code, said = answered(name, tmp_path)
    assert code == QUESTIONS[name].code, said
    for part in QUESTIONS[name].says:
        assert part in said, said


def test_how_many_are_answered() -> None:
    assert len(QUESTIONS) == 33
    assert sum(asked.verdict == "right" for asked in QUESTIONS.values()) >= 26


def test_what_the_same_files_also_tell(tmp_path: Path) -> None:
    """The halves of questions: how many cases, sites, classes, and what the message names."""
    assert "200 cases make 89 of 100 repeats significant" in answered("10", tmp_path, "plan")[1]
    assert "ridge leads in 4 of 4 by site" in answered("4", tmp_path, "compare", "--by", "site")[1]
    code, said = answered(
        "10", tmp_path, "gate", "--candidate", "a", "--baseline", "b", "--margin", "5"
    )
    assert (code, said[:4]) == (0, "PASS")
    path = tmp_path / "classes.csv"
    frame = pd.DataFrame(several_classes(np.random.default_rng(1)))
    frame.to_csv(path, index=False)
    done = CliRunner().invoke(app, ["compare", str(path), "--measure", "auc-ovr", "--json"])
    chances = frame[["a_0", "a_1", "a_2"]].to_numpy()
    truth = metrics.roc_auc_score(frame["y_true"], chances, multi_class="ovr")
    assert json.loads(done.output)["first"] == pytest.approx(truth)
    for name, option in (("4", "--measure mae"), ("29", "--measure")):
        asked = QUESTIONS[name]
        pd.DataFrame(asked.build(np.random.default_rng(1))).to_csv(path, index=False)
        done = CliRunner().invoke(app, ["compare", str(path)], env={"COLUMNS": "300"})
        assert done.exit_code == 2
        assert option in " ".join(done.output.split())


def test_seeds_on_samples_are_answered_in_python() -> None:
    rng = np.random.default_rng(3)
    scores = [rng.random((5, 60)) < share for share in (0.8, 0.6)]
    found = rc.compare_seed_cases(*scores)
    assert found.significant
    assert found.seeds == (5, 5)
