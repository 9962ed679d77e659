"""Several tasks that are fixed: these very ones, with weights, on fresh cases or with new seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from replicast.comparison.finding import Estimate, Finding, conclude
from replicast.design import Datasets
from replicast.effects import superiority, superiority_interval
from replicast.errors import Choice, invalid, number, require_choice, require_probability
from replicast.inference.benchmarks import benchmarks_ttest, paired_benchmarks
from replicast.inference.ranks import SIGNED_RANK, signed_rank
from replicast.kernels.ranges import range_inflation
from replicast.replication.first_result import read_first_result
from replicast.replication.priors import Relation
from replicast.replication.probability import report_replication
from replicast.results import Caution, Effect, is_significant
from replicast.scores.pairs import PairedScores

Scaling = Literal["range", "none"]
SCALINGS: tuple[str, ...] = ("range", "none")
_ONE_SCALE = 10.0  # tasks whose ranges of scores differ by more have scales of their own


def compare_tasks(
    tasks: Mapping[str, PairedScores],
    *,
    weights: Mapping[str, float] | None = None,
    scaling: Scaling | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    measure: str = "score",
    significance: float = 0.05,
    relation: Relation = "unknown",
) -> Finding:
    """Compare two models by their weighted mean score on tasks that are fixed.

    The interval is stratified: new cases, or new seeds, are drawn on every task, and how much tasks
    differ does not enter (`benchmarks_ttest`). What other tasks would say is `other_tasks`, by the
    signed-rank test over the tasks' means.

    Parameters
    ----------
    tasks : dict
        By name: paired scores of cases, folds or seeds; for reinforcement learning and
        simulation with the design `Seeds(5, split=None)`.
    weights : dict, optional
        By name; by default all tasks count the same.
    scaling : {"range", "none"}, optional
        `range` makes 0 the lowest score of a task and 1 the highest, so that tasks with scales of
        their own can be averaged. Asked for where ranges differ by a factor of more than 10.
    ranges : dict, optional
        By name: what counts as 0 and as 1, such as a random and a human player; by default the
        lowest and the highest score of the two models. Such a range of their own is large where their
        seeds happen to vary, so the error is widened, most where one model varies more.

    Examples
    --------
    >>> from replicast import PairedScores, Seeds, compare_tasks
    >>> runs = Seeds(5, split=None)
    >>> new, old = [3.1, 3.4, 3.3, 2.9, 3.2], [2.8, 3.0, 3.1, 2.7, 2.9]
    >>> hopper = PairedScores(first=new, second=old, design=runs)
    >>> new, old = [4.0, 4.4, 4.1, 4.6, 4.2], [4.1, 3.9, 4.0, 4.3, 3.8]
    >>> walker = PairedScores(first=new, second=old, design=runs)
    >>> found = compare_tasks({"hopper": hopper, "walker": walker})
    >>> round(found.estimate, 3), round(found.pvalue, 4), round(found.improvement.estimate, 2)
    (0.26, 0.0105, 0.84)
    """
    significance = require_probability(significance, "significance")
    pairs = paired_benchmarks(tasks)
    ends = _ends(pairs, scaling, ranges)
    widened = 1.0 if ends is None else _widened(pairs, ends)
    pairs = (
        pairs if ends is None else {n: _rescaled(pair, n, *ends[n]) for n, pair in pairs.items()}
    )
    found = benchmarks_ttest(pairs, weights=weights)
    shares = np.array([found.details[name] for name in pairs])
    means = np.array([(pair.first.mean(), pair.second.mean()) for pair in pairs.values()])
    first, second = (float(value) for value in shares @ means)
    one = next(iter(pairs.values()))
    of_seeds = one.design.seeds
    over, few = _on_other_tasks(means, one, significance, relation)
    error = widened * (found.standard_error or 0.0)
    df = found.df if isinstance(found.df, float) else None
    way = "seeds" if of_seeds else "fixed"
    return conclude(
        Estimate((first, second), error, way, df, difference=found.estimate),
        names=found.names,
        measure=measure,
        n=found.n,
        design=found.design,
        weights=dict(found.details),
        seeds=(of_seeds, of_seeds) if of_seeds else None,
        improvement=_improvement(pairs, shares) if of_seeds else None,
        other_tasks=over,
        greater_is_better=one.greater_is_better,
        significance=significance,
        relation=relation,
        cautions=(*found.cautions, *few),
    )


def score_range(scores: np.ndarray) -> tuple[float, float]:
    """Return the lowest and the highest score; both are the same where nothing varies."""
    return float(np.nanmin(scores)), float(np.nanmax(scores))


def _own_range(pair: PairedScores) -> tuple[float, float]:
    return score_range(np.concatenate([pair.first, pair.second]))


def _ends(
    tasks: Mapping[str, PairedScores],
    scaling: Scaling | None,
    ranges: Mapping[str, tuple[float, float]] | None,
) -> Mapping[str, tuple[float, float]] | None:
    """Return what counts as 0 and 1 on every task, None for scores as they are; ask where it matters."""
    if scaling is not None:
        require_choice(scaling, "scaling", SCALINGS)
    if ranges is not None:
        given = isinstance(ranges, Mapping) and set(ranges) == set(tasks)
        if not given or not all(np.shape(ends) == (2,) for ends in ranges.values()):
            raise invalid("ranges", f"two scores for each of {', '.join(tasks)}", ranges)
        return ranges
    own = {name: _own_range(pair) for name, pair in tasks.items()}
    if scaling is None:
        _ask_for_scale([high - low for low, high in own.values()])
    return own if scaling == "range" else None


def _ask_for_scale(widths: Sequence[float]) -> None:
    """Ask how tasks are to be averaged whose ranges of scores differ much."""
    if min(widths) <= 0 or max(widths) <= _ONE_SCALE * min(widths):
        return
    domain = "said where tasks have scores of different sizes"
    got = f"ranges from {min(widths):.3g} to {max(widths):.3g}"
    raise invalid("scaling", domain, got).offering(
        [
            Choice("scaling", "range", "to count from 0, the lowest score, to 1, the highest"),
            Choice("scaling", "none", "to average the scores as they are"),
        ]
    )


def _widened(tasks: Mapping[str, PairedScores], ends: Mapping[str, tuple[float, float]]) -> float:
    """Return the factor of an error whose scores have the range they are divided by.

    It is that of the two models' spreads on all tasks together; ranges that are given have none.
    """
    if not all(tuple(ends[name]) == _own_range(pair) for name, pair in tasks.items()):
        return 1.0
    one = next(iter(tasks.values()))
    if not one.design.seeds or one.design.splits > 1 or one.design.paired:
        return 1.0
    spreads = np.array([(pair.first.std(), pair.second.std()) for pair in tasks.values()])
    vary = spreads[spreads.min(axis=1) > 0]
    log_ratios = np.log(vary[:, 0] / vary[:, 1])
    pooled = np.asarray(log_ratios.mean() if len(vary) else 0.0)
    return float(np.sqrt(range_inflation(pooled, len(one.first))))


def _rescaled(pair: PairedScores, name: str, low: float, high: float) -> PairedScores:
    low, high = number(low), number(high)
    if not -np.inf < low < high < np.inf:
        domain = f"left out where {name} has no range of scores"
        raise invalid("scaling", domain, f"{low} to {high}")
    first, second = ((side - low) / (high - low) for side in (pair.first, pair.second))
    return replace(pair, first=first, second=second, case_differences=None, case_scores=None)


def _improvement(tasks: Mapping[str, PairedScores], shares: np.ndarray) -> Effect:
    """Return how probably a run of the first beats one of the second, on average over the tasks."""
    parts = np.array([superiority(pair) for pair in tasks.values()])
    chance = float(shares @ parts[:, 0])
    error = float(np.sqrt((shares**2) @ (parts[:, 1] ** 2)))
    one = next(iter(tasks.values()))
    return Effect(
        kind="probability-of-superiority",
        symbol="A12",
        names=one.names,
        n=len(tasks),
        estimate=chance,
        label=None,
        rule=None,
        interval_rule=partial(superiority_interval, chance, error, len(one.first)),
    )


def _on_other_tasks(
    means: np.ndarray, one: PairedScores, significance: float, relation: Relation
) -> tuple[float | None, tuple[Caution, ...]]:
    """Return the chance that as many other tasks say the same, or why it cannot be told."""
    count = len(means)
    if not is_significant(SIGNED_RANK.smallest_pvalue(count), significance):
        text = (
            f"{count} tasks are too few to say anything of other tasks: this is about these alone."
        )
        return None, (Caution("few-tasks", text),)
    over = PairedScores(
        first=means[:, 0],
        second=means[:, 1],
        design=Datasets(count),
        names=one.names,
        greater_is_better=one.greater_is_better,
    )
    if not over.differences.any():
        return None, ()
    tested = read_first_result(signed_rank(over), scores=over)
    return report_replication(tested, relation=relation, significance=significance).probability, ()
