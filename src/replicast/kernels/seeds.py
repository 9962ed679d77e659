"""Scores of several seeds: what they say of fresh data, which the split has a say in too.

Seeds vary the training alone. On fresh data the split varies as well: in units of the seeds' own
variance, that of the mean of k seeds over S splits is 1/kS + share (r + (1 - r)/S). The share of the
split is the field's (`seeds.json`), sharpened by the data where there are several splits. These are
splits of one dataset, so what they have in common, r, is noise that no further split averages away:
r is the part of the rows that is tested on, as in the corrected resampled t-test.
"""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.kernels.replication import FreshTest, Way, chi_nodes
from replicast.kernels.student import moments, ratio_or_infinity

_NODES = 49  # of the logarithm of the share, over six standard deviations to either side
_FEW_NODES = 5  # of the share, enough for a forecast
_COARSE = 3.0  # how much wider the steps of the splits' own spread are
_HALVINGS = 45


class Layout(NamedTuple):
    """So many seeds on each of so many splits, and the part of the rows that a split tests on.

    Without a split (`split` is False) the seeds are all that varies: its share is 0, beyond doubt.
    """

    seeds: int
    splits: int = 1
    tested: float = 0.2
    split: bool = True

    @property
    def n_scores(self) -> int:
        """Number of scores of a model."""
        return self.seeds * self.splits

    def variance(self, share: Floats) -> Floats:
        """Return the variance of the mean difference over fresh data, in units of the seeds'."""
        kept = self.tested + (1 - self.tested) / self.splits
        return 1 / self.n_scores + np.asarray(share) * kept

    def apart(self, share: Floats) -> Floats:
        """Return the expected F: how much more the means of splits vary than by their seeds."""
        return 1 + self.seeds * (1 - self.tested) * np.asarray(share)

    @property
    def correction(self) -> float:
        """What the variance between splits is multiplied by to get that of their mean."""
        return 1 / self.splits + self.tested / (1 - self.tested)


class SeedMeans(NamedTuple):
    """What seeds tell: a difference, and in the same unit how it varies.

    `deviation` is that of the difference of two scores on one split, with `df` degrees of freedom;
    `between` that of the mean differences of the splits, 0 for one split.
    """

    difference: Floats
    deviation: Floats
    df: Floats
    between: Floats
    layout: Layout


def seed_means(
    differences: Floats, first: Floats, second: Floats, layout: Layout, *, paired: bool
) -> SeedMeans:
    """Summarise rows of seeds, split after split; seeds that are not paired vary on their own."""
    count, splits = layout.seeds, layout.splits
    shape = (*differences.shape[:-1], splits, count)
    rows = differences.reshape(shape)
    means = moments(rows)[0]
    difference, between = (means[..., 0], np.zeros(means.shape[:-1]))
    if splits > 1:
        difference, between = moments(means)
    if paired:
        deviation = _pooled(rows)
        df = np.full(deviation.shape, splits * (count - 1.0))
        return SeedMeans(difference, deviation, df, between, layout)
    one, other = (_pooled(scores.reshape(shape)) for scores in (first, second))
    deviation = np.hypot(one, other)
    shares = [ratio_or_infinity(part, deviation) ** 4 for part in (one, other)]
    total = np.where(deviation == 0, 1.0, shares[0] + shares[1])
    return SeedMeans(difference, deviation, splits * (count - 1) / total, between, layout)


def _pooled(rows: Floats) -> Floats:
    """Return the standard deviation within splits, (..., splits, count) to (...)."""
    return np.asarray(np.hypot.reduce(moments(rows)[1], axis=-1) / np.sqrt(rows.shape[-2]))


def seed_t(found: SeedMeans) -> Floats:
    """Return t over seeds: the difference in standard errors that know nothing of the split."""
    return ratio_or_infinity(found.difference, found.deviation / np.sqrt(found.layout.n_scores))


