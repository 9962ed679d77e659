"""Write docs/trust.md: every claim with the test that would fail if it were false, and the counts.

    python docs/make_trust.py

Claims come from tests/claims, counts from the files themselves: golden numbers from tests/golden, mutants from tests/mutants,
fuzzed inputs from tests/golden/fuzz/report.json, faults from the tests that inject them. A test
checks that the page is up to date and that every test it names exists.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from claims import CLAIMS

PAGE = ROOT / "docs" / "trust.md"
_NO_BROWSER = (
    "Chromium is not installed; where `REQUIRE_BROWSER` is set, as in `.ci/run`, this fails"
)


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the whole page."""
    parts = [
        "# Why should you trust it?",
        "",
        "Green tests prove nothing if no test could fail. So: each claim beside the test that would fail if",
        "it were false, and how hard the whole was hit. Made by `docs/make_trust.py` from the files named.",
        "",
        *_claims(),
        *_sources(),
        *_golden(),
        *_mutants(),
        *_coverage(),
        *_fuzzed(),
        *_hostile(),
        *_faults(),
        *_exceptions(),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _claims() -> list[str]:
    proofs = json.loads((ROOT / "tests" / "claims" / "results.json").read_text(encoding="utf-8"))
    proven = all(verdict.startswith("test failed") for verdict in proofs.values())
    if not proven or list(proofs) != [one.text for one in CLAIMS]:
        raise ValueError("Some claims are not proven; run `make claims`.")
    return [
        "## Claims",
        "",
        f"Each of the {len(CLAIMS)} was made false on purpose, by a fault in a copy of the package; each time the",
        "test beside it failed. The faults stand in `tests/claims`; rerun with `make claims`.",
        "",
        "| claim | the test that would fail |",
        "|---|---|",
        *(f"| {claim.text} | `{claim.test}` |" for claim in CLAIMS),
        "",
    ]


def _sources() -> list[str]:
    file = ROOT / "tests" / "adversarial" / "sources.json"
    if not file.exists():
        return []
    told: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    for golden in sorted((ROOT / "tests" / "golden").glob("*.json")):
        told += json.loads(golden.read_text(encoding="utf-8")).get("checks", [])
    counts = Counter(len(one["sources"]) for one in told)
    lines = [
        "## Every function against independent sources",
        "",
        f"{len(told)} functions; {counts[2]} against two sources, {sum(counts.values()) - counts[2]} "
        "against more (`tests/adversarial/sources.json` or the golden file names the tests).",
        "",
        "| function | checked against |",
        "|---|---|",
    ]
    lines += [f"| `{one['function']}` | {'; '.join(one['sources'])} |" for one in told]
    return [*lines, ""]


def _golden() -> list[str]:
    rows: Counter[str] = Counter()
    for file in sorted((ROOT / "tests" / "golden").glob("*.json")):
        told = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(told, dict) and isinstance(told.get("cases"), list):
            rows[_short(str(told["source"]))] += len(told["cases"])
    for file in sorted((ROOT / "tests" / "golden").glob("weka-*.csv")):
        rows["Weka, case by case"] += len(file.read_text(encoding="utf-8").splitlines()) - 1
    printed = ROOT / "src" / "replicast" / "studies" / "published"
    for file in sorted(printed.glob("*.json")):
        rows["printed in the four papers (numbers)"] += _numbers(
            json.loads(file.read_text(encoding="utf-8"))
        )
    lines = [
        "## Golden values by source",
        "",
        "Cases, each with several numbers; every file names the program, its version and the command.",
        "",
        "| source | cases |",
        "|---|---|",
    ]
    return [*lines, *(f"| {source} | {count:,} |" for source, count in rows.most_common()), ""]


def _short(source: str) -> str:
    return re.split(r"[;(:]| with ", source)[0].strip()[:70]


def _numbers(told: Any) -> int:
    if isinstance(told, bool):
        return 0
    if isinstance(told, int | float):
        return 1
    if isinstance(told, dict):
        return sum(_numbers(value) for value in told.values())
    return sum(_numbers(value) for value in told) if isinstance(told, list) else 0


def _mutants() -> list[str]:
    file = ROOT / "tests" / "mutants" / "results.json"
    if not file.exists():
        return []
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    total = {
        key: sum(one.get(key, 0) for one in told.values())
        for key in ("killed", "timeout", "survived")
    }
    killed = total["killed"] + total["timeout"]
    every = killed + total["survived"]
    return [
        "## Mutants",
        "",
        f"{every:,} small faults were put into the kernels, one at a time; the tests noticed {killed:,} "
        f"({100 * killed / every:.1f}%). The {total['survived']:,} survivors stand with their reasons in "
        "[mutants.md](mutants.md). Kernels that were changed or added since count as they were then, or "
        "not at all. Rerun with `make mutants`.",
        "",
    ]


def _coverage() -> list[str]:
    file = ROOT / "tests" / "coverage.json"
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return [
        "## Coverage",
        "",
        f"When it was last measured, on version {told['version']}, the tests reached {told['lines']}% of "
        f"{told['num_statements']:,} lines and {told['branches']}% of {told['num_branches']:,} branches of "
        "`src/`, without a line left out by a comment. Compiled kernels and learners are counted in a "
        "second run as plain Python. `make coverage` measures and checks it.",
        "",
    ]


def _fuzzed() -> list[str]:
    file = ROOT / "tests" / "golden" / "fuzz" / "report.json"
    if not file.exists():
        return []
    told: dict[str, int] = json.loads(file.read_text(encoding="utf-8"))
    finds = len([one for one in file.parent.glob("*/*") if one.is_file()])
    lines = [
        "## Fuzzing",
        "",
        f"{sum(told.values()):,} inputs to {len(told)} targets of version 0.3, a minute each with a mutator "
        "that needs no other package, on a machine that other work shared (`make fuzz`). The "
        f"{finds} finds of all versions were mended and are kept in `tests/golden/fuzz`. Before version 0.2 "
        "fifteen readers had 15,709,473 inputs from atheris, ten minutes each or more.",
        "",
        "| target | inputs |",
        "|---|---|",
    ]
    return [*lines, *(f"| {name} | {count:,} |" for name, count in sorted(told.items())), ""]


def _faults() -> list[str]:
    lines = ["## Faults injected", ""]
    for path in sorted((ROOT / "tests" / "faults").glob("test_*.py")):
        file = path.relative_to(ROOT).as_posix()
        for name in re.findall(
            r"^def (test_\w+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE
        ):
            lines.append(f"- {name.removeprefix('test_').replace('_', ' ')} (`{file}`)")
    return [
        *lines,
        "- twenty SIGKILLs at random moments, a killed Dask worker, damaged blocks (`tests/test_studies.py`)",
        "",
    ]


def _hostile() -> list[str]:
    """Say how hostile files and many visitors were tried."""
    text = (ROOT / "tests" / "bombs.py").read_text(encoding="utf-8")
    bombs = len(re.findall(r'^    "[\w.-]+": ', text, re.MULTILINE))
    return [
        "## Hostile files and many visitors",
        "",
        f"{bombs} small files that ask for much (`tests/bombs.py` makes them, none over 1 MB) are read in a "
        "process that may take 3 GB, and each gets its sentence (`tests/test_bombs.py`). Every regular "
        "expression of the package is found and timed on strings made to slow it down; twice the text may "
        "take no more than thrice the time (`tests/test_expressions.py`). What an attack on version 0.2 "
        "found stands by its letters in `tests/adversarial/test_findings.py` and "
        "`tests/web/test_findings.py`. `python -m benchmarks.load` measures fresh answers at 50 clients, "
        "memory over 20,000 requests, and a good table after 1,000 hostile ones; `make slow` checks the "
        "last two. With `--requests 3000 --hostile 30`, on two cores, fresh answers at 50 clients took 1.09 s "
        "(median; 0.03 s for one client alone), memory went from 227 to 232 MB, and a good table after the "
        "hostile ones was answered. `python -m benchmarks keys` has a browser type numbers into the page: from a key to the "
        "painted answer it took 95 ms (median of 60; 19 of 20 within 135 ms), of which 40 ms are the pause "
        "before asking, on two cores that other work shared.",
        "",
    ]


_SKIPS = re.compile(
    r"pytest\.(?:mark\.)?(?:skip|skipif|importorskip|xfail)\((?:[^()]|\([^()]*\))*\)"
)
_IGNORES = re.compile(r"(?:simplefilter|filterwarnings)\(\s*\"ignore[^)]*\)([^\n]*)")


def _exceptions() -> list[str]:
    """List every way a test may be left out and every warning that is ignored, with its reason."""
    skips, ignored = [], []
    for file in sorted((ROOT / "tests").rglob("*.py")):
        place, text = f"`{file.relative_to(ROOT)}`", file.read_text(encoding="utf-8")
        for call in _SKIPS.findall(text):
            words = re.search(r"reason=f?\"(.*?)\"", call) or re.search(r"\(f?\"(.*?)\"", call)
            reason = (
                _NO_BROWSER if words is None and file.name == "browser.py" else words and words[1]
            )
            if not reason:
                raise ValueError(f"{place}: a test is left out without a reason: {call}")
            skips.append(f"- {place}: {re.sub(r'{.*?}', '...', reason)}")
        for comment in _IGNORES.findall(text):
            if "#" not in comment:
                raise ValueError(f"{place}: a warning is ignored without a reason")
            ignored.append(f"- {place}: {comment.partition('#')[2].strip()}")
    for reason in re.findall(
        r"^# ignored: (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    ):
        ignored.append(f"- `Makefile`: {reason}")
    return [
        "## Left out or ignored, and why",
        "",
        "No test is expected to fail. Tests that take minutes run with `make slow`. Tests are skipped only",
        "where what they need is missing; each prints its reason:",
        "",
        *dict.fromkeys(skips),
        "",
        "Warnings are errors in all tests. Those that are ignored, in the tests concerned alone:",
        "",
        *dict.fromkeys(ignored),
        "",
    ]


if __name__ == "__main__":
    main()
