"""Several tasks that are fixed: these very ones, with weights, on fresh cases."""

from collections.abc import Mapping

from replicast.comparison.finding import Finding, conclude
from replicast.inference.benchmarks import benchmarks_ttest
from replicast.replication.priors import Relation
from replicast.scores.pairs import PairedScores


def compare_tasks(
    tasks: Mapping[str, PairedScores],
    *,
    weights: Mapping[str, float] | None = None,
    measure: str = "score",
    significance: float = 0.05,
    relation: Relation = "unknown",
) -> Finding:
    """Compare two models by their weighted mean score on tasks that are fixed."""
    found = benchmarks_ttest(tasks, weights=weights)
    shares = [found.details[name] for name in tasks]
    means = [(float(one.first.mean()), float(one.second.mean())) for one in tasks.values()]
    first, second = (
        sum(share * mean for share, mean in zip(shares, side, strict=True))
        for side in zip(*means, strict=True)
    )
    return conclude(
        (first, second),
        found.standard_error or 0.0,
        found.df if isinstance(found.df, float) else None,
        estimate=found.estimate,
        measure=measure,
        names=found.names,
        n=found.n,
        clusters=None,
        way="fixed",
        weights=dict(found.details),
        significance=significance,
        relation=relation,
        cautions=found.cautions,
    )
