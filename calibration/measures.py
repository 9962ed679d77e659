"""Levels and standard errors of measures by name.

`python -m calibration.measures` prints how often two equally good models on 30, 100 and 300 cases differ
significantly: both err alike on average and independently of each other, so no measure favours one.
`python -m calibration.measures errors` puts each standard error of 300 cases beside that of 20,000
bootstrap samples, in each of which scikit-learn, or a plain loop, computes the measure anew. Both tables
stand in docs/concepts/measures.md.
"""

import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics

from replicast import compare_measure
from replicast.studies.summary import Rate

SIZES = (30, 100, 300)
DATASETS = 1000
RESAMPLES = 500
BOOTSTRAP = 20_000
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


def _calibration_error(truth: Any, chance: Any) -> float:
    """Return the calibration error of two classes, bin by bin."""
    sure, right = np.maximum(chance, 1 - chance), (chance > 0.5) == truth
    total = 0.0
    for low in range(15):
        within = (sure > low / 15) & (sure <= (low + 1) / 15)
        total += abs((sure[within] - right[within]).sum()) / len(sure)
    return total


def _concordance(known: Any, risk: Any) -> float:
    """Return the share of comparable pairs in the right order."""
    time, event = known.T
    pairs = (event[:, None] == 1) & (time[:, None] < time)
    order = (risk[:, None] > risk) + 0.5 * (risk[:, None] == risk)
    return float((pairs * order).sum() / pairs.sum())


def _passed(_: Any, answers: Any) -> float:
    """Return how often one of two answers of five is right."""
    wrong = 5 - answers.sum(axis=1)
    return float(1 - (wrong * (wrong - 1) / 20).mean())


VALUES: dict[str, Callable[[Any, Any], float]] = {
    "accuracy": metrics.accuracy_score,
    "balanced-accuracy": metrics.balanced_accuracy_score,
    "macro-f1": partial(metrics.f1_score, average="macro"),
    "weighted-f1": partial(metrics.f1_score, average="weighted"),
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "auc": metrics.roc_auc_score,
    "auc-ovr": partial(metrics.roc_auc_score, multi_class="ovr"),
    "average-precision": metrics.average_precision_score,
    "brier": metrics.brier_score_loss,
    "log-loss": metrics.log_loss,
    "ece": _calibration_error,
    "mse": metrics.mean_squared_error,
    "mae": metrics.mean_absolute_error,
    "r2": metrics.r2_score,
    "wer": lambda words, errors: float(errors.sum() / words.sum()),
    "c-index": _concordance,
    "pass@2": _passed,
}


def bootstrapped(name: str, count: int) -> tuple[float, float]:
    """Return the standard error of a difference, and that of so many bootstrap samples."""
    rng = np.random.default_rng([34, NAMES.index(name)])
    truth, first, second = drawn(name, 300, rng)
    found = compare_measure(name, truth, first, second)  # type: ignore[arg-type]  # as drawn
    known, one, other = (
        np.asarray(first if part is None else part) for part in (truth, first, second)
    )
    gaps = np.empty(count)
    for row, at in enumerate(rng.integers(0, 300, size=(count, 300))):
        gaps[row] = VALUES[name](known[at], one[at]) - VALUES[name](known[at], other[at])
    return found.standard_error, float(gaps.std(ddof=1))


def errors(count: int = BOOTSTRAP) -> None:
    """Print the table of standard errors, a line as soon as it is known."""
    sys.stdout.write("| measure | standard error | bootstrap | ratio |\n|---|---:|---:|---:|\n")
    for name in NAMES:
        own, other = bootstrapped(name, count)
        sys.stdout.write(f"| `{name}` | {own:.5f} | {other:.5f} | {own / other:.3f} |\n")
        sys.stdout.flush()


def level(name: str, n: int, count: int, rng: np.random.Generator) -> Rate:
    """Return how often equal models differ significantly."""
    hits = 0
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
        shown = " | ".join(f"{100 * r.value:.1f} ± {100 * r.error:.1f}" for r in rates)
        sys.stdout.write(f"| `{name}` | {shown} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["errors"]:
        errors(int(sys.argv[2]) if len(sys.argv) > 2 else BOOTSTRAP)
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else DATASETS)
