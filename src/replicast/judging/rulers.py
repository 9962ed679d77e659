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
from replicast.inference.cases import CASE_TTEST
from replicast.inference.counts import MCNEMAR
from replicast.inference.layouts import coin_tosses
from replicast.inference.methods import METHODS
from replicast.inference.ranks import SIGNED_RANK
from replicast.kernels import counts, margins, ranks, resampled_t, seeds, student
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

    `estimate` is candidate minus baseline, `size` the number of independent differences: datasets,
    cases or clusters.
    """

    result: SignificanceResult
    title: str
    estimate: float
    size: int

    @property
    @abstractmethod
    def noise(self) -> float:
        """Standard deviation of the estimate."""

    @abstractmethod
    def bound_pvalues(self, bound: float) -> tuple[float, float]:
        """Return the p-values of a difference of at most, and of at least, `bound`."""

    @abstractmethod
    def chance(
        self, true: float, level: float, *, above: float | None = None, below: float | None = None
    ) -> float:
        """Return how often a true difference is shown to be above and below the bounds."""

    def above(self, bound: float) -> float:
        """Return the p-value of a difference of at most `bound`."""
        return self.bound_pvalues(bound)[0]

    def below(self, bound: float) -> float:
        """Return the p-value of a difference of at least `bound`."""
        return self.bound_pvalues(bound)[1]

    def interval(self, confidence: float) -> Interval:
        """Return the two-sided interval of the difference."""
        return self.result.confidence_interval(confidence)

    def grown(self, size: int) -> Self:
        """Return what would be seen with so many, of the same spread."""
        return replace(self, size=size)


@dataclass(frozen=True, kw_only=True)
class StudentRuler(Ruler):
    """An estimate with a standard error and degrees of freedom."""

    error: float
    df: float

    @property
    def noise(self) -> float:
        """Standard deviation of the estimate."""
        return self.error

    def grown(self, size: int) -> Self:
        """Return what would be seen with so many, of the same spread."""
        times = size / self.size
        return replace(
            self, error=self.error / np.sqrt(times), df=(self.df + 1) * times - 1, size=size
        )

    def interval(self, confidence: float) -> Interval:
        """Return the interval of the test; none where equal differences are too few for its p-value."""
        if self.error == 0 and self._pvalue(1.0) >= (1 - confidence) / 2:
            return Interval(-math.inf, math.inf)
        return super().interval(confidence)

    def bound_pvalues(self, bound: float) -> tuple[float, float]:
        """Return the p-values of a difference of at most, and of at least, `bound`."""
        excess = self.estimate - bound
        return self._pvalue(excess), self._pvalue(-excess)

    def _pvalue(self, excess: float) -> float:
        n = self.result.n
        tosses = coin_tosses(self.result.design, n) * self.size / n  # more of the same toss more
        return student.above_pvalue(excess, self.error, self.df, tosses)

    def chance(
        self, true: float, level: float, *, above: float | None = None, below: float | None = None
    ) -> float:
        """Return how often a true difference is shown: a noncentral t, for one side or two."""
        if self.error == 0:  # sign flips, of which a few cannot show anything
            gaps = [-np.inf if above is None else above - true,
                    -np.inf if below is None else true - below]  # fmt: skip
            return float(all(self._pvalue(-gap) < level for gap in gaps))
        w, weights = chi_nodes(self.df)
        reach = student.t_critical(self.df, level) * w
        low = -np.inf if above is None else (above - true) / self.error + reach
        high = np.inf if below is None else (below - true) / self.error - reach
        held = np.maximum(special.ndtr(high) - special.ndtr(low), 0.0)
        return float((weights * held).sum())


@dataclass(frozen=True, kw_only=True)
class DrawnRuler(StudentRuler):
    """A mean over few cases, whose differences may be skewed: |t| is judged by draws from them."""

    drawn: Floats

    def _pvalue(self, excess: float) -> float:
        statistic = np.asarray(excess / self.error)
        tail = float(resampled_t.resampled_tail(self.drawn, statistic, self.df))
        return tail / 2 if excess > 0 else 1 - tail / 2


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
        self, true: float, level: float, *, above: float | None = None, below: float | None = None
    ) -> float:
        """Return how often normal cases with this spread show it, by simulation."""
        if self.error == 0:
            return super().chance(true, level, above=above, below=below)
        found, error, df = self._repeats
        reach = -special.stdtrit(df, level) * error
        shown = np.full(len(found), True)
        if above is not None:
            shown &= (true - above) / self.error + found > reach
        if below is not None:
            shown &= (true - below) / self.error + found < -reach
        return float(shown.mean())


@dataclass(frozen=True, kw_only=True)
class SeedsRuler(StudentRuler):
    """A difference between seeds, judged by what fresh splits would do to it."""

    told: seeds.SeedMeans

    def _pvalue(self, excess: float) -> float:
        return float(seeds.fresh_tail(self.told, np.asarray(excess)))

    def chance(
        self, true: float, level: float, *, above: float | None = None, below: float | None = None
    ) -> float:
        """Return how often a true difference is shown on fresh splits; none if no seed varies."""
        spread = float(self.told.deviation)
        if spread == 0:
            return 0.0
        test = seeds.fresh_test(self.told.layout, float(self.told.df), min(2 * level, 0.999))
        shares, weights = seeds.share_nodes(split=self.told.layout.split)
        gaps = [
            sign * (true - bound) / spread
            for bound, sign in ((above, 1), (below, -1))
            if bound is not None
        ]
        shown = [seeds.seed_power(np.array(gaps), at, test) for at in shares]
        return max(0.0, float((weights @ np.stack(shown)).sum()) - (len(gaps) - 1))


@dataclass(frozen=True, kw_only=True)
class RankRuler(Ruler):
    """Differences over datasets, judged by signed ranks about the bound."""

    differences: Floats

    @property
    def noise(self) -> float:
        """Standard deviation of the mean difference."""
        return float(student.moments(self.differences)[1] / np.sqrt(self.size))

    def bound_pvalues(self, bound: float) -> tuple[float, float]:
        """Return the p-values of a pseudomedian of at most, and of at least, `bound`."""
        return ranks.bound_pvalues(self.differences, bound)

    @cached_property
    def _standard(self) -> Floats:
        """Normal differences of mean 0 and sd 1, the same for every question."""
        planned = self.size != len(self.differences)
        n = min(self.size, _MANY if planned else _LARGEST // 100)
        return generator(0).normal(size=(max(100, min(_SIMULATIONS, _LARGEST // n)), n))

    def chance(
        self, true: float, level: float, *, above: float | None = None, below: float | None = None
    ) -> float:
        """Return how often normal differences with this spread show it, by simulation."""
        rows = true + self.noise * np.sqrt(self._standard.shape[1]) * self._standard
        shown = np.full(len(rows), True)
        if above is not None:
            shown &= ranks.positive_pvalues(rows - above) < level
        if below is not None:
            shown &= ranks.positive_pvalues(below - rows) < level
        return float(shown.mean())


@dataclass(frozen=True, kw_only=True)
class CaseRuler(Ruler):
    """Cases that are right or wrong, judged by an exact test of two paired proportions."""

    won: int
    lost: int

    @property
    def noise(self) -> float:
        """Standard deviation of the difference in accuracy."""
        return float(np.sqrt(self._disagreement(0.0) / self.size))

    def bound_pvalues(self, bound: float) -> tuple[float, float]:
        """Return the p-values of a difference of at most, and of at least, `bound`."""
        return margins.bound_pvalues(self.won, self.lost, self.result.n, bound)

    def _disagreement(self, true: float) -> float:
        """Return the rate of disagreement: that seen, or what changed both ways and the difference."""
        cases = self.result.n + 2
        seen, both_ways = self.won + self.lost + 1, 2 * min(self.won, self.lost) + 1
        return min(1.0, max(seen / cases, both_ways / cases + abs(true)))

    def chance(
        self, true: float, level: float, *, above: float | None = None, below: float | None = None
    ) -> float:
        """Return how often a true difference is shown, if as many cases disagree as here."""
        rate = self._disagreement(true)
        won, lost = np.array([(rate + true) / 2]), np.array([(rate - true) / 2])
        tested = self.size if self.size == self.result.n else min(self.size, _EXACT)
        up = None if above is None else margins.critical_margin(tested, above, level)
        down = None
        if below is not None:
            down = margins.critical_margin(tested, -below, level)._replace(bound=below)
        found = margins.outcome_probability(won, lost, self.size, above=up, below=down)
        return float(found[0])


def ruler_of(result: SignificanceResult, scores: PairedScores | None) -> Ruler:
    """Return the ruler that belongs to a test; without scores, an estimate is all there is."""
    method = METHODS.get(result.method)
    title = WAYS[result.method] if method is None else method.titled(result.design)
    seen: dict[str, Any] = {"result": result, "title": title, "estimate": result.estimate}
    if scores is None:
        df = result.df if isinstance(result.df, float) else _NORMAL_DF
        size = result.design.clusters or result.n
        return StudentRuler(**seen, size=size, error=result.standard_error or 0.0, df=df)
    seen["size"] = result.n
    match result.method:
        case MCNEMAR.name:
            won, lost, _ = (int(count) for count in counts.win_loss_tie(scores.differences))
            seen |= {"title": _EXACT_SCORE, "estimate": (won - lost) / result.n}
            return CaseRuler(**seen, won=won, lost=lost)
        case SIGNED_RANK.name:
            return RankRuler(**seen, differences=scores.differences)
    if result.standard_error is None:
        raise invalid(
            "method",
            f"a test with a standard error, {SIGNED_RANK.name} or {MCNEMAR.name} for a gate",
            repr(result.method),
        )
    seen["error"] = result.standard_error
    seen["df"] = result.df if isinstance(result.df, int | float) else float(result.n - 1)
    if (told := scores.seed_means) is not None:
        return SeedsRuler(**seen, told=told)
    few = result.n <= resampled_t.UP_TO and result.standard_error > 0
    if result.method == CASE_TTEST.name and scores.clusters is None and few:
        return DrawnRuler(**seen, drawn=resampled_t.resampled_sizes(scores.differences))
    if scores.clusters is None:
        return StudentRuler(**seen)
    seen["size"] = scores.independent
    sizes = np.bincount(scores.clusters).astype(np.float64)
    shared = float(cluster_correlation(scores.differences, scores.clusters))
    return ClusterRuler(**seen, sizes=sizes, shared=shared)