# --------------------------------------------------------------------------- the share of the split
@lru_cache(maxsize=1)
def learned() -> dict[str, Any]:
    """Return what was learned from published seeds and splits."""
    text = files("replicast.kernels").joinpath("seeds.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


@lru_cache(maxsize=1)
def normal_nodes() -> tuple[Floats, Floats]:
    """Return equally spaced nodes of the standard normal, and their weights."""
    z = np.linspace(-6.0, 6.0, _NODES)
    weights = np.exp(-(z**2) / 2)
    return z, weights / weights.sum()


Shares = tuple[Floats, Floats]


@lru_cache(maxsize=2)
def share_nodes(*, split: bool = True) -> Shares:
    """Return shares of the split and how likely the field makes them; 0 where there is no split.

    For a dataset that nobody has seen they are a little less certain than among the published ones.
    """
    return _shares_at(*normal_nodes(), split=split)


@lru_cache(maxsize=2)
def few_share_nodes(*, split: bool = True) -> Shares:
    """Return as few shares as a forecast needs, by the rule of Gauss and Hermite."""
    z, weights = np.polynomial.hermite_e.hermegauss(_FEW_NODES)
    return _shares_at(z, weights / weights.sum(), split=split)


def _shares_at(z: Floats, weights: Floats, *, split: bool) -> Shares:
    if not split:
        return np.zeros(1), np.ones(1)
    told, datasets = learned()["share"], learned()["datasets"]
    doubt = np.sqrt(1 + 1 / datasets) * special.stdtrit(datasets - 1, 0.975) / special.ndtri(0.975)
    return told["median"] * np.exp(doubt * told["spread"] * z), weights


def share_range() -> tuple[float, float, float]:
    """Return the lower quartile, the median and the upper quartile of the share."""
    told = learned()["share"]
    factor = float(np.exp(0.6744897501960817 * told["spread"]))
    return told["median"] / factor, told["median"], told["median"] * factor


def share_weights(nodes: Shares, ratio: Floats, df: Floats, layout: Layout) -> Floats:
    """Return the probability of each share given F, the splits' variance over what seeds explain.

    With one split there is nothing but the field.
    """
    shares, weights = nodes
    shape = (*np.shape(ratio), len(shares))
    if layout.splits == 1:
        return np.broadcast_to(weights, shape)
    scale = layout.apart(shares)
    a, b = (layout.splits - 1) / 2, np.asarray(df)[..., None] / 2
    f = np.asarray(ratio)[..., None] / scale
    log = (a - 1) * np.log(np.maximum(f, 1e-300)) - (a + b) * np.log1p(f * a / b) - np.log(scale)
    likely = weights * np.exp(log - log.max(axis=-1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=-1, keepdims=True))


def _known_shares(
    shares: Floats, ratio: Floats, df: Floats, layout: Layout
) -> tuple[Floats, Floats]:
    """Return for each share the standard error over fresh splits, in seed deviations, and its df.

    Were the share known, the splits' own variance would tell of the seeds' too: both are pooled.
    """
    error = np.sqrt(layout.variance(shares))
    if layout.splits == 1:
        return np.broadcast_to(error, (*np.shape(ratio), len(shares))), np.asarray(df)
    more = layout.splits - 1
    told = np.asarray(df)[..., None] + more * np.asarray(ratio)[..., None] / layout.apart(shares)
    total = np.asarray(df) + more
    return error * np.sqrt(told / total[..., None]), total


def split_ratio(found: SeedMeans) -> Floats:
    """Return F: the variance of the splits' means over what the seeds alone would give them."""
    return np.asarray(found.layout.seeds * ratio_or_infinity(found.between, found.deviation) ** 2)


# --------------------------------------------------------------------------- the test
def _as_splits(found: SeedMeans) -> tuple[Floats, Floats, Floats]:
    """Return shares' weights, errors and degrees of freedom; where no seed varies, splits alone tell.

    One split without a spread leaves the error endless: nothing is known of fresh data. Where there is
    no split to vary, seeds that never vary leave no error.
    """
    unvaried = np.asarray(found.deviation == 0)
    safe = found._replace(deviation=np.where(unvaried, 1.0, found.deviation))
    ratio = np.where(unvaried, 1.0, split_ratio(safe))
    layout = found.layout
    nodes = share_nodes(split=layout.split)
    weights = share_weights(nodes, ratio, found.df, layout)
    error, df = _known_shares(nodes[0], ratio, found.df, layout)
    alone = found.between * np.sqrt(layout.correction)
    if layout.splits == 1 and layout.split:
        alone = np.full(alone.shape, np.inf)
    error = np.where(unvaried[..., None], np.asarray(alone)[..., None], error)
    error = error * np.where(unvaried, 1.0, found.deviation)[..., None]
    return weights, error, np.where(unvaried, np.maximum(layout.splits - 1, 1), df)


def fresh_tail(found: SeedMeans, distance: Floats) -> Floats:
    """Return how likely a mean of fresh splits lies so far above the truth."""
    weights, error, df = _as_splits(found)
    scaled = ratio_or_infinity(np.broadcast_to(np.asarray(distance)[..., None], error.shape), error)
    return np.asarray((weights * special.stdtr(df[..., None], -scaled)).sum(axis=-1))


def fresh_error(found: SeedMeans) -> Floats:
    """Return the standard error over fresh splits: the root of its mean square."""
    weights, error, _ = _as_splits(found)
    largest = np.maximum(error.max(axis=-1), 1e-300)
    endless = np.isinf(largest)
    scaled = np.where(endless[..., None], 1.0, error) / np.where(endless, 1.0, largest)[..., None]
    return np.asarray(largest * np.sqrt((weights * scaled**2).sum(axis=-1)))


def fresh_half(found: SeedMeans, tail: float) -> Floats:
    """Return the distance that a mean of fresh splits exceeds with probability `tail`."""
    weights, error, df = _as_splits(found)
    largest = error.max(axis=-1)
    unit = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
    scaled = np.where(np.isinf(error), 1.0, error) / unit[..., None]
    low, high = np.zeros(unit.shape), -special.stdtrit(df, tail)
    with np.errstate(divide="ignore", invalid="ignore"):  # a zero error is settled below
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            beyond = (weights * special.stdtr(df[..., None], -middle[..., None] / scaled)).sum(-1)
            low, high = np.where(beyond > tail, middle, low), np.where(beyond > tail, high, middle)
    half = unit * (low + high) / 2
    return np.where(largest == 0, 0.0, np.where(np.isinf(largest), np.inf, half))


def fresh_interval(found: SeedMeans, confidence: float) -> tuple[float, float]:
    """Return the two-sided interval of one difference."""
    half, estimate = float(fresh_half(found, (1 - confidence) / 2)), float(found.difference)
    return estimate - half, estimate + half


# --------------------------------------------------------------------------- power
class SeedTest(NamedTuple):
    """A test to come: its layout, degrees of freedom of the seeds, and its bar.

    The bar is what the difference must exceed in seed deviations as they are estimated, as a function
    of the logarithm of F on `grid`; one value where it does not depend on F.
    """

    layout: Layout
    df: float
    grid: Floats
    bar: Floats


@lru_cache(maxsize=512)
def fresh_test(layout: Layout, df: float, level: float) -> SeedTest:
    """Return the two-sided test that keeps its level on fresh data."""
    count, several = layout.seeds, layout.splits > 1
    grid = np.linspace(-8.0, 2 * np.log(1 + count) + 10.0, 60) if several else np.zeros(1)
    ones = np.ones(len(grid))
    between = np.sqrt(np.exp(grid) / count)
    found = SeedMeans(ones, ones, df * ones, between if several else 0 * ones, layout)
    return SeedTest(layout, df, grid, fresh_half(found, level / 2))


def plain_test(layout: Layout, df: float, critical: float) -> SeedTest:
    """Return the test that looks at seeds alone: t beyond its critical value."""
    return SeedTest(layout, df, np.zeros(1), np.full(1, critical / np.sqrt(layout.n_scores)))


def test_nodes(share: float, test: SeedTest) -> tuple[Floats, Floats]:
    """Return what the difference must exceed, in true seed deviations, and the chance of each bar."""
    w, weights = chi_nodes(test.df)
    if len(test.bar) == 1:
        return test.bar * w, weights
    b, others = chi_nodes(test.layout.splits - 1.0, _COARSE)
    f = np.log(test.layout.apart(np.asarray(share)) * (b[:, None] / w) ** 2)
    bars = np.interp(f, test.grid, test.bar) * w
    return bars.ravel(), (others[:, None] * weights).ravel()


def seed_power(differences: Floats, share: float, test: SeedTest) -> Floats:
    """Return the chance of significance on fresh splits, for true differences in seed deviations."""
    bars, chances = test_nodes(share, test)
    error = np.sqrt(test.layout.variance(np.asarray(share)))
    return np.asarray(special.ndtr((differences[..., None] - bars) / error) @ chances)


def fresh_power(effect: float, layout: Layout, df: float, level: float) -> Floats:
    """Return the power at a true difference of so many seed deviations, for each share of the split."""
    test = fresh_test(layout, df, level)
    shares, _ = share_nodes(split=layout.split)
    at = np.array([effect, -effect])
    return np.stack([seed_power(at, share, test) for share in shares.tolist()])


# --------------------------------------------------------------------------- the first result
class Seen(NamedTuple):
    """A first result: t over seeds, its degrees of freedom, and F of its splits."""

    statistic: float
    df: float
    ratio: float
    layout: Layout


def fresh_ways(seen: Seen, target: SeedTest) -> list[Way]:
    """Return a way for each share of the split, with the test of fresh splits."""
    shares, weights, errors, df = _by_share(seen)
    true = np.sqrt(seen.layout.variance(shares))
    fresh = np.sqrt(target.layout.variance(shares))
    scales = 1 / (errors * np.sqrt(seen.layout.n_scores))
    ways = []
    for k, share in enumerate(shares.tolist()):
        bars, chances = test_nodes(share, target)
        test = FreshTest(bars / fresh[k], np.full(len(bars), true[k] / fresh[k]), chances)
        way = Way(seen.statistic * scales[k], test, df, weight=weights[k], scale=scales[k])
        ways.append(way._replace(deviation=1 / true[k], noise=fresh[k] / true[k]))
    return ways


def same_split_ways(seen: Seen, target: SeedTest) -> list[Way]:
    """Return a way for each share, with the test of new seeds on these very splits.

    Only seeds are noise; what the splits add to the difference, a repeat shares.
    """
    shares, weights, _, _ = _by_share(seen)
    each = 1 / seen.layout.n_scores
    w, chances = chi_nodes(target.df)
    bar = np.interp(np.log(max(seen.ratio, 1e-300)), target.grid, target.bar) * w / np.sqrt(each)
    test = FreshTest(bar, np.ones(len(w)), chances)
    seeds_alone = Way(seen.statistic, test, seen.df, deviation=float(np.sqrt(1 / each)))
    grown = (seen.layout.variance(shares) / each).tolist()  # the variance with splits
    return [
        seeds_alone._replace(weight=weight, unit=variance**0.5, shared=variance - 1)
        for weight, variance in zip(weights.tolist(), grown, strict=True)
    ]


def _by_share(seen: Seen) -> tuple[Floats, Floats, Floats, float]:
    """Return shares, their weights given F, their estimated errors in seed deviations, and df."""
    nodes = few_share_nodes(split=seen.layout.split)
    ratio, df = np.asarray(seen.ratio), np.asarray(seen.df)
    weights = share_weights(nodes, ratio, df, seen.layout)
    error, total = _known_shares(nodes[0], ratio, df, seen.layout)
    return nodes[0], weights, error, float(total)
