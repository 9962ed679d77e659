"""Several benchmarks, or tasks, with fixed weights: one mean difference, and its error."""

from collections.abc import Mapping

import numpy as np

from replicast.design import Cases
from replicast.errors import DesignMismatchError, invalid, number, require_choice
from replicast.inference.cases import CASE_TTEST, mean_of_scores, t_of_mean
from replicast.kernels import cases, seeds
from replicast.results import ALTERNATIVES, Alternative, SignificanceResult
from replicast.scores.pairs import PairedScores


def benchmarks_ttest(
    benchmarks: Mapping[str, PairedScores],
    *,
    weights: Mapping[str, float] | None = None,
    alternative: Alternative = "two-sided",
) -> SignificanceResult:
    """Test equal weighted mean scores on several benchmarks, which are fixed.

    The question is what fresh cases of these very benchmarks would say: the variance is that of the
    cases of each, times its weight squared, and how much benchmarks differ does not enter. So it is
    for folds, with the error of the corrected t-test, and for seeds, where new ones are drawn on every
    task (`Seeds(5, split=None)`); degrees of freedom are Satterthwaite's. Where benchmarks
    are a sample, and others might have been chosen, take one mean score each and `signed_rank`
    (design `Datasets`). Positive estimates favour the first model.

    Parameters
    ----------
    benchmarks : dict
        By name: paired scores of cases, folds or seeds, of the same two models.
    weights : dict, optional
        By name; they are made to add up to 1. By default all benchmarks count the same, however many
        cases they have.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first model is better.

    Examples
    --------
    >>> from replicast import PairedCases, benchmarks_ttest
    >>> maths = PairedCases(first=[0.9, 0.8, 0.7, 0.9], second=[0.8, 0.7, 0.7, 0.5])
    >>> facts = PairedCases(first=[0.4, 0.6, 0.5], second=[0.3, 0.4, 0.6])
    >>> print(benchmarks_ttest({"maths": maths, "facts": facts}, weights={"maths": 2, "facts": 1}))
    first - second: weighted mean difference 0.122, p = 0.127 (case-ttest, statistic 1.89, 4.3 df, n
    = 7)
    """
    require_choice(alternative, "alternative", ALTERNATIVES)
    pairs = paired_benchmarks(benchmarks)
    shares = _shares(weights, tuple(pairs))
    means = {name: _mean(pair) for name, pair in pairs.items()}
    estimate = sum(shares[name] * float(found.mean) for name, found in means.items())
    parts = [
        ((shares[name] * float(found.standard_error)) ** 2, float(found.df))
        for name, found in means.items()
    ]
    variance = sum(part for part, _ in parts)
    if variance == 0:
        remedy = "Every benchmark has differences that are all the same; compare them one by one"
        raise invalid("benchmarks", "some whose cases differ", "none", remedy)
    df = variance**2 / sum(part**2 / each for part, each in parts)
    first = next(iter(pairs.values()))
    return SignificanceResult(
        method=CASE_TTEST.name,
        names=first.names,
        n=sum(len(pair.differences) for pair in pairs.values()),
        estimand="weighted mean difference",
        **t_of_mean(estimate, float(np.sqrt(variance)), df, np.ones(()), alternative=alternative),
        alternative=alternative,
        design=first.design
        if first.design.seeds
        else Cases(sum(len(pair.differences) for pair in pairs.values())),
        details=shares,
        lead=estimate,
    )


def paired_benchmarks(benchmarks: Mapping[str, PairedScores]) -> dict[str, PairedScores]:
    """Return benchmarks as paired scores of the same two models, else raise."""
    if not isinstance(benchmarks, Mapping) or not benchmarks:
        domain = "a dict of benchmarks, each with its cases"
        raise invalid("benchmarks", domain, type(benchmarks).__name__)
    found: dict[str, PairedScores] = {}
    for name, pair in benchmarks.items():
        if not isinstance(pair, PairedScores) or pair.design.over_datasets:
            domain = "cases, folds or seeds for every benchmark"
            raise invalid("benchmarks", domain, f"{type(pair).__name__} for {name!r}")
        found[str(name)] = pair
    names = {pair.names for pair in found.values()}
    if len(names) > 1:
        got = " and ".join(" against ".join(each) for each in sorted(names)[:2])
        raise DesignMismatchError("benchmarks", "of the same two models", got)
    return found


def _shares(weights: Mapping[str, float] | None, names: tuple[str, ...]) -> dict[str, float]:
    """Return weights that add up to 1."""
    if weights is None:
        return {name: 1 / len(names) for name in names}
    if not isinstance(weights, Mapping) or set(map(str, weights)) != set(names):
        domain = f"a weight for each of {', '.join(names)}"
        raise invalid("weights", domain, weights)
    told = {str(name): number(weight) for name, weight in weights.items()}
    total = sum(told.values())
    if not all(0 <= weight < np.inf for weight in told.values()) or not 0 < total < np.inf:
        raise invalid("weights", "numbers of at least 0, some of them positive", weights)
    return {name: told[name] / total for name in names}


def _mean(pair: PairedScores) -> cases.CaseMean:
    """Return the mean difference of one benchmark with its error, as its design has it."""
    if (told := pair.seed_means) is not None:
        return cases.CaseMean(told.difference, seeds.fresh_error(told), told.df)
    return mean_of_scores(pair.differences, pair.design, pair.clusters)
