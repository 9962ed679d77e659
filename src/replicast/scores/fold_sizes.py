"""Accuracies of folds whose dataset has a known number of cases."""

from dataclasses import replace

import numpy as np

from replicast.errors import invalid, is_whole
from replicast.scores.pairs import PERCENT, PairedScores


def with_cases(scores: PairedScores, cases: int | None) -> PairedScores:
    """Return accuracies of folds that know how many cases their dataset has.

    Examples
    --------
    >>> from replicast import KFold, PairedScores
    >>> pair = PairedScores(first=[0.9, 0.8], second=[0.8, 0.8], design=KFold(2))
    >>> with_cases(pair, 300).n_test
    150.0
    """
    if cases is None:
        return scores
    folds = scores.design.folds
    if folds is None:
        domain = "given with accuracies of the folds of one dataset"
        raise invalid("cases", domain, scores.design.words)
    if not is_whole(cases) or cases < folds:
        raise invalid("cases", f"a whole number, at least one for each of {folds} folds", cases)
    _refuse_impossible(scores, cases, folds)
    return replace(scores, n_test=cases / folds)


def _refuse_impossible(scores: PairedScores, cases: int, folds: int) -> None:
    """Refuse scores that are no accuracies of folds so large, as far as their digits tell.

    Folds may differ by a few cases, as those do that keep the shares of the classes.
    """
    both = np.concatenate([scores.first, scores.second])
    if both.min() < 0 or both.max() > PERCENT:
        return
    digits = next((d for d in range(12) if np.abs(both - both.round(d)).max() < 1e-13), 12)
    scale = 1.0 if both.max() <= 1 else PERCENT
    sizes = np.arange(max(1, cases // folds - 2), -(-cases // folds) + 3)
    counts = both[:, None] / scale * sizes
    gaps = np.abs(counts - np.rint(counts)) / sizes * scale
    odd = gaps.min(axis=1) > 0.5 * 10.0**-digits + 1e-9
    if odd.any():
        size, worst = round(cases / folds), both[odd][0]
        got = f"{cases}, where a fold of about {size} cases cannot score {worst:.{digits}f}"
        remedy = "Leave it out, if they are no accuracies"
        domain = f"a number of cases of which {folds} folds can have these accuracies"
        raise invalid("cases", domain, got, remedy)
