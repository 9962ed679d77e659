"""A difference against a bound, by the design's own test: p-values, and what the test could see."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.comparison.finding import WAYS
from replicast.errors import invalid
from replicast.inference.counts import MCNEMAR
from replicast.inference.layouts import coin_tosses
from replicast.inference.methods import METHODS
from replicast.inference.ranks import SIGNED_RANK
from replicast.kernels import counts, margins, ranks, seeds, student
from replicast.kernels.cases import CaseMean, cluster_correlation, simulated_means
from replicast.kernels.replication import chi_nodes
from replicast.randomness import generator
from replicast.results import Interval, SignificanceResult
from replicast.scores.pairs import PairedScores

_SIMULATIONS = 10_000
_NORMAL_DF = 1e7  # degrees of freedom from which t is normal to every digit shown
_LARGEST = 4_000_000  # simulated differences held at a time
_MANY = 400  # datasets or clusters beyond which a larger number is only a smaller error
_EXACT_SCORE = "exact score test of paired proportions"
_EXACT = 10_000  # cases beyond which a larger test is planned with the critical score of these


@dataclass(frozen=True, kw_only=True)
class Ruler(ABC):
    """What a gate asks of a test: is the difference above, or below, a bound?

    `estimate` is candidate minus baseline with its standard error, `size` the number of independent
    differences: datasets, cases or clusters.
    """

    result: SignificanceResult
    title: str
    estimate: float
    error: float
    size: int

    def bound_pvalues(self, bound: float) -> tuple[float, float]:
        """Return the p-values of a difference of at most, and of at least, a bound, by its test."""
        assert self.result.bound_rule is not None
        return self.result.bound_rule(bound)

    @abstractmethod
    def chance(
        self, true: float, level: float, *, above: float = -math.inf, below: float = math.inf
    ) -> float:
        """Return how often a true difference is shown to be above and below the bounds."""

    def interval(self, confidence: float) -> Interval:
        """Return the two-sided interval of the difference."""
        return self.result.confidence_interval(confidence)

    def grown(self, size: int) -> Self:
        """Return what would be seen with so many, of the same spread."""
        return replace(self, size=size, error=self.error * math.sqrt(self.size / size))


@dataclass(frozen=True, kw_only=True)
class StudentRuler(Ruler):
    """An estimate with a standard error and degrees of freedom."""

    df: float

    def grown(self, size: int) -> Self:
        """Return what would be seen with so many, of the same spread."""
        df = (self.df + 1) * size / self.size - 1
        return replace(super().grown(size), df=df)

    def interval(self, confidence: float) -> Interval:
        """Return the interval of the test; none where equal differences are too few for its p-value."""
        if self.error == 0 and self._pvalue(1.0) >= (1 - confidence) / 2:
            return Interval(-math.inf, math.inf)
        return super().interval(confidence)

    def bound_pvalues(self, bound: float) -> tuple[float, float]:
        """Return those of its test, or of t."""
        if self.result.bound_rule is not None:
            return super().bound_pvalues(bound)
        excess = self.estimate - bound
        return self._pvalue(excess), self._pvalue(-excess)

    def _pvalue(self, excess: float) -> float:
        n = self.result.n
        tosses = coin_tosses(self.result.design, n) * self.size / n  # more of the same toss more
        return student.above_pvalue(excess, self.error, self.df, tosses)

    def chance(
        self, true: float, level: float, *, above: float = -math.inf, below: float = math.inf
    ) -> float:
        """Return how often a true difference is shown: a noncentral t, for one side or two."""
        if self.error == 0:  # sign flips, of which a few cannot show anything
            return float(max(self._pvalue(true - above), self._pvalue(below - true)) < level)
        w, weights = chi_nodes(self.df)
        reach = student.t_critical(self.df, level) * w
        low, high = (above - true) / self.error + reach, (below - true) / self.error - reach
        held = np.maximum(special.ndtr(high) - special.ndtr(low), 0.0)
        return float((weights * held).sum())


@dataclass(frozen=True, kw_only=True)
class ClusterRuler(StudentRuler):
    """A mean over cases in clusters, few of which make its standard error uncertain."""

    sizes: Floats
    shared: float  # correlation of two cases of one cluster

    def grown(self, size: int) -> Self:
        """Return what would be seen with so many clusters, of the same spread and sizes."""
        return replace(super().grown(size), sizes=np.resize(self.sizes, min(size, _MANY)))

    @cached_property
    def _repeats(self) -> CaseMean:
        """What such clusters give, in units of the standard error: the same for every question."""
        draws = max(100, min(_SIMULATIONS, _LARGEST // len(self.sizes)))
        return simulated_means(self.sizes, self.shared, draws, generator(0))

    def chance(
        self, true: float, level: float, *, above: float = -math.inf, below: float = math.inf
    ) -> float:
        """Return how often normal cases with this spread show it, by simulation."""
        if self.error == 0:
            return super().chance(true, level, above=above, below=below)
        found, error, df = self._repeats
        reach = -special.stdtrit(df, level) * error
        shown = (true - above) / self.error + found > reach
        shown &= (true - below) / self.error + found < -reach
        return float(shown.mean())


@dataclass(frozen=True, kw_only=True)
class SeedsRuler(StudentRuler):
    """A difference between seeds, judged by what fresh splits would do to it."""

    told: seeds.SeedMeans

    def _pvalue(self, excess: float) -> float:
        return float(seeds.fresh_tail(self.told, np.asarray(excess)))

    def chance(
        self, true: float, level: float, *, above: float = -math.inf, below: float = math.inf
    ) -> float:
        """Return how often a true difference is shown on fresh splits; none if no seed varies."""
        spread = float(self.told.deviation)
        if spread == 0:
            return 0.0
        test = seeds.fresh_test(self.told.layout, float(self.told.df), min(2 * level, 0.999))
        shares, weights = seeds.share_nodes(split=self.told.layout.split)
        sides = [true - above, below - true]
        gaps = [gap / spread for gap in sides if math.isfinite(gap)]
        shown = [seeds.seed_power(np.array(gaps), at, test) for at in shares]
        return max(0.0, float((weights @ np.stack(shown)).sum()) - (len(gaps) - 1))


@dataclass(frozen=True, kw_only=True)
class RankRuler(Ruler):
    """Differences over datasets, judged by signed ranks about the bound."""

    differences: Floats

    @cached_property
    def _standard(self) -> Floats:
        """Normal differences of mean 0 and sd 1, the same for every question."""
        planned = self.size != len(self.differences)
        n = min(self.size, _MANY if planned else _LARGEST // 100)
        return generator(0).normal(size=(max(100, min(_SIMULATIONS, _LARGEST // n)), n))

    def chance(
        self, true: float, level: float, *, above: float = -math.inf, below: float = math.inf
    ) -> float:
        """Return how often normal differences with this spread show it, by simulation."""
        rows = true + self.error * np.sqrt(self._standard.shape[1]) * self._standard
        sides = [
            gap
            for gap, bound in ((rows - above, above), (below - rows, below))
            if math.isfinite(bound)
        ]
        shown = [ranks.positive_pvalues(gap) < level for gap in sides]
        return float(np.all(shown, axis=0).mean())


@dataclass(frozen=True, kw_only=True)
class CaseRuler(Ruler):
    """Cases that are right or wrong, judged by an exact test of two paired proportions."""

    won: int
    lost: int

    def chance(
        self, true: float, level: float, *, above: float = -math.inf, below: float = math.inf
    ) -> float:
        """Return how often a true difference is shown, if as many cases disagree as here."""
        rate = disagreement(self.won, self.lost, self.result.n, true)
        won, lost = np.array([(rate + true) / 2]), np.array([(rate - true) / 2])
        tested = self.size if self.size == self.result.n else min(self.size, _EXACT)
        up = down = None
        if math.isfinite(above):
            up = margins.critical_margin(tested, above, level)
        if math.isfinite(below):
            down = margins.critical_margin(tested, -below, level)._replace(bound=below)
        found = margins.outcome_probability(won, lost, self.size, above=up, below=down)
        return float(found[0])


def disagreement(won: int, lost: int, n: int, true: float) -> float:
    """Return the rate of disagreement: that seen, or what changed both ways and the difference."""
    seen, both_ways = won + lost + 1, 2 * min(won, lost) + 1
    return min(1.0, max(seen / (n + 2), both_ways / (n + 2) + abs(true)))


def ruler_of(result: SignificanceResult, scores: PairedScores | None) -> Ruler:
    """Return the ruler that belongs to a test; without scores, an estimate is all there is."""
    method = METHODS.get(result.method)
    seen: dict[str, Any] = {
        "result": result,
        "title": WAYS[result.method] if method is None else method.titled(result.design),
        "estimate": result.estimate,
        "size": result.n,
    }
    if scores is None:
        df = result.df if isinstance(result.df, float) else _NORMAL_DF
        seen["size"] = result.design.clusters or result.n
        return StudentRuler(**seen, error=result.standard_error or 0.0, df=df)
    if result.method == MCNEMAR.name:
        return _of_cases(seen, scores, result.n)
    if result.method == SIGNED_RANK.name:
        spread = float(student.moments(scores.differences)[1] / np.sqrt(result.n))
        return RankRuler(**seen, error=spread, differences=scores.differences)
    if result.standard_error is None:
        domain = f"a test with a standard error, {SIGNED_RANK.name} or {MCNEMAR.name} for a gate"
        raise invalid("method", domain, repr(result.method))
    df = result.df if isinstance(result.df, int | float) else float(result.n - 1)
    return _of_means(seen | {"error": result.standard_error, "df": df}, scores)


def _of_cases(seen: dict[str, Any], scores: PairedScores, n: int) -> Ruler:
    won, lost, _ = (int(count) for count in counts.win_loss_tie(scores.differences))
    error = math.sqrt(disagreement(won, lost, n, 0.0) / n)
    seen |= {"title": _EXACT_SCORE, "estimate": (won - lost) / n, "error": error}
    return CaseRuler(**seen, won=won, lost=lost)


def _of_means(seen: dict[str, Any], scores: PairedScores) -> Ruler:
    differences, clusters = scores.differences, scores.clusters
    if (told := scores.seed_means) is not None:
        return SeedsRuler(**seen, told=told)
    if clusters is not None:
        seen["size"] = scores.independent
        sizes = np.bincount(clusters).astype(np.float64)
        return ClusterRuler(
            **seen, sizes=sizes, shared=float(cluster_correlation(differences, clusters))
        )
    return StudentRuler(**seen)
