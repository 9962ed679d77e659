"""Said against came true, each corpus forecast by a prior that was learned without it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import special

from calibration.field.cells import LEVEL, SEED, SPLITS, TESTS, Cell, Kind, open_columns, tables
from calibration.field.corpora import Floats
from calibration.field.experiments import RELATIONS, Arena, Relation, arena
from calibration.field.fitting import (
    AT,
    Scales,
    any_two,
    corpus_scales,
    grown,
    prior_scale,
    said,
)
from replicast import Datasets, Holdout
from replicast.kernels.mixtures import Mixture, Prior, mixture_limits
from replicast.kernels.replication import arcsine_critical, arcsine_spread
from replicast.replication.counts import DiscordanceModel
from replicast.replication.models import Goal, Model
from replicast.replication.rank_sums import RankModel
from replicast.replication.student import StudentModel

OTHERS = (
    "our learners"  # fitted by ourselves: shown, and one vote in the fit, but not published results
)
MOST_PREDICTED = 80
BINS = 10
_WIDENINGS = np.arange(1.0, 2.01, 0.05)


@dataclass(frozen=True)
class Line:
    """One cell after significant or after other results: what everyone said, and what came true."""

    cell: Cell
    significant: bool
    said: dict[str, Floats]
    expected: Floats
    covered: float

    @property
    def truth(self) -> Floats:
        """Share of repeats that were significant in the same direction."""
        return self.cell.truth

    @property
    def published(self) -> bool:
        """Say whether others published the results."""
        return self.cell.kind == "datasets" or self.cell.corpus != OTHERS

    def brier(self, speaker: str) -> float:
        """Return the expected Brier score of the next repeat."""
        truth = self.truth
        return float(((self.said[speaker] - truth) ** 2 + truth * (1 - truth)).mean())


def two_lines(cell: Cell) -> Floats:
    """Return the formula of two lines, s = 3 for any two and 1 for close rivals."""
    s = SPLITS["two_lines"][cell.relation]
    one, other = cell.rows.T.astype(np.float64)
    critical: Floats | float
    if cell.kind == "one-test-set":
        z = np.maximum(one - other - 1, 0) / np.sqrt(np.maximum(one + other, 1))
        critical = -float(special.ndtri(LEVEL / 2))
    else:
        angle = np.arcsin(np.clip(2 * one / (other * (other + 1)) - 1, -1, 1))
        z = angle / np.array([2 * arcsine_spread(n) for n in other.tolist()])
        critical = np.array([arcsine_critical(int(n), LEVEL) for n in other.tolist()])
    r = s * s / (1 + s * s)
    return np.asarray(special.ndtr((r * z - critical) / np.sqrt(1 + r)))


def as_published(cell: Cell) -> Floats:
    """Return what taking the observed effect for the truth says; over datasets with s* = 1."""
    one, other = cell.rows.T.astype(np.float64)
    if cell.kind == "one-test-set":
        goal = Goal(Holdout(cell.size), 1.0, LEVEL)
        rows, where = np.unique(cell.rows, axis=0, return_inverse=True)
        models = (DiscordanceModel(won=a, lost=b, cases=cell.size) for a, b in rows.tolist())
        return np.array([model.plug_in(goal).probability for model in models])[where.ravel()]
    half = other * (other + 1) / 4
    z = np.maximum(one / 2 - half - 0.5, 0) / np.sqrt(half * (2 * other + 1) / 6)
    return np.asarray(special.ndtr(z + special.ndtri(LEVEL / 2)))


def as_prior(relation: Relation, scale: float) -> Prior:
    """Return the prior of a relation for one scale."""
    parts = any_two(scale) if relation == "any" else ((1.0, scale),)
    return Prior(tuple(w for w, _ in parts), tuple(s for _, s in parts))


def predictions(cell: Cell, scale: float) -> list[Mixture]:
    """Return what repeats will show after the first results of a cell, not widened."""
    prior = as_prior(cell.relation, scale)
    found = []
    for row, mean, deviation in zip(
        cell.rows.tolist(), cell.mean.tolist(), cell.deviation.tolist(), strict=True
    ):
        if cell.kind == "one-test-set":
            won, lost = row
            goal = Goal(Holdout(cell.size), 1.0, LEVEL)
            model = DiscordanceModel(won=won, lost=lost, cases=cell.size)
            found.append(model.predicted(prior, goal))
        else:
            design = Datasets(cell.size)
            error = max(deviation, 1e-9) / np.sqrt(cell.size)
            student = StudentModel(
                statistic=mean / error, design=design, corrected=False, error=error
            )
            mixture = student.predicted(prior, Goal(design, 1.0, LEVEL))
            assert mixture is not None
            found.append(mixture._replace(spreads=mixture.spreads / student.widened))
    return found


def coverage(found: Sequence[Mixture], fresh: Floats, widened: float) -> float:
    """Return how many repeats lie within the 95 % limits."""
    tails = np.array([0.025, 0.975])
    inside = []
    for mixture, value in zip(found, fresh.tolist(), strict=True):
        low, high = mixture_limits(mixture._replace(spreads=widened * mixture.spreads), tails)
        inside.append(low - 1e-9 <= value <= high + 1e-9)
    return float(np.mean(inside))


def widening(parts: Sequence[tuple[Cell, list[Mixture]]]) -> float:
    """Return the factor with which predictions over datasets cover 95 % of repeats."""
    shares = [
        np.mean([coverage(found, cell.fresh, factor) for cell, found in parts])
        for factor in _WIDENINGS
    ]
    return float(np.interp(0.95, np.maximum.accumulate(shares), _WIDENINGS))


def lines(
    kind: Kind, cells: dict[Relation, list[tuple[Cell, Floats]]], exponent: float
) -> list[Line]:
    """Return every cell of a kind, forecast by a prior that has seen nothing of its corpus."""
    scales = {relation: corpus_scales(cells[relation], exponent) for relation in RELATIONS}
    every = [
        (cell.part(flag), flag, predictions_of(cell.part(flag), kind, scales, exponent))
        for relation in RELATIONS
        for cell, _ in cells[relation]
        for flag in (True, False)
        if len(cell.part(flag).truth) >= SPLITS["fewest_results"]
    ]
    widened = {
        corpus: 1.0
        if kind == "one-test-set"
        else widening([(some(c), p) for c, _, p in every if c.corpus != corpus and one_unit(c)])
        for corpus in scales["any"]
    }
    return [_line(cell, flag, found, scales, exponent, widened) for cell, flag, found in every]


def one_unit(cell: Cell) -> bool:
    """Say whether all datasets of a table are scored in one unit: TabM's are not."""
    return cell.corpus != "TabM"


