"""One model: its score, and the interval in which its expected score lies."""

from dataclasses import dataclass, field, replace
from functools import partial
from math import fsum
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats, Ints
from replicast.design import (
    Cases,
    Design,
    DesignLike,
    require_design,
)
from replicast.errors import DesignMismatchError, invalid, require_choice
from replicast.formatting import format_number
from replicast.inference.cases import mean_of_scores
from replicast.kernels.intervals import wilson
from replicast.kernels.student import t_interval
from replicast.results import Caution, Estimated, IntervalRule
from replicast.scores.parsing import cluster_codes, is_correctness, parse_scores
from replicast.scores.tables import ScoreTable

_SEEDS_ONLY = Caution(
    "seeds-only",
    "Seeds vary the training alone: the interval does not hold what another split or fresh data "
    "would change.",
)


@dataclass(frozen=True, kw_only=True)
class ScoreInterval(Estimated):
    """The score of one model, and an interval of its expected score.

    Attributes
    ----------
    name, metric : str or None
        The model and the measure, where they have names.
    score : float
        Mean score.
    standard_error, df : float or None
        Those of t; None for Wilson's interval, which has neither.
    way : str
        `wilson` for shares of cases, `t` for means.
    n : int
        Scores behind it: cases, folds, datasets or seeds.
    effective : float or None
        For `wilson`: as how many independent cases they count.
    design : Design
        How they arose.
    """

    name: str | None = None
    metric: str | None = None
    score: float
    standard_error: float | None
    df: float | None
    way: str
    n: int
    effective: float | None = None
    design: Design
    cautions: tuple[Caution, ...] = ()
    interval_rule: IntervalRule = field(repr=False, compare=False)

    def __str__(self) -> str:
        low, high = (format_number(end) for end in self.confidence_interval())
        told = f"{self.metric or 'score'} {format_number(self.score)} [{low}, {high}]"
        return f"{self.name + ': ' if self.name else ''}{told} ({self.design.words})"


def score_interval(
    scores: ArrayLike | ScoreTable,
    *,
    design: DesignLike | None = None,
    clusters: ArrayLike | None = None,
    name: str | None = None,
    metric: str | None = None,
) -> ScoreInterval:
    """Return the score of one model with the interval in which its expected score lies.

    On one test set the model is as it is, and the interval is for fresh cases: Wilson's for right and
    wrong, t for other scores. After cross-validation it is for the method trained on as many rows of
    fresh data; training sets overlap, so the cases count for fewer, n / (1 + k / (k - 1)), and the
    standard error of other scores is enlarged as in `corrected_case_ttest`. Where only the scores of
    folds are known, it is that of the corrected t-test. In the worlds of the study case-tests the
    intervals of cases held the expected score in 96 to 99.8 of 100, but in 87 where the squares of
    the errors have no variance (docs/studies/case-tests).

    Parameters
    ----------
    scores : array, or ScoreTable
        The scores of one model: of cases (0 and 1 are right and wrong), folds, datasets or seeds. Of a
        table, those of `name`, by its cases where they are known.
    design : Design
        How the scores arose, as for `PairedScores`: "holdout", "cases",
        "cross-validated-cases:folds=10", "kfold:folds=10" and so on.
    clusters : sequence of labels, optional
        Which cases hang together.
    name, metric : str, optional
        The model, needed for a table with several; and what is measured.

    Examples
    --------
    >>> from replicast import score_interval
    >>> print(score_interval([1] * 86 + [0] * 14, design="holdout", metric="accuracy"))
    accuracy 0.860 [0.779, 0.915] (one test set of 100 cases)
    >>> print(score_interval([1] * 86 + [0] * 14, design="cross-validated-cases:folds=5"))
    score 0.860 [0.729, 0.933] (100 cases of 5-fold cross-validation)
    """
    if isinstance(scores, ScoreTable):
        return _of_table(scores, name)
    values = parse_scores(scores, "scores")
    if design is None:
        domain = "given with an array of scores"
        raise invalid("design", domain, "nothing", "Say how they arose, for instance 'holdout'")
    if len(values) < 2:
        raise DesignMismatchError("scores", "at least two", f"{len(values)}")
    settled = require_design(design).counted(len(values))
    if settled.n_scores != len(values):
        domain = f"a design with {len(values)} scores"
        raise DesignMismatchError("design", domain, f"{settled.words}")
    codes = None
    if clusters is not None:
        if not settled.of_cases:
            raise DesignMismatchError("clusters", "given with cases", str(settled))
        codes, count = cluster_codes(clusters, len(values))
        settled = replace(cast(Cases, settled), binary=False, clusters=count)
    return _interval(values, settled, codes, name=name, metric=metric)


def _of_table(table: ScoreTable, name: str | None) -> ScoreInterval:
    """Return the interval of one model of a table: of cases, of folds, or over datasets."""
    if name is None and len(table.classifiers) == 1:
        name = table.classifiers[0]
    name = require_choice(name, "name", table.classifiers)
    values, design, clusters = table.scores_of(name)
    return _interval(values, design, clusters, name=name, metric=table.metric)


def _interval(
    values: Floats,
    design: Design,
    clusters: Ints | None,
    *,
    name: str | None,
    metric: str | None,
) -> ScoreInterval:
    n = len(values)
    score = fsum(values.tolist()) / n
    told = partial(ScoreInterval, name=name, metric=metric, score=score, n=n, design=design)
    if clusters is None and design.of_cases and is_correctness(values, values):
        effective = n / (1 + design.overlap)
        rule: IntervalRule = partial(_wilson, score, effective)
        return told(
            standard_error=None, df=None, way="wilson", effective=effective, interval_rule=rule
        )
    found = mean_of_scores(values, design, clusters)
    error, df = float(found.standard_error), float(found.df)
    return told(
        standard_error=error,
        df=df,
        way="t",
        cautions=(_SEEDS_ONLY,) if design.seeds and design.has_split else (),
        interval_rule=partial(t_interval, score, error, df),
    )


def _wilson(share: float, n: float, confidence: float) -> tuple[float, float]:
    low, high = wilson(np.asarray(share), n, confidence)
    return float(low), float(high)
