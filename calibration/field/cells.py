"""The cells of calibration/splits.json: first results cut out of the corpora, and their repeats."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from calibration.field.corpora import Floats, Table, datasets, one_test_set
from calibration.field.experiments import RELATIONS, Arena, Integers, Relation, arena, parts
from replicast.kernels.counts import binomial_pvalue
from replicast.kernels.ranks import signed_rank_pvalues, signed_rank_statistics

Kind = Literal["one-test-set", "datasets"]
KINDS: tuple[Kind, ...] = ("one-test-set", "datasets")
SPLITS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "splits.json").read_text(encoding="utf-8")
)
LEVEL: float = SPLITS["level"]
SEED: int = SPLITS["seed"]
_MOST_PAIRS, _MOST_PARTS = 400, 40


@cache
def tables(kind: Kind) -> list[Table]:
    """Return the tables of a kind."""
    return one_test_set() if kind == "one-test-set" else datasets()


@dataclass(frozen=True)
class Cell:
    """First results of one table, size and relation, seen from the better model.

    `rows` holds wins and losses over cases, or doubled rank sum and non-zero differences; `truth` the
    share of other parts significant in the same direction; `mean`, `deviation` the differences that
    were seen, `fresh` the mean difference of one other part.
    """

    kind: Kind
    corpus: str
    table: str
    relation: Relation
    size: int
    significant: np.ndarray[Any, np.dtype[np.bool_]]
    truth: Floats
    rows: Integers
    mean: Floats
    deviation: Floats
    fresh: Floats

    @property
    def name(self) -> str:
        """Table and size of an experiment."""
        return f"{self.table}, {self.size:,}"

    def part(self, significant: bool) -> "Cell":
        """Return the significant results, or the others."""
        kept = self.significant == significant
        arrays = ("significant", "truth", "rows", "mean", "deviation", "fresh")
        return Cell(**vars(self) | {name: getattr(self, name)[kept] for name in arrays})


Outcome = tuple[Floats, Floats, Integers]  # p-value, lead, and the row of each pair


def over_cases(table: Table, where: Arena, columns: Integers) -> Outcome:
    """Return McNemar's exact test of every pair on these cases."""
    right = table.scores[:, columns]
    only = (right @ (1 - right).T).round().astype(np.int64)
    won, lost = only[where.first, where.second], only[where.second, where.first]
    none = np.zeros_like(won)
    pvalue = binomial_pvalue(won, lost, none, ties_rule="drop", alternative="two-sided")
    rows = np.stack([np.maximum(won, lost), np.minimum(won, lost)], axis=1)
    return pvalue, (won - lost).astype(np.float64), rows


def over_datasets(table: Table, where: Arena, columns: Integers) -> Outcome:
    """Return the signed-rank test of every pair on these datasets; rank sums are doubled."""
    scores = table.scores[:, columns]
    gaps = (scores[where.first] - scores[where.second]).round(9)
    pvalue, _ = signed_rank_pvalues(gaps, method="auto", alternative="two-sided")
    w_plus, used, _ = signed_rank_statistics(gaps)
    lead = 2 * w_plus - used * (used + 1) / 2
    larger = np.rint(2 * np.maximum(w_plus, used * (used + 1) / 2 - w_plus)).astype(np.int64)
    return pvalue, lead, np.stack([larger, used], axis=1)


TESTS = {"one-test-set": over_cases, "datasets": over_datasets}


def open_columns(table: Table, relation: Relation) -> int:
    """Return how many columns are open for experiments; close rivals need one half to be found."""
    columns = len(table.scores[0])
    return columns if relation == "any" else columns - columns // 2


def cells(kind: Kind) -> Iterator[Cell]:
    """Yield every cell of a kind."""
    for table in tables(kind):
        for relation in RELATIONS:
            for size in SPLITS[kind]["sizes"]:
                if size <= open_columns(table, relation) // 2:
                    yield _cell(kind, table, relation, size)


def _cell(kind: Kind, table: Table, relation: Relation, size: int) -> Cell:
    rng = np.random.default_rng([SEED, size, *table.name.encode(), *relation.encode()])
    drawn = [_drawn(kind, table, relation, size, rng) for _ in range(SPLITS["partitions"])]
    columns = [np.concatenate(each) for each in zip(*drawn, strict=True)]
    kept = []
    for significant, most in ((True, "significant"), (False, "other")):
        places = np.flatnonzero(columns[0] == significant)
        most_kept = SPLITS["most_results"][most]
        if len(places) > most_kept:
            places = rng.choice(places, most_kept, replace=False)
        kept.append(places)
    chosen = np.concatenate(kept)
    return Cell(
        kind, table.corpus, table.name, relation, size, *(column[chosen] for column in columns)
    )


def _drawn(
    kind: Kind, table: Table, relation: Relation, size: int, rng: np.random.Generator
) -> tuple[Any, ...]:
    """Return all results of one partition of a table, a column for each thing known of them."""
    where = arena(table, relation, rng)
    each = parts(where.columns, size)[:_MOST_PARTS]
    if len(where.first) > _MOST_PAIRS:
        pick = rng.choice(len(where.first), _MOST_PAIRS, replace=False)
        where = Arena(where.columns, where.first[pick], where.second[pick])
    outcomes = [TESTS[kind](table, where, part) for part in each]
    pvalue, lead = (np.array([outcome[i] for outcome in outcomes]) for i in (0, 1))
    gaps = [table.scores[where.first][:, p] - table.scores[where.second][:, p] for p in each]
    mean, deviation = (
        np.array([g.mean(1) for g in gaps]),
        np.array([g.std(1, ddof=1) for g in gaps]),
    )
    direction = np.where(pvalue < LEVEL, np.sign(lead), 0)
    side = np.where(lead == 0, np.where(mean >= 0, 1, -1), np.sign(lead))
    agreeing = np.array([(direction == row).sum(axis=0) for row in side])
    own = direction != 0
    truth = (agreeing - own) / (len(each) - 1)
    other = (np.arange(len(each))[:, None] + rng.integers(1, len(each), size=lead.shape)) % len(
        each
    )
    fresh = np.take_along_axis(mean, other, 0) * side
    rows = np.array([outcome[2] for outcome in outcomes])
    return (own.ravel(), truth.ravel(), rows.reshape(-1, 2), (mean * side).ravel(),
            deviation.ravel(), fresh.ravel())  # fmt: skip
