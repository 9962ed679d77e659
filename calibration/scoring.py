"""Forecasts against what the other experiments of the same pair did."""

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.settings import LEVEL, Setting
from calibration.worlds import NEAR_NULL
from replicast.design import Design
from replicast.errors import DegenerateScoresWarning
from replicast.kernels.mixtures import DEFAULT_PRIOR
from replicast.replication.models import Assessment, Goal, Model, assess

Floats = NDArray[np.float64]
ESTIMATORS = ("calibrated", "sceptic", "flat", "as-published")
OTHER_PRIORS = ("close", "any", "signal-mixture")  # beside the default's, for the chance alone
AT_MOST = 100  # significant results of a setting that are asked, drawn at random
_BINS = 10
_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Forecasts:
    """What one estimator said after significant results of a setting, and what came true."""

    world: str
    kind: str
    estimator: str
    near_null: bool
    said: Floats
    low: Floats
    high: Floats
    truth: Floats
    resolution: float  # of the truth: one experiment more or less

    @property
    def calibration_error(self) -> float:
        """Expected calibration error over ten equal bins of what was said."""
        bins = np.minimum((self.said * _BINS).astype(int), _BINS - 1)
        gaps = [
            abs(self.said[bins == b].mean() - self.truth[bins == b].mean()) * np.mean(bins == b)
            for b in np.unique(bins)
        ]
        return float(np.sum(gaps))

    @property
    def brier(self) -> float:
        """Expected Brier score of the next experiment."""
        return float(((self.said - self.truth) ** 2 + self.truth * (1 - self.truth)).mean())

    @property
    def coverage(self) -> float:
        """Share of ranges that hold the truth, to one and a half experiments."""
        step = 1.5 * self.resolution
        inside = (self.low - step <= self.truth) & (self.truth <= self.high + step)
        return float(np.mean(inside))


def is_near_null(setting: Setting) -> bool:
    """Say whether in most pairs fewer than one experiment in ten is significant."""
    return bool(np.mean(setting.significant_shares < NEAR_NULL) > 0.5)


def score(setting: Setting) -> list[Forecasts]:
    """Judge every estimator on significant results of a setting, repeated as they were."""
    return forecast(setting, setting.design, 1.0, setting)


def forecast(
    setting: Setting,
    design: Design,
    data_factor: float,
    target: Setting,
    *,
    apart: bool = False,
    kind: str | None = None,
) -> list[Forecasts]:
    """Judge forecasts of `target`, experiments of another design or size, from those of `setting`.

    Unless the two were drawn `apart`, the first result itself does not count as its repeat.
    """
    chosen = _chosen(setting)
    goal = Goal(design, data_factor, LEVEL, _CONFIDENCE)
    rows: dict[str, list[tuple[float, ...]]] = {name: [] for name in (*ESTIMATORS, *OTHER_PRIORS)}
    for at, i in chosen:
        pair, repeats = setting.pairs[at], target.pairs[at]
        ahead = bool(pair.ahead[i])
        own = 0 if apart else int(repeats.significant[i] and repeats.ahead[i] == ahead)
        others = len(repeats.significant) - (0 if apart else 1)
        share = (repeats.agreeing(ahead) - own) / others
        with warnings.catch_warnings():  # ten equal folds happen; their convention counts too
            warnings.simplefilter("ignore", DegenerateScoresWarning)
            model = pair.first(i).model
        for name in rows:
            answer = _asked(model, name, goal)
            rows[name].append((answer.probability, answer.low, answer.high, share))
    resolution = 1 / len(target.pairs[0].significant)
    found = {name: np.array(kept).reshape(-1, 4).T for name, kept in rows.items()}
    return [
        Forecasts(
            setting.world, kind or setting.kind, name, is_near_null(target),
            said, low, high, truth, resolution,
        )
        for name, (said, low, high, truth) in found.items()
    ]  # fmt: skip


def _asked(model: Model, name: str, goal: Goal) -> Assessment:
    """Ask an estimator, or the default with another prior."""
    alone = goal._replace(confidence=None)
    match name:
        case "close" | "any":
            return assess(model, "calibrated", alone, relation=name)
        case "signal-mixture":  # version 0.1's on one dataset
            return model.assess(DEFAULT_PRIOR, alone)
        case _:
            return assess(model, name, goal)


def _chosen(setting: Setting) -> list[tuple[int, int]]:
    """Return significant results as (pair, experiment), at most so many, drawn at random."""
    every = [
        (at, int(i))
        for at, pair in enumerate(setting.pairs)
        for i in np.flatnonzero(pair.significant)
    ]
    if len(every) <= AT_MOST:
        return every
    rng = np.random.default_rng([3, *f"{setting.world} {setting.kind}".encode()])
    return [every[k] for k in np.sort(rng.choice(len(every), AT_MOST, replace=False))]
