"""Measures of predictions: what each case adds to them, and how they follow from the sums."""

from functools import lru_cache

import numpy as np
from scipy import special

from replicast.arrays import Bools, Floats, Ints
from replicast.kernels.cases import roc_influences

BINS = 15  # of confidence, for the calibration error
_LEAST = float(np.finfo(np.float64).eps)  # probability, as scikit-learn clips it


def squared_errors(truth: Floats, predicted: Floats) -> Floats:
    """Return the squared error of every case."""
    return np.asarray((truth - predicted) ** 2)


def absolute_errors(truth: Floats, predicted: Floats) -> Floats:
    """Return the absolute error of every case."""
    return np.abs(truth - predicted)


def log_losses(codes: Ints, chances: Floats) -> Floats:
    """Return minus the logarithm of the chance that every case's true class was given."""
    given = np.clip(chances, _LEAST, 1 - _LEAST)[np.arange(len(codes)), codes]
    return -np.log(given)


def brier_scores(codes: Ints, chances: Floats) -> Floats:
    """Return the squared distance of chances from the truth; half of it for two classes."""
    truth = np.eye(chances.shape[1])[codes]
    return np.asarray(((chances - truth) ** 2).sum(axis=1) / (2 if chances.shape[1] == 2 else 1))


def passes(answers: Floats, k: int) -> Floats:
    """Return the chance that of k answers to a case, drawn without replacement, one is right."""
    given = np.isfinite(answers).sum(axis=1)
    wrong = given - np.nansum(answers, axis=1)
    missed = special.binom(wrong, k) / special.binom(given, k)
    return np.asarray(1 - missed)


def confusion_counts(truth: Ints, predicted: Ints, classes: int) -> Floats:
    """Return for every case a 1 at its true and its predicted class (cases, classes²)."""
    counts = np.zeros((len(truth), classes * classes))
    counts[np.arange(len(truth)), truth * classes + predicted] = 1.0
    return counts


