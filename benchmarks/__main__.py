"""Run all benchmarks, or those named on the command line."""

import sys
from importlib import import_module

NAMES = ("answers", "batches", "reading", "ranking", "experiments", "pages", "keys")


def main() -> None:
    missed = []
    for name in sys.argv[1:] or NAMES:
        print(name)
        for target in import_module(f"benchmarks.{name}").run():
            print(target, flush=True)
            missed += [target.name] * target.missed
    if missed:
        sys.exit(f"{len(missed)} below their floor: {'; '.join(missed)}")
    print("all floors met")


if __name__ == "__main__":
    main()
