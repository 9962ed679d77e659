"""What is known about a test, as data: other rooms look it up and never ask for a test by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from replicast.arrays import Floats
from replicast.design import DESIGNS, Design, require_design, run_shape
from replicast.errors import DesignMismatchError, invalid, require_choice
from replicast.kernels.rounding import snap_rows
from replicast.kernels.schemes import SCHEMES, Scheme, sample_scores
from replicast.kernels.student import moments
from replicast.scores.pairs import PairedScores
from replicast.scores.parsing import require_numbers

DesignNames = tuple[str, ...]
Chances = tuple[float, float]  # significant in the direction of the effect, and in the other one
PowerRule = Callable[[float, int, Design, float], Chances]

INDEPENDENT: DesignNames = ("datasets",)
CROSS_VALIDATION: DesignNames = ("kfold", "repeated-kfold", "random-splits")
SHARED_TRAINING: DesignNames = (*CROSS_VALIDATION, "5x2")


def mean_lead(rows: Floats) -> Floats:
    """Return the mean of each row: the direction of most tests."""
    return moments(rows)[0]


def continuous(_: int) -> float:
    """Return 0, the smallest p-value of a test whose statistic can be anything."""
    return 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Method:
    """Everything that is known about one test.

    Attributes
    ----------
    name, title, reference : str
        Key in `METHODS`, name in sentences, and who proposed it.
    title_on : callable, optional
        Its name on a design where it has another one: `titled` knows.
    test, row_pvalues : callable
        From paired scores to evidence, and from rows of differences, which `batch_pvalues` has checked,
        and their design to two-sided p-values.
    designs, tolerated, default_for : tuple of names of designs
        Where it is valid; where it also runs if asked for by name, with a caution; and where it is
        the test unless another is asked for.
    gives : {"p-value", "posterior"}
        A posterior decides where one side holds more than 1 - significance / 2.
    symbol, counts : str
        The letter of its statistic; or, where counts say more, how they are written.
    effect, difference : str
        The effect that belongs to it and the difference it is about: keys of `EFFECTS`; `estimate`
        is the estimate of the test itself, with its interval.
    moments : callable
        Centre and spread of rows, of which the observed d' is made whose power is told.
    assumes : str
        What it takes for granted about differences if the classifiers are equal.
    convention : {"no difference", "equal differences"}
        The scores whose p-value is set by convention.
    lead : callable
        What it sees of the difference in rows: positive favours the first classifier, 0 no one.
    smallest_pvalue : callable
        The smallest two-sided p-value of so many scores; 0 unless the test is discrete.
    power : mapping
        Ways to compute its power for normal differences, in both directions, from effect, number of
        scores, design and level: `exact`, `shifted`, or `large-sample` for more than a thousand
        scores. Without one it is simulated.
    cases_power : callable, optional
        Its power on one test set, from the rates of both kinds of discordant cases, the number of
        cases and the level. Without it the power is simulated.
    tied_power : callable, optional
        Its power over datasets some of which are ties, from the rates of wins and losses, the number
        of datasets, the level, and what it does with ties.
    clustered_power : callable, optional
        Its power on clustered cases had the difference been what was observed, and the Monte Carlo
        error, from the paired scores and the level.
    quick_pvalues : callable, optional
        Nearly the p-values of rows, or of the first of them, in less time: to simulate its power.
    replication : tuple of str
        Models of replication that can read its result, the usual one first; none if empty.
    """

    name: str
    title: str
    reference: str
    test: Callable[..., Any]
    row_pvalues: Callable[..., Floats]
    designs: DesignNames
    tolerated: DesignNames = ()
    default_for: DesignNames = ()
    gives: Literal["p-value", "posterior"] = "p-value"
    symbol: Literal["", "t", "F", "Z"] = ""
    counts: str = ""
    effect: Literal["standardized-difference", "rank-effect"] = "standardized-difference"
    difference: Literal["mean-difference", "accuracy-difference", "estimate"] = "mean-difference"
    moments: Callable[[Floats], tuple[Floats, Floats]] = moments
    assumes: Literal["normal differences", "symmetric differences", "independent outcomes"]
    convention: Literal["no difference", "equal differences"] = "no difference"
    title_on: Callable[[Design], str] | None = None
    lead: Callable[[Floats], Floats] = mean_lead
    smallest_pvalue: Callable[[int], float] = continuous
    power: Mapping[str, PowerRule] = field(default_factory=dict)
    cases_power: Callable[[float, float, int, float], Chances] | None = None
    tied_power: Callable[[float, float, int, float, str], Chances] | None = None
    clustered_power: Callable[[PairedScores, float], tuple[Chances, float]] | None = None
    quick_pvalues: Callable[[Floats], Floats] | None = None
    replication: tuple[str, ...] = ()

    def titled(self, design: Design) -> str:
        """Return its name in sentences about this design."""
        return self.title if self.title_on is None else self.title_on(require_design(design))

    def is_valid_for(self, design: Design) -> bool:
        """Say whether the test is valid on this design, by whatever name."""
        return any(name in self.designs for name in require_design(design).names)

    def is_default_for(self, design: Design) -> bool:
        """Say whether it is the test for this design unless another is asked for."""
        return require_design(design).name in self.default_for

    def tolerates(self, design: Design) -> bool:
        """Say whether it runs on this design with a caution, if asked for by name."""
        names = require_design(design).names
        return not self.is_valid_for(design) and any(name in self.tolerated for name in names)

    def allows(self, design: Design) -> bool:
        """Say whether the test runs on this design at all."""
        return self.is_valid_for(design) or self.tolerates(design)

    def refuse(self, design: Design) -> None:
        """Raise if the test does not run on a design."""
        if self.allows(design):
            return
        from replicast.inference.methods import (
            default_method,  # it knows the tests, which need this
        )

        allowed = ", ".join(name for name in DESIGNS if name in (*self.designs, *self.tolerated))
        remedy = f"Use {default_method(design)} for {design.words}"
        domain = f"one of {allowed} for {self.name}"
        raise DesignMismatchError("design", domain, str(design), remedy)

    def batch_pvalues(
        self, rows: Floats, design: Design, *, scheme: Scheme = "all", **options: Any
    ) -> Floats:
        """Return two-sided p-values of rows of differences (m, n); `options` are those of the test."""
        design = require_design(design)
        return self.row_pvalues(self._samples(rows, design, scheme), design, **options)

    def _samples(self, rows: Floats, design: Design, scheme: Scheme) -> Floats:
        """Check rows of differences against a design and return the samples a test sees."""
        self.refuse(design)
        rows = np.atleast_2d(require_numbers(rows, "rows"))
        if rows.ndim != 2:
            raise invalid("rows", "a matrix with one row for each test", f"shape {rows.shape}")
        if design.n_scores not in (None, rows.shape[-1]):
            domain = f"{design.n_scores} differences wide"
            raise DesignMismatchError("rows", domain, f"{rows.shape[-1]}")
        if not np.isfinite(rows).all():
            raise invalid("rows", "finite", "a value that is not")
        rows = snap_rows(rows)
        require_choice(scheme, "scheme", SCHEMES)
        if scheme == "all":
            return rows
        runs, folds = run_shape(design, rows.shape[-1])
        return snap_rows(sample_scores(rows.reshape(*rows.shape[:-1], runs, folds), scheme))
