"""How large is the difference? Effects with intervals and labels by a named rule."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from replicast.errors import DesignMismatchError, invalid
from replicast.formatting import format_pvalue
from replicast.kernels import counts, noncentral, ranks, seeds, student
from replicast.results import Caution, Effect, IntervalRule, SignificanceResult
from replicast.scores.pairing import paired_scores
from replicast.scores.pairs import PairedScores

# Rule -> ascending cut-offs of the absolute effect and the words between them.
RULES: dict[str, tuple[tuple[float, ...], tuple[str, ...]]] = {
    "cohen-1988-d": (
        (0.2, 0.5, 0.8, 1.3),
        ("negligible", "small", "medium", "large", "very large"),
    ),
    "cohen-1988-r": ((0.1, 0.3, 0.5), ("negligible", "small", "medium", "large")),
    "romano-2006": ((0.147, 0.33, 0.474), ("negligible", "small", "medium", "large")),
    "vargha-delaney-2000": ((0.06, 0.14, 0.21), ("negligible", "small", "medium", "large")),
}
RELEVANT = frozenset({"medium", "large", "very large"})
# Kind of effect -> its symbol, and the rule by which it is labelled, if there is one.
KINDS: dict[str, tuple[str, str | None]] = {
    "mean-difference": ("mean difference", None),
    "accuracy-difference": ("accuracy difference", None),
    "standardized-difference": ("d'", "cohen-1988-d"),
    "rank-effect": ("r", "cohen-1988-r"),
    "rank-biserial": ("rank-biserial", "cohen-1988-r"),
    "cliffs-delta": ("delta", "romano-2006"),
    "probability-of-superiority": ("A12", "vargha-delaney-2000"),
}


def label_effect(magnitude: float, rule: str) -> str:
    """Return the word a rule gives to an absolute effect.

    Examples
    --------
    >>> label_effect(0.71, "cohen-1988-d")
    'medium'
    """
    cuts, words = RULES[rule]
    # a decimal effect that equals its cut-off but for round-off belongs to the upper word
    return words[int(np.searchsorted(cuts, abs(magnitude) * (1 + 1e-12), side="right"))]


def _mean_of(pair: PairedScores) -> tuple[float, float, float]:
    """Return the mean difference, its standard error and degrees of freedom by the design."""
    if pair.cluster_mean is not None:
        mean, error, df = pair.cluster_mean
        return float(mean), float(error), float(df)
    ratio = pair.design.test_train_ratio
    mean, error, _ = student.correlated_t(pair.differences, test_train_ratio=ratio)
    return float(mean), float(error), float(len(pair.differences) - 1)


def _effect(pair: PairedScores, kind: str, estimate: float, interval_rule: IntervalRule) -> Effect:
    """Return an effect with the symbol of its kind, and its label; A12 is 0.5 for equal scores."""
    symbol, rule = KINDS[kind]
    none = 0.5 if kind == "probability-of-superiority" else 0.0
    return Effect(
        kind=kind,
        symbol=symbol,
        names=pair.names,
        n=len(pair.differences),
        estimate=estimate,
        label=label_effect(estimate - none, rule) if rule else None,
        rule=rule,
        interval_rule=interval_rule,
    )


def mean_difference(scores: PairedScores) -> Effect:
    """Return the mean difference in the unit of the scores.

    Its interval is widened for overlapping training sets as in the corrected t-test, for cases that
    hang together in clusters, and for the split that seeds share; for one score per dataset it is the
    ordinary t interval. Positive favours the first classifier.

    Examples
    --------
    >>> from replicast import KFold, PairedScores
    >>> from replicast.effects import mean_difference
    >>> pair = PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=KFold(3))
    >>> round(mean_difference(pair).estimate, 4)
    0.0833
    """
    pair = paired_scores(scores)
    if (told := pair.seed_means) is not None:
        across, mean = partial(seeds.fresh_interval, told), float(told.difference)
        return _effect(pair, "mean-difference", mean, across)
    mean, error, df = _mean_of(pair)
    interval = partial(student.t_interval, mean, error, df)
    return _effect(pair, "mean-difference", mean, interval)


def standardized_difference(scores: PairedScores) -> Effect:
    """Return d': the mean difference in units of the standard deviation of the differences.

    Labelled by Cohen's cut-offs 0.2, 0.5, 0.8 and 1.3. The interval comes from the noncentral t,
    widened for overlapping training sets, and for the split that seeds share; the standard deviation
    is that of the difference of two seeds, if seeds are not paired of independent ones. A constant
    non-zero difference has an infinite d'. Positive favours the first classifier. Also called: effect
    size d, Cohen's d, d'cohen.

    Examples
    --------
    >>> from replicast import KFold, PairedScores
    >>> from replicast.effects import standardized_difference
    >>> pair = PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=KFold(3))
    >>> print(standardized_difference(pair))
    d' = 2.89, very large (cohen-1988-d)
    """
    pair = paired_scores(scores)
    mean, deviation = student.moments(pair.differences)
    scale = float(np.sqrt(1 / len(pair.differences) + pair.design.test_train_ratio))
    if (told := pair.seed_means) is not None:
        mean, deviation, df = told.difference, told.deviation, float(told.df)
        scale = float(student.ratio_or_infinity(seeds.fresh_error(told), deviation))
    else:
        _, error, df = _mean_of(pair)
        if pair.clusters is not None and error > 0:
            scale = error / float(deviation)
    d = float(student.ratio_or_infinity(mean, deviation))
    return _effect(
        pair, "standardized-difference", d, partial(_standardized_interval, d, scale, df)
    )


def _standardized_interval(
    d: float, scale: float, df: float, confidence: float
) -> tuple[float, float]:
    if np.isinf(d):
        return d, d
    tail = (1 - confidence) / 2
    low = noncentral.noncentrality_limit(d / scale, df, tail)
    high = noncentral.noncentrality_limit(d / scale, df, 1 - tail)
    return low * scale, high * scale


def rank_effect(scores: PairedScores) -> Effect:
    """Return r = Z / sqrt(N), with Z of the signed-rank test and N twice the number of pairs.

    Zero differences count among the pairs. Labelled by Cohen's cut-offs 0.1, 0.3 and 0.5. The
    interval lets Z vary by its standard deviation under equality, 1. Positive favours the first. Also
    called: effect size r, Wilcoxon effect size.

    Examples
    --------
    >>> from replicast import Datasets, PairedScores
    >>> from replicast.effects import rank_effect
    >>> pair = PairedScores(first=[3, 4, 5, 6, 7], second=[2, 2, 2, 2, 2], design=Datasets())
    >>> print(rank_effect(pair))
    r = 0.597, large (cohen-1988-r)
    """
    pair = paired_scores(scores)
    z = float(ranks.signed_rank_z(*ranks.signed_rank_statistics(pair.differences)))
    root = float(np.sqrt(2 * len(pair.differences)))
    return _effect(pair, "rank-effect", z / root, partial(_rank_interval, z, root))


def _rank_interval(z: float, root: float, confidence: float) -> tuple[float, float]:
    half = float(special.ndtri(0.5 + confidence / 2))
    return max(-1.0, (z - half) / root), min(1.0, (z + half) / root)


def superiority(pair: PairedScores) -> tuple[float, float]:
    """Return A12 over all pairs of scores and its standard error, which allows for the pairing."""
    first, second = pair.first, pair.second
    if not pair.greater_is_better:
        first, second = -first, -second
    ordered_second, ordered_first = np.sort(second), np.sort(first)
    n = len(first)
    beats = np.searchsorted(ordered_second, first, "left") + np.searchsorted(
        ordered_second, first, "right"
    )
    beaten = 2 * n - (
        np.searchsorted(ordered_first, second, "left")
        + np.searchsorted(ordered_first, second, "right")
    )
    placements = (beats + beaten) / (2 * n)
    return float(beats.mean() / (2 * n)), float(placements.std(ddof=1) / np.sqrt(n))


def superiority_interval(a: float, error: float, n: int, confidence: float) -> tuple[float, float]:
    """Return the interval of a probability of superiority, on the scale of its odds."""
    tail = (1 - confidence) / 2
    if a in (0.0, 1.0) or error == 0:  # no spread to see: the limits n equal outcomes leave open
        open_side = 1 - tail ** (1 / n)
        return max(0.0, a - open_side), min(1.0, a + open_side)
    logit, spread = float(special.logit(a)), error / (a * (1 - a))
    half = float(special.ndtri(1 - tail)) * spread
    return float(special.expit(logit - half)), float(special.expit(logit + half))


def probability_of_superiority(scores: PairedScores) -> Effect:
    """Return A12: the probability that a score of the first beats a score of the second.

    Vargha and Delaney's measure over all pairs of scores, ties counting half; 0.5 is no difference.
    Above 0.5 favours the first classifier.

    Examples
    --------
    >>> from replicast import Datasets, PairedScores
    >>> from replicast.effects import probability_of_superiority
    >>> pair = PairedScores(first=[3, 4, 5], second=[2, 3, 4], design=Datasets())
    >>> print(probability_of_superiority(pair))
    A12 = 0.778, large (vargha-delaney-2000)
    """
    pair = paired_scores(scores)
    a, error = superiority(pair)
    interval = partial(superiority_interval, a, error, len(pair.first))
    return _effect(pair, "probability-of-superiority", a, interval)


def cliffs_delta(scores: PairedScores) -> Effect:
    """Return Cliff's delta: P(first > second) - P(first < second) over all pairs of scores.

    Labelled by Romano's cut-offs 0.147, 0.33 and 0.474. Positive favours the first classifier.

    Examples
    --------
    >>> from replicast import Datasets, PairedScores
    >>> from replicast.effects import cliffs_delta
    >>> print(cliffs_delta(PairedScores(first=[3, 4, 5], second=[2, 3, 4], design=Datasets())))
    delta = 0.556, large (romano-2006)
    """
    pair = paired_scores(scores)
    a, error = superiority(pair)
    interval = partial(_delta_interval, a, error, len(pair.first))
    return _effect(pair, "cliffs-delta", 2 * a - 1, interval)


def _delta_interval(a: float, error: float, n: int, confidence: float) -> tuple[float, float]:
    low, high = superiority_interval(a, error, n, confidence)
    return 2 * low - 1, 2 * high - 1


def rank_biserial(scores: PairedScores) -> Effect:
    """Return the matched-pairs rank-biserial correlation (W+ - W-) / (W+ + W-).

    Zero differences are left out. Labelled by Cohen's cut-offs for r. The interval is Wilson's for a
    share, with the number of coin tosses that are as variable as the rank sum and Student's t; it
    covers 91% at least in simulations of 4 to 20 differences. Where it and the exact signed-rank test
    disagree about zero the test decides, and a caution says so. Positive favours the first.

    Examples
    --------
    >>> from replicast import Datasets, PairedScores
    >>> from replicast.effects import rank_biserial
    >>> pair = PairedScores(first=[3, 4, 5, 1], second=[2, 2, 2, 2], design=Datasets())
    >>> print(rank_biserial(pair))
    rank-biserial = 0.700, large (cohen-1988-r)
    """
    pair = paired_scores(scores)
    w_plus, used, _ = ranks.signed_rank_statistics(pair.differences)
    n = int(used)
    share = float(w_plus) / (n * (n + 1) / 2) if n else 0.5
    pvalue = ranks.signed_rank_pvalues(
        pair.differences[None], method="auto", alternative="two-sided"
    )[0]
    interval = partial(_decided_interval, share, n, float(pvalue[0]))
    found = _effect(pair, "rank-biserial", 2 * share - 1, interval)
    if found.confidence_interval() == _biserial_interval(share, n, 0.95):
        return found
    text = (
        f"The 95% interval ends at zero, where the test does ({format_pvalue(float(pvalue[0]))})."
    )
    return replace(found, cautions=(*found.cautions, Caution("interval-ends-at-zero", text)))


def _decided_interval(
    share: float, n: int, pvalue: float, confidence: float
) -> tuple[float, float]:
    """Let the interval hold zero exactly where the test is not significant."""
    low, high = _biserial_interval(share, n, confidence)
    if pvalue >= 1 - confidence:
        return min(low, 0.0), max(high, 0.0)
    return (max(low, 0.0), high) if share > 0.5 else (low, min(high, 0.0))


def _biserial_interval(share: float, n: int, confidence: float) -> tuple[float, float]:
    if n < 2:
        return -1.0, 1.0
    tosses = 3 * n * (n + 1) / (2 * (2 * n + 1))
    doubt = float(special.stdtrit(n - 1, 0.5 + confidence / 2)) ** 2 / tosses
    centre = (share + doubt / 2) / (1 + doubt)
    half = float(np.sqrt(doubt * (share * (1 - share) + doubt / 4))) / (1 + doubt)
    return max(-1.0, 2 * (centre - half) - 1), min(1.0, 2 * (centre + half) - 1)


def accuracy_difference(scores: PairedScores) -> Effect:
    """Return the difference in accuracy on one test set.

    The interval is Bonett and Price's for paired proportions. Positive favours the first model.

    Examples
    --------
    >>> from replicast import PairedPredictions
    >>> from replicast.effects import accuracy_difference
    >>> pair = PairedPredictions(truth=[1, 0, 1], first=[1, 0, 0], second=[0, 0, 0])
    >>> round(accuracy_difference(pair).estimate, 3)
    0.333
    """
    pair = paired_scores(scores)
    if not pair.design.binary:
        remedy = "Use mean_difference for scores of folds or datasets"
        domain = "correctness of the cases of one test set"
        raise DesignMismatchError("scores", domain, str(pair.design), remedy)
    wins, losses, _ = counts.win_loss_tie(pair.differences)
    b, c, n = int(wins), int(losses), len(pair.differences)
    interval = partial(counts.paired_proportions_interval, b, c, n)
    return _effect(pair, "accuracy-difference", (b - c) / n, interval)


def _estimate(result: SignificanceResult) -> Effect:
    """Return the difference that a test estimates itself."""
    if result.interval_rule is None:
        raise invalid("result", "a result with an interval", result.method)
    return Effect(
        kind="estimate",
        symbol=result.estimand,
        names=result.names,
        n=result.n,
        estimate=result.estimate,
        label=None,
        rule=None,
        cautions=tuple(each for each in result.cautions if each.code == "no-interval"),
        interval_rule=result.interval_rule,
    )


# each effect by the word tests use, from the scores and the result of the test
EFFECTS: Mapping[str, Callable[[PairedScores, Any], Effect]] = {
    "mean-difference": lambda scores, _: mean_difference(scores),
    "accuracy-difference": lambda scores, _: accuracy_difference(scores),
    "standardized-difference": lambda scores, _: standardized_difference(scores),
    "rank-effect": lambda scores, _: rank_effect(scores),
    "estimate": lambda _, result: _estimate(result),
}
