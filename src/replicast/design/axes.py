"""How an experiment may grow: what there can be more of, how far, and why no further."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from replicast.design.base import Design


class Growth(NamedTuple):
    """A larger experiment: its design, and how many times the data it takes."""

    design: "Design"
    data_factor: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One way for an experiment to grow.

    Attributes
    ----------
    name : str
        What there is more of.
    field : str
        The field of the design that counts it; empty where the design stays and its data grow, so
        that an amount is a multiple of the data.
    most, step : float
        Where the search for a sufficient amount ends, and in which steps it goes.
    ceiling : str
        Why ever more of it leaves a chance below the certainty of the direction; empty if it does
        not.
    endless : int
        An amount beyond which nothing changes, where there is a ceiling.
    instead, instead_words : str
        The axis to look at where this one does not suffice, and how its amount is told.
    cost : str
        What one more of it costs.
    """

    name: str
    field: str
    most: float
    step: float = 1.0
    ceiling: str = ""
    endless: int = 0
    instead: str = ""
    instead_words: str = ""
    cost: str


DATASETS = Axis(
    name="datasets", field="count", most=1e5, cost="a dataset on which both are evaluated"
)
CASES = Axis(name="cases", field="count", most=1e8, cost="a labelled case that both answer")
TRAINED_CASES = Axis(
    name="cases",
    field="count",
    most=1e8,
    cost="a labelled case that both are trained and tested on",
)
ANSWERS = Axis(
    name="answers",
    field="answers",
    most=10**6,
    ceiling="since more answers are no more cases.",
    endless=10**6,
    cost="an answer of both models to every case",
)
DATA = Axis(
    name="cases",
    field="",
    most=1e4,
    step=0.1,
    cost="as many cases as there are now, and training on all of them",
)
RUNS = Axis(
    name="runs",
    field="runs",
    most=1000,
    ceiling="since all runs share one dataset.",
    endless=10**6,
    instead="cases",
    instead_words="About {amount:g} times the data would do.",
    cost="a training of both for every fold",
)
FOLDS = Axis(
    name="folds",
    field="folds",
    most=500,
    ceiling="since more folds cut the same cases into smaller parts.",
    endless=10**6,
    instead="cases",
    instead_words="About {amount:g} times the data would do.",
    cost="a training of both in every run",
)
SEEDS = Axis(
    name="seeds",
    field="count",
    most=10_000,
    ceiling="since all seeds share a split, and fresh data would be split anew.",
    endless=10_000,
    instead="splits",
    instead_words="{amount:g} splits with as many seeds each would do.",
    cost="a training of both on every split",
)
UNSPLIT_SEEDS = Axis(name="seeds", field="count", most=10_000, cost="a training of both")
SPLITS = Axis(
    name="splits",
    field="splits",
    most=1000,
    ceiling="since all splits are of one dataset.",
    endless=1000,
    cost="a training of both with every seed",
)
SEPARATE_SPLITS = Axis(  # each a dataset of its own
    name="splits",
    field="splits",
    most=1000,
    cost="a dataset, and a training of both with every seed",
)
AXES = tuple(
    dict.fromkeys(axis.name for axis in (DATASETS, FOLDS, RUNS, CASES, ANSWERS, SEEDS, SPLITS))
)
