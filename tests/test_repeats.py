"""What repeats would find, against integrals, enumeration and simulation of their own."""

import numpy as np
import pytest
from scipy import integrate, stats

import replicast as rc
from replicast.presentation.pictures.figure import Dots
from replicast.presentation.pictures.repeats import repeats_figure
from replicast.replication.counts import CountModel
from replicast.replication.first_result import FirstResult
from replicast.replication.models import Goal
from replicast.replication.probability import report_replication
from replicast.replication.rank_sums import RankModel
from replicast.replication.records import Replication
from replicast.replication.repeats import hundred, outcomes, repeats_of

RESULTS = {
    "t": rc.replicate(t=2.9, folds=10),
    "no difference": rc.replicate(t=0, folds=10),
    "sure": rc.replicate(t=30, folds=10),
    "larger": rc.replicate(
        rc.PairedScores(first=[0.9, 0.92, 0.95, 0.91], second=[0.89, 0.9, 0.92, 0.92],
                        design=rc.KFold(4)),
        target_design=rc.RepeatedKFold(runs=10, folds=4), data_factor=2),
    "paired t": rc.replicate(t=2.3, design=rc.Datasets(15)),
    "z": rc.replicate(z=2.1, datasets=20),
    "wins": rc.replicate(wins=29, datasets=44),
    "too few": rc.replicate(wins=3, datasets=4),
    "cases": rc.replicate(discordant=(40, 20), cases=500),
    "seeds": rc.replicate(t=4.1, seeds=5),
    "close": rc.replicate(t=2.9, folds=10, relation="close"),
    "level": rc.replicate(t=2.9, folds=10, significance=0.01),
    **{
        estimator: rc.replicate(t=2.9, folds=10, estimator=estimator)
        for estimator in ("as-published", "flat", "sceptic")
    },
}  # fmt: skip


@pytest.mark.parametrize("found", RESULTS.values(), ids=RESULTS)
def test_outcomes_are_a_whole(found: Replication) -> None:
    known = repeats_of(found)
    assert sum(known.chances) == pytest.approx(1)
    assert min(known.chances) >= 0
    for truth in known.truths:
        assert sum(truth) == pytest.approx(1, abs=1e-6)
    dots = hundred(known)
    opposite, neither, again = outcomes(dots)
    assert opposite + neither + again == 100
    assert again == pytest.approx(100 * found.probability, abs=0.51)
    assert opposite == pytest.approx(100 * found.opposite, abs=0.51)
    assert 0 <= found.opposite <= found.probability
    assert found.probability + found.opposite <= 1


def test_t_by_quadrature_with_another_noncentral_t() -> None:
    """SciPy's noncentral t as likelihood and as power, and a Simpson rule over the truth."""
    for t, design in ((2.9, rc.KFold(10)), (1.0, rc.KFold(5)),
                      (0.0, rc.RepeatedKFold(runs=10, folds=10)), (2.0, rc.Datasets(12))):  # fmt: skip
        found = rc.replicate(t=t, design=design)
        layout, prior = found.first_result.model.layout, found.prior  # type: ignore[attr-defined]  # a t-test's
        unit = 1.0 if design.over_datasets else layout.variance**-0.5
        lam = np.linspace(-14, 22, 1201)
        seen = stats.nct.pdf(t / layout.inflation, layout.df, lam)
        before = sum(
            weight * stats.norm.pdf(lam, 0, size * unit)
            for weight, size in zip(prior.weights, prior.components, strict=True)
        )
        bar = stats.t.isf(0.025, layout.df) / layout.inflation
        expected = [
            integrate.simpson(seen * before * chance, x=lam)
            / integrate.simpson(seen * before, x=lam)
            for chance in (stats.nct.sf(bar, layout.df, lam), stats.nct.sf(bar, layout.df, -lam))
        ]
        assert [found.probability, found.opposite] == pytest.approx(expected, abs=1e-5)


def test_published_t_by_scipy() -> None:
    found = rc.replicate(t=0.4, folds=10, estimator="as-published")
    bar = stats.t.isf(0.025, 9)
    assert found.opposite == pytest.approx(stats.nct.cdf(-bar, 9, 0.4), rel=1e-6)


def test_ranks_by_drawing_truths() -> None:
    model = RankModel(share=0.62, nonzero=20, z=0.9, datasets=20, spread=1.0)
    first = FirstResult(model=model, pvalue=0.37, design=rc.Datasets(20))
    found = report_replication(first)
    rng = np.random.default_rng(1)
    half = np.sqrt(41 / (6 * 20 * 21))  # of the share's standard deviation on the arcsine scale
    seen = (2 * np.arcsin(np.sqrt(0.62)) - np.pi / 2) / (2 * half)
    sizes = np.array(found.prior.components)
    evidence = np.array(found.prior.weights) * stats.norm.pdf(seen, 0, np.sqrt(sizes**2 + 1))
    part = rng.choice(len(sizes), 400_000, p=evidence / evidence.sum())
    shrink = sizes[part] ** 2 / (sizes[part] ** 2 + 1)
    truth = rng.normal(seen * shrink, np.sqrt(shrink))
    repeat = truth + rng.normal(size=truth.size)
    least = next(w for w in range(105, 211) if 2 * _rank_tail(20, w) < 0.05)
    bar = (2 * np.arcsin(np.sqrt((least - 0.5) / 210)) - np.pi / 2) / (2 * half)
    assert found.opposite == pytest.approx((repeat < -bar).mean(), abs=2e-3)
    assert found.probability == pytest.approx((repeat > bar).mean(), abs=4e-3)


