"""Run all benchmarks, or those named on the command line."""

import sys
from importlib import import_module

NAMES = (
    "tests_on_rows",
    "replication",
    "learners",
    "weka_learners",
    "experiments",
    "studies",
    "reading",
    "starting",
    "large",
    "cases",
    "growth",
    "web",
)


def main() -> None:
    missed = 0
    for name in sys.argv[1:] or NAMES:
        print(name.replace("_", " "))
        for target in import_module(f"benchmarks.{name}").run():
            print(target, flush=True)
            missed += target.missed
    if missed:
        sys.exit(f"{missed} below their floor")
    print("all at or above their floor")


if __name__ == "__main__":
    main()
