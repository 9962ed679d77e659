"""The one engine of replication: a first result, a prior of the true effect, the test of a repeat.

A model knows one first result. For a goal, the repeat's design, its amount of data and its level, it
tells the ways in which the result can have come about, each with the repeat's test; everything else
follows. `flat`, `sceptic`, `close` and `any` are nothing but priors, and so is what Berrar (2024)
published: all mass on the observed effect. All see the world from the observed direction.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import Design
from replicast.kernels import mixtures, replication
from replicast.kernels.mixtures import FLAT_PRIOR, SCEPTIC_PRIOR, Mixture, Prior
from replicast.kernels.replication import Posterior, Way
from replicast.replication.priors import Kind, Relation, prior_for
from replicast.results import Caution

Estimator = Literal["calibrated", "sceptic", "flat", "as-published", "empirical-bayes"]
ESTIMATORS = ("calibrated", "sceptic", "flat", "as-published", "empirical-bayes")
SMOOTH = np.geomspace(1e-4, 0.5, 57)  # p-values of a curve


class Goal(NamedTuple):
    """The replication asked about; without a `confidence`, limits are not wanted."""

    design: Design
    data_factor: float
    significance: float
    confidence: float | None = None

    @property
    def tails(self) -> tuple[float, ...]:
        """Where limits lie in a distribution, if they are wanted."""
        return (
            ()
            if self.confidence is None
            else ((1 - self.confidence) / 2, (1 + self.confidence) / 2)
        )

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
    """A first result as replication sees it.

    `error` is the standard error of the difference in the score's unit, where it is known.
    """

    error: float | None = None

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

    @property
    @abstractmethod
    def weight(self) -> float:
        """How much data the result has, in a unit that all results of its model share."""

    @abstractmethod
    def ways(self, goal: Goal) -> list[Way]:
        """Return the ways the result can have come about, each with the repeat's test."""

    @abstractmethod
    def published(self, goal: Goal) -> tuple[Floats, float]:
        """Return the power at the observed effect, at its opposite and at the limits of the effect, if

        they are wanted; and the probability of the direction.
        """

    @property
    @abstractmethod
    def observed(self) -> float | None:
        """The difference that was seen, in the score's unit, if that is known."""

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """What to be careful about."""
        return ()

    @property
    def widened(self) -> float:
        """By how much heavy tails widen what is predicted."""
        return 1.0

    def prior(self, relation: Relation) -> Prior:
        """Return what the field says of two classifiers that are so related."""
        kind, amount = self.amount
        return prior_for(kind, relation, amount)

    def posterior(self, prior: Prior, goal: Goal) -> Posterior:
        """Return what is known of the true effect."""
        return replication.posterior(self.ways(goal), prior)

    def predicted(self, prior: Prior, goal: Goal, *, noise: float = 1.0) -> Mixture | None:
        """Return what the difference of a repeat will be; None where the score's unit is unknown.

        `noise` multiplies the repeat's own error: with 0 it is the true difference.
        """
        if not self.error:
            return None
        known = self.posterior(prior, goal)
        return replication.predicted(known, self.error, self.widened, noise=noise)

    def assess_again(self, prior: Prior, goal: Goal) -> float | None:  # noqa: ARG002  # others need it
        """Return the chance on the same data, all else anew: replicability; None if nothing tells it."""
        return None

    def at(self, pvalue: float, own: float) -> "Model | None":  # noqa: ARG002  # others need it
        """Return the model of such a result with another p-value, in which `own` brings it back.

        None where p-values are few.
        """
        return None

    @property
    def least_pvalue(self) -> float:
        """The smallest p-value worth considering."""
        return 1e-15

    def along(self, own: float) -> Iterator[tuple[float, "Model"]]:
        """Yield p-values, from small to large, and results like this one with them."""
        for pvalue in SMOOTH.tolist():
            other = self.at(pvalue, own)
            if other is not None:
                yield pvalue, other

    def plug_in(self, goal: Goal) -> Assessment:
        """Take the observed effect for the truth, as published."""
        powers, direction = self.published(goal)
        probability, opposite, *limits = powers.tolist()
        return bounded(probability, direction, opposite, limits)

    def assess(self, prior: Prior, goal: Goal) -> Assessment:
        """Average the power over what is known of the effect."""
        known = self.posterior(prior, goal)
        chance, opposite = (replication.mean_power(known, sign) for sign in (1, -1))
        whole = known.whole
        limits: list[float] = []
        if goal.tails:
            ends = mixtures.mixture_limits(whole, np.array(goal.tails))
            limits = replication.power_at(known, ends).tolist()
        return bounded(chance, float(mixtures.positive_mass(whole)), opposite, limits)

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
        if known is None or not goal.tails:
            return None
        low, high = mixtures.mixture_limits(known, np.array(goal.tails)).tolist()
        return Prediction(float(known.weights @ known.means), low, high)

    def chance_between(self, prior: Prior, goal: Goal, low: float, high: float) -> float | None:
        """Return how probably the true difference lies between two; None where it has no unit."""
        known = self.predicted(prior, goal, noise=0.0)
        if known is None:
            return None
        with np.errstate(over="ignore"):  # a limit as large as numbers go is no limit
            below = special.ndtr((np.array([[low], [high]]) - known.means) / known.spreads)
        return float(known.weights @ (below[1] - below[0]))


def bounded(
    probability: float, direction: float, opposite: float, limits: Sequence[float] = ()
) -> Assessment:
    """Keep rounding from leaving [0, 1] or the estimate outside its limits; without any, it is both."""
    low, high = limits or (probability, probability)
    probability, low, high, direction = (
        min(max(float(value), 0.0), 1.0) for value in (probability, low, high, direction)
    )
    opposite = min(max(float(opposite), 0.0), 1.0 - probability)
    return Assessment(
        probability, min(low, probability), max(high, probability), direction, opposite
    )


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
