"""The one engine of replication: a first result, a prior of the true effect, the test of a repeat.

A model knows one first result. For a goal, the repeat's design, its amount of data and its level, it
tells the ways in which the result can have come about, each with the repeat's test; everything else
follows. `flat`, `sceptic`, `close` and `any` are nothing but priors, and so is what Berrar (2024)
published: all mass on the observed effect. All see the world from the observed direction.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import Design
from replicast.kernels import mixtures, replication
from replicast.kernels.mixtures import FLAT_PRIOR, SCEPTIC_PRIOR, Mixture, Prior
from replicast.kernels.replication import Posterior, Way
from replicast.replication.priors import Kind, Relation, heavy_tails, prior_for

Estimator = Literal["calibrated", "sceptic", "flat", "as-published", "empirical-bayes"]
ESTIMATORS = ("calibrated", "sceptic", "flat", "as-published", "empirical-bayes")


class Goal(NamedTuple):
    """The replication asked about; without a `confidence`, limits are not wanted."""

    design: Design
    data_factor: float
    significance: float
    confidence: float | None = None

    def at(self, levels: Sequence[float]) -> list["Goal"]:
        """Return the same replication, tested at each of these levels."""
        return [self._replace(significance=level) for level in levels]


class Assessment(NamedTuple):
    """Chance of replication and its limits, probability of the direction, chance of the opposite."""

    probability: float
    low: float
    high: float
    direction: float
    opposite: float = 0.0


class Chances(NamedTuple):
    """Chances of a repeat that is significant in the observed and in the other direction."""

    again: Floats
    opposite: Floats


class Prediction(NamedTuple):
    """The difference a repeat will show, in the score's unit: its mean and its limits."""

    expected: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Model(ABC):
    """A first result as replication sees it."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Word for the model in results."""

    @property
    @abstractmethod
    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""

    @property
    @abstractmethod
    def amount(self) -> tuple[Kind, float]:
        """Of which kind the first result is, and how many cases or datasets it has."""

    @abstractmethod
    def ways(self, goal: Goal) -> list[Way]:
        """Return the ways the result can have come about, each with the repeat's test."""

    @abstractmethod
    def plug_in(self, goal: Goal) -> Assessment:
        """Take the observed effect for the truth, as published."""

    @property
    def observed(self) -> float | None:
        """The difference that was seen, in the score's unit, if that is known."""
        return None

    @abstractmethod
    def predicted(self, prior: Prior, goal: Goal, *, noise: float = 1.0) -> Mixture | None:
        """Return what the difference of a repeat will be; None where the score's unit is unknown.

        `noise` multiplies the repeat's own error: with 0 it is the true difference.
        """

    def prior(self, relation: Relation) -> Prior:
        """Return what the field says of two classifiers that are so related."""
        kind, amount = self.amount
        return prior_for(kind, relation, amount)

    def posterior(self, prior: Prior, goal: Goal) -> Posterior:
        """Return what is known of the true effect."""
        return replication.posterior(self.ways(goal), prior)

    def assess(self, prior: Prior, goal: Goal) -> Assessment:
        """Average the power over what is known of the effect."""
        known = self.posterior(prior, goal)
        chance, opposite = (replication.mean_power(known, sign) for sign in (1, -1))
        whole = known.whole
        direction = float(mixtures.positive_mass(whole))
        if goal.confidence is None:
            return without_limits(chance, direction, opposite)
        tails = np.array([(1 - goal.confidence) / 2, (1 + goal.confidence) / 2])
        low, high = replication.power_at(known, mixtures.mixture_limits(whole, tails)).tolist()
        return bounded(chance, low, high, direction, opposite)

    def if_true(
        self, prior: Prior, goal: Goal, levels: Sequence[float], quantiles: Floats
    ) -> Chances:
        """Return the chances if the effect lies at quantiles of what is known of it, a row per level."""
        known = self.posterior(prior, goal)
        effects = mixtures.mixture_limits(known.whole, quantiles)
        tests = [[way.test for way in self.ways(one)] for one in goal.at(levels)]
        again, opposite = (
            np.array([replication.power_at(known, sign * effects, each) for each in tests])
            for sign in (1, -1)
        )
        return Chances(again, opposite)

    def predict(self, prior: Prior, goal: Goal) -> Prediction | None:
        """Return mean and limits of the difference a repeat will show, at the goal's confidence."""
        known = self.predicted(prior, goal)
        if known is None or goal.confidence is None:
            return None
        tails = np.array([(1 - goal.confidence) / 2, (1 + goal.confidence) / 2])
        low, high = mixtures.mixture_limits(known, tails).tolist()
        return Prediction(float(known.weights @ known.means), low, high)

    def chance_between(self, prior: Prior, goal: Goal, low: float, high: float) -> float | None:
        """Return how probably the true difference lies between two; None where it has no unit."""
        known = self.predicted(prior, goal, noise=0.0)
        if known is None:
            return None
        with np.errstate(over="ignore"):  # a limit as large as numbers go is no limit
            below = special.ndtr((np.array([[low], [high]]) - known.means) / known.spreads)
        return float(known.weights @ (below[1] - below[0]))

    def widened(self) -> float:
        """Return by how much heavy tails widen what is predicted."""
        return heavy_tails(self.amount[0])


@runtime_checkable
class SameData(Protocol):
    """A model that also knows replicability: the chance without fresh data, all else anew."""

    def assess_again(self, prior: Prior, goal: Goal) -> float | None:
        """Return the chance of significance on the same data, None if nothing tells it."""


def bounded(
    probability: float, low: float, high: float, direction: float, opposite: float
) -> Assessment:
    """Keep rounding from leaving [0, 1] or the estimate outside its interval."""
    probability, low, high, direction = (
        min(max(float(value), 0.0), 1.0) for value in (probability, low, high, direction)
    )
    opposite = min(max(float(opposite), 0.0), 1.0 - probability)
    return Assessment(
        probability, min(low, probability), max(high, probability), direction, opposite
    )


def without_limits(probability: float, direction: float, opposite: float) -> Assessment:
    """Return a chance whose limits were not asked for: they are the chance itself."""
    return bounded(probability, probability, probability, direction, opposite)


def belief(model: Model, estimator: str, relation: Relation) -> Prior:
    """Return what an estimator takes for granted about the true effect."""
    match estimator:
        case "sceptic":
            return SCEPTIC_PRIOR
        case "flat":
            return FLAT_PRIOR
        case _:
            return model.prior(relation)


def assess(
    model: Model,
    estimator: str,
    goal: Goal,
    *,
    relation: Relation = "unknown",
    prior: Prior | None = None,
) -> Assessment:
    """Return what an estimator says; `prior` is the one learned for empirical Bayes."""
    if estimator == "as-published":
        return model.plug_in(goal)
    return model.assess(prior or belief(model, estimator, relation), goal)
