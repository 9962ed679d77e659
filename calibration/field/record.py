"""Said against came true, each corpus forecast by priors that were learned without it."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from calibration.field.corpora import Table
from calibration.field.experiments import RELATIONS, Integers, Relation
from calibration.field.kinds import Kind, fit
from calibration.field.scoring import Results, Scored, over_cases, over_datasets, results, score
from replicast import Datasets, Holdout
from replicast.kernels.mixtures import FLAT_PRIOR, Prior
from replicast.replication.counts import DiscordanceModel, RankModel
from replicast.replication.models import Goal, Model

LEVEL = 0.05
MOST_RESULTS = 600
REPEATS = 40
Speaker = Callable[[Integers, int], float]


@dataclass(frozen=True)
class Line:
    """One cell of the record: what each speaker said of its significant results, and what came true."""

    kind: str
    corpus: str
    cell: str
    size: int
    relation: Relation
    scored: dict[str, Scored]

    @property
    def own(self) -> Scored:
        """What was said for the relation that the pairs have."""
        return self.scored[self.relation]


def cases_model(row: Integers, size: int) -> tuple[Model, Goal]:
    """Return wins and losses over cases as the package sees them."""
    won, lost = row.tolist()
    model = DiscordanceModel(won=won, lost=lost, cases=size)
    return model, Goal(Holdout(size), 1.0, LEVEL)


def datasets_model(row: Integers, size: int) -> tuple[Model, Goal]:
    """Return a rank sum over datasets as the package sees it."""
    doubled, used = row.tolist()
    share = doubled / (used * (used + 1))
    spread = np.sqrt((2 * used + 1) / (6 * used * (used + 1)))
    z = (share - 0.5 - 1 / (used * (used + 1))) / spread
    model = RankModel(share=share, nonzero=used, z=z, datasets=size, spread=1.0)
    return model, Goal(Datasets(size), 1.0, LEVEL)


READERS = {"one-test-set": cases_model, "datasets": datasets_model}
TESTS = {"one-test-set": over_cases, "datasets": over_datasets}


def relation_priors(kind: Kind, tables: list[Table], seed: int) -> dict[str, Prior]:
    """Return the priors of every relation, learned from these tables."""
    weights = fit(kind, tables, seed)
    return {
        "any": kind.prior(weights["any"]),
        "close": kind.prior(weights["close"]),
        "unknown": kind.prior((weights["any"] + weights["close"]) / 2),
    }


def speakers(kind: Kind, tables: list[Table], seed: int) -> dict[str, Speaker]:
    """Return everyone who speaks of a result; the priors are learned from these tables."""
    read = READERS[kind.name]

    def speaker(prior: Prior) -> Speaker:
        def say(row: Integers, size: int) -> float:
            model, goal = read(row, size)
            return model.assess(prior, goal).probability

        return say

    def plug_in(row: Integers, size: int) -> float:
        model, goal = read(row, size)
        return model.plug_in(goal).probability

    priors = {**relation_priors(kind, tables, seed), "flat": FLAT_PRIOR}
    return {**{name: speaker(prior) for name, prior in priors.items()}, "Berrar 2024": plug_in}


def sizes(table: Table, relation: Relation) -> list[int]:
    """Return sizes of experiments that leave at least one other part; close rivals need a half more."""
    columns = table.scores.shape[1]
    largest = columns // (2 if relation == "any" else 4)
    if columns > 5000:
        return [200, 1000, 2500]
    if columns > 120 and set(np.unique(table.scores)) <= {0.0, 1.0}:
        return [largest]
    found = [size for size in (10, 20, 50) if size <= largest]
    return [*found, largest] if found and largest >= 1.25 * found[-1] else found


def lines(kind: Kind, seed: int) -> Iterable[Line]:
    """Yield every cell of a kind, forecast by priors that have seen nothing of its corpus."""
    tables = kind.tables()
    for corpus in dict.fromkeys(table.corpus for table in tables):
        known = speakers(kind, [table for table in tables if table.corpus != corpus], seed)
        for table in (table for table in tables if table.corpus == corpus):
            for relation in RELATIONS:
                for size in sizes(table, relation):
                    test = TESTS[kind.name]
                    found = some(results(table, relation, size, REPEATS, test, seed), seed)
                    scored = {name: score(found, say) for name, say in known.items()}
                    line = Line(kind.name, corpus, table.name, size, relation, scored)
                    print(_short(line), file=sys.stderr, flush=True)
                    yield line


def some(found: Results, seed: int) -> Results:
    """Return a random choice of many results, which is enough for a mean."""
    if len(found.where) <= MOST_RESULTS:
        return found
    chosen = np.random.default_rng(seed).choice(len(found.where), MOST_RESULTS, replace=False)
    kept, where = np.unique(found.where[chosen], return_inverse=True)
    return Results(
        found.table, found.relation, found.size, found.rows[kept], where, found.truth[chosen]
    )


def pooled(found: Iterable[Line], speaker: str | None = None) -> tuple[float, float, float, float]:
    """Return said, came true, calibration error of all cells as one, and the mean of the cells' own.

    Each cell counts the same. Without a speaker, it is the one of the pairs' own relation.
    """
    cells = [line.scored[speaker] if speaker else line.own for line in found]
    said, truth = (np.concatenate([getattr(c, name) for c in cells]) for name in ("said", "truth"))
    weight = np.concatenate([np.full(len(c.said), 1 / len(c.said) / len(cells)) for c in cells])
    bins = np.minimum((said * 10).astype(int), 9)
    error = sum(abs((weight * (said - truth))[bins == b].sum()) for b in np.unique(bins))
    own = float(np.mean([c.calibration_error for c in cells]))
    return float(weight @ said), float(weight @ truth), float(error), own


def _short(line: Line) -> str:
    words = [f"{line.relation:6}{line.cell}, {line.size}: true {line.own.truth.mean():.3f}"]
    words += [
        f"{name} {s.said.mean():.3f}/{s.calibration_error:.3f}" for name, s in line.scored.items()
    ]
    return f"{'  '.join(words)}  ({len(line.own.said)})"
