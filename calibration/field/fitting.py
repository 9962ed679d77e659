"""The scale of true differences, learned from first results and what became of them.

The true difference is N(0, s²) in standard errors of the first result, and s grows with the amount of
data by one exponent. Every corpus has the s with the best log score on its own cells, significant and
other results alike; the prior is their geometric mean, so that a corpus has one vote. The exponent has
the best log score where each corpus is forecast by the others.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from scipy import special

from calibration.field.cells import LEVEL, Cell, Kind
from calibration.field.corpora import Floats
from calibration.field.experiments import RELATIONS, Relation
from replicast.kernels.counts import critical_counts
from replicast.kernels.replication import arcsine_critical, arcsine_spread

AT = {"one-test-set": 100, "datasets": 20}  # amounts of data at which s is given
EXPONENTS = (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
SCALES = np.exp(np.arange(np.log(0.3), np.log(9.05), 0.05))
FAR = (0.02, 4.0)  # weight and scale of pairs that are far apart, among any two
_NODES = (np.arange(9) + 0.5) / 9
# from results kept from us: fits to language models and to archives of datasets put all weight on these
KEPT: dict[tuple[Kind, Relation], tuple[float, ...]] = {
    ("one-test-set", "any"): (3.0,),
    ("one-test-set", "close"): (1.0,),
    ("datasets", "any"): (3.0,),
    ("datasets", "close"): (),
}
Scales = dict[str, float]  # of each corpus


def said(cell: Cell, *parts: tuple[float, float]) -> Floats:
    """Return the chances of all results of a cell, by weights and scales of a prior, in closed form."""
    if cell.kind == "one-test-set":
        won, lost = cell.rows.T
        decided = won + lost
        angle = np.arcsin((won - lost) / np.maximum(decided, 1))
        information = np.maximum(decided, 0.5)
        rate = (1 + decided) / (4 + cell.size)
        spread = np.sqrt(cell.size * rate * (1 - rate) * (4 + 2 * cell.size) / (5 + cell.size))
        fresh = cell.size * rate[:, None] + spread[:, None] * special.ndtri(_NODES)
        sizes = np.clip(np.rint(fresh), 1, cell.size).astype(np.int64)
        bars = np.sqrt(sizes) * np.arcsin(
            np.minimum(2 * (critical_counts(sizes, LEVEL, "exact") - 0.5) / sizes - 1, 1.0)
        )
        bars = np.where(critical_counts(sizes, LEVEL, "exact") <= sizes, bars, np.inf)
        unit = np.sqrt(information / (cell.size * rate))
    else:
        doubled, used = cell.rows.T
        angle = np.arcsin(np.clip(2 * doubled / (used * (used + 1)) - 1, -1, 1))
        spread = np.array([2 * arcsine_spread(n) for n in used.tolist()])
        information = 1 / spread**2
        sizes, unit = information[:, None], np.ones(len(used))
        bars = np.array([[arcsine_critical(n, LEVEL)] for n in used.tolist()])
    gains = np.sqrt(sizes / information[:, None])
    signal = angle * np.sqrt(information)
    chances, evidence = [], []
    for weight, scale in parts:
        variance = (scale * unit) ** 2
        kept = variance / (1 + variance)
        centre = gains * (kept * signal)[:, None] - bars
        spread = np.sqrt(1 + gains**2 * kept[:, None])
        chances.append(special.ndtr(centre / spread).mean(axis=1))
        evidence.append(weight * np.exp(kept * signal**2 / 2) / np.sqrt(1 + variance))
    return np.asarray(np.average(chances, axis=0, weights=evidence))


def any_two(scale: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the prior of any two: a small weight is on pairs that are far apart."""
    weight, times = FAR
    return (1 - weight, scale), (weight, times * scale)


def log_loss(chances: Floats, truth: Floats) -> float:
    """Return the mean log score, less is better."""
    inside = np.clip(chances, 1e-3, 1 - 1e-3)
    return -float((truth * np.log(inside) + (1 - truth) * np.log(1 - inside)).mean())


def losses(cell: Cell) -> Floats:
    """Return the log score for every scale on a grid, significant and other results alike."""
    groups = [part for part in (cell.part(True), cell.part(False)) if len(part.truth) >= 20]
    return np.array(
        [np.mean([log_loss(said(part, (1.0, s)), part.truth) for part in groups]) for s in SCALES]
    )


def grown(cell: Cell, exponent: float) -> float:
    """Return what s is multiplied by at the size of a cell."""
    return float((cell.size / AT[cell.kind]) ** exponent)


def corpus_scales(found: Sequence[tuple[Cell, Floats]], exponent: float) -> Scales:
    """Return the best s of each corpus; a cell's loss at s is that of its own s, grown."""
    scales = {}
    for corpus in dict.fromkeys(cell.corpus for cell, _ in found):
        total = np.zeros(len(SCALES))
        for cell, loss in found:
            if cell.corpus == corpus:
                total += np.interp(np.log(SCALES * grown(cell, exponent)), np.log(SCALES), loss)
        scales[corpus] = float(SCALES[total.argmin()])
    return scales


def prior_scale(kind: Kind, relation: Relation, scales: Scales, without: str = "") -> float:
    """Return s by one vote for each corpus, but for one that is left out."""
    votes = [s for corpus, s in scales.items() if corpus != without]
    return float(np.exp(np.mean(np.log([*votes, *KEPT[kind, relation]]))))


def held_out(
    kind: Kind, found: dict[Relation, list[tuple[Cell, Floats]]], exponent: float
) -> float:
    """Return the mean log score of cells, each forecast by the other corpora."""
    total = []
    for relation in RELATIONS:
        scales = corpus_scales(found[relation], exponent)
        for cell, loss in found[relation]:
            s = prior_scale(kind, relation, scales, cell.corpus) * grown(cell, exponent)
            total.append(float(np.interp(np.log(s), np.log(SCALES), loss)))
    return float(np.mean(total))


def by_relation(cells: Iterable[Cell]) -> dict[Relation, list[tuple[Cell, Floats]]]:
    """Return cells with their losses, sorted by relation."""
    found: dict[Relation, list[tuple[Cell, Floats]]] = {relation: [] for relation in RELATIONS}
    for cell in cells:
        found[cell.relation].append((cell, losses(cell)))
    return found
