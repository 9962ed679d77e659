"""Write docs/mutants.md from the recorded results and the reasons given for survivors."""

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
REASONS = HERE / "survivors.json"
PAGE = HERE.parents[1] / "docs" / "mutants.md"
UNEXPLAINED = "No reason recorded: a gap in the tests."

HEAD = """# Do the tests notice a wrong kernel?

A test suite can run every line and still check little. Here every kernel is changed on purpose, one
small change at a time, and its tests (`tests/kernels`) are run against the changed module. If a test
fails, the mutant is killed; if all pass, it survives, and either a test is missing or the change makes
no difference.

Changed are operators (`+` and `-`, `*` and `/`, `and` and `or`, ...), comparisons (`<` to `<=` and to
`>=`), numbers (one more, one less; large decimals doubled and halved), strings, truth values, signs and
conditions; `min` and `max` and other twins are swapped; keywords, calls, assignments to elements, jumps
and returned values are removed. Annotations, decorators and imports are left alone. The kernels run
uncompiled. A mutant on which the tests take far longer than usual (an endless loop) counts as killed
and is listed as too slow.

`make mutants` reruns everything and rewrites this page. Mutants that change nothing a caller can see are
not taken out of the count: they are survivors, and the reason stands beside each.

"""


def write_page(results: dict[str, Any]) -> None:
    """Write the page."""
    reasons = json.loads(REASONS.read_text(encoding="utf-8")) if REASONS.exists() else {}
    lines = ["| module | mutants | killed | of these too slow | survived | killed |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    sums = [0, 0, 0]
    for module, found in sorted(results.items()):
        counts = [found["killed"], found["timeout"], found["survived"]]
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        lines.append(_row(f"`{module}`", *counts))
    lines.append(_row("all", *sums))
    text = HEAD + "\n".join(lines) + "\n\n## Survivors\n"
    for module, found in sorted(results.items()):
        if found["survivors"]:
            text += f"\n### {module}\n\n" + "\n".join(
                _item(each, _reason(reasons.get(module, []), each)) for each in found["survivors"]
            )
            text += "\n"
    PAGE.write_text(text, encoding="utf-8")


def _row(name: str, killed: int, slow: int, survived: int) -> str:
    total = killed + slow + survived
    share = (killed + slow) / total
    return f"| {name} | {total:,} | {killed + slow:,} | {slow} | {survived} | {share:.1%} |"


def _reason(reasons: list[dict[str, str]], survivor: dict[str, Any]) -> str:
    for each in reasons:
        if all(each[key] == survivor[key] for key in ("function", "old", "new")):
            return each["reason"]
    return UNEXPLAINED


def _item(survivor: dict[str, Any], reason: str) -> str:
    place = f"`{survivor['function']}`, line {survivor['line']}"
    return f"- {place}: `{survivor['old']}` became `{survivor['new']}`. {reason}"
