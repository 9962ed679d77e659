"""In what unit scores are spoken of: percent and points for shares alone."""

from collections.abc import Sequence

import numpy as np

from replicast.arrays import Floats
from replicast.reading.vocabulary.measures import find_measure, is_neutral
from replicast.scores.pairs import PairedScores


def score_unit(scores: PairedScores) -> str:
    """Tell whether scores are fractions, percent, or something without points.

    A loss, a reward or an error in the unit of what is predicted has no points, whatever its values;
    nor has a measure of another name that is not known. Scores without a name are fractions from 0
    to 1, and percent from 0 to 100 if most are above 50; others may be grades or returns, and are
    spoken of as they are.

    Examples
    --------
    >>> from replicast import KFold, PairedScores
    >>> folds = {"first": [0.9, 0.8], "second": [0.8, 0.8], "design": KFold(2)}
    >>> [score_unit(PairedScores(**folds, metric=name)) for name in (None, "accuracy", "reward")]
    ['fraction', 'fraction', 'score']
    """
    if scores.design.binary:
        return "fraction"
    values = np.concatenate([scores.first, scores.second])
    metric = "accuracy" if scores.accuracies is not None else scores.metric
    return unit_of(values, metric, greater_is_better=scores.greater_is_better)


def unit_of(
    values: Floats | Sequence[float], metric: str | None, *, greater_is_better: bool
) -> str:
    """Return the unit of scores of a measure: `fraction`, `percent` or `score`."""
    share = False
    if metric is not None and not is_neutral(metric):
        known = find_measure(metric)
        if known is None or known.scale != "share":
            return "score"
        share = True  # an error rate too, though less of it is better
    low, high = float(np.min(values)), float(np.max(values))
    if low < 0 or not (share or greater_is_better):
        return "score"
    if high <= 1:
        return "fraction"
    hundred = are_percent if share else is_high  # without a name they may be grades from 1 to 10
    return "percent" if hundred(np.asarray(values)) else "score"


def are_percent(values: Floats) -> bool:
    """Tell shares in percent from others of which a few exceed 1: most percentages do.

    Examples
    --------
    >>> are_percent(np.array([0.4, 81.5, 92.0])), are_percent(np.array([0.8, 0.9, 1.1]))
    (True, False)
    """
    told = values[np.isfinite(values)]
    return bool(told.size and told.min() >= 0 and told.max() <= 100 and np.median(told) > 1)


def is_high(scores: Floats) -> bool:
    """Say whether scores may be shares of what is right: within 0 and 1 or 100, most in the upper half.

    Examples
    --------
    >>> [is_high(np.array(some)) for some in ([0.7, 0.9], [71.0, 90.0], [0.1, 0.3], [80.0, 120.0])]
    [True, True, False, False]
    """
    if not len(scores) or scores.min() < 0 or scores.max() > 100.0:
        return False
    whole = 1.0 if scores.max() <= 1 else 100.0
    return bool(np.median(scores) > whole / 2)


def point_of(scores: PairedScores) -> float | None:
    """Return one point in the unit of the scores, None where they have no points.

    Examples
    --------
    >>> from replicast import KFold, PairedScores
    >>> point_of(PairedScores(first=[0.9, 0.8], second=[0.8, 0.8], design=KFold(2)))
    0.01
    """
    if scores.accuracies is None and score_unit(scores) == "score":
        return None
    return 0.01 if max(scores.first.max(), scores.second.max()) <= 1 else 1.0
