"""A golden file with the name of a test is run against it: nothing else has to be written."""

import json
from pathlib import Path
from typing import Any

import pytest

import replicast as rc
from replicast.design import parse_design

FOLDER = Path(__file__).parents[1] / "golden"
FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
TESTS = [method.test.__name__ for method in rc.METHODS.values()]
KNOWN = {"first", "second", "design", "statistic", "df", "pvalue", "greater", "less", "estimate"}
OTHERS = {
    "corrected_ttest",
    "sign_test",
    "correlated_posterior",
}  # with fields and tests of their own
NAMED = [(name, FILES[name]) for name in TESTS if name in FILES and name not in OTHERS]


def told(test: Any, pair: rc.PairedScores) -> dict[str, float]:
    """Return what a test says, by the names golden files use."""
    found = test(pair)
    low, high = found.confidence_interval()
    said = {name: getattr(found, name) for name in ("statistic", "df", "pvalue", "estimate")}
    sides = {side: test(pair, alternative=side).pvalue for side in ("greater", "less")}
    return {**said, **sides, "low": low, "high": high}


@pytest.mark.parametrize(("name", "content"), NAMED, ids=[name for name, _ in NAMED])
def test_as_in_the_golden_file(name: str, content: dict[str, Any]) -> None:
    for case in content["cases"]:
        assert set(case) <= {*KNOWN, "low", "high"}
        design = parse_design(case.get("design", "datasets"))
        pair = rc.PairedScores(first=case["first"], second=case["second"], design=design)
        found = told(getattr(rc, name), pair)
        assert {"statistic", "pvalue", "estimate", "low", "high"} <= set(case)
        for key in set(case) & set(found):
            assert found[key] == pytest.approx(case[key], rel=content["rtol"], abs=1e-12), key
