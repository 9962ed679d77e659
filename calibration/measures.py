"""Levels of measures by name: two equally good models on 30, 100 and 300 cases.

`python -m calibration.measures` prints the table of docs/concepts/measures.md. Both models err alike on
average and independently of each other, so no measure favours one. A level above 6% is drawn anew.
"""

import sys
import warnings
from unittest.mock import patch

import numpy as np

from replicast import compare_measure
from replicast.studies.summary import Rate

SIZES = (30, 100, 300)
DATASETS = 4000
RESAMPLES = 500
MOST, AGAIN = 0.06, 10_000  # a level above is drawn anew, so many times
NAMES = (
    "accuracy", "balanced-accuracy", "macro-f1", "weighted-f1", "mcc", "kappa", "auc", "auc-ovr",
    "average-precision", "brier", "log-loss", "ece", "mse", "mae", "r2", "wer", "c-index", "pass@2",
)  # fmt: skip


def drawn(name: str, n: int, rng: np.random.Generator) -> tuple[object, ...]:
    """Draw the truth and what two models of one kind predict."""
    if name in ("accuracy", "balanced-accuracy", "macro-f1", "weighted-f1", "mcc", "kappa"):
        y = rng.choice(3, p=(0.5, 0.3, 0.2), size=n)
        return y, *(np.where(rng.random(n) < 0.6, y, rng.integers(3, size=n)) for _ in "ab")
    if name in ("auc", "average-precision", "brier", "ece"):
        y = np.arange(n) % 3 == 0
        odds = (2 * y - 1 + rng.normal(size=(2, n))).clip(-4, 4)
        return y.astype(int), *(1 / (1 + np.exp(-one)) for one in odds)
    if name in ("auc-ovr", "log-loss"):
        y = np.arange(n) % 3
        raw = np.exp(1.5 * np.eye(3)[y] + rng.normal(size=(2, n, 3)))
        return y, *(one / one.sum(axis=1, keepdims=True) for one in raw)
    if name == "wer":
        words = rng.integers(3, 30, size=n)
        return words, *(rng.binomial(words, 0.1) for _ in "ab")
    if name == "c-index":
        risk = rng.normal(size=n)
        known = np.stack([rng.exponential(np.exp(-risk)), rng.random(n) < 0.7], axis=1)
        return known, *(risk + rng.normal(size=n) for _ in "ab")
    if name.startswith("pass@"):
        chance = rng.random((n, 1))
        return None, *((rng.random((n, 5)) < chance).astype(float) for _ in "ab")
    target = rng.normal(size=n)
    return target, *(target + rng.normal(size=n) for _ in "ab")


def level(name: str, n: int, count: int, rng: np.random.Generator) -> Rate:
    """Return how often equal models differ significantly."""
    hits = 0
    with patch("replicast.comparison.finding.report_replication"):  # chances take most of the time
        for _ in range(count):
            truth, first, second = drawn(name, n, rng)
            found = compare_measure(name, truth, first, second, resamples=RESAMPLES, rng=rng)  # type: ignore[arg-type]  # as drawn
            hits += found.significant
    return Rate(hits, count)


def main(count: int = DATASETS) -> None:
    """Print the table, a line as soon as it is known."""
    sys.stdout.write("| measure | " + " | ".join(f"{n} cases" for n in SIZES) + " |\n|---|")
    sys.stdout.write("---:|" * len(SIZES) + "\n")
    for name in NAMES:
        rng = np.random.default_rng([33, NAMES.index(name)])
        rates = [level(name, n, count, rng) for n in SIZES]
        for at, n in enumerate(SIZES):
            if rates[at].value > MOST:  # fresh draws decide
                rates[at] = level(name, n, AGAIN, np.random.default_rng([34, NAMES.index(name), n]))
        shown = " | ".join(f"{100 * r.value:.1f} ± {100 * r.error:.1f}" for r in rates)
        sys.stdout.write(f"| `{name}` | {shown} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DATASETS)
