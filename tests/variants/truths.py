"""What is true about scores, computed with NumPy and SciPy."""

from typing import Any

import numpy as np
from scipy import stats


def over_datasets(scores: dict[str, Any], direction: str) -> dict[str, Any]:
    """Return the truth about one score per dataset and classifier."""
    (first, a), (second, b) = list(scores.items())[:2]
    found = common(first, a, second, b, direction)
    found["pvalue"] = [float(p) for p in _wilcoxon(np.asarray(a) - np.asarray(b))]
    found["n_datasets"] = len(a)
    return found


def one_run(scores: dict[str, Any], direction: str) -> dict[str, Any]:
    """Return the truth about ten folds of one run: the corrected t-test."""
    (first, a), (second, b) = list(scores.items())[:2]
    found = common(first, a, second, b, direction)
    found["pvalue"] = [corrected(np.asarray(a) - np.asarray(b), 1 / (len(a) - 1))]
    return found


def one_split(scores: dict[str, Any], direction: str) -> dict[str, Any]:
    """Return the truth about seeds on one split, the careful reading; its p-value is another matter."""
    (first, a), (second, b) = list(scores.items())[:2]
    return {**common(first, a, second, b, direction), "design_pattern": rf"^seeds:count={len(a)}$"}


def repeated(scores: dict[str, Any], folds: int, direction: str) -> dict[str, Any]:
    """Return the truth about several runs of cross-validation."""
    (first, a), (second, b) = list(scores.items())[:2]
    found = common(first, a, second, b, direction)
    found["pvalue"] = [corrected(np.asarray(a) - np.asarray(b), 1 / (folds - 1))]
    return found


def one_test_set(scores: dict[str, Any]) -> dict[str, Any]:
    """Return the truth about cases that are right or wrong: McNemar's exact and mid-p test."""
    (first, a), (second, b) = list(scores.items())[:2]
    won, lost = int(np.sum(np.asarray(a) > b)), int(np.sum(np.asarray(a) < b))
    exact = float(stats.binomtest(won, won + lost, 0.5).pvalue)
    middle = exact - float(stats.binom.pmf(min(won, lost), won + lost, 0.5))
    found = common(first, a, second, b, "higher")
    found["pvalue"] = [exact, middle]
    found["tolerance"] = 0.05
    return found


def common(first: str, a: Any, second: str, b: Any, direction: str) -> dict[str, Any]:
    difference = float(np.mean(np.asarray(a, float) - np.asarray(b, float)))
    ahead = difference > 0 if direction == "higher" else difference < 0
    return {
        "first": first,
        "second": second,
        "winner": first if ahead else second,
        "difference": abs(difference),
        "direction": direction,
        "tolerance": 0.02,
    }


def corrected(differences: Any, ratio: float) -> float:
    """Return the p-value of Nadeau and Bengio's test."""
    n = len(differences)
    error = np.sqrt((1 / n + ratio) * np.var(differences, ddof=1))
    return float(2 * stats.t.sf(abs(np.mean(differences)) / error, n - 1))


def _wilcoxon(differences: Any) -> list[float]:
    rounded = np.round(differences, 9)
    told = rounded[rounded != 0]
    ranks = stats.rankdata(np.abs(told))
    doubled = np.rint(2 * ranks).astype(int)
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1
    for rank in doubled:  # all sign patterns, ties included
        shifted = np.zeros_like(ways)
        shifted[rank:] = ways[: len(ways) - rank]
        ways = (ways + shifted) / 2
    below = min(doubled[told > 0].sum(), doubled[told < 0].sum())
    normal = stats.wilcoxon(told, method="asymptotic", correction=True).pvalue
    return [min(1.0, 2 * float(ways[: below + 1].sum())), float(normal)]
