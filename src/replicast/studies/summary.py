"""Records become rates and means, each with its Monte Carlo error."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from replicast.arrays import Bools, Floats
from replicast.design import DESIGNS, Datasets, Design, parse_design
from replicast.errors import invalid
from replicast.inference.methods import METHODS
from replicast.kernels.replication_counts import clopper_pearson
from replicast.results import Interval, is_significant
from replicast.studies.plan import Study
from replicast.studies.store import DirectoryStore, records


@dataclass(frozen=True)
class Rate:
    """A share of experiments: hits out of a count, with its exact interval."""

    hits: int
    count: int

    @classmethod
    def of(cls, hits: Bools) -> "Rate":
        """Count the experiments in which something happened."""
        return cls(int(hits.sum()), len(hits))

    @property
    def value(self) -> float:
        """The share."""
        return self.hits / self.count if self.count else float("nan")

    @property
    def error(self) -> float:
        """Its Monte Carlo standard error; never 0, since one more experiment could differ."""
        share = (self.hits + 1) / (self.count + 2)
        return float(np.sqrt(share * (1 - share) / max(self.count, 1)))

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return the exact interval of the share."""
        return Interval(*clopper_pearson(self.hits, self.count, confidence))

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.error:.3f}"


@dataclass(frozen=True)
class Mean:
    """A mean over experiments, with its Monte Carlo standard error and their number."""

    value: float
    error: float
    count: int = 0

    @classmethod
    def of(cls, values: Floats) -> "Mean":
        """Average over experiments."""
        values = np.asarray(values, dtype=np.float64)
        spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        return cls(float(values.mean()), spread / float(np.sqrt(len(values))), len(values))

    @classmethod
    def of_shares(cls, shares: Floats) -> "Mean":
        """Average shares of 0 to 1; the error is never 0, since one more experiment could differ.

        As in `Rate`, one experiment more with 0 and one with 1 are counted for the error.
        """
        spread = float(np.std([*shares, 0.0, 1.0]))
        return cls(float(np.mean(shares)), spread / float(np.sqrt(len(shares))), len(shares))

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.error:.3f}"


@dataclass(frozen=True)
class Summary:
    """A table in words: what `study summary` prints, and the numbers behind it."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as valid JSON."""
        return {"title": self.title, "rows": [dict(row) for row in self.numbers]}


def groups(table: pa.Table, by: Sequence[str]) -> list[tuple[dict[str, Any], pa.Table]]:
    """Split records by levels, in the order of the levels."""
    if not by:
        return [({}, table)]
    frame = table.select(list(by)).to_pandas()
    return [
        (dict(zip(by, levels, strict=True)), table.take(rows.index.to_numpy()))
        for levels, rows in frame.groupby(list(by), sort=True)
    ]


def percent(estimate: Mean | Rate) -> str:
    """Return a share in percent with its error."""
    return f"{100 * estimate.value:.1f} ± {100 * estimate.error:.1f}"


def matrix_of(table: pa.Table, name: str) -> Floats:
    """Return a column of lists as a matrix, one row a record."""
    return np.array(table.column(name).to_pylist(), dtype=np.float64)


def differences_of(table: pa.Table) -> Floats:
    """Return the differences as a matrix, one row an experiment."""
    domain = "a column differences with lists of one length, to be summarised"
    if "differences" not in table.column_names:
        got = f"records with {', '.join(table.column_names)}"
        raise invalid("scenario", domain, got, "Read the records themselves with pandas")
    lists = table.column("differences").to_pylist()
    if len({len(one or ()) for one in lists}) != 1:
        raise invalid("scenario", domain, "lists of several lengths")
    return np.array(lists, dtype=np.float64)


def successes(table: pa.Table) -> pa.Table:
    """Return the records of experiments that did not fail."""
    if "error" not in table.column_names:
        return table
    return table.filter(pa.compute.is_null(table.column("error")))


def read_study(store: DirectoryStore) -> tuple[Study, pa.Table, int]:
    """Return the study of a store, its good records, and how many failed."""
    study = store.study()
    table = records(store, study.blocks())
    kept = successes(table)
    return study, kept, len(table) - len(kept)


def summarise_rejections(study: Study, table: pa.Table) -> Summary:
    """Return how often each registered test with a p-value is significant in each cell.

    The constant `design` says how the differences arose (datasets if it is missing) and
    `significance` the level. With no true difference the rates are Type I errors, otherwise power.
    """
    level = float(study.constants.get("significance", 0.05))
    written = str(study.constants.get("design", "datasets"))
    by = list(study.factors)
    rows, numbers = [], []
    methods: list[str] = []
    for levels, part in groups(table, by):
        values = differences_of(part)
        design = _design(written, values.shape[1])
        methods = [
            name
            for name, method in METHODS.items()
            if method.allows(design) and method.gives == "p-value"
        ]
        rates = {name: _rate(name, values, design, level) for name in methods}
        rows.append((*map(str, levels.values()), str(len(values)), *map(str, rates.values())))
        numbers.append(
            {
                **levels,
                "experiments": len(values),
                **{name: {"rate": r.value, "error": r.error} for name, r in rates.items()},
            }
        )
    notes = [f"Share of experiments with p < {level:g}, ± one Monte Carlo standard error."]
    return Summary(
        study.title or study.name,
        (*by, "experiments", *methods),
        tuple(rows),
        tuple(numbers),
        tuple(notes),
    )


def _design(written: str, n: int) -> Design:
    design = parse_design(written) if written.partition(":")[0] in DESIGNS else Datasets()
    return design.counted(n)


def _rate(method: str, values: Floats, design: Design, level: float) -> Rate:
    pvalues = METHODS[method].batch_pvalues(values, design)
    return Rate.of(np.asarray(is_significant(pvalues, level)))
