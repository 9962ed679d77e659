"""How much a split matters beside the seeds, and how far models differ: learned from TabM.

`python -m calibration.seeds` rewrites src/replicast/kernels/seeds.json; `python -m calibration.seeds
scores` tells how forecasts fare that were learned without the dataset they are about, and the level of
the test on splits whose share is known.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

from calibration.field.corpora import FOLDER, Floats
from calibration.field.experiments import CLOSE_RANKS, RELATIONS
from replicast.arrays import Bools
from replicast.design import Seeds
from replicast.kernels import seeds as kernel
from replicast.kernels.student import t_critical
from replicast.replication.models import Goal
from replicast.replication.priors import Relation
from replicast.replication.seeds import SeedsModel, Test

FILE = Path(__file__).parents[1] / "src/replicast/kernels/seeds.json"
COMPONENTS = (0.3, 1.0, 3.0, 9.0)
SHARES = (0.5, 1.1, 1.75, 3.0)
LEVEL = 0.05
TESTS: tuple[Test, ...] = ("plain", "fresh")
_LEAST = 1e-3
_DRAWN = 7
_ITERATIONS = 1000
_ALL = 15  # seeds a model has on every split


@dataclass(frozen=True)
class Cube:
    """One dataset: scores of models (rows) by split and seed; higher is better."""

    dataset: str
    models: tuple[str, ...]
    scores: Floats


@dataclass(frozen=True)
class Pairs:
    """What all pairs of a dataset say: F of the splits, its df, the difference in seed deviations."""

    dataset: str
    splits: int
    ratio: Floats
    df: Floats
    difference: Floats
    close: Bools


def cubes() -> list[Cube]:
    """Return the datasets with several splits."""
    rows = pd.read_csv(FOLDER / "tabm.csv.gz").dropna(subset=["split"])
    found = []
    for dataset, part in rows.groupby("dataset"):
        splits = part["split"].nunique()
        scores = part.pivot_table(index="model", columns=["split", "seed"], values="score").dropna()
        if splits > 1:
            values = scores.to_numpy().reshape(len(scores), splits, _ALL)
            found.append(Cube(str(dataset), tuple(map(str, scores.index)), values))
    return found


def places() -> pd.DataFrame:
    """Return the rank of every model on every dataset, of one split or several."""
    rows = pd.read_csv(FOLDER / "tabm.csv.gz")
    scores = rows.pivot_table(index="model", columns="dataset", values="score")
    return scores.rank(axis=0)


def pairs_of(cube: Cube, ranks: pd.DataFrame) -> Pairs:
    """Summarise every pair; close are those within three places by their ranks on other datasets."""
    elsewhere = ranks.drop(columns=cube.dataset).mean(axis=1).rank()[list(cube.models)].to_numpy()
    first, second = np.array(list(combinations(range(len(cube.models)), 2))).T
    splits = cube.scores.shape[1]
    flat = cube.scores.reshape(len(cube.scores), -1)
    one, other = flat[first], flat[second]
    told = kernel.seed_means(one - other, one, other, kernel.Layout(_ALL, splits), paired=False)
    varied = told.deviation > 0
    return Pairs(
        cube.dataset,
        splits,
        np.maximum(kernel.split_ratio(told)[varied], _LEAST),  # rounded scores tie
        told.df[varied],
        told.difference[varied] / told.deviation[varied],
        (np.abs(elsewhere[first] - elsewhere[second]) <= CLOSE_RANKS)[varied],
    )


def fit_share(pairs: Sequence[Pairs]) -> tuple[float, float]:
    """Return median and logarithmic spread of split variance over seed variance, by likelihood.

    Every dataset counts the same, whatever its number of pairs. What all splits of a dataset have in
    common does not show between them, so the share is that of another split of the same data.
    """
    z, weights = kernel.normal_nodes()

    def misfit(parameters: Floats) -> float:
        scale = 1 + _ALL * np.exp(parameters[0] + np.exp(parameters[1]) * z)
        total = 0.0
        for each in pairs:
            f = each.ratio[:, None] / scale
            log = stats.f.logpdf(f, each.splits - 1, each.df[:, None]) - np.log(scale)
            total -= float(special.logsumexp(log, axis=1, b=weights).mean())
        return total

    found = optimize.minimize(misfit, [0.0, 0.0], method="Nelder-Mead").x
    return round(float(np.exp(found[0])), 3), round(float(np.exp(found[1])), 3)


def fit_weights(likelihood: Floats, counts: Floats) -> Floats:
    """Return the weights of the components, given likelihoods (pairs, components).

    `counts` says how many comparisons each pair stands for; one more is spread over all components.
    """
    size = likelihood.shape[1]
    scaled = likelihood / likelihood.max(axis=1, keepdims=True)
    weights = np.full(size, 1 / size)
    for _ in range(_ITERATIONS):
        share = scaled * weights
        share /= share.sum(axis=1, keepdims=True)
        updated = counts @ share + 1 / size
        updated /= updated.sum()
        if np.abs(updated - weights).max() < 1e-7:
            break
        weights = updated
    return weights


def in_likelihood_order(wide: Floats, narrow: Floats) -> tuple[Floats, Floats]:
    """Return both weights with wide / narrow never falling from component to component.

    With components from narrow to wide, the chance of replication under `wide` is then never below
    that under `narrow`, whatever the result. Neighbours that break the order are pooled.
    """
    total = wide + narrow
    blocks: list[tuple[float, float, int]] = []  # sum of wide, sum of both, components
    for one, both in zip(wide.tolist(), total.tolist(), strict=True):
        blocks.append((one, both, 1))
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] > blocks[-1][0] * blocks[-2][1]:
            last, before = blocks.pop(), blocks.pop()
            blocks.append((last[0] + before[0], last[1] + before[1], last[2] + before[2]))
    share = np.concatenate([np.full(size, one / both) for one, both, size in blocks])
    return share * total, (1 - share) * total


def fit_differences(pairs: Sequence[Pairs], share: tuple[float, float]) -> dict[Relation, Floats]:
    """Return the weights of normal components on true differences, in seed deviations."""
    z, weights = kernel.normal_nodes()
    shares = share[0] * np.exp(share[1] * z)
    found: dict[Relation, Floats] = {}
    for relation in RELATIONS:
        rows, counts = [], []
        for each in pairs:
            chosen = each.close if relation == "close" else np.ones(len(each.close), bool)
            seen = each.difference[chosen][:, None, None]
            error = ((1 / _ALL + shares) / each.splits)[:, None]
            total = np.sqrt(np.array(COMPONENTS) ** 2 + error)
            density = np.exp(-((seen / total) ** 2) / 2) / total
            rows.append(np.einsum("psc,s->pc", density, weights))
            counts.append(np.full(len(seen), 13 / len(seen)))  # as many comparisons as models
        found[relation] = fit_weights(np.concatenate(rows), np.concatenate(counts))
    wide, narrow = in_likelihood_order(found["any"], found["close"])
    return {"any": wide, "close": narrow}


def learned(pairs: Sequence[Pairs]) -> dict[str, Any]:
    """Return the content of the file."""
    share = fit_share(pairs)
    weights = fit_differences(pairs, share)
    return {
        "made_by": "python -m calibration.seeds",
        "corpora": ["TabM"],
        "datasets": len(pairs),
        "share": {
            "about": "variance of the split over that of the seeds, lognormal",
            "median": share[0],
            "spread": share[1],
        },
        "difference": {
            "about": "true difference in standard deviations of the seeds",
            "components": list(COMPONENTS),
            **{relation: _rounded(found) for relation, found in weights.items()},
        },
    }


@contextmanager
def as_if_learned(content: dict[str, Any]) -> Iterator[None]:
    """Let the library believe this instead of its file."""
    kept = dict(kernel.learned())
    try:
        _believe(content)
        yield
    finally:
        _believe(kept)


def _believe(content: dict[str, Any]) -> None:
    kernel.learned().update(content)
    for made in (kernel.share_nodes, kernel.few_share_nodes, kernel.fresh_test):
        made.cache_clear()


def _rounded(weights: Floats) -> list[float]:
    """Round to six digits so that the sum stays 1; the last weight takes up the rest."""
    short = [round(float(weight), 6) for weight in weights[:-1]]
    return [*short, round(1 - sum(short), 6)]


@dataclass(frozen=True)
class Scored:
    """What was said of results, and what came true."""

    said: Floats
    truth: Floats

    @property
    def calibration_error(self) -> float:
        """Expected calibration error over ten equal bins of what was said."""
        bins = np.minimum((self.said * 10).astype(int), 9)
        gaps = [abs((self.said - self.truth)[bins == b].sum()) for b in np.unique(bins)]
        return float(sum(gaps) / len(bins))


def experiments(cube: Cube, count: int) -> Iterator[kernel.SeedMeans]:
    """Yield what so many seeds say of every pair (rows) on every split (columns), group by group."""
    first, second = np.array(list(combinations(range(len(cube.models)), 2))).T
    for start in range(0, _ALL, count):
        part = cube.scores[..., start : start + count]
        yield kernel.seed_means(
            part[first] - part[second],
            part[first],
            part[second],
            kernel.Layout(count),
            paired=False,
        )


def forecasts(
    cube: Cube, count: int, test: Test, relation: Relation | None, most: int = 100_000
) -> Scored:
    """Let the model speak of significant results, and look at the other splits of the pair.

    At most so many results of each group of seeds are asked about, drawn at random.
    """
    rng = np.random.default_rng(_DRAWN)
    said, truth = [], []
    goal = Goal(Seeds(count), 1.0, LEVEL)
    for found in experiments(cube, count):
        t, df = kernel.seed_t(found), found.df
        tail = (
            kernel.fresh_tail(found, np.abs(found.difference))
            if test == "fresh"
            else special.stdtr(df, -np.abs(t))
        )
        sign = np.where((2 * tail < LEVEL) & (found.deviation > 0), np.sign(t), 0)
        for pair, split in rng.permutation(np.argwhere(sign != 0))[:most]:
            others = np.delete(sign[pair], split)
            truth.append(float((others == sign[pair, split]).mean()))
            model = SeedsModel(
                statistic=float(abs(t[pair, split])),
                df=float(df[pair, split]),
                design=Seeds(count),
                test=test,
            )
            if relation is None:
                said.append(model.plug_in(goal).probability)
            else:
                said.append(model.assess(model.prior(relation), goal).probability)
    return Scored(np.array(said), np.array(truth))


def scores(everything: Sequence[Cube], pairs: Sequence[Pairs]) -> None:
    """Print how forecasts fare on datasets that nothing was learned from."""
    print("test   seeds  results  came true  said any  ECE any  ECE unknown  ECE as published")
    for test in TESTS:
        for count in (5, _ALL):
            columns: dict[Relation | None, list[Scored]] = {"any": [], "unknown": [], None: []}
            for at, cube in enumerate(everything):
                with as_if_learned(learned([*pairs[:at], *pairs[at + 1 :]])):
                    for relation, column in columns.items():
                        column.append(forecasts(cube, count, test, relation))
            whole = {
                relation: Scored(*(np.concatenate([getattr(one, part) for one in column])
                                   for part in ("said", "truth")))
                for relation, column in columns.items()
            }  # fmt: skip
            errors = "  ".join(f"{whole[r].calibration_error:.3f}" for r in columns)
            any_two = whole["any"]
            print(f"{test}  {count}  {len(any_two.said)}  {any_two.truth.mean():.3f}  "
                  f"{any_two.said.mean():.3f}  {errors}", flush=True)  # fmt: skip


def levels() -> None:
    """Print how often equal models are called different on splits of a known share."""
    print("seeds  splits  " + "  ".join(f"share {share:g}" for share in SHARES) + "  t over seeds")
    for count in (5, _ALL):
        for splits in (1, 2, 3, 5, 10):
            df = 2.0 * splits * (count - 1)
            layout = kernel.Layout(count, splits)
            test = kernel.fresh_test(layout, df, LEVEL)
            plain = kernel.plain_test(layout, df, t_critical(df, LEVEL / 2))
            print(count, splits, *(f"{_level(test, share):.3f}" for share in SHARES),
                  *(f"{_level(plain, share):.2f}" for share in SHARES))  # fmt: skip


def _level(test: kernel.SeedTest, share: float) -> float:
    return 2 * float(kernel.seed_power(np.zeros(1), share, test)[0])


if __name__ == "__main__":
    cubes_found = cubes()
    known_ranks = places()
    known_pairs = [pairs_of(cube, known_ranks) for cube in cubes_found]
    if sys.argv[1:] == ["scores"]:
        levels()
        scores(cubes_found, known_pairs)
    else:
        FILE.write_text(json.dumps(learned(known_pairs), indent=1) + "\n", encoding="utf-8")
