"""The models of replication: what a first result says about the next experiment.

Each model knows one first result and answers for a goal: the replication's design, its amount of
data and its level. All see the world from the observed direction.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from replicast.arrays import Floats
from replicast.design import Design
from replicast.errors import invalid
from replicast.kernels import mixtures
from replicast.kernels.mixtures import FLAT_PRIOR, SCEPTIC_PRIOR, Mixture, Prior, Priors
from replicast.replication.priors import ENDS, BetaPrior, Relation

Estimator = Literal["calibrated", "sceptic", "flat", "as-published", "empirical-bayes"]
ESTIMATORS = ("calibrated", "sceptic", "flat", "as-published", "empirical-bayes")
Belief = Prior | BetaPrior


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


class Model(Protocol):
    """What every model of replication offers."""

    @property
    def name(self) -> str:
        """Word for the model in results."""

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""

    def prior(self, relation: Relation) -> Belief:
        """Return what the field says of two classifiers that are so related."""

    def assess(self, prior: Belief | None, goal: Goal) -> Assessment:
        """Average the chance over what is known of the effect; None is the relation unknown."""

    def plug_in(self, goal: Goal) -> Assessment:
        """Take the observed effect for the truth, as published."""

    def if_true(
        self, prior: Belief, goal: Goal, levels: Sequence[float], quantiles: Floats
    ) -> Chances:
        """Return the chances if the truth lies at quantiles of what is known of it, a row per level."""


@runtime_checkable
class Together(Protocol):
    """A model that answers for several beliefs at once, since they share most of the work."""

    def assess_each(self, priors: Sequence[Belief], goal: Goal) -> list[Assessment]:
        """Average the chance over what is known of the effect, for each prior."""


@runtime_checkable
class SameData(Protocol):
    """A model that also knows replicability: the chance without fresh data, all else anew."""

    def assess_again(self, prior: Belief | None, goal: Goal) -> float | None:
        """Return the chance of significance on the same data, None if nothing tells it."""


Test = TypeVar("Test")


def both_ways(
    power: Callable[[Floats, Test], Floats], truths: Floats, mirrored: Floats, tests: Sequence[Test]
) -> Chances:
    """Return the chances of either direction: that of the other is the power for the mirrored truth."""
    again, opposite = (
        np.array([power(truth, test) for test in tests]) for truth in (truths, mirrored)
    )
    return Chances(again, opposite)


def in_units(prior: Belief, model: str) -> Prior:
    """Return a prior on an effect that is measured in units; one on wins is none."""
    if isinstance(prior, BetaPrior):
        raise invalid("prior", f"a mixture of normals for the {model} model", "one of wins")
    return prior


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


def assess(
    model: Model,
    estimator: str,
    goal: Goal,
    *,
    relation: Relation = "unknown",
    prior: Prior | None = None,
) -> Assessment:
    """Return what an estimator says; `prior` is the one learned for empirical Bayes.

    Whoever does not know the relation does not know it in the limits either: they hold those of both.
    """
    if estimator == "as-published":
        return model.plug_in(goal)
    held = prior or belief(model, estimator, relation)
    if goal.confidence is None or (estimator, relation) != ("calibrated", "unknown"):
        return model.assess(held, goal)
    return widest(assess_each(model, (held, *map(model.prior, ENDS)), goal))


def assess_each(model: Model, priors: Sequence[Belief], goal: Goal) -> list[Assessment]:
    """Return what a model says by each prior."""
    if isinstance(model, Together):
        return model.assess_each(priors, goal)
    return [model.assess(prior, goal) for prior in priors]


def widest(found: Sequence[Assessment]) -> Assessment:
    """Return the first of several assessments with limits that hold those of all."""
    low, high = min(each.low for each in found), max(each.high for each in found)
    return found[0]._replace(low=low, high=high)


def average(
    priors: Sequence[Prior],
    posterior: Callable[[Priors], Mixture],
    mean_power: Callable[[Mixture], Floats],
    power: Callable[[Floats], Floats],
    confidence: float | None,
) -> list[Assessment]:
    """Average the power over what each prior makes of the signal; those alike share the work."""
    found: dict[int, Assessment] = {}
    for places, group in mixtures.alike(priors):
        known = posterior(group)
        chances, opposites = (mean_power(one).tolist() for one in (known, mixtures.mirrored(known)))
        directions = mixtures.positive_mass(known).tolist()
        if confidence is None:
            each = map(without_limits, chances, directions, opposites)
        else:
            tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
            limits = power(mixtures.mixture_limits(known, tails)).T.tolist()
            each = map(bounded, chances, *limits, directions, opposites)
        found |= zip(places, each, strict=True)
    return [found[place] for place in range(len(priors))]


def belief(model: Model, estimator: str, relation: Relation) -> Belief:
    """Return what an estimator takes for granted about the true effect."""
    match estimator:
        case "sceptic":
            return SCEPTIC_PRIOR
        case "flat":
            return FLAT_PRIOR
        case _:
            return model.prior(relation)
