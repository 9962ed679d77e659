"""Every chance and every prediction again, by plain numerical integration of the written model.

Nothing of the engine is used here: densities and tails are SciPy's, integrals are sums over fine grids
of the true effect and of the noise level.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

import replicast as rc
from replicast.kernels import seeds as kernel
from replicast.kernels.mixtures import Prior
from replicast.replication.cases import CaseModel
from replicast.replication.counts import CountModel, DiscordanceModel
from replicast.replication.models import Goal, Model
from replicast.replication.rank_sums import RankModel
from replicast.replication.seeds import SeedsModel
from replicast.replication.student import StudentModel

Floats = NDArray[np.float64]
COUNT = 200
PRIOR = Prior((0.3, 0.7), (0.8, 2.7))
Power = Callable[[Floats], Floats]


def grid(spread: float) -> Floats:
    """True effects, dense where likelihood and power change, in standard errors of the first result."""
    reach = 14 * max(spread, 1.0) + 40
    fine = np.linspace(-14, 40, 27_001)
    return np.unique(np.concatenate([np.linspace(-reach, reach, 8001), fine]))


def average(likelihood: Floats, at: Floats, power: Floats, scale: float) -> float:
    """The mean of the power over prior times likelihood, by the trapezoidal rule."""
    spreads = np.array(PRIOR.spreads) * scale
    density = sum(
        weight * stats.norm.pdf(at, 0, spread)
        for weight, spread in zip(PRIOR.weights, spreads.tolist(), strict=True)
    )
    known = density * likelihood
    return float(np.trapezoid(known * power, at) / np.trapezoid(known, at))


def t_density(t: float, df: float, at: Floats) -> Floats:
    """The density of noncentral t at every effect: over the noise level, by a fine sum."""
    log_w = np.linspace(-20 / max(df, 1) - 4 / math.sqrt(df), 4.5 / math.sqrt(df) + 0.5, 3001)
    w = np.exp(log_w)
    chi = np.exp(df * (log_w - w**2 / 2) - (df * -0.5))
    dense = chi * w
    return np.array(
        [np.trapezoid(dense * np.exp(-((t * w - x) ** 2) / 2), log_w) for x in at.tolist()]
    )


def random_t(rng: np.random.Generator) -> Iterator[tuple[Model, Goal, float]]:
    """T over folds, over datasets and over cases, and what the second sums say.

    Over folds the prior is in standard errors of the mean over the cases; that over fresh data has
    1 + 0.2 k / (k - 1) times the variance, with one run of k folds.
    """
    while True:
        pick = int(rng.integers(3))
        t, level = float(rng.uniform(0, 6)), float(rng.choice([0.05, 0.01]))
        model: StudentModel
        if pick == 0:
            design = rc.KFold(int(rng.integers(4, 12)))
            model = StudentModel(statistic=t, design=design, corrected=True)
        elif pick == 1:
            design = rc.Datasets(int(rng.integers(4, 40)))
            model = StudentModel(statistic=t, design=design, corrected=False)
        else:
            design = rc.Cases(int(rng.integers(5, 300)))
            model = CaseModel(statistic=t, design=design, df=float((design.count or 2) - 1))
        factor = 1.0 if pick == 1 else float(rng.choice([1.0, 4.0]))
        layout = model.layout
        df, kappa = layout.df, layout.inflation
        at = np.linspace(-9, 12 + t / kappa, 1201)
        critical = stats.t.isf(level / 2, df)
        power = stats.nct.sf(critical / kappa, df, math.sqrt(factor) * at)
        power = np.where(np.isnan(power), at > 0, power)
        likelihood = t_density(t / kappa, df, at)
        folds = df + 1
        scale = 1 / math.sqrt(1 + 0.2 * folds / (folds - 1)) if pick == 0 else 1.0
        yield model, Goal(design, factor, level), average(likelihood, at, power, scale)


@pytest.mark.slow
def test_t_by_plain_integration() -> None:
    found = random_t(np.random.default_rng(1))
    for _ in range(COUNT):
        model, goal, expected = next(found)
        assert model.assess(PRIOR, goal).probability == pytest.approx(expected, abs=1e-6)


def test_a_few_t_by_plain_integration() -> None:
    found = random_t(np.random.default_rng(2))
    for _ in range(12):
        model, goal, expected = next(found)
        assert model.assess(PRIOR, goal).probability == pytest.approx(expected, abs=1e-6)


def decided(a: float, b: float, n: int) -> Floats:
    """The chance of every number of decided cases among n, if their rate is Beta(a, b)."""
    return stats.betabinom.pmf(np.arange(n + 1), n, a, b)


def wins_power(sizes: Floats, needed: Callable[[int], int], angle: Floats) -> Floats:
    """The chance of enough wins for a true angle, normal on the arcsine scale."""
    total = np.zeros(len(angle))
    for size, chance in enumerate(sizes.tolist()):
        enough = needed(size)
        if size and enough <= size and chance > 0:
            bar = math.asin(max(-1.0, min(1.0, 2 * (enough - 0.5) / size - 1)))
            total += chance * special.ndtr((angle - bar) * math.sqrt(size))
    return total


def least_wins(size: int, level: float) -> int:
    """The fewest wins of an exact two-sided sign test."""
    wins = np.arange(size + 1)
    tails = 2 * stats.binom.sf(wins - 1, size, 0.5)
    enough = wins[tails < level]
    return int(enough[0]) if len(enough) else size + 1


def test_discordant_cases_by_plain_sums() -> None:
    rng = np.random.default_rng(3)
    for _ in range(COUNT):
        n = int(rng.integers(5, 160))
        won = int(rng.integers(0, n // 2 + 1))
        lost = int(rng.integers(0, won + 1))
        fresh = n * int(rng.choice([1, 2]))
        d = won + lost
        rate = (1 + d) / (4 + n)
        effective = max(d, 0.5)
        at = grid(0.0) / math.sqrt(effective)  # angles
        seen = math.asin((won - lost) / d) if d else 0.0
        likelihood = np.exp(-effective * (at - seen) ** 2 / 2)
        power = wins_power(decided(1 + d, 3 + n - d, fresh), lambda k: least_wins(k, 0.05), at)
        expected = average(likelihood, at, power, 1 / math.sqrt(n * rate))
        model = DiscordanceModel(won=won, lost=lost, cases=n)
        found = model.assess(PRIOR, Goal(rc.Holdout(fresh), 1.0, 0.05)).probability
        assert found == pytest.approx(expected, abs=1e-6), (won, lost, n)


def test_wins_over_datasets_by_plain_sums() -> None:
    rng = np.random.default_rng(4)
    for _ in range(COUNT):
        n, ties = int(rng.integers(6, 60)), int(rng.integers(0, 4))
        won = int(rng.integers((n + 1) // 2, n + 1))
        lost, total = n - won, n + ties
        at = grid(0.0) / math.sqrt(n)
        likelihood = np.exp(-n * (at - math.asin((won - lost) / n)) ** 2 / 2)
        power = wins_power(decided(1 + n, 1 + ties, total), lambda k: least_wins(k, 0.05), at)
        expected = average(likelihood, at, power, 1 / math.sqrt(n))
        model = CountModel(won=won, lost=lost, ties=ties, rule="drop")
        found = model.assess(PRIOR, Goal(rc.Datasets(total), 1.0, 0.05)).probability
        assert found == pytest.approx(expected, abs=1e-6), (won, lost, ties)


def rank_sum_bar(n: int, level: float) -> float:
    """The least rank sum that is significant, by counting every sign pattern's sum."""
    ways = np.ones(1)
    for rank in range(1, n + 1):
        ways = np.convolve(ways, np.r_[1.0, np.zeros(rank - 1), 1.0])
    tails = 2 * np.cumsum(ways[::-1])[::-1] / ways.sum()
    enough = np.flatnonzero(tails < level)
    return float(enough[0]) if len(enough) else math.inf