def _rank_tail(n: int, least: int) -> float:
    """Return P(W >= least) by adding the ranks one at a time."""
    counts = np.array([1.0])
    for rank in range(1, n + 1):
        longer = np.zeros(len(counts) + rank)
        longer[: len(counts)] += counts
        longer[rank:] += counts
        counts = longer / 2
    return float(counts[least:].sum())


@pytest.mark.parametrize(("wins", "losses", "ties"), [(5, 4, 0), (6, 3, 3), (8, 8, 0)])
def test_wins_by_enumeration(wins: int, losses: int, ties: int) -> None:
    """Every number of decided datasets and of losses among them, uniform rates, ties shared."""
    model = CountModel(bayesian=True, won=wins, lost=losses, ties=ties)
    n = wins + losses + ties
    found = model.assess(model.prior("any"), Goal(rc.Datasets(n), 1.0, 0.05))
    needed = next(w for w in range(n + 2) if w > n or 2 * stats.binom.sf(w - 1, n, 0.5) < 0.05)
    expected = 0.0
    for decided in range(n + 1):
        chance = stats.betabinom.pmf(decided, n, 1 + wins + losses, 1 + ties)
        least = needed - (n - decided) // 2
        expected += chance * stats.betabinom.sf(least - 1, decided, 1 + losses, 1 + wins)
    assert found.opposite == pytest.approx(expected, abs=0.02)  # the angle is not quite normal


def test_steps_by_simulation() -> None:
    """The whole distribution of the repeats' p-values, from truths drawn on a grid."""
    found = RESULTS["t"]
    layout, prior = found.first_result.model.layout, found.prior  # type: ignore[attr-defined]  # a t-test's
    unit = layout.variance**-0.5
    lam = np.linspace(-8, 20, 2001)
    mass = stats.nct.pdf(2.9 / layout.inflation, 9, lam) * sum(
        w * stats.norm.pdf(lam, 0, s * unit)
        for w, s in zip(prior.weights, prior.components, strict=True)
    )
    rng = np.random.default_rng(2)
    truth = rng.choice(lam, 200_000, p=mass / mass.sum())
    noise = np.sqrt(rng.chisquare(9, truth.size) / 9)
    repeat = layout.inflation * (truth + rng.normal(size=truth.size)) / noise
    deviates = -stats.norm.ppf(stats.t.sf(repeat, 9))
    known = repeats_of(found)
    shares = np.histogram(deviates, [-np.inf, *known.edges, np.inf])[0] / truth.size
    assert np.abs(shares - known.chances).max() < 0.005
    assert known.stronger == pytest.approx((repeat > 2.9).mean(), abs=0.005)


@pytest.mark.parametrize("found", RESULTS.values(), ids=RESULTS)
def test_the_picture_has_a_hundred_dots_in_their_place(found: Replication) -> None:
    figure = repeats_figure(found)
    panel = figure.panels[0]
    parts = {m.tone: m for m in panel.marks if isinstance(m, Dots) and not m.key}
    assert sum(len(mark.x) for mark in parts.values()) == 100
    bar = -stats.norm.ppf(found.significance / 2)
    assert all(x > bar for x in parts["accent"].x)
    assert all(-bar < x < bar for x in parts["soft"].x)
    assert all(x < -bar for x in parts["warm"].x)
    (first,) = (m for m in panel.marks if isinstance(m, Dots) and m.key)
    own = -stats.norm.ppf(found.first_pvalue / 2)
    assert first.x[0] == pytest.approx(min(own, panel.x.stop))
    assert (first.shape == "right") == (own > panel.x.stop)
    if found.interval.high == 0:
        assert "None of them can be significant" in figure.note
    assert "cannot tell" not in figure.note  # a range of chances would take the picture back


def test_empirical_bayes_repeats_by_what_it_learned() -> None:
    rng = np.random.default_rng(5)
    pairs = [
        rc.PairedScores(first=0.8 + rng.normal(0.05, 0.02, 10), second=np.full(10, 0.8),
                        design=rc.KFold(10))
        for _ in range(12)
    ]  # fmt: skip
    found = rc.replicate(pairs[0], estimator="empirical-bayes", comparisons=pairs)
    mean = np.mean([sum(truth[-12:]) for truth in repeats_of(found).truths])
    assert mean == pytest.approx(found.probability, abs=0.02)
    assert "learned" not in found.to_dict()
