"""What every test does before and after its kernel: admit the design, warn, and record."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats
from replicast.design import DesignLike
from replicast.errors import (
    DegenerateScoresWarning,
    DesignMismatchError,
    invalid,
    require_choice,
)
from replicast.formatting import all_of
from replicast.inference.traits import CROSS_VALIDATION, Method
from replicast.kernels.schemes import Scheme
from replicast.results import ALTERNATIVES, Alternative, Caution, SignificanceResult
from replicast.scores.pairing import paired_scores
from replicast.scores.pairs import PERCENT, PairedScores
from replicast.scores.tables import ScoreTable

Scores = PairedScores | ScoreTable  # a table is one of two classifiers
_ONE_SCALE = 10.0  # datasets whose scores differ by more in size have scales of their own
_SIZED = (*CROSS_VALIDATION, "seeds", "cross-validated-cases")  # no number of scores tells them

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
        """Return the record of what a test found, with its lead where that is known already.

        Many tests have no standard error, and none of its degrees of freedom.
        """
        return SignificanceResult(
            method=self.method.name,
            names=self.scores.names,
            n=len(self.sample),
            alternative=self.alternative,
            design=self.scores.design,
            scheme=self.scheme,
            cautions=self.cautions + cautions,
            lead=float(self.method.lead(self.sample[None])[0]) if lead is None else lead,
            **({"standard_error": None, "df": None} | found),
        )


def admit(
    method: Method,
    scores: Scores | ArrayLike,
    second: ArrayLike | None,
    design: DesignLike | None,
    *,
    scheme: Scheme = "all",
    alternative: Alternative = "two-sided",
) -> Admitted:
    """Check that a test fits the scores, and warn where its answer is a convention."""
    pair = seen_by(method, _paired(method, scores, second, design))
    require_choice(alternative, "alternative", ALTERNATIVES)
    method.refuse(pair.design)
    sample = pair.sample(scheme)
    if len(sample) < 2:
        raise DesignMismatchError(
            "scheme", "one that leaves at least two values", repr(scheme), "Use all"
        )
    dependent = method.tolerates(pair.design) and scheme != "sorted"
    cautions: tuple[Caution, ...] = (DEPENDENT_SCORES,) if dependent else ()
    seeds = pair.seed_means  # unless paired, models vary even where their differences do not
    varies = (sample != sample[0]).any() if seeds is None else seeds.deviation + seeds.between > 0
    if not varies and (sample[0] == 0 or method.convention == "equal differences"):
        first, second = pair.names
        text = (
            f"{all_of(len(sample), 'differences')} of {first!r} and {second!r} are equal; "
            f"the p-value is set by convention."
        )
        warnings.warn(text, DegenerateScoresWarning, stacklevel=3)
        cautions += (Caution("degenerate", text),)
    cautions += (*_one_number(pair), *_many_sizes(method, pair))
    return Admitted(method, pair, sample, alternative, scheme, cautions)


def _paired(
    method: Method,
    scores: Scores | ArrayLike,
    second: ArrayLike | None,
    design: DesignLike | None,
) -> PairedScores:
    """Return what was given as paired scores; two arrays have the design of the test, or need one."""
    if second is not None and design is None and not isinstance(scores, PairedScores):
        design = method.designs[0]
        if design in _SIZED:
            domain, remedy = f"given with two arrays for {method.name}", "e.g. KFold(10)"
            raise invalid("design", domain, "nothing", f"Say how the scores arose, {remedy}")
    return paired_scores(scores, second, design)


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


def _many_sizes(method: Method, scores: PairedScores) -> tuple[Caution, ...]:
    """Say so if datasets have scores of other sizes each, and the test weighs differences by size."""
    if not scores.design.over_datasets or method.assumes == "independent outcomes":
        return ()
    sizes = np.maximum(np.abs(scores.first), np.abs(scores.second))
    low, high = float(sizes.min()), float(sizes.max())
    one_scale = min(scores.first.min(), scores.second.min()) >= 0 and high <= PERCENT
    if one_scale or high <= _ONE_SCALE * low:
        return ()
    text = (
        f"Scores of the datasets are of different sizes, from {low:.3g} to {high:.3g}: the large ones "
        "decide. Bring them to one scale, or take the sign test, which asks only who won."
    )
    return (Caution("different-sizes", text),)