def test_rank_sums_by_plain_integration() -> None:
    rng = np.random.default_rng(5)
    for _ in range(COUNT):
        n = int(rng.integers(6, 26))
        total = n * (n + 1) // 2
        share = int(rng.integers((total + 1) // 2, total + 1)) / total
        error = 2 * math.sqrt((2 * n + 1) / (6 * n * (n + 1)))
        at = grid(0.0) * error
        likelihood = np.exp(-(((at - math.asin(2 * share - 1)) / error) ** 2) / 2)
        bar = math.asin(2 * (rank_sum_bar(n, 0.05) - 0.5) / total - 1)
        expected = average(likelihood, at, special.ndtr((at - bar) / error), error)
        model = RankModel(share=share, nonzero=n, z=0.0, datasets=n, spread=1.0)
        found = model.assess(PRIOR, Goal(rc.Datasets(n), 1.0, 0.05)).probability
        assert found == pytest.approx(expected, abs=1e-6), (n, share)


def seeds_chance(
    model: SeedsModel, shares: Floats, weights: Floats, bar: float, prior: Prior
) -> float:
    """The chance of one split by sums: over shares, effects in seed deviations and noise levels."""
    k, df = model.design.layout.seeds, model.df
    at = np.linspace(-60, 60, 24_001)
    density = sum(
        w * stats.norm.pdf(at, 0, s) for w, s in zip(prior.weights, prior.spreads, strict=True)
    )
    above, below = 0.0, 0.0
    nodes = np.linspace(-20 / df - 4 / math.sqrt(df), 4.5 / math.sqrt(df) + 0.5, 401)
    w = np.exp(nodes)
    chi = np.exp(df * (nodes - w**2 / 2) + df / 2)
    chi /= np.trapezoid(chi, nodes)
    seen = model.statistic / math.sqrt(k)
    for share, weight in zip(shares.tolist(), weights.tolist(), strict=True):
        error = math.sqrt(1 / k + share)
        likelihood, power = np.zeros(len(at)), np.zeros(len(at))
        step = nodes[1] - nodes[0]
        for level, chance in zip(w.tolist(), chi.tolist(), strict=True):
            likelihood += step * chance * level * stats.norm.pdf(seen * level, at, error)
            power += step * chance * special.ndtr((at - bar * level) / error)
        known = weight * density * likelihood
        above += float(np.trapezoid(known * power, at))
        below += float(np.trapezoid(known, at))
    return above / below


def random_seeds(count: int) -> Iterator[SeedsModel]:
    rng = np.random.default_rng(6)
    for _ in range(count):
        design = rc.Seeds(int(rng.integers(3, 16)))
        df = 2.0 * (design.layout.seeds - 1)
        yield SeedsModel(statistic=float(rng.uniform(0, 12)), df=df, design=design)


def test_seeds_by_plain_sums_over_the_same_shares() -> None:
    for model in random_seeds(12):
        goal = Goal(model.design, 1.0, 0.05)
        bar = float(model.test_of(model.design, 0.05).bar[0])
        prior = model.prior("any")
        expected = seeds_chance(model, *kernel.few_share_nodes(), bar, prior)
        assert model.assess(prior, goal).probability == pytest.approx(expected, abs=1e-6)


def test_five_shares_stand_for_the_whole_law() -> None:
    for model in random_seeds(6):
        goal = Goal(model.design, 1.0, 0.05)
        bar = float(model.test_of(model.design, 0.05).bar[0])
        prior = model.prior("any")
        expected = seeds_chance(model, *kernel.share_nodes(), bar, prior)
        assert model.assess(prior, goal).probability == pytest.approx(expected, abs=0.005)
