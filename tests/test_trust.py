"""The page that says why to trust replicast is itself true."""

import importlib.util
import re
from pathlib import Path

import pytest

from claims import CLAIMS, Claim

ROOT = Path(__file__).parents[1]
spec = importlib.util.spec_from_file_location("make_trust", ROOT / "docs" / "make_trust.py")
assert spec is not None
assert spec.loader is not None
make_trust = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_trust)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.text)
def test_a_claim_has_its_test_and_a_fault_that_still_fits(claim: Claim) -> None:
    file, _, name = claim.test.partition("::")
    assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    source = ROOT / "src" / "replicast" / claim.fault.file
    assert source.read_text(encoding="utf-8").count(claim.fault.old) == 1


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "trust.md").read_text(encoding="utf-8") == make_trust.page()


def test_every_type_ignore_and_noqa_has_a_reason() -> None:
    checked = ("src", "benchmarks", "calibration", "fuzz", "tests", "docs", "examples")
    for file in (file for folder in checked for file in (ROOT / folder).rglob("*.py")):
        for line in file.read_text(encoding="utf-8").splitlines():
            mark = re.search(r"#\s(type: ignore\[[a-z-]+\]|noqa: [A-Z]+\d+)(.*)", line)
            if mark:
                assert "#" in mark.group(2), f"{file.name}: {line.strip()}"


def test_no_line_is_left_out_of_coverage() -> None:
    for file in (ROOT / "src").rglob("*.py"):
        assert "pragma" not in file.read_text(encoding="utf-8"), file.name
