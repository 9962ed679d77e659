"""The verb `replicate`: the chance that a result happens again, from scores or a paper's numbers."""

from collections.abc import Sequence
from typing import Any, cast

from replicast.design import DesignLike
from replicast.errors import invalid, require_choice, require_sequence
from replicast.kernels.mixtures import Prior
from replicast.randomness import RandomSource
from replicast.replication.first_result import FirstResult, Observed, read_first_result
from replicast.replication.learning import learn_prior
from replicast.replication.means import replicate_means
from replicast.replication.models import ESTIMATORS, Estimator
from replicast.replication.priors import Relation
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication, Spread
from replicast.replication.reported import (
    NAMES,
    REPORTED,
    Kind,
    Names,
    TTest,
    only_one,
    read_reported,
)
from replicast.scores.tables import ScoreTable

Plain = str | int | float
# what arguments are where nobody set them, beside those that are None
_UNSAID = {"ties": 0, "test": "unknown", "runs": 1, "data_factor": 1.0, "confidence_level": 0.95}


def replicate(
    evidence: Observed | None = None,
    *,
    t: float | None = None,
    z: float | None = None,
    pvalue: float | None = None,
    wins: float | None = None,
    discordant: Sequence[int] | None = None,
    means: Sequence[float] | str | None = None,
    sds: Sequence[float] | None = None,
    folds: int | None = None,
    runs: int = 1,
    datasets: int | None = None,
    seeds: int | None = None,
    cases: int | None = None,
    design: DesignLike | None = None,
    ties: int | None = None,
    test: TTest = "unknown",
    spread: Spread | float | None = None,
    model: str | None = None,
    comparisons: Sequence[Observed] | ScoreTable | None = None,
    greater_is_better: bool = True,
    relation: Relation = "unknown",
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence_level: float = 0.95,
    target_design: DesignLike | None = None,
    data_factor: float = 1.0,
    names: Names = NAMES,
    rng: RandomSource = 0,
) -> Replication | Any:
    """Return the chance that an experiment on fresh data is significant in the same direction.

    Give the scores or the result of a test; or one number that a paper reports, and where it comes
    from. If the first result is not significant, the answer is the chance that the next one is. This
    is about fresh data; agreement under new partitions of the same data is replicability, another
    question, which `audit` answers.

    Parameters
    ----------
    evidence : SignificanceResult, PosteriorResult or PairedScores
        The first experiment. With scores the test is the one recommended for the design, or that of
        `model`; case-by-case results make the answer for cross-validation much sharper.
    t : float
        A t statistic; positive favours the first classifier.
    z : float
        Wilcoxon's Z over `datasets`, which leave ties out, with continuity correction or without.
        Where its digits single out a sum of ranks, p is exact.
    pvalue : float
        A two-sided p-value: over datasets of Wilcoxon's test, otherwise of a t-test.
    wins : float
        Wins over `datasets`, of which `ties` had equal scores; half a win stands for one more tie. Say
        `ties=0` where there were none.
    discordant : two ints
        Of the `cases` of one test set, those that only the first and only the second gets right.
    means, sds : two numbers each
        Means of the two, and standard deviations of their scores over folds, datasets, seeds or cases
        (not standard errors); with `cases`, accuracies need none. How noisy the difference is depends
        on how closely the scores go together, so the answer is a range of chances, and what to ask
        the authors for. Both may be one text as papers have it: "93.4 ± 1.2, 92.1 ± 1.0".
    folds, runs, datasets, seeds, cases, design : int, int, int, int, int and Design
        Where the number comes from; one of them, with `runs` beside `folds`.
    test : {"unknown", "corrected", "ordinary"}
        Which t-test was used on folds or splits of one dataset: `corrected` for the overlap of the
        training sets, or the `ordinary` paired one, whose t is corrected first. If unknown, the t is
        taken for a corrected one, and `by_test` has the chance for both.
    spread : float or Spread, optional
        Standard deviation s* of Wilcoxon's Z for `as-published`; by default a bootstrap of the
        differences, or 1 if only Z is known.
    model : {"sign", "bayesian", "wilcoxon", "paired-t", "corrected-t", "mcnemar", "cases", "seeds"}, \
            optional
        Model of the replication; for `wins` sign or bayesian.
    relation : {"unknown", "close", "any"}
        How the two are related, by what was known before the experiment: `close` rivals (the best
        against the runner-up, a method against its next version) or `any` two methods. It says which
        results this one is like; both ends stand in the result.
    estimator : {"calibrated", "sceptic", "flat", "as-published", "empirical-bayes"}
        `calibrated` allows for the effect being uncertain and for the result having been picked because
        it is significant. `sceptic` expects next to nothing, `flat` shrinks nothing, `as-published`
        takes the observed effect for the truth, as in Berrar (2024); all four stand in the result.
        `empirical-bayes` learns the typical effect from 10 or more `comparisons`.
    comparisons : sequence of experiments or ScoreTable, optional
        For `empirical-bayes`: the comparisons of the same kind this one belongs to.
    target_design : Design, optional
        Design of the replication, if it differs from the first: more datasets, folds, runs or cases.
    data_factor : float
        How many times the data of the first experiment each dataset of the replication has.

    Returns
    -------
    Replication
        Or `MeansReplication` for `means`.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, replicate
    >>> first = [0.93, 0.95, 0.91, 0.96, 0.94, 0.92, 0.95, 0.93, 0.96, 0.94]
    >>> second = [0.90, 0.94, 0.90, 0.93, 0.90, 0.91, 0.94, 0.93, 0.92, 0.92]
    >>> pair = PairedScores(first=first, second=second, design=KFold(10), names=("svm", "nb"))
    >>> print(replicate(pair))
    50 of 100 repeats would be significant for svm again
      caution: only a statistic is known, so the chance is rough
    <BLANKLINE>
      result   p = 0.013  corrected resampled t-test
      again    18 if close rivals, 58 if any two; Berrar 2024: 78
      expect   0.016      a repeat would show −0.006 to 0.037
      for 80   of 100, the result needs p = 0.0007
    read: 10 folds · more: --more · page: -o page.html
    >>> reported = replicate(t=2.262, folds=10)
    >>> print(reported.by_test)
    31% if the t-test was corrected for the overlap of training sets, 17% if it was not
    >>> reported = replicate(wins=29, datasets=44)
    >>> round(reported.probability, 3), round(reported.as_published, 5)
    (0.379, 0.56958)
    >>> replicate(means=(93.4, 92.1), sds=(1.2, 1.0), folds=10).ask
    'the score of every fold, or the standard deviation of the differences'
    >>> replicate(means="93.4 ± 1.2, 92.1 ± 1.0 over 10 folds").design
    KFold(folds=10)
    """
    if isinstance(means, str) and sds is None:
        from replicast.reading.vocabulary.cells import read_means

        pasted = read_means(means)
        if pasted is not None:
            means, sds = pasted.means, pasted.sds
            design = pasted.design if design is None else design
    where = {
        "folds": folds,
        "runs": runs,
        "datasets": datasets,
        "seeds": seeds,
        "cases": cases,
        "design": design,
    }
    options = {"ties": ties, "test": test, "spread": spread, "model": model}
    numbers = {"t": t, "z": z, "pvalue": pvalue, "wins": wins, "discordant": discordant}
    given = {"evidence": evidence, **numbers, "means": means}
    kind = only_one(given, tuple(given))
    if means is not None:
        repeat = {
            "target_design": target_design,
            "data_factor": data_factor,
            "confidence_level": confidence_level,
        }
        refuse_beside("means", {**options, **repeat})
        return replicate_means(
            means,
            sds,
            where,
            greater_is_better=greater_is_better,
            relation=relation,
            estimator=estimator,
            significance=significance,
            names=names,
        )
    if evidence is not None:
        refuse_beside("evidence", {**where, "sds": sds, "ties": ties, "test": test})
        first = read_first_result(evidence, model=model, spread=spread, rng=rng)
    else:
        row = REPORTED[cast(Kind, kind)]
        design_fields = {*where} - {"cases"} if row.needs_design else ()
        used = {*row.fields, *row.options, *design_fields}
        beside = {**where, **options, "sds": sds}
        refuse_beside(kind, {name: value for name, value in beside.items() if name not in used})
        first = read_reported({**numbers, **_counts(discordant), **where, **options}, names=names)
    return report_replication(
        first,
        relation=relation,
        estimator=estimator,
        significance=significance,
        confidence_level=confidence_level,
        repeat=(target_design, data_factor),
        prior=_prior(first, estimator, comparisons),
    )


def refuse_beside(argument: str, others: dict[str, Any]) -> None:
    """Refuse what was given beside an argument that has no use for it."""
    for name, value in others.items():
        if value is not None and not (isinstance(value, Plain) and value == _UNSAID.get(name)):
            raise invalid(name, f"left out with `{argument}`", repr(value))


def _counts(discordant: Sequence[int] | None) -> dict[str, int]:
    """Return the two counts of discordant cases by the names they are read by."""
    if discordant is None:
        return {}
    counts = require_sequence(discordant, "discordant", 2)
    if len(counts) != 2:
        raise invalid("discordant", "two counts such as (40, 20)", repr(discordant))
    return dict(zip(("first_only", "second_only"), counts, strict=True))


def _prior(
    first: FirstResult, estimator: str, comparisons: Sequence[Observed] | ScoreTable | None
) -> Prior | None:
    """Return the prior that `empirical-bayes` learns from comparisons; other estimators have theirs."""
    if require_choice(estimator, "estimator", ESTIMATORS) != "empirical-bayes":
        return None
    if comparisons is None:
        remedy = "Give the table the result comes from"
        domain = "10 or more comparisons for empirical-bayes"
        raise invalid("comparisons", domain, "nothing", remedy)
    return learn_prior(first, comparisons)
