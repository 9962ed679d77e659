"""Make and ask variants of many seeds: python -m variants [--seeds 5] [--first 0] [--aloud]."""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from variants.judging import judge


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--aloud", action="store_true", help="a line for every question")
    told = parser.parse_args()
    total: Counter[str] = Counter()
    for seed in range(told.first, told.first + told.seeds):
        with tempfile.TemporaryDirectory() as folder:
            for entry, found, detail in judge(Path(folder), seed):
                total[found] += 1
                if told.aloud or found in ("MISREAD", "CRASH"):
                    print(f"{found:8} {entry['what']}  {entry['file']}  {detail}", flush=True)
    counts = ", ".join(f"{total[one]} {one}" for one in ("right", "asked", "MISREAD", "CRASH"))
    print(f"{counts} of {total.total()}")
    sys.exit(bool(total["MISREAD"] or total["CRASH"]))


if __name__ == "__main__":
    main()
