"""Forecasts of significant results, and the share of replications that came true."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calibration.field.corpora import Floats, Table
from calibration.field.experiments import Arena, Integers, Relation, arena, parts, replicated
from replicast.kernels.counts import binomial_pvalue
from replicast.kernels.ranks import signed_rank_pvalues, signed_rank_statistics

LEVEL = 0.05
_BINS = 10


@dataclass(frozen=True)
class Results:
    """Significant first results of one cell: their sufficient statistics and what came true.

    `rows` holds wins and losses over cases, or rank sum and non-zero differences over datasets, as
    seen from the better model; `where` the row that each result has.
    """

    table: Table
    relation: Relation
    size: int
    rows: Integers
    where: Integers
    truth: Floats

    @property
    def name(self) -> str:
        """Cell: the table and the size of an experiment."""
        return f"{self.table.name}, {self.size}"


@dataclass(frozen=True)
class Scored:
    """What an estimator said of the results of a cell, and what came true."""

    said: Floats
    truth: Floats

    @property
    def calibration_error(self) -> float:
        """Expected calibration error over ten equal bins of what was said."""
        bins = np.minimum((self.said * _BINS).astype(int), _BINS - 1)
        return float(
            sum(
                abs((self.said - self.truth)[bins == b].mean()) * np.mean(bins == b)
                for b in np.unique(bins)
            )
        )


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


def results(
    table: Table,
    relation: Relation,
    size: int,
    repeats: int,
    test: Callable[[Table, Arena, Integers], Outcome],
    seed: int,
) -> Results:
    """Cut a table into parts again and again; keep the significant results and what became of them."""
    rng = np.random.default_rng([seed, size, *table.name.encode()])
    kept, truths = [], []
    for _ in range(repeats):
        where = arena(table, relation, rng)
        outcomes = [test(table, where, part) for part in parts(where.columns, size)]
        pvalues, leads = (np.array([each[i] for each in outcomes]) for i in (0, 1))
        significant, truth = replicated(pvalues, leads, LEVEL)
        kept.append(np.array([each[2] for each in outcomes])[significant])
        truths.append(truth[significant])
    rows, where_row = np.unique(np.concatenate(kept), axis=0, return_inverse=True)
    return Results(table, relation, size, rows, where_row.ravel(), np.concatenate(truths))


def score(found: Results, say: Callable[[Integers, int], float]) -> Scored:
    """Let an estimator speak of every result; equal results are asked about once."""
    said = np.array([say(row, found.size) for row in found.rows])
    return Scored(said[found.where], found.truth)
