"""Could the test have seen it? Power, exact or simulated, and how much data it takes."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from replicast.arrays import Floats
from replicast.design import (
    Datasets,
    Design,
    DesignLike,
    Holdout,
    require_count,
    require_design,
)
from replicast.errors import (
    invalid,
    is_whole,
    number,
    require_choice,
    require_finite,
    require_instance,
    require_probability,
)
from replicast.inference.methods import METHODS, Method, default_method
from replicast.inference.ranks import SIGNED_RANK
from replicast.inference.student import PAIRED_TTEST
from replicast.inference.traits import Chances
from replicast.kernels.counts import win_loss_tie
from replicast.kernels.student import ratio_or_infinity
from replicast.randomness import RandomSource, generator
from replicast.results import Power, is_significant
from replicast.scores.pairs import PairedScores
from replicast.scores.parsing import parse_items

Approach = Literal["exact", "shifted"]
PairModel = Literal["paired", "independent"]

MOST_SIMULATED = 1000
_DRAWN = 20_000_000  # differences, where a test over many scores has no formula
_CASES_DRAWN = 1000  # test sets; of so many cases that more would take long
_MOST_CASES = 1_000_000_000_000
_LARGEST_SAMPLE = 1_000_000


def power(
    effect: float,
    design: DesignLike,
    *,
    method: str = PAIRED_TTEST.name,
    significance: float = 0.05,
    approach: Approach = "exact",
    simulations: int = 10_000,
    rng: RandomSource = 0,
) -> Power:
    """Return the probability that a two-sided test is significant if the true d' is `effect`.

    t-tests are computed from the noncentral t (`exact`), or from a central t moved by the
    noncentrality (`shifted`), as in Neumann et al. (2021); the sign test is counted. The corrected t
    varies less over fresh data than it assumes, and the exact power allows for that. Other tests are
    run on simulated normal differences, all in one batch, and the power carries its Monte Carlo
    error; beyond 1000 scores rank and sign-flip tests are computed from the limiting distribution
    instead. For a posterior it is the chance that one side exceeds 1 - significance / 2, as `decide`
    asks. With `effect` from the data this is the power "had the true difference been what was
    observed". Also called: power of the test, statistical power.

    Parameters
    ----------
    effect : float
        Standardised difference d' = mean / sd of the differences; its sign does not matter.
    design : Design
        Design of the experiment; it must know its number of scores.
    method : str
        Key of the test in `METHODS`; the paired t-test unless told.

    Examples
    --------
    >>> from replicast import KFold, power
    >>> round(power(0.71, KFold(10), method="paired-ttest").power, 3)
    0.518
    >>> round(power(0.71, KFold(10), method="paired-ttest", approach="shifted").power, 2)
    0.49
    """
    significance = require_probability(significance, "significance")
    require_choice(approach, "approach", ("exact", "shifted"))
    test = _known(method)
    effect = require_finite(effect, "effect")
    design = require_design(design)
    n = design.n_scores
    if n is None or n < 2:
        remedy = "Say how many, for instance Datasets(20)"
        raise invalid("design", "a design with at least two scores", str(design), remedy)
    test.refuse(design)
    if design.binary:
        remedy = "An effect d' does not tell how cases differ; use power_mcnemar"
        raise invalid("design", "several scores, not the cases of one test set", design, remedy)
    if design.clusters is not None:
        remedy = (
            "An effect d' does not tell how much cases of one cluster share; use observed_power"
        )
        raise invalid("design", "cases without clusters", str(design), remedy)
    if not is_whole(simulations) or simulations < 1:
        raise invalid("simulations", "a positive number of simulations", simulations)
    way = _way(test, n, approach)
    if way == "simulated":
        count = simulations if n <= MOST_SIMULATED else max(20, min(simulations, _DRAWN // n))
        rows = generator(rng).normal(abs(effect), 1.0, size=(count, n))
        chances, error = _simulated(test, rows, design, significance)
    else:
        chances, error = test.power[way](abs(effect), n, design, significance), 0.0
    asked = _Asked(test, design, significance)
    return asked.record(chances, effect=effect, approach=way, error=error)


class _Asked(NamedTuple):
    """A test in a design, at a level."""

    method: Method
    design: Design
    significance: float

    def record(self, chances: Chances, *, effect: float, approach: str, error: float) -> Power:
        """Return the power with these chances of finding a difference, right and wrong."""
        right, wrong = chances
        return Power(
            power=min(1.0, right + wrong),
            found=right,
            method=self.method.name,
            effect=effect,
            design=self.design,
            significance=self.significance,
            approach=approach,
            monte_carlo_error=error,
        )


def _known(method: str) -> Method:
    return METHODS[require_choice(method, "method", tuple(METHODS))]


def _way(method: Method, n: int, approach: str) -> str:
    """Return how the power of a test is found: as asked for, else as it is known, else simulated."""
    known = [way for way in (approach, "exact") if way in method.power]
    if "large-sample" in method.power and n > MOST_SIMULATED:
        known.append("large-sample")
    return known[0] if known else "simulated"


def _simulated(method: Method, rows: Floats, design: Design, level: float) -> tuple[Chances, float]:
    """Return in which shares of rows a test finds a difference, right and wrong, and the error."""
    quick = method.quick_pvalues
    pvalues = method.batch_pvalues(rows, design) if quick is None else quick(rows)
    count = len(pvalues)
    significant = is_significant(pvalues, level)
    share = float(np.mean(significant))
    right = int(np.count_nonzero(method.lead(rows[:count][significant]) > 0)) / count
    return (right, share - right), float(np.sqrt(max(share * (1 - share), 1 / count) / count))


def observed_power(
    scores: PairedScores,
    *,
    method: str,
    significance: float = 0.05,
    approach: Approach = "exact",
    model: PairModel = "paired",
    ties: Literal["half", "drop"] = "half",
    simulations: int = 10_000,
    rng: RandomSource = 0,
) -> Power:
    """Return the power of a test had the true difference been what was observed.

    A description of the design, not new evidence: it is a function of the p-value. `paired` uses
    the spread of the differences; `independent`, as in Neumann et al. (2021), treats the two
    classifiers' scores as independent, which ignores their correlation. Where datasets are ties, a
    sign test expects as many of them again; `ties` says what it does with them.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, observed_power
    >>> pair = PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=KFold(3))
    >>> round(observed_power(pair, method="corrected-ttest").power, 3)
    0.417
    """
    require_choice(model, "model", ("paired", "independent"))
    require_instance(scores, PairedScores, "scores")
    test = _known(method)
    test.refuse(scores.design)
    if scores.design.binary:
        wins, losses, _ = win_loss_tie(scores.differences)
        n = len(scores.differences)
        return _cases_power(test, int(wins) / n, int(losses) / n, n, significance, rng)
    asked = _Asked(test, scores.design, require_probability(significance, "significance"))
    seen = float(np.clip(ratio_or_infinity(*test.moments(scores.differences)), -1e3, 1e3))
    if test.tied_power is not None and not scores.differences.all():
        chances = _tied_power(test.tied_power, scores, asked.significance, ties)
        return asked.record(chances, effect=seen, approach="exact", error=0.0)
    if scores.clusters is not None and test.clustered_power is not None:
        chances, error = test.clustered_power(scores, asked.significance)
        way = "simulated" if error else "exact"
        return asked.record(chances, effect=seen, approach=way, error=error)
    mean, deviation = test.moments(scores.differences)
    seeds = scores.seed_means
    if seeds is not None:
        mean, deviation = seeds.difference, seeds.deviation
    if model == "independent":
        deviation = np.hypot(test.moments(scores.first)[1], test.moments(scores.second)[1])
    d = float(np.clip(ratio_or_infinity(mean, deviation), -1e3, 1e3))  # power 1 to every digit
    return power(
        d,
        scores.design,
        method=method,
        significance=significance,
        approach=approach,
        simulations=simulations,
        rng=rng,
    )


def _tied_power(
    power_of: Callable[..., Chances], scores: PairedScores, significance: float, ties: str
) -> Chances:
    """Return the power of a sign test had wins, losses and ties been as frequent as observed."""
    require_choice(ties, "ties", ("half", "drop"))
    wins, losses, _ = (int(count) for count in win_loss_tie(scores.differences))
    n = len(scores.differences)
    return power_of(wins / n, losses / n, n, significance, ties)


def power_mcnemar(
    first_only: float, second_only: float, *, cases: int, significance: float = 0.05
) -> Power:
    """Return the power of the exact McNemar test for given rates of discordant cases.

    The number of discordant cases is random too; the power is its exact mean.

    Examples
    --------
    >>> from replicast import power_mcnemar
    >>> round(power_mcnemar(0.08, 0.04, cases=500).power, 3)
    0.703
    """
    significance = require_probability(significance, "significance")
    for argument, rate in (("first_only", first_only), ("second_only", second_only)):
        if not 0 <= number(rate) <= 1:
            raise invalid(argument, "a rate between 0 and 1", rate)
    cases = require_count(cases, "cases", 1)
    if cases > _MOST_CASES:
        raise invalid("cases", f"at most {_MOST_CASES:,}", cases)
    if first_only + second_only > 1:
        raise invalid("second_only", "a rate that leaves the sum at most 1", second_only)
    test = METHODS[default_method(Holdout(cases))]
    return _cases_power(test, first_only, second_only, cases, significance)


def _cases_power(
    method: Method, p: float, q: float, cases: int, significance: float, rng: RandomSource = 0
) -> Power:
    """Return the power of a test on cases of which one model alone gets p right, the other q."""
    design = Holdout(cases)
    if method.cases_power is None:
        rates = [p, q, max(0.0, 1 - p - q)]
        signs = [1.0, -1.0, 0.0] if p >= q else [-1.0, 1.0, 0.0]
        rows = generator(rng).choice(signs, p=rates, size=(_CASES_DRAWN, cases))
        way, (chances, error) = "simulated", _simulated(method, rows, design, significance)
    else:
        way, error = "exact", 0.0
        chances = method.cases_power(p, q, cases, significance)
    variance = p + q - (p - q) ** 2
    effect = float((p - q) / np.sqrt(variance)) if variance > 0 else 0.0
    asked = _Asked(method, design, significance)
    return asked.record(chances, effect=effect, approach=way, error=error)


def power_curve(
    effects: Sequence[float],
    designs: Sequence[Design],
    *,
    method: str = PAIRED_TTEST.name,
    significance: float = 0.05,
    approach: Approach = "exact",
) -> tuple[tuple[Power, ...], ...]:
    """Return the power for every design (rows) and effect (columns).

    Examples
    --------
    >>> from replicast import KFold, power_curve
    >>> rows = power_curve([0.5, 0.8], [KFold(10), KFold(25)])
    >>> [[round(point.power, 2) for point in row] for row in rows]
    [[0.29, 0.62], [0.67, 0.97]]
    """
    return tuple(
        tuple(
            power(effect, design, method=method, significance=significance, approach=approach)
            for effect in parse_items(effects, "effects")
        )
        for design in parse_items(designs, "designs")
    )


def sample_size(
    effect: float,
    *,
    probability: float = 0.8,
    method: str = SIGNED_RANK.name,
    significance: float = 0.05,
) -> int:
    """Return the least number of datasets at which the power reaches `probability`.

    `effect` is d' over datasets. Simulated tests use common random numbers, so the answer is
    repeatable; it may be off by one or two datasets. The power of the sign test is a sawtooth; with
    the answer, and with every larger number, it is enough.

    Examples
    --------
    >>> from replicast import sample_size
    >>> sample_size(0.5, method="paired-ttest")
    34
    """
    probability = require_probability(probability, "probability")
    allowed = tuple(name for name, test in METHODS.items() if test.allows(Datasets()))
    require_choice(method, "method", allowed)
    if not 0 < abs(number(effect)) < np.inf:
        remedy = "No number of datasets shows a difference that is not there"
        raise invalid("effect", "a finite number other than 0", effect, remedy)

    def reached(n: int) -> bool:
        found = power(effect, Datasets(n), method=method, significance=significance)
        return found.power >= probability

    high = 2
    while not reached(high):
        high *= 2
        if high > _LARGEST_SAMPLE:
            raise invalid("effect", f"large enough for {_LARGEST_SAMPLE:,} datasets", effect)
    between = range(high // 2 + 1, high)
    high = between.start + bisect_left(between, True, key=reached)
    test = METHODS[method]
    if "exact" in test.power and test.smallest_pvalue(high) > 0:  # counted, so its power has teeth
        short = [n for n in range(high, high + max(20, high // 4)) if not reached(n)]
        high = short[-1] + 1 if short else high
    return high


def detectable_difference(
    design: DesignLike,
    *,
    probability: float = 0.8,
    method: str = PAIRED_TTEST.name,
    significance: float = 0.05,
) -> float:
    """Return the d' at which the power of a test reaches `probability`.

    Examples
    --------
    >>> from replicast import KFold, detectable_difference
    >>> round(detectable_difference(KFold(10), method="corrected-ttest"), 2)
    1.37
    """
    probability = require_probability(probability, "probability")

    def reached(effect: float) -> bool:
        found = power(effect, design, method=method, significance=significance)
        return found.power >= probability

    if not reached(1e3):
        remedy = f"Its smallest p-value is {smallest_pvalue(method, design):.3g}; use more scores"
        raise invalid("design", f"able to reach p < {significance:g}", str(design), remedy)
    low, high = 0.0, 1.0
    while not reached(high):
        low, high = high, high * 2
    simulated = power(high, design, method=method, significance=significance).monte_carlo_error > 0
    near = 1e-4 if simulated else 1e-12  # a simulation cannot tell more
    while high - low > near * high and high > 1e-300:
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def smallest_pvalue(method: str, design: DesignLike) -> float:
    """Return the smallest two-sided p-value a test can give with this many scores.

    Zero for tests with a continuous statistic. With five datasets Wilcoxon's test cannot reach
    p < 0.05 whatever the scores:

    Examples
    --------
    >>> from replicast import Datasets, smallest_pvalue
    >>> smallest_pvalue("signed-rank", Datasets(5))
    0.0625
    """
    test, design = _known(method), require_design(design)
    n = design.n_scores
    if n is None:
        raise invalid("design", "a design with a known number of scores", str(design))
    return test.smallest_pvalue(n)