def _confusion(sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return right answers, true cases and predictions of each class, and all cases."""
    classes = round(float(np.sqrt(sums.shape[-1])))
    table = sums.reshape(*sums.shape[:-1], classes, classes)
    right = np.diagonal(table, axis1=-2, axis2=-1)
    return right, table.sum(axis=-1), table.sum(axis=-2), table.sum(axis=(-1, -2))


def _over(part: Floats, whole: Floats) -> Floats:
    return np.asarray(part / np.where(whole == 0, 1.0, whole))


def balanced_accuracy(sums: Floats) -> Floats:
    """Return the mean recall of the classes that have cases."""
    right, true, _, _ = _confusion(sums)
    return _over(_over(right, true).sum(axis=-1), (true > 0).sum(axis=-1))


def macro_f1(sums: Floats) -> Floats:
    """Return the mean F1 of the classes that have cases or predictions."""
    right, true, said, _ = _confusion(sums)
    return _over(_over(2 * right, true + said).sum(axis=-1), (true + said > 0).sum(axis=-1))


def weighted_f1(sums: Floats) -> Floats:
    """Return the mean F1 of the classes, weighted by their cases."""
    right, true, said, total = _confusion(sums)
    return _over((true * _over(2 * right, true + said)).sum(axis=-1), total)


def matthews(sums: Floats) -> Floats:
    """Return Matthews' correlation of true and predicted classes; 0 where one side never varies."""
    right, true, said, total = _confusion(sums)
    covariance = right.sum(axis=-1) * total - (true * said).sum(axis=-1)
    spread = (total**2 - (true**2).sum(axis=-1)) * (total**2 - (said**2).sum(axis=-1))
    return _over(covariance, np.sqrt(spread))


def kappa(sums: Floats) -> Floats:
    """Return Cohen's kappa; 0 where chance alone agrees everywhere."""
    right, true, said, total = _confusion(sums)
    by_chance = _over((true * said).sum(axis=-1), total)
    return _over(right.sum(axis=-1) - by_chance, total - by_chance)


def precision_recall_counts(truth: Floats, predicted: Floats) -> Floats:
    """Return right positives, wrong positives and missed positives of every case (cases, 3)."""
    return np.stack([truth * predicted, (1 - truth) * predicted, truth * (1 - predicted)], axis=-1)


def f1_of(sums: Floats) -> Floats:
    """Return F1 of counts on the last axis; 0 where nothing is positive."""
    right, wrong, missed = np.moveaxis(sums, -1, 0)
    return _over(2 * right, 2 * right + wrong + missed)


def precision_of(sums: Floats) -> Floats:
    """Return the share of positive predictions that are right; 0 where there are none."""
    right, wrong, _ = np.moveaxis(sums, -1, 0)
    return _over(right, right + wrong)


def recall_of(sums: Floats) -> Floats:
    """Return the share of positive cases that are found; 0 where there are none."""
    right, _, missed = np.moveaxis(sums, -1, 0)
    return _over(right, right + missed)


def r2_parts(truth: Floats, predicted: Floats) -> Floats:
    """Return of every case: squared error, truth from its mean, its square, and 1."""
    centred = truth - truth.mean()
    return np.stack([(truth - predicted) ** 2, centred, centred**2, np.ones(len(truth))], axis=1)


def r2(sums: Floats) -> Floats:
    """Return the share of the variance that predictions explain."""
    errors, total, squares, n = np.moveaxis(sums, -1, 0)
    return np.asarray(1 - errors / (squares - total**2 / n))


def ratio(sums: Floats) -> Floats:
    """Return the first sum over the second: errors over words."""
    above, below = np.moveaxis(sums, -1, 0)
    return np.asarray(above / below)


def calibration_parts(codes: Ints, chances: Floats) -> Floats:
    """Return of every case, in the column of its confidence: confidence minus right, and 1."""
    said = chances.argmax(axis=1)
    sure = chances.max(axis=1)
    place = np.clip(np.ceil(sure * BINS).astype(np.int64) - 1, 0, BINS - 1)
    parts = np.zeros((len(codes), BINS + 1))
    parts[np.arange(len(codes)), place] = sure - (said == codes)
    parts[:, BINS] = 1.0
    return parts


def calibration_error(sums: Floats) -> Floats:
    """Return the expected calibration error: how far confidence lies from accuracy, bin by bin."""
    return np.asarray(np.abs(sums[..., :BINS]).sum(axis=-1) / sums[..., BINS])


def rest_areas(codes: Ints, chances: Floats) -> tuple[float, Floats]:
    """Return the mean area of each class against the rest, and how much each case moves it."""
    found = [
        roc_influences(chances[None, :, c], (codes == c).astype(np.float64))
        for c in range(chances.shape[1])
    ]
    area = float(np.mean([areas[0] for areas, _ in found]))
    return area, np.asarray(np.mean([moved[0] for _, moved in found], axis=0))


def average_precision(positive: Bools, scores: Floats, times: Floats) -> Floats:
    """Return the mean precision at every positive case, tied scores together.

    `times` (..., cases) says how often each case occurs.
    """
    order = np.argsort(-scores, kind="stable")
    ordered, counted = scores[order], times[..., order]
    last = np.append(np.flatnonzero(np.diff(ordered)), len(ordered) - 1)
    hits = np.cumsum(counted * positive[order], axis=-1)[..., last]
    cases = np.cumsum(counted, axis=-1)[..., last]
    gained = np.diff(hits, axis=-1, prepend=0.0)
    return _over((gained * _over(hits, cases)).sum(axis=-1), hits[..., -1])


def concordance(time: Floats, event: Bools, risk: Floats) -> tuple[float, Floats]:
    """Return the share of comparable pairs in the right order, and how much each case moves it.

    A pair is comparable if the earlier time is that of an event; equal risks count half.
    """
    later = (time[:, None] < time) | ((time[:, None] == time) & ~event)
    pairs = (event[:, None] & later).astype(np.float64)
    np.fill_diagonal(pairs, 0.0)
    ordered = pairs * (0.5 + 0.5 * np.sign(risk[:, None] - risk))
    total = float(pairs.sum())
    share = float(ordered.sum()) / total
    own = ordered.sum(axis=0) + ordered.sum(axis=1)
    taken = pairs.sum(axis=0) + pairs.sum(axis=1)
    return share, np.asarray((own - share * taken) / total)


@lru_cache(maxsize=4096)
def word_errors(truth: str, said: str) -> int:
    """Return how many words to change, insert or delete to make one text of the other.

    Examples
    --------
    >>> word_errors("the cat sat down", "a cat sat")
    2
    """
    words, others = truth.split(), said.split()
    row = list(range(len(others) + 1))
    for i, word in enumerate(words, start=1):
        before, row[0] = row[0], i
        for j, other in enumerate(others, start=1):
            now = min(row[j] + 1, row[j - 1] + 1, before + (word != other))
            before, row[j] = row[j], now
    return row[-1]
