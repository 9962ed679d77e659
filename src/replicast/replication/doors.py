"""The chance of replication from each of the numbers that papers report."""

from replicast.design import (
    DesignLike,
    require_design,
)
from replicast.replication.models import Estimator
from replicast.replication.priors import Relation
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication, Spread
from replicast.replication.reported import (
    NAMES,
    Names,
    TTest,
    design_from,
    first_from_discordant,
    first_from_pvalue,
    first_from_t,
    first_from_wins,
    first_from_z,
)


def replication_from_t(
    t: float,
    *,
    folds: int | None = None,
    runs: int = 1,
    datasets: int | None = None,
    seeds: int | None = None,
    design: DesignLike | None = None,
    test: TTest = "unknown",
    relation: Relation = "unknown",
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: DesignLike | None = None,
    data_factor: float = 1.0,
    names: Names = NAMES,
) -> Replication:
    """Return the replication probability of a reported t statistic.

    With `folds` (and `runs`) it comes from cross-validation; with `datasets`, from a paired t-test
    over datasets; with `seeds`, from Welch's t-test over so many seeds of each model on one split,
    which on fresh data varies too; `design` says anything else, for instance random splits.

    Parameters
    ----------
    t : float
        The statistic; positive favours the first classifier.
    folds, runs, datasets, seeds, design : int, int, int, int and Design
        Where it comes from; one of `folds`, `datasets`, `seeds` and `design`.
    test : {"unknown", "corrected", "ordinary"}
        Which t-test was used on folds or splits of one dataset: `corrected` for the overlap of the
        training sets, or the `ordinary` paired one, whose t is corrected first. If unknown, the t is
        taken for a corrected one, and `by_test` has the chance for both.

    Examples
    --------
    >>> from replicast import replication_from_t
    >>> found = replication_from_t(2.262, folds=10)
    >>> round(found.probability, 3), round(found.as_published, 4)
    (0.312, 0.5235)
    >>> print(found.by_test)
    31% if the t-test was corrected for the overlap of training sets, 17% if it was not
    """
    said = {"folds": folds, "runs": runs, "datasets": datasets, "seeds": seeds, "design": design}
    first = first_from_t(t, design=design_from(said), test=test, names=names)
    return report_replication(
        first,
        relation=relation,
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
        data_factor=data_factor,
    )


def replication_from_z(
    z: float,
    *,
    datasets: int,
    spread: float | Spread | None = None,
    relation: Relation = "unknown",
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: DesignLike | None = None,
    data_factor: float = 1.0,
    names: Names = NAMES,
) -> Replication:
    """Return the replication probability of a reported Wilcoxon Z over datasets.

    Z may have the continuity correction or not: where its digits single out a sum of ranks, that is told
    and p is exact. `datasets` counts those with a difference. `spread` is the standard deviation s* of
    Z for the as-published value; 1 if it is not given.

    Examples
    --------
    >>> from replicast import replication_from_z
    >>> found = replication_from_z(2.437, datasets=20, spread=0.779)
    >>> round(found.probability, 3), round(found.as_published, 2)
    (0.497, 0.73)
    """
    first = first_from_z(z, datasets=datasets, spread=spread, names=names)
    return report_replication(
        first,
        relation=relation,
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
        data_factor=data_factor,
    )


def replication_from_wins(
    wins: float,
    datasets: int,
    *,
    ties: int = 0,
    model: str = "sign",
    relation: Relation = "unknown",
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: DesignLike | None = None,
    data_factor: float = 1.0,
    names: Names = NAMES,
) -> Replication:
    """Return the replication probability of so many wins over so many datasets.

    Of the datasets, `ties` had equal scores; half a win stands for one more. `model` is
    `sign` (the sign test) or `bayesian`.

    Examples
    --------
    >>> from replicast import replication_from_wins
    >>> found = replication_from_wins(29, 44)
    >>> round(found.probability, 3), round(found.as_published, 5)
    (0.379, 0.56958)
    """
    first = first_from_wins(wins, datasets=datasets, ties=ties, model=model, names=names)
    return report_replication(
        first,
        relation=relation,
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
        data_factor=data_factor,
    )


def replication_from_discordant(
    first_only: int,
    second_only: int,
    *,
    cases: int,
    relation: Relation = "unknown",
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: DesignLike | None = None,
    data_factor: float = 1.0,
    names: Names = NAMES,
) -> Replication:
    """Return the replication probability on a fresh test set, for two fitted models.

    `first_only` and `second_only` are the cases that only the one and only the other gets right.

    Examples
    --------
    >>> from replicast import replication_from_discordant
    >>> found = replication_from_discordant(40, 20, cases=500)
    >>> round(found.probability, 2), round(found.as_published, 2)
    (0.48, 0.66)
    """
    first = first_from_discordant(first_only, second_only, cases=cases, names=names)
    return report_replication(
        first,
        relation=relation,
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
        data_factor=data_factor,
    )


def replication_from_pvalue(
    pvalue: float,
    *,
    design: DesignLike,
    test: TTest = "unknown",
    relation: Relation = "unknown",
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: DesignLike | None = None,
    data_factor: float = 1.0,
    names: Names = NAMES,
) -> Replication:
    """Return the replication probability of a reported two-sided p-value.

    For cross-validation and random splits it is read as that of a t-test: `test` says which, as in
    `replication_from_t`. For datasets it is read as that of Wilcoxon's test (normal). One so small
    that only Wilcoxon's exact test gives it is read as a win on every dataset.

    Examples
    --------
    >>> from replicast import KFold, replication_from_pvalue
    >>> round(replication_from_pvalue(0.03, design=KFold(10)).probability, 3)
    0.386
    """
    first = first_from_pvalue(pvalue, design=require_design(design), test=test, names=names)
    return report_replication(
        first,
        relation=relation,
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
        data_factor=data_factor,
    )
