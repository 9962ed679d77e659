"""Every public name that computes numbers has two sources of its own, and tests that use them."""

import json
from pathlib import Path

from docs import site_hooks

ROOT = Path(__file__).parents[2]
SOURCES = json.loads((Path(__file__).parent / "sources.json").read_text(encoding="utf-8"))
for golden in sorted((ROOT / "tests" / "golden").glob("*.json")):  # some bring their own entry
    SOURCES += json.loads(golden.read_text(encoding="utf-8")).get("checks", [])

# Public names that compute nothing: records, errors, designs, words, pictures and reading.
OTHERS = {
    "Caution", "Comparison", "Datasets", "DegenerateScoresWarning", "DesignMismatchError", "Effect",
    "EmpiricalReplication", "Experiment", "FiveByTwo", "Holdout", "Interval",
    "InvalidArgumentError", "KFold", "ManyComparison", "Method", "NormalityCheck", "Plan",
    "PosteriorResult", "Power", "RandomSplits", "RepeatedKFold", "ReplicastError", "Replication",
    "ReplicationCurve", "SignificanceResult", "Spread", "TrainTest", "Verdict", "datasets",
    "Audit", "read_scores",
    "Calibration", "Gate", "JudgedEstimates", "Judgement", "Look", "Progress", "Design",
    "assert_not_worse", "Cases", "Finding", "MeansReplication", "Seeds", "scenario",
    "CrossValidatedCases", "Parts", "ScoreInterval",
}  # fmt: skip


def test_every_number_has_two_sources() -> None:
    named = [entry["function"] for entry in SOURCES]
    assert len(set(named)) == len(named)
    assert set(named) == set(site_hooks.documented()) - OTHERS
    assert set(site_hooks.documented()) >= OTHERS
    for entry in SOURCES:
        assert list(entry) == ["function", "sources", "tests"]
        assert len(set(entry["sources"])) >= 2, entry["function"]


def test_every_named_test_exists() -> None:
    for entry in SOURCES:
        assert len(set(entry["tests"])) >= 2, entry["function"]
        for test in entry["tests"]:
            path, name = test.split("::")
            text = (ROOT / path).read_text(encoding="utf-8")
            assert f"def {name}(" in text, test
