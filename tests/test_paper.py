"""What paper.md says of the study is what the study found; and it has the form that JOSS asks for."""

import json
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "paper.md").read_text(encoding="utf-8")
_, HEAD, BODY = TEXT.split("---\n", 2)
STUDY = json.loads((ROOT / "docs/studies/case-tests/summary.json").read_text(encoding="utf-8"))
NAMES = {
    "corrected t-test of cases": "cases",
    "corrected t-test of folds": "folds",
    "cases without correction [@bayle2020]": "Bayle",
    "5x2 cross-validated t-test": "5x2",
    "McNemar's test of the pooled cases": "McNemar",
}


def rates(kind: str, test: str, *, several: bool = False) -> list[float]:
    rows = [one for one in STUDY["rows"] if one["kind"] == kind and (one["runs"] > 1) == several]
    return [one["rejected"][test]["rate"] for one in rows if test in one["rejected"]]


def test_the_table_is_that_of_the_study() -> None:
    for words, test in NAMES.items():
        (row,) = re.findall(
            rf"^\| {re.escape(words)} \| ([\d.]+)% \| (\d+) \|$", BODY, re.MULTILINE
        )
        found = rates("level", test)
        assert float(row[0]) == round(100 * max(found), 1), words
        assert int(row[1]) == sum(round(100 * rate, 1) > 5 for rate in found), words
    assert f"In {len(rates('level', 'cases'))} worlds" in BODY


def test_power_and_coverage_are_those_of_the_study() -> None:
    one, several = (
        [a > b for a, b in zip(rates("power", "cases", several=s), rates("power", "folds", several=s),
                               strict=True)]
        for s in (False, True)
    )  # fmt: skip
    assert f"in {sum(one)} of {len(one)} worlds with one run" in BODY
    assert f"but less in all {len(several)} with several" in " ".join(BODY.split())
    assert not any(several)
    covered = {
        one["world"]: one["covered"]["cases"]["rate"] for one in STUDY["rows"] if one.get("covered")
    }
    low = {world: rate for world, rate in covered.items() if rate < 0.95}
    assert all("squared-error" in world and "tails" in world for world in low)
    assert f"{100 * min(low.values()):.0f}%" in BODY


def test_it_has_the_form_of_the_journal() -> None:
    head = yaml.safe_load(HEAD)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(head)
    known = set(
        re.findall(r"@\w+\{(\w+),", (ROOT / head["bibliography"]).read_text(encoding="utf-8"))
    )
    cited = set(re.findall(r"@([a-z]+\d{4})", BODY))
    assert cited == known
    for title in ("Summary", "Statement of need", "References"):
        assert f"\n# {title}\n" in f"\n{BODY}"
    assert 500 <= len(BODY.split()) <= 1100
