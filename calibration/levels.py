"""Type I error and power of every registered test, in a world where it is meant to be used."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast import METHODS, Datasets, FiveByTwo, Holdout, RepeatedKFold
from replicast.design import Design, describe_design
from replicast.results import is_significant
from replicast.studies.scenarios.networks import bayesian_network
from replicast.studies.summary import Rate

Floats = NDArray[np.float64]
_LEVEL = 0.05
_NETWORK = {
    "pair": "c45 against naive-bayes", "rows": 300, "repetitions": 1, "runs": 10, "splits": 2,
    "class_probability": 0.5,
}  # fmt: skip


@dataclass(frozen=True)
class Level:
    """One test in one design: how often it rejects without and with a true difference."""

    method: str
    design: Design
    null: Rate
    alternative: Rate

    def __str__(self) -> str:
        return (
            f"| `{self.method}` | {describe_design(self.design)} | {_percent(self.null)} "
            f"| {_percent(self.alternative)} |"
        )


def _percent(rate: Rate) -> str:
    return f"{100 * rate.value:.1f} ± {100 * rate.error:.1f}"


def measure(size: int, rng: np.random.Generator) -> list[Level]:
    """Return the level of every method; the worlds are named in the page."""
    worlds: dict[str, tuple[Design, Floats, Floats]] = {
        **{
            name: (Datasets(20), _normal(size, 0.0, rng), _normal(size, 0.6, rng))
            for name in ("paired-ttest", "sign-test", "signed-rank", "sign-flip")
        },
        "signed-rank-posterior": (
            Datasets(20), _normal(size // 10, 0.0, rng), _normal(size // 10, 0.6, rng)
        ),
        "mcnemar": (Holdout(500), _cases(size, 0.06, 0.06, rng), _cases(size, 0.08, 0.04, rng)),
    }  # fmt: skip
    null, alternative = (_networks(source, size // 10, rng) for source in (1, 3))
    for name in ("corrected-ttest", "correlated-posterior"):
        worlds[name] = (RepeatedKFold(10, 10), null["folds"], alternative["folds"])
    for name in ("five-by-two-ttest", "five-by-two-ftest"):
        worlds[name] = (FiveByTwo(), null["halves"], alternative["halves"])
    return [
        Level(name, design, _rate(name, design, without), _rate(name, design, with_gap))
        for name, (design, without, with_gap) in worlds.items()
    ]


def _normal(size: int, effect: float, rng: np.random.Generator) -> Floats:
    return rng.normal(effect, 1.0, size=(size, 20))


def _cases(size: int, first: float, second: float, rng: np.random.Generator) -> Floats:
    """Draw differences in correctness of 500 cases with these shares of discordant ones."""
    return rng.choice([1.0, -1.0, 0.0], p=[first, second, 1 - first - second], size=(size, 500))


def _networks(source: int, size: int, rng: np.random.Generator) -> Mapping[str, Floats]:
    columns: Any = bayesian_network({**_NETWORK, "source": source}, range(size), rng)
    return {name: np.array(columns[name]) for name in ("folds", "halves")}


def _rate(name: str, design: Design, rows: Floats) -> Rate:
    pvalues = METHODS[name].batch_pvalues(rows, design)
    return Rate(int(is_significant(pvalues, _LEVEL).sum()), len(rows))


def table(found: list[Level]) -> str:
    """Return the Markdown table of all levels."""
    lines = ["| test | design | Type I error, % | power, % |", "|---|---|---:|---:|"]
    return "\n".join([*lines, *map(str, found)])
