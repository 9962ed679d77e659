"""Replication probability from the numbers a paper reports, and its inverse."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import optimize, special

from replicast.design import (
    Datasets,
    Design,
    Holdout,
    KFold,
    RandomSplits,
    RepeatedKFold,
    require_count,
)
from replicast.errors import (
    DesignMismatchError,
    invalid,
    is_whole,
    number,
    require_choice,
    require_finite,
    require_positive,
    require_probability,
)
from replicast.kernels.counts import upper_tail
from replicast.kernels.student import t_critical, t_lower
from replicast.replication.counts import RankModel
from replicast.replication.first_result import FirstResult, count_model, discordance_model
from replicast.replication.models import Estimator, Goal, assess
from replicast.replication.probability import STANDING, report_replication
from replicast.replication.records import Replication, Spread
from replicast.replication.student import StudentModel, layout_of


def replication_from_t(
    statistic: float,
    *,
    folds: int | None = None,
    runs: int = 1,
    datasets: int | None = None,
    design: Design | None = None,
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: Design | None = None,
    data_factor: float = 1.0,
    names: tuple[str, str] = ("first", "second"),
) -> Replication:
    """Return the replication probability of a reported t statistic.

    With `folds` (and `runs`) it is the corrected t-test of cross-validation; with `datasets`, a
    paired t-test over datasets; `design` says anything else, for instance random splits.

    Examples
    --------
    >>> from replicast import replication_from_t
    >>> found = replication_from_t(2.262, folds=10)
    >>> round(found.probability, 3), round(found.as_published, 4)
    (0.385, 0.5235)
    """
    statistic = require_finite(statistic, "statistic")
    chosen = _design_of(folds, runs, datasets, design)
    corrected = not isinstance(chosen, Datasets)
    model = StudentModel(statistic=abs(float(statistic)), design=chosen, corrected=corrected)
    first = FirstResult(
        model=model,
        pvalue=2 * float(t_lower(model.layout.df, -abs(statistic))),
        design=chosen,
        names=names,
        first_better=statistic >= 0,
    )
    return report_replication(
        first,
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
        data_factor=data_factor,
    )


def _design_of(folds: int | None, runs: int, datasets: int | None, design: Design | None) -> Design:
    given = [value is not None for value in (folds, datasets, design)]
    if sum(given) != 1:
        raise invalid(
            "folds",
            "given, or datasets, or a design: one of the three",
            "none" if not any(given) else "several",
            "A statistic means nothing without the design it comes from",
        )
    if folds is not None:
        return KFold(folds) if runs == 1 else RepeatedKFold(runs=runs, folds=folds)
    chosen = Datasets(datasets) if design is None else design
    if chosen.n_scores is None or chosen.n_scores < 2:
        raise invalid("design", "a design with at least two scores", str(chosen))
    return chosen


def replication_from_z(
    z: float,
    *,
    datasets: int,
    sd: float | Spread | None = None,
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: Design | None = None,
    names: tuple[str, str] = ("first", "second"),
) -> Replication:
    """Return the replication probability of a reported Wilcoxon Z over datasets.

    `datasets` counts those with a difference. `sd` is the standard deviation s* of Z for the
    as-published value; 1 if it is not given.

    Examples
    --------
    >>> from replicast import replication_from_z
    >>> found = replication_from_z(2.437, datasets=20, sd=0.779)
    >>> round(found.probability, 3), round(found.as_published, 2)
    (0.608, 0.73)
    """
    return report_replication(
        _rank_result(z, datasets, sd, names),
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
    )


def _rank_result(
    z: float, datasets: int, sd: float | Spread | None, names: tuple[str, str]
) -> FirstResult:
    z = require_finite(z, "z")
    datasets = require_count(datasets, "datasets", 1)
    design = Datasets(datasets)
    model = rank_model(abs(z), datasets, 1.0)
    if _too_large(model):
        largest = _largest_z(datasets)
        raise invalid("z", f"at most {largest:.3f} in size for datasets = {datasets}", z)
    if isinstance(sd, Spread):
        spread = sd
    elif sd is None:
        spread = Spread(value=1.0, source="assumed")
    else:
        domain = "a positive standard deviation of Z"
        spread = Spread(value=require_positive(sd, "sd", domain), source="given")
    return FirstResult(
        model=replace(model, share=min(1.0, model.share), spread=spread.value),
        pvalue=2 * float(special.ndtr(-abs(z))),
        design=design,
        names=names,
        first_better=z >= 0,
        spread=spread,
    )


def rank_model(z: float, datasets: int, spread: float) -> RankModel:
    """Return the model of a positive Z; its share is above 1 if so few datasets cannot give it."""
    total = datasets * (datasets + 1) / 2
    half = 0.5 if z != 0 else 0.0  # the continuity correction that Z had taken off
    share = 0.5 + (z * float(np.sqrt(total * (2 * datasets + 1) / 12)) + half) / total
    return RankModel(share=share, nonzero=datasets, z=z, datasets=datasets, spread=spread)


def _too_large(model: RankModel) -> bool:
    """Say whether so few datasets cannot give a Z; reported ones are rounded."""
    return model.share > 1 + 2e-3 / (model.nonzero * (model.nonzero + 1))


def _largest_z(datasets: int) -> float:
    total = datasets * (datasets + 1) / 2
    return float((total / 2 - 0.5) / np.sqrt(total * (2 * datasets + 1) / 12))


def replication_from_wins(
    wins: float,
    datasets: int,
    *,
    model: str = "binomial",
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: Design | None = None,
    names: tuple[str, str] = ("first", "second"),
) -> Replication:
    """Return the replication probability of so many wins over so many datasets.

    Half a win stands for half a tie. `model` is `binomial` (the sign test) or `bayesian`.

    Examples
    --------
    >>> from replicast import replication_from_wins
    >>> found = replication_from_wins(29, 44)
    >>> round(found.probability, 3), round(found.as_published, 5)
    (0.505, 0.56958)
    """
    require_choice(model, "model", ("binomial", "bayesian"))
    datasets = require_count(datasets, "datasets", 1)
    design = Datasets(datasets)
    if not 0 <= number(wins) <= datasets or (2 * wins) % 1:
        raise invalid("wins", f"a number from 0 to {datasets}, the number of datasets", wins)
    ties = int((2 * wins) % 2)
    won, lost = int(wins), datasets - int(wins) - ties
    larger = max(won, lost)
    pvalue = 2 * float(upper_tail(np.asarray(larger), np.asarray(datasets)))
    first = FirstResult(
        model=count_model(
            "bayesian" if model == "bayesian" else "sign", larger, min(won, lost), ties
        ),
        pvalue=min(1.0, pvalue),
        design=design,
        names=names,
        first_better=won >= lost,
    )
    return report_replication(
        first,
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
    )


def replication_from_discordant(
    first_only: int,
    second_only: int,
    *,
    cases: int,
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: Design | None = None,
    names: tuple[str, str] = ("first", "second"),
) -> Replication:
    """Return the replication probability on a fresh test set, for two fitted models.

    `first_only` and `second_only` are the cases that only the one and only the other gets right.

    Examples
    --------
    >>> from replicast import replication_from_discordant
    >>> found = replication_from_discordant(40, 20, cases=500)
    >>> round(found.probability, 2), round(found.as_published, 2)
    (0.41, 0.66)
    """
    cases = require_count(cases, "cases", 1)
    design = Holdout(cases)
    for argument, value in (("first_only", first_only), ("second_only", second_only)):
        if isinstance(value, bool) or not is_whole(value) or not 0 <= value <= cases:
            raise invalid(argument, f"a whole number from 0 to {cases}, the number of cases", value)
    if first_only + second_only > cases:
        raise invalid("second_only", "a count that leaves the sum at most the cases", second_only)
    model, cautions = discordance_model(first_only, second_only, cases)
    total = first_only + second_only
    larger = max(first_only, second_only)
    first = FirstResult(
        model=model,
        pvalue=min(1.0, 2 * float(upper_tail(np.asarray(larger), np.asarray(total)))),
        design=design,
        names=names,
        first_better=first_only >= second_only,
        cautions=cautions,
    )
    return report_replication(
        first,
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
    )


def replication_from_pvalue(
    pvalue: float,
    *,
    design: Design,
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: Design | None = None,
    names: tuple[str, str] = ("first", "second"),
) -> Replication:
    """Return the replication probability of a reported two-sided p-value.

    The p-value is read as that of the test recommended for the design: the corrected t-test for
    cross-validation and random splits, Wilcoxon's (normal) for datasets. One so small that only
    Wilcoxon's exact test gives it is read as a win on every dataset.

    Examples
    --------
    >>> from replicast import KFold, replication_from_pvalue
    >>> round(replication_from_pvalue(0.03, design=KFold(10)).probability, 3)
    0.478
    """
    require_probability(pvalue, "pvalue")
    return report_replication(
        from_pvalue(pvalue, design, names),
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
    )


def from_pvalue(pvalue: float, design: Design, names: tuple[str, str]) -> FirstResult:
    """Read a p-value as that of the test recommended for the design."""
    match design:
        case Datasets(count=int(count)):
            z = -float(special.ndtri(pvalue / 2))
            least = 2.0 ** (1 - count)  # of the exact test, below that of Z
            if pvalue < 0.99 * least:  # reported ones are rounded
                domain = f"at least {least:.2g}, the least that Wilcoxon's test gives for {design}"
                raise invalid("pvalue", domain, pvalue)
            found = _rank_result(min(z, _largest_z(count)), count, None, names)
            return replace(found, pvalue=pvalue)
        case KFold() | RepeatedKFold() | RandomSplits():
            df = layout_of(design, corrected=True).df
            statistic = t_critical(df, pvalue / 2)
            model = StudentModel(statistic=statistic, design=design, corrected=True)
            return FirstResult(model=model, pvalue=pvalue, design=design, names=names)
    raise DesignMismatchError(
        "design",
        "datasets with a count, kfold, repeated-kfold or random-splits",
        str(design),
        "For one test set give the discordant cases; a 5x2 test has no model of replication",
    )


def required_pvalue(
    probability: float,
    *,
    design: Design,
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
) -> float:
    """Return the p-value at which the replication probability reaches a target.

    There is no single answer such as 0.003: it depends on the design.

    Examples
    --------
    >>> from replicast import KFold, required_pvalue
    >>> round(required_pvalue(0.95, design=KFold(10), estimator="as-published"), 7)
    0.0028144
    """
    require_probability(probability, "probability")
    require_choice(estimator, "estimator", STANDING)
    require_probability(significance, "significance")

    def chance(pvalue: float) -> float:
        first = from_pvalue(pvalue, design, ("first", "second"))
        return assess(first.model, estimator, Goal(design, 1.0, significance)).probability

    least = least_pvalue(design)
    best = chance(least)
    if best < probability:
        raise invalid(
            "probability",
            f"at most {best:.3f} for {design}",
            probability,
            "No result of this design reaches more; use a larger one",
        )
    return solve_pvalue(chance, least, probability)


def solve_pvalue(chance: Callable[[float], float], least: float, probability: float) -> float:
    """Return the p-value at which `chance`, enough at `least`, falls below a probability."""
    if chance(1 - 1e-12) >= probability:
        return 1.0
    root = optimize.brentq(
        lambda x: chance(float(np.exp(x))) - probability, np.log(least), -1e-12, xtol=1e-12
    )
    return float(np.exp(root))


def least_pvalue(design: Design) -> float:
    """Return the smallest p-value worth considering: that of the most extreme result."""
    match design:
        case Datasets(count=int(count)):
            return max(2 * float(special.ndtr(-_largest_z(count))), 1e-300)
        case _:
            return 1e-15
