"""The page that says why to trust replicast is itself true."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
spec = importlib.util.spec_from_file_location("make_trust", ROOT / "docs" / "make_trust.py")
assert spec is not None
assert spec.loader is not None
make_trust = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_trust)


@pytest.mark.parametrize(("claim", "test"), make_trust.CLAIMS)
def test_the_named_test_exists(claim: str, test: str) -> None:
    file, _, name = test.partition("::")
    assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert claim


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