def some(cell: Cell) -> Cell:
    """Return the first results of a cell, as many as are predicted."""
    arrays = ("significant", "truth", "rows", "mean", "deviation", "fresh")
    return Cell(**vars(cell) | {name: getattr(cell, name)[:MOST_PREDICTED] for name in arrays})


def predictions_of(
    cell: Cell, kind: Kind, scales: dict[Relation, Scales], exponent: float
) -> list[Mixture]:
    """Return predictions for some results of a cell, by the other corpora."""
    own = prior_scale(kind, cell.relation, scales[cell.relation], cell.corpus)
    return predictions(some(cell), own * grown(cell, exponent))


def _line(
    cell: Cell,
    flag: bool,
    found: list[Mixture],
    scales: dict[Relation, Scales],
    exponent: float,
    widened: dict[str, float],
) -> Line:
    wide, close = (
        prior_scale(cell.kind, relation, scales[relation], cell.corpus) * grown(cell, exponent)
        for relation in ("any", "close")
    )
    priors = {"any": any_two(wide), "close": ((1.0, close),)}
    spoken = {
        "told": said(cell, *priors[cell.relation]),
        "unknown": said(cell, *((w / 2, s) for each in priors.values() for w, s in each)),
        "flat": said(cell, (1.0, 1e6)),
        "two lines": two_lines(cell),
        "Berrar 2024": as_published(cell),
    }
    expected = np.array([float(m.weights @ m.means) for m in found])
    covered = coverage(found, some(cell).fresh, widened[cell.corpus])
    return Line(cell, flag, spoken, expected, covered if one_unit(cell) else float("nan"))


def pooled(found: Iterable[Line], speaker: str) -> tuple[float, float, float, float]:
    """Return said, came true, calibration error of all cells as one, and Brier score.

    Each cell counts the same.
    """
    cells = list(found)
    truth = np.concatenate([line.truth for line in cells])
    spoken = np.concatenate([line.said[speaker] for line in cells])
    weight = np.concatenate([np.full(len(line.truth), 1 / len(line.truth)) for line in cells])
    weight /= len(cells)
    return (
        float(weight @ spoken),
        float(weight @ truth),
        calibration_error(spoken, truth, weight),
        float(np.mean([line.brier(speaker) for line in cells])),
    )


