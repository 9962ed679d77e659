"""Say what share of lines and branches the tests reach, keep it, and fail below the floors."""

import json
import sys
from importlib.metadata import version
from pathlib import Path

LINES, BRANCHES = 95.0, 90.0


def main(report: Path) -> int:
    totals = json.loads(report.read_text(encoding="utf-8"))["totals"]
    found = {
        "version": version("replicast"),
        "lines": round(100 * totals["covered_lines"] / totals["num_statements"], 1),
        "branches": round(100 * totals["covered_branches"] / totals["num_branches"], 1),
        "num_statements": totals["num_statements"],
        "num_branches": totals["num_branches"],
    }
    Path(__file__).with_name("coverage.json").write_text(
        json.dumps(found, indent=1) + "\n", "utf-8"
    )
    print(f"lines     {found['lines']}% of {found['num_statements']:,} (floor {LINES:g}%)")
    print(f"branches  {found['branches']}% of {found['num_branches']:,} (floor {BRANCHES:g}%)")
    return int(found["lines"] < LINES or found["branches"] < BRANCHES)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
