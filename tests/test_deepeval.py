"""Runs of DeepEval: cases pass or fail, and have scores whose thresholds tell which way is better."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replicast as rc
from replicast import InvalidArgumentError

GOLDEN = Path(__file__).parent / "golden" / "formats" / "deepeval"
FILES = [GOLDEN / "model-a.json", GOLDEN / "model-b.json"]


def cases_of(path: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(path.read_text())["testCases"]
    return cases


def run(
    scores: list[float],
    *,
    name: str = "Correctness",
    bar: float = 0.5,
    lower: bool = False,
    **more: Any,
) -> bytes:
    cases = [
        {
            "name": f"test_case_{i}",
            "input": f"q{i}",
            "success": (score <= bar) if lower else (score >= bar),
            "metricsData": [
                {"name": name, "score": score, "threshold": bar,
                 "success": (score <= bar) if lower else (score >= bar)}
            ],
        }
        for i, score in enumerate(scores)
    ]  # fmt: skip
    return json.dumps({"testCases": cases, **more}).encode()


def test_cases_that_pass_are_one_test_set() -> None:
    table = rc.read_scores(FILES)
    assert table.classifiers == ("chat-a", "chat-b")
    first, second = ([case["success"] for case in cases_of(path)] for path in FILES)
    assert table.scores[:, 0, 0].tolist() == [first, second]
    found = rc.compare(table.pair("chat-a", "chat-b"))
    won = sum(a and not b for a, b in zip(first, second, strict=True))
    lost = sum(b and not a for a, b in zip(first, second, strict=True))
    assert (found.evidence.details["first_only"], found.evidence.details["second_only"]) == (
        won,
        lost,
    )


def test_a_metric_is_graded_and_its_threshold_tells_which_way_is_better() -> None:
    table = rc.read_scores(FILES, metric="Answer Relevancy")
    assert "what reaches its threshold passes" in " ".join(table.account)
    told = [[case["metricsData"][0]["score"] for case in cases_of(path)] for path in FILES]
    np.testing.assert_allclose(table.scores[:, 0, 0], told)


def test_a_metric_that_passes_below_its_threshold_is_asked_about() -> None:
    files = {name: run(scores, name="Invention", lower=True) for name, scores in
             (("a.json", [0.1, 0.9, 0.2]), ("b.json", [0.8, 0.3, 0.4]))}  # fmt: skip
    with pytest.raises(InvalidArgumentError, match="which way is better"):
        rc.read_scores(files, metric="Invention")
    assert rc.read_scores(files).scores[0, 0, 0].tolist() == [1, 0, 1]


def test_an_envelope_models_and_questions_in_another_order() -> None:
    first = json.loads(run([0.9, 0.1, 0.7], hyperparameters={"model": "gpt"}))
    second = json.loads(run([0.2, 0.6, 0.3], hyperparameters={"model": "llama"}))
    second["testCases"].reverse()
    files = {
        "a.json": json.dumps({"testRunData": first, "testRunLink": ""}).encode(),
        "b.json": json.dumps(second).encode(),
    }
    table = rc.read_scores(files, metric="Correctness")
    assert table.classifiers == ("gpt", "llama")
    np.testing.assert_allclose(table.scores[:, 0, 0], [[0.9, 0.1, 0.7], [0.2, 0.6, 0.3]])


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=30))
def test_what_is_written_is_read(scores: list[tuple[float, float]]) -> None:
    first, second = zip(*scores, strict=True)
    files = {"a.json": run(list(first)), "b.json": run(list(second))}
    table = rc.read_scores(files, metric="Correctness", greater_is_better=True)
    np.testing.assert_array_equal(table.scores[:, 0, 0], [first, second])
    assert table.classifiers == ("a", "b")


@pytest.mark.parametrize(
    "raw",
    [b'{"testCases": [{"metricsData": []}]}', b'{"testCases": [{"metricsData": [1]}, 5]}',
     b'{"testCases": [{"metricsData": [{"name": "M", "score": "x"}]}]}'],
)  # fmt: skip
def test_broken_runs_get_a_sentence(raw: bytes) -> None:
    with pytest.raises(InvalidArgumentError):
        rc.read_scores({"a.json": raw, "b.json": raw})
