"""Level of `case-ttest` where the differences of graded cases are skewed.

`python -m calibration.skewed_cases` prints the table of docs/concepts/cases.md.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from replicast import METHODS, Cases
from replicast.results import is_significant

Floats = NDArray[np.float64]
SIZES = (30, 50, 100, 200)
TABLES = 6000
_LEVEL = 0.05
_MEAN_OF_LOGNORMAL = float(np.exp(0.5))
WORLDS: dict[str, Callable[[np.random.Generator, tuple[int, int]], Floats]] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "80% zeros, the rest exponential": lambda rng, shape: np.where(
        rng.random(shape) < 0.8, 0.0, rng.exponential(size=shape) - 1
    ),
    "90% small gains, 10% large losses": lambda rng, shape: np.where(
        rng.random(shape) < 0.9, 0.05, -0.45
    ),
    "exponential": lambda rng, shape: rng.exponential(size=shape) - 1,
    "lognormal": lambda rng, shape: np.exp(rng.normal(size=shape)) - _MEAN_OF_LOGNORMAL,
}


def level(world: str, cases: int, tables: int) -> float:
    """Return how often two equally good models come out different, in percent."""
    rows = WORLDS[world](np.random.default_rng([cases, len(world)]), (tables, cases))
    pvalues = METHODS["case-ttest"].batch_pvalues(rows, Cases(cases))
    return 100 * float(np.mean(is_significant(pvalues, _LEVEL)))


def main() -> None:
    """Print the table."""
    print("| differences | " + " | ".join(f"{cases} cases" for cases in SIZES) + " |")
    print("|---|" + "---:|" * len(SIZES))
    for world in WORLDS:
        shown = " | ".join(f"{level(world, cases, TABLES):.1f}%" for cases in SIZES)
        print(f"| {world} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
