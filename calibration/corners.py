"""Worlds in which the defaults are known to be off: what they say, and what is true.

python -m calibration.corners

Each table stands in the page it is named after. All draws are of one seed.
"""

import math
import warnings
from functools import cache

import numpy as np
from scipy import stats

import replicast as rc
from replicast.replication.records import Replication

_SEED = 20270
_GAPS = ((10, 0.8, 0.05), (12, 0.75, 0.03), (20, 0.6, 0.05), (20, 0.8, 0.02), (30, 0.5, 0.05),
         (50, 0.4, 0.05), (50, 0.2, 0.05), (100, 0.2, 0.05))  # fmt: skip
_TIES = ((8, 0.5, 0.4), (8, 0.8, 0.15), (12, 0.5, 0.4), (12, 0.6, 0.35), (20, 0.4, 0.5))
_PLACES = ((3, 10, 0.0), (8, 12, 0.0), (8, 30, 0.0), (8, 30, 0.5), (8, 30, 1.0))
_FAMILIES = ((24, 1, 0.0), (10, 3, 0.5), (8, 3, 0.8), (4, 5, 0.8))


@cache
def _of_cases(first: int, second: int, cases: int) -> Replication:
    return rc.replicate(discordant=(first, second), cases=cases)


@cache
def _of_wins(wins: int, datasets: int, ties: int) -> Replication:
    return rc.replicate(wins=wins, datasets=datasets, ties=ties)


def _row(cells: tuple[str, ...], found: list[Replication], true: float) -> str:
    said = np.mean([one.probability for one in found])
    inside = np.mean([one.interval.low <= true <= one.interval.high for one in found])
    return f"| {' | '.join((*cells, f'{true:.0%}', f'{said:.0%}', f'{inside:.0%}'))} |"


def large_gaps(draws: int, rng: np.random.Generator) -> list[str]:
    """After significant results on few cases (calibration.md)."""
    rows = []
    for cases, first, second in _GAPS:
        drawn = rng.multinomial(cases, [first, second, 1 - first - second], draws)
        found = [_of_cases(int(b), int(c), cases) for b, c, _ in drawn]
        found = [one for one in found if one.first_significant and one.better == "first"]
        true = rc.power_mcnemar(first, second, cases=cases).found
        rows.append(_row((str(cases), f"{first:g} / {second:g}"), found, true))
    return rows


def many_ties(draws: int, rng: np.random.Generator) -> list[str]:
    """Ranges of the sign test where many datasets tie, after any result (calibration.md)."""
    rows = []
    for datasets, wins, ties in _TIES:
        drawn = rng.multinomial(datasets, [wins, ties, 1 - wins - ties], draws)
        found = [_of_wins(int(w), datasets, int(t)) for w, t, _ in drawn if w >= datasets - w - t]
        every = rng.multinomial(datasets, [wins, ties, 1 - wins - ties], 200_000)
        # each side gets half of the ties, an odd one is left out of both
        ahead = every[:, 0] + every[:, 1] // 2
        least = next(
            k for k in range(datasets + 2) if 2 * stats.binom.sf(k - 1, datasets, 0.5) < 0.05
        )
        rows.append(
            _row((str(datasets), f"{wins:g} / {ties:g}"), found, float(np.mean(ahead >= least)))
        )
    return rows


def first_places(tables: int, rng: np.random.Generator) -> list[str]:
    """First place of many classifiers over datasets (quickstart.md)."""
    rows = []
    for classifiers, datasets, gap in _PLACES:
        lead = np.r_[gap, np.zeros(classifiers - 1)]
        said, true = [], []
        for _ in range(tables):
            scores = rng.normal(size=(classifiers, datasets)) + lead[:, None]
            names = tuple("abcdefgh"[:classifiers])
            table = rc.ScoreTable(
                classifiers=names, datasets=tuple(map(str, range(datasets))),
                scores=0.7 + scores[:, :, None, None] / 50, design=rc.Datasets(),
            )  # fmt: skip
            found = rc.rank(table)
            said.append(found.stability.first_stays if found.stability else math.nan)
            fresh = rng.normal(size=(500, classifiers, datasets)) + lead[:, None]
            best = fresh.argsort(axis=1).argsort(axis=1).mean(axis=2).argmax(axis=1)
            true.append(np.mean(best == names.index(found.classifiers[0])))
        rows.append(
            f"| {classifiers} | {datasets} | {gap:g} | {np.mean(true):.0%} | {np.mean(said):.0%} |"
        )
    return rows


def families(draws: int, rng: np.random.Generator) -> list[str]:
    """Rejections at 0.05 of equal classifiers on related datasets, and on means (which-test.md)."""
    rows = []
    for count, size, shared in _FAMILIES:
        common = rng.normal(size=(draws, count, 1)) * math.sqrt(shared)
        rows_of = common + rng.normal(size=(draws, count, size)) * math.sqrt(1 - shared)
        each = rc.METHODS["signed-rank"].batch_pvalues(
            rows_of.reshape(draws, -1), rc.Datasets(count * size)
        )
        means = rc.METHODS["signed-rank"].batch_pvalues(rows_of.mean(axis=2), rc.Datasets(count))
        shares = " | ".join(f"{np.mean(p < 0.05):.0%}" for p in (each, means))
        rows.append(f"| {count} of {size} | {shared:g} | {shares} |")
    return rows


def main() -> None:
    """Print every table."""
    warnings.simplefilter("ignore")
    for make, draws in (
        (large_gaps, 2000),
        (many_ties, 2000),
        (first_places, 60),
        (families, 10_000),
    ):
        print(make.__doc__, *make(draws, np.random.default_rng(_SEED)), "", sep="\n")


if __name__ == "__main__":
    main()