def calibration_error(spoken: Floats, truth: Floats, weight: Floats) -> float:
    """Return the mean gap between said and true over ten equal bins of what was said."""
    bins = np.minimum((spoken * BINS).astype(int), BINS - 1)
    return float(sum(abs((weight * (spoken - truth))[bins == b].sum()) for b in np.unique(bins)))


def half_and_half(found: Sequence[Line], speaker: str = "unknown") -> float:
    """Return the calibration error of close and any-two cells together, half the weight each."""
    spoken, truth, weight = [], [], []
    for relation in RELATIONS:
        cells = [line for line in found if line.cell.relation == relation]
        for line in cells:
            spoken.append(line.said[speaker])
            truth.append(line.truth)
            weight.append(np.full(len(line.truth), 0.5 / len(line.truth) / len(cells)))
    return calibration_error(*(np.concatenate(part) for part in (spoken, truth, weight)))


def brier_difference(found: Sequence[Line]) -> tuple[float, float]:
    """Return the Brier score less that of the two lines, and its standard error over corpora."""
    corpora: dict[str, list[float]] = {}
    for line in found:
        gain = line.brier("told") - line.brier("two lines")
        corpora.setdefault(line.cell.corpus, []).append(gain)
    means = [float(np.mean(each)) for each in corpora.values()]
    error = float(np.std(means, ddof=1) / np.sqrt(len(means))) if len(means) > 1 else float("nan")
    return float(np.mean([gain for each in corpora.values() for gain in each])), error


def bands(found: Sequence[Line], speaker: str) -> list[tuple[float, float, int]]:
    """Return for each tenth of what was said: mean said, share that came true, and results."""
    spoken = np.concatenate([line.said[speaker] for line in found])
    truth = np.concatenate([line.truth for line in found])
    weight = np.concatenate([np.full(len(line.truth), 1 / len(line.truth)) for line in found])
    at = np.minimum((spoken * BINS).astype(int), BINS - 1)
    rows = []
    for b in range(BINS):
        inside = at == b
        if not inside.any():
            rows.append((float("nan"), float("nan"), 0))
            continue
        mass = weight[inside] / weight[inside].sum()
        rows.append((float(mass @ spoken[inside]), float(mass @ truth[inside]), int(inside.sum())))
    return rows


# --------------------------------------------------------------------------- larger repeats
def larger(
    kind: Kind, scales: dict[Relation, Scales], exponent: float
) -> list[tuple[str, Relation, int, Floats, Floats]]:
    """Return table, relation and times the data, what was said of larger repeats, and what came true.

    First results are significant or not; the repeat is on other columns.
    """
    found = []
    for table in tables(kind):
        for relation in RELATIONS:
            for first in SPLITS["larger_repeats"][kind]["first"]:
                for times in SPLITS["larger_repeats"][kind]["times"]:
                    if first * (1 + times) > open_columns(table, relation):
                        continue
                    rng = np.random.default_rng([SEED, times, *table.name.encode()])
                    chances, came = [], []
                    test = partial(TESTS[kind], table)
                    own = prior_scale(kind, relation, scales[relation], table.corpus)
                    for _ in range(SPLITS["partitions"]):
                        where = arena(table, relation, rng)
                        pick = rng.permutation(len(where.first))[:60]
                        where = Arena(where.columns, where.first[pick], where.second[pick])
                        p, lead, rows = test(where, where.columns[:first])
                        again, lead2, _ = test(where, where.columns[first : first * (1 + times)])
                        for k in np.flatnonzero(p < LEVEL)[:6]:
                            goal, model = _repeat(kind, rows[k].tolist(), first, times)
                            prior = as_prior(relation, own * (first / AT[kind]) ** exponent)
                            chances.append(model.assess(prior, goal).probability)
                            came.append(float(again[k] < LEVEL and lead[k] * lead2[k] > 0))
                    if chances:
                        found.append(
                            (table.corpus, relation, times, np.array(chances), np.array(came))
                        )
    return found


def _repeat(kind: Kind, row: list[int], first: int, times: int) -> tuple[Goal, Model]:
    if kind == "one-test-set":
        model = DiscordanceModel(won=row[0], lost=row[1], cases=first)
        return Goal(Holdout(first * times), 1.0, LEVEL), model
    doubled, used = row
    rank = RankModel(
        share=doubled / (used * (used + 1)), nonzero=used, z=0.0, datasets=first, spread=1.0
    )
    return Goal(Datasets(first * times), 1.0, LEVEL), rank
