"""Predicted chances against what the other experiments of the group did."""

import warnings
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.groups import Group, World
from replicast import DegenerateScoresWarning, Replication
from replicast.replication.first_result import read_first_result
from replicast.replication.probability import report_replication

Floats = NDArray[np.float64]
ESTIMATORS = ("as-published", "flat", "calibrated")
_SIGNIFICANCE = 0.05
_BINS = 10


@dataclass(frozen=True)
class Predictions:
    """One estimator on the significant experiments of a world."""

    world: str
    model: str
    estimator: str
    predicted: Floats
    low: Floats
    high: Floats
    truth: Floats
    resolution: float  # of the truth: one experiment more or less

    @property
    def calibration_error(self) -> float:
        """Expected calibration error over ten equal bins of the prediction."""
        bins = np.minimum((self.predicted * _BINS).astype(int), _BINS - 1)
        gaps = [
            abs(self.predicted[bins == b].mean() - self.truth[bins == b].mean())
            * np.mean(bins == b)
            for b in np.unique(bins)
        ]
        return float(np.sum(gaps))

    @property
    def brier(self) -> float:
        """Expected Brier score of the next experiment."""
        gap = (self.predicted - self.truth) ** 2 + self.truth * (1 - self.truth)
        return float(gap.mean())

    @property
    def coverage(self) -> float:
        """Share of intervals that hold the truth, to half an experiment."""
        step = self.resolution / 2
        inside = (self.low - step <= self.truth) & (self.truth <= self.high + step)
        return float(np.mean(inside))


def score(world: World, groups: list[Group]) -> list[Predictions]:
    """Judge every model and estimator on the significant experiments of a world."""
    return [found for model in world.models for found in _score_model(world.name, model, groups)]


def _score_model(world: str, model: str, groups: list[Group]) -> list[Predictions]:
    rows: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in ESTIMATORS}
    plain = model.removesuffix(" without cases")
    for group in groups:
        with warnings.catch_warnings():  # ten equal folds happen; their convention counts too
            warnings.simplefilter("ignore", DegenerateScoresWarning)
            found = [
                read_first_result(
                    pair if plain == model else replace(pair, case_differences=None), model=plain
                )
                for pair in group.experiments()
            ]
        significant = np.array([first.pvalue < _SIGNIFICANCE for first in found])
        ahead = np.array([first.first_better for first in found])
        for i in np.flatnonzero(significant):
            agreeing = significant & (ahead == ahead[i])
            truth = (agreeing.sum() - 1) / (len(found) - 1)
            for name in ESTIMATORS:
                answer = report_replication(found[i], estimator=name)
                rows[name].append((*_numbers(answer), truth))
    resolution = 1 / (len(groups[0].differences) - 1)
    found_rows = {name: np.array(rows[name]).T.reshape(4, -1) for name in ESTIMATORS}
    return [
        Predictions(world, model, name, predicted, low, high, truth, resolution)
        for name, (predicted, low, high, truth) in found_rows.items()
    ]


def _numbers(found: Replication) -> tuple[float, float, float]:
    return found.probability, *found.interval
