"""Type I error and power of every registered test, in a world where it is meant to be used."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast import METHODS, Cases, Datasets, FiveByTwo, Holdout, RepeatedKFold, Seeds
from replicast.design import Design
from replicast.kernels.seeds import share_nodes
from replicast.results import is_significant
from replicast.studies.scenarios.networks import bayesian_network
from replicast.studies.summary import Rate

Floats = NDArray[np.float64]
_LEVEL = 0.05
_GRADED_SEED = 20241  # the page names the sizes of its clusters
_NETWORK = {
    "pair": "c45 against naive-bayes", "rows": 300, "repetitions": 1, "runs": 10, "splits": 2,
    "class_probability": 0.5,
}  # fmt: skip


@dataclass(frozen=True)
class Level:
    """One test in one design: how often it rejects without and with a true difference.

    `outliers` is its power where some differences lie far out; None where that has no meaning.
    """

    method: str
    design: Design
    null: Rate
    alternative: Rate
    outliers: Rate | None = None

    def __str__(self) -> str:
        last = "" if self.outliers is None else _percent(self.outliers)
        return (
            f"| `{self.method}` | {self.design.words} | {_percent(self.null)} "
            f"| {_percent(self.alternative)} | {last} |"
        )


def _percent(rate: Rate) -> str:
    return f"{100 * rate.value:.1f} ± {100 * rate.error:.1f}"


def measure(size: int, rng: np.random.Generator) -> list[Level]:
    """Return the level of every method; tests of one design see the same data, named in the page."""
    normal = [rng.normal(effect, 1.0, size=(size, 20)) for effect in (0.0, 0.6)]
    outliers = 0.6 + rng.normal(size=(size, 20)) * rng.choice(
        [1, 10], p=[0.9, 0.1], size=(size, 20)
    )
    cases = [_cases(size, *rates, rng) for rates in ((0.06, 0.06), (0.08, 0.04))]
    splits = [_networks(source, size // 10, rng) for source in (1, 3)]
    worlds: list[tuple[Design, list[Floats]]] = [
        (Datasets(20), [*normal, outliers]),
        (Holdout(500), cases),
        (RepeatedKFold(runs=10, folds=10), [found["folds"] for found in splits]),
        (FiveByTwo(), [found["halves"] for found in splits]),
    ]
    found = [
        Level(name, design, *(_rate(name, design, rows) for rows in samples))
        for design, samples in worlds
        for name, method in METHODS.items()
        if method.is_valid_for(design)
    ]
    graded = graded_levels(size, np.random.default_rng(_GRADED_SEED))
    return [*found, *graded, *seed_levels(size, np.random.default_rng(_GRADED_SEED))]


def seed_levels(size: int, rng: np.random.Generator) -> list[Level]:
    """Return the levels of tests on seeds, where the split matters as much as in published results.

    Splits of one dataset have in common what they test on.
    """
    shares, chances = share_nodes()
    found = []
    for design in (Seeds(5), Seeds(5, splits=5)):
        samples = []
        for effect in (0.0, 2.0):
            share = rng.choice(shares, p=chances, size=(size, 1))
            own, common = rng.normal(size=(size, design.splits)), rng.normal(size=(size, 1))
            tested = design.test_percent / 100
            noisy = np.sqrt(1 - tested) * own + np.sqrt(tested) * common
            split = effect + np.sqrt(share) * noisy
            noise = rng.normal(size=(size, design.n_scores))
            samples.append(noise + np.repeat(split, design.count, axis=1))
        for name, method in METHODS.items():
            if method.is_valid_for(design):
                found.append(Level(name, design, *(_rate(name, design, rows) for rows in samples)))
    return found


def graded_levels(size: int, rng: np.random.Generator) -> list[Level]:
    """Return the levels of tests of graded cases: 200 alone, and in 15 clusters of unequal size.

    A case has three answers of each model, right or wrong, of which a cluster shares the difficulty.
    """
    alone, lognormal = np.arange(200), np.ceil(rng.lognormal(2, 1, 15)).astype(int)
    found = []
    for labels, gap in ((alone, 0.35), (np.repeat(np.arange(15), lognormal), 1.15)):
        groups = int(labels.max()) + 1
        design = Cases(len(labels), clusters=None if groups == len(labels) else groups, answers=3)
        options = {} if design.clusters is None else {"clusters": labels}
        samples = [_graded(size // 5, labels, effect, rng) for effect in (0.0, gap)]
        for name, method in METHODS.items():
            if method.is_valid_for(design):
                rates = (_rate(name, design, rows, **options) for rows in samples)
                found.append(Level(name, design, *rates))
    return found


def _graded(size: int, labels: NDArray[np.int64], gap: float, rng: np.random.Generator) -> Floats:
    """Draw differences of mean answers; both models find the cases of a cluster alike or not."""
    shape = (size, 2, len(labels))
    shared = rng.normal(size=(size, 2, int(labels.max()) + 1))[..., labels]
    hard = shared + rng.normal(size=shape) - np.array([0.0, gap])[:, None]
    answers = rng.binomial(3, 1 / (1 + np.exp(-hard))) / 3
    return np.asarray(answers[:, 0] - answers[:, 1])


def _cases(size: int, first: float, second: float, rng: np.random.Generator) -> Floats:
    """Draw differences in correctness of 500 cases with these shares of discordant ones."""
    return rng.choice([1.0, -1.0, 0.0], p=[first, second, 1 - first - second], size=(size, 500))


def _networks(source: int, size: int, rng: np.random.Generator) -> Mapping[str, Floats]:
    columns: Any = bayesian_network({**_NETWORK, "source": source}, range(size), rng)
    return {name: np.array(columns[name]) for name in ("folds", "halves")}


def _rate(name: str, design: Design, rows: Floats, **options: Any) -> Rate:
    if METHODS[name].gives == "posterior":  # drawing it takes long
        rows = rows[:1000]
    pvalues = METHODS[name].batch_pvalues(rows, design, **options)
    return Rate(int(is_significant(pvalues, _LEVEL).sum()), len(rows))


def table(found: list[Level]) -> str:
    """Return the Markdown table of all levels."""
    lines = [
        "| test | design | Type I error, % | power, % | with outliers, % |",
        "|---|---|---:|---:|---:|",
    ]
    return "\n".join([*lines, *map(str, found)])
