"""What every test does before and after its kernel: admit the design, warn, and record."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats
from replicast.design import (
    DESIGNS,
    Design,
    DesignLike,
    describe_design,
    run_shape,
)
from replicast.errors import (
    DegenerateScoresWarning,
    DesignMismatchError,
    invalid,
    require_choice,
)
from replicast.formatting import all_of
from replicast.inference.traits import Method
from replicast.kernels.rounding import snap_rows
from replicast.kernels.schemes import SCHEMES, Scheme, sample_scores
from replicast.results import ALTERNATIVES, Alternative, Caution, SignificanceResult
from replicast.scores.cases import Scored, as_paired, paired_arrays
from replicast.scores.pairs import PairedScores

Scores = Scored
_SIZED = (  # no number of scores tells them
    "kfold", "repeated-kfold", "random-splits", "seeds", "cross-validated-cases",
)  # fmt: skip

DEPENDENT_SCORES = Caution(
    "dependent-scores",
    "The scores share training data, which this test ignores: it calls equal classifiers "
    "different more often than its level says. The corrected t-test allows for that "
    "(docs/which-test.md).",
)


@dataclass(frozen=True)
class Admitted:
    """Scores that a test may be run on, the sample it sees, and what its result repeats of them."""

    method: Method
    scores: PairedScores
    sample: Floats
    alternative: Alternative
    scheme: Scheme
    cautions: tuple[Caution, ...]

    def result(
        self, *, cautions: tuple[Caution, ...] = (), lead: float | None = None, **found: Any
    ) -> SignificanceResult:
        """Return the record of what a test found, with its lead where that is known already."""
        return SignificanceResult(
            method=self.method.name,
            names=self.scores.names,
            n=len(self.sample),
            alternative=self.alternative,
            design=self.scores.design,
            scheme=self.scheme,
            cautions=self.cautions + cautions,
            lead=float(self.method.lead(self.sample[None])[0]) if lead is None else lead,
            **found,
        )


def given_pair(
    scores: Scores | ArrayLike, second: ArrayLike | None, design: DesignLike | None, method: Method
) -> Any:
    """Return what was given as paired scores; two arrays have the design of the test, or need one."""
    if second is None and design is None:
        return scores
    if design is None and not isinstance(scores, Scored):
        usual = method.designs[0]
        if usual in _SIZED:
            domain = f"given with two arrays for {method.name}"
            raise invalid("design", domain, "nothing", "Say how the scores arose, e.g. KFold(10)")
        design = usual
    return paired_arrays(scores, second, design)


def admit(
    scores: Scores,
    method: Method,
    *,
    scheme: Scheme = "all",
    alternative: Alternative = "two-sided",
) -> Admitted:
    """Check that a test fits the scores, and warn where its answer is a convention."""
    pair = as_paired(scores)
    if not isinstance(pair, PairedScores):
        raise invalid(
            "scores",
            "PairedScores, PairedPredictions or PairedCases",
            type(scores).__name__,
            "Build one with PairedScores(first=..., second=..., design=...)",
        )
    scores = seen_by(method, pair)
    require_choice(alternative, "alternative", ALTERNATIVES)
    refuse_design(scores.design, method)
    sample = scores.sample(scheme)
    if len(sample) < 2:
        raise DesignMismatchError(
            "scheme", "one that leaves at least two values", repr(scheme), "Use all"
        )
    dependent = method.tolerates(scores.design) and scheme != "sorted"
    cautions: tuple[Caution, ...] = (DEPENDENT_SCORES,) if dependent else ()
    seeds = scores.seed_means  # unless paired, models vary even where their differences do not
    varies = (sample != sample[0]).any() if seeds is None else seeds.deviation + seeds.between > 0
    if not varies and (sample[0] == 0 or method.convention == "equal differences"):
        first, second = scores.names
        text = (
            f"{all_of(len(sample), 'differences')} of {first!r} and {second!r} are equal; "
            f"the p-value is set by convention."
        )
        warnings.warn(text, DegenerateScoresWarning, stacklevel=3)
        cautions += (Caution("degenerate", text),)
    cautions += _one_number(scores)
    return Admitted(method, scores, sample, alternative, scheme, cautions)


def seen_by(method: Method, pair: PairedScores) -> PairedScores:
    """Return the scores that a test sees: those of cases, where it knows them and not their folds."""
    if method.allows(pair.design) or pair.cases is None or not method.allows(pair.cases.design):
        return pair
    return pair.cases


def _one_number(scores: PairedScores) -> tuple[Caution, ...]:
    """Say so if one of two classifiers has the same score in all folds: a mean of a paper, perhaps."""
    both = scores.first, scores.second
    fixed = [bool((one == one[0]).all()) for one in both]
    if scores.design.independent or scores.design.of_cases or len(both[0]) < 3 or sum(fixed) != 1:
        return ()
    name, other = scores.names if fixed[0] else scores.names[::-1]
    number = float(both[fixed.index(True)][0])
    if number == 0:
        return ()  # differences, given as such
    text = (
        f"{all_of(len(both[0]), 'scores')} of {name!r} are the same number, {number:.6g}. If it is one "
        f"mean, of a paper perhaps, its folds are not paired with those of {other!r}, and the p-value "
        "takes it for exact, since nothing tells how much it varies."
    )
    return (Caution("one-number", text),)


def refuse_design(design: Design, method: Method) -> None:
    """Raise if a test does not run on a design."""
    if method.allows(design):
        return
    from replicast.inference.methods import default_method  # it knows the tests, which need this

    allowed = ", ".join(name for name in DESIGNS if name in (*method.designs, *method.tolerated))
    remedy = f"Use {default_method(design)} for {describe_design(design)}"
    raise DesignMismatchError("design", f"one of {allowed} for {method.name}", str(design), remedy)


def batch_sample(rows: Floats, design: Design, method: Method, scheme: Scheme = "all") -> Floats:
    """Check rows of differences against a design and return the samples (m, n) a test sees."""
    refuse_design(design, method)
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
