"""What every test does before and after its kernel: admit the design, warn, and record."""

import warnings
from typing import Any

import numpy as np

from replicast.arrays import Floats
from replicast.design import (
    DESIGNS,
    Datasets,
    Design,
    FiveByTwo,
    KFold,
    RandomSplits,
    RepeatedKFold,
    run_shape,
)
from replicast.errors import (
    DegenerateScoresWarning,
    DesignMismatchError,
    invalid,
    require_choice,
)
from replicast.kernels.rounding import snap_rows
from replicast.kernels.schemes import SCHEMES, Scheme, sample_scores
from replicast.results import ALTERNATIVES, Caution
from replicast.scores import PairedPredictions, PairedScores

DesignTypes = tuple[type[Any], ...]

INDEPENDENT: DesignTypes = (Datasets,)
CROSS_VALIDATION: DesignTypes = (KFold, RepeatedKFold, RandomSplits)
SHARED_TRAINING: DesignTypes = (*CROSS_VALIDATION, FiveByTwo)

DEPENDENT_SCORES = Caution(
    "dependent-scores",
    "The scores share training data, which this test ignores: it calls equal classifiers "
    "different more often than its level says. The corrected t-test allows for that "
    "(docs/which-test.md).",
)


def design_names(designs: DesignTypes) -> str:
    """List designs by the names the command line uses."""
    return ", ".join(name for name, kind in DESIGNS.items() if kind in designs)


def admit(
    scores: PairedScores | PairedPredictions,
    *,
    method: str,
    designs: DesignTypes,
    tolerated: DesignTypes = (),
    scheme: Scheme = "all",
    alternative: str = "two-sided",
) -> tuple[PairedScores, Floats, tuple[Caution, ...]]:
    """Check that a test fits the scores; return scores, the sample it sees and its cautions."""
    if isinstance(scores, PairedPredictions):
        scores = scores.scores
    if not isinstance(scores, PairedScores):
        raise invalid(
            "scores",
            "PairedScores or PairedPredictions",
            type(scores).__name__,
            "Build one with PairedScores(first=..., second=..., design=...)",
        )
    require_choice(alternative, "alternative", ALTERNATIVES)
    refuse_design(scores.design, method, (*designs, *tolerated))
    sample = scores.sample(scheme)
    if len(sample) < 2:
        raise DesignMismatchError(
            "scheme", "one that leaves at least two values", repr(scheme), "Use all"
        )
    dependent = isinstance(scores.design, tolerated) and scheme != "sorted"
    return scores, sample, (DEPENDENT_SCORES,) if dependent else ()


def refuse_design(design: Design, method: str, allowed: DesignTypes) -> None:
    """Raise if `method` is not valid for `design`."""
    if isinstance(design, allowed):
        return
    remedies = {
        "Datasets": "Use signed-rank or paired-ttest for one score per dataset",
        "FiveByTwo": "Use five-by-two-ftest for 5x2 cross-validation",
        "Holdout": "Use mcnemar for the cases of one test set",
    }
    remedy = remedies.get(type(design).__name__, "Use corrected-ttest for cross-validation")
    raise DesignMismatchError(
        "design", f"one of {design_names(allowed)} for {method}", str(design), remedy
    )


def warn_degenerate(scores: PairedScores, sample: Floats, *, constant: bool) -> tuple[Caution, ...]:
    """Warn when all differences are equal, and return the caution to keep with the result.

    With `constant`, a common non-zero difference counts too: the test has no variance to use.
    """
    if not (sample == sample[0]).all() or (sample[0] != 0 and not constant):
        return ()
    first, second = scores.names
    text = (
        f"All {len(sample)} differences of {first!r} and {second!r} are equal; "
        f"the p-value is set by convention."
    )
    warnings.warn(text, DegenerateScoresWarning, stacklevel=3)
    return (Caution("degenerate", text),)


def batch_sample(
    rows: Floats, design: Design, scheme: Scheme, method: str, allowed: DesignTypes
) -> Floats:
    """Check rows of differences against a design and return the samples (m, n) a test sees."""
    refuse_design(design, method, allowed)
    rows = np.atleast_2d(np.asarray(rows, dtype=np.float64))
    if rows.ndim != 2:
        raise invalid("rows", "a matrix with one row for each test", f"shape {rows.shape}")
    if design.n_scores not in (None, rows.shape[-1]):
        raise DesignMismatchError(
            "rows", f"{design.n_scores} differences wide", f"{rows.shape[-1]}"
        )
    if not np.isfinite(rows).all():
        raise invalid("rows", "finite", "a value that is not")
    rows = snap_rows(rows)
    require_choice(scheme, "scheme", SCHEMES)
    if scheme == "all":
        return rows
    runs, folds = run_shape(design, rows.shape[-1])
    return snap_rows(sample_scores(rows.reshape(*rows.shape[:-1], runs, folds), scheme))
