"""Replications that other people made: CIFAR-10 again as CIFAR-10.1, ImageNet again as ImageNet V2."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy import special

from calibration.field.cells import LEVEL, over_cases
from calibration.field.corpora import FOLDER, Floats, cifar
from calibration.field.experiments import Relation, arena
from calibration.field.record import as_prior
from replicast import Holdout
from replicast.kernels.mixtures import Prior
from replicast.replication.counts import DiscordanceModel
from replicast.replication.models import Goal

_IMAGES, _NEW_IMAGES = 50_000, 10_000
_SHARED = 0.5  # variance of a difference of two models, as a share of that of independent ones
_PAIRS = 200_000
GAPS = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 100.0)


@dataclass(frozen=True)
class Images:
    """Forecasts of CIFAR-10.1 from CIFAR-10, and what came true."""

    relation: Relation
    cases: int
    said: dict[str, Floats]
    truth: Floats


def fresh_images(scales: dict[Relation, float], relation: Relation, seed: int) -> Images:
    """Forecast CIFAR-10.1 from CIFAR-10, with scales that were learned without either."""
    first, fresh = cifar("orig"), cifar("v6")
    where = arena(first, relation, np.random.default_rng(seed))
    pvalue, lead, rows = over_cases(first, where, where.columns)
    again, lead_again, _ = over_cases(fresh, where, np.arange(fresh.scores.shape[1]))
    kept = pvalue < LEVEL
    truth = ((again < LEVEL) & (np.sign(lead) == np.sign(lead_again)))[kept].astype(np.float64)
    goal = Goal(Holdout(fresh.scores.shape[1]), 1.0, LEVEL)
    models = [
        DiscordanceModel(won=won, lost=lost, cases=len(where.columns))
        for won, lost in rows[kept].tolist()
    ]
    prior = as_prior(relation, scales[relation])
    said = np.array([each.assess(prior, goal).probability for each in models])
    plug_in = np.array([each.plug_in(goal).probability for each in models])
    return Images(relation, len(where.columns), {"told": said, "Berrar 2024": plug_in}, truth)


@dataclass(frozen=True)
class GapLine:
    """Pairs of models whose gap on ImageNet lies between two values, and who stays ahead on V2."""

    low: float
    high: float
    pairs: int
    said: float
    true: float


def new_imagenet(scale: float, seed: int) -> Iterable[GapLine]:
    """Yield how often the lead on ImageNet is kept on ImageNet V2, by its size in points.

    Which images a model gets right is not published, so how much two models share is assumed.
    """
    rows = pd.read_csv(FOLDER / "timm.csv.gz")
    key = ["model", "img_size", "crop_pct"]
    wide = rows.pivot_table(index=key, columns="test_set", values="top1")
    both = wide[["imagenet", "imagenet-v2"]].dropna().to_numpy() / 100
    rng = np.random.default_rng(seed)
    i, j = rng.integers(len(both), size=(2, _PAIRS))
    gap, again = (both[i] - both[j]).T
    error, error_again = (
        np.sqrt(_SHARED * _independent(both[i, k], both[j, k]) / cases)
        for k, cases in ((0, _IMAGES), (1, _NEW_IMAGES))
    )
    ahead = np.abs(gap)
    said = stays_ahead(ahead, error, error_again, as_prior("any", scale))
    true = np.where(again == 0, 0.5, np.sign(again) == np.sign(gap))
    for low, high in pairwise(GAPS):
        kept = (100 * ahead > low) & (100 * ahead <= high)
        yield GapLine(
            low, high, int(kept.sum()), float(said[kept].mean()), float(true[kept].mean())
        )


def _independent(a: Floats, b: Floats) -> Floats:
    """Return the variance of one case's difference if the two models erred independently."""
    return np.asarray(a * (1 - b) + b * (1 - a) - (a - b) ** 2)


def stays_ahead(gap: Floats, error: Floats, again: Floats, prior: Prior) -> Floats:
    """Return the chance that a lead is a lead again; errors are those of both experiments.

    The prior is in standard errors of the first.
    """
    found = np.empty(len(gap))
    for start in range(0, len(gap), 10_000):
        part = slice(start, start + 10_000)
        spreads = (np.array(prior.spreads) * error[part, None]) ** 2
        total = spreads + error[part, None] ** 2
        log = np.log(prior.weights) - gap[part, None] ** 2 / (2 * total) - np.log(total) / 2
        weights = np.exp(log - log.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        shrink = spreads / total
        deviation = np.sqrt(shrink * error[part, None] ** 2 + again[part, None] ** 2)
        found[part] = (weights * special.ndtr(shrink * gap[part, None] / deviation)).sum(axis=1)
    return found
