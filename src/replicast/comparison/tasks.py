"""Several tasks that are fixed: these very ones, with weights, on fresh cases."""

from collections.abc import Mapping

from replicast.comparison.measures import MeasureComparison
from replicast.inference.benchmarks import benchmarks_ttest
from replicast.replication.first_result import read_first_result
from replicast.replication.priors import Relation
from replicast.replication.probability import report_replication
from replicast.results import is_significant
from replicast.scores.pairs import PairedScores


def compare_tasks(
    tasks: Mapping[str, PairedScores],
    *,
    weights: Mapping[str, float] | None = None,
    measure: str = "score",
    significance: float = 0.05,
    relation: Relation = "unknown",
) -> MeasureComparison:
    """Compare two models by their weighted mean score on tasks that are fixed."""
    found = benchmarks_ttest(tasks, weights=weights)
    shares = [found.details[name] for name in tasks]
    means = [(float(one.first.mean()), float(one.second.mean())) for one in tasks.values()]
    first, second = (
        sum(share * mean for share, mean in zip(shares, side, strict=True))
        for side in zip(*means, strict=True)
    )
    again = report_replication(
        read_first_result(found), relation=relation, significance=significance
    )
    return MeasureComparison(
        measure=measure,
        names=found.names,
        n=found.n,
        clusters=None,
        first=first,
        second=second,
        estimate=found.estimate,
        standard_error=found.standard_error or 0.0,
        statistic=found.statistic,
        df=found.df if isinstance(found.df, float) else None,
        pvalue=found.pvalue,
        significant=is_significant(found.pvalue, significance),
        significance=significance,
        way="fixed",
        weights=dict(found.details),
        replication=None if found.estimate == 0 else again,
        cautions=found.cautions,
        interval_rule=found.confidence_interval,
    )
