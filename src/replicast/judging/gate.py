"""May this candidate replace the baseline? Pass, fail or cannot tell, and what the gate could see."""

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replicast.comparison.cautions import left_out
from replicast.comparison.finding import Finding
from replicast.comparison.records import Comparison
from replicast.comparison.sources import pair_given
from replicast.design import Design, DesignLike
from replicast.errors import (
    DegenerateScoresWarning,
    DesignMismatchError,
    invalid,
    number,
    require_choice,
    require_probability,
)
from replicast.formatting import format_percent, format_pvalue, join_words
from replicast.inference.methods import choose_method
from replicast.judging.records import GOALS, Gate, GateOutcome, Goal
from replicast.judging.rulers import Ruler, StudentRuler, ruler_of
from replicast.judging.sight import OFTEN, Aim, aim_of, see
from replicast.reading.door import Source
from replicast.replication.first_result import FirstResult, first_if_any
from replicast.replication.priors import ENDS, Relation
from replicast.replication.probability import chance_of_difference
from replicast.replication.records import ByRelation
from replicast.results import Caution, Interval, PosteriorResult, SignificanceResult, is_significant
from replicast.scores.pairs import PairedScores
from replicast.scores.tables import ScoreTable

Tested = dict[float, tuple[float, float]]  # p-values of at most, and of at least, a bound


def gate(
    scores: PairedScores | Comparison | Finding | ScoreTable | ArrayLike | Source,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    names: tuple[str, str] | None = None,
    margin: float | None = None,
    goal: Goal = "not-worse",
    significance: float = 0.05,
    required_power: float | None = None,
    method: str | None = None,
    **reading: Any,
) -> Gate:
    """Decide whether the first, the candidate, may replace the second, the baseline.

    `pass` and `fail` are shown by the data, each with at most `significance` chance of being wrong at
    the bound; what is neither is `cannot tell`. The record says how often such data let a good
    candidate pass and a bad one fail. Cases that are right or wrong are tested by an exact test of
    paired proportions (Tango's score); the other designs by their own test, about the bound.

    Parameters
    ----------
    scores : PairedScores, Comparison or Finding
        Candidate first, baseline second; or what was found of them: AUC, F1 and other measures of all
        cases, fixed tasks, seeds crossed with cases. Or two arrays and their `design`; or a table, or
        anything `read_scores` reads with the options in `reading`, with the `names` of the two where
        it has more.
    margin : float
        A difference of scores that is still tolerated: 0.02 for two points where scores are
        fractions. `better` needs none.
    goal : {"not-worse", "better", "equivalent"}
        Worse by less than the margin; better by more than it; or closer than it either way.
    required_power : float, optional
        A gate that would let a good candidate pass less often than this cannot tell.
    method : str, optional
        Key of the test in `METHODS`; by default the one recommended for the design.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import PairedScores, Holdout, gate
    >>> new, old = np.ones(400), np.ones(400)
    >>> new[:6], old[6:14] = 0, 0
    >>> found = gate(PairedScores(first=new, second=old, design=Holdout()), margin=0.02)
    >>> found.outcome, round(found.pass_pvalue, 4), round(found.sight.pass_chance, 2)
    ('pass', 0.0099, 0.6)
    """
    if not isinstance(scores, Comparison | Finding):
        scores = pair_given(scores, second, design, names, **{"assume": False, **reading})
    pair, result = _tested(scores, method)
    require_choice(goal, "goal", GOALS)
    significance = require_probability(significance, "significance")
    if significance >= 0.5:
        raise invalid("significance", "below 0.5", significance)
    width = _margin(margin, goal, result.design)
    if required_power is not None:
        _require_power(required_power, goal, width)
    ruler, aim = ruler_of(result, pair), aim_of(goal, width)
    tested = {bound: ruler.bound_pvalues(bound) for bound in aim.passing.values()}
    good, bad = _pvalues(aim, tested)
    sight = see(ruler, aim, significance, result.design, required_power or OFTEN)
    blind = required_power is not None and sight.pass_chance < required_power
    interval, moved = _decided(ruler.interval(1 - 2 * significance), aim, tested, significance)
    first = first_if_any(result, scores=pair, spread=1.0)
    return Gate(
        names=result.names,
        goal=goal,
        margin=width,
        outcome="cannot tell" if blind else _outcome(good, bad, significance),
        difference=ruler.estimate,
        interval=interval,
        pass_pvalue=good,
        fail_pvalue=bad,
        significance=significance,
        method=result.method,
        test=ruler.title,
        design=result.design,
        n=result.n,
        sight=sight,
        true_chance=_true_chance(first, aim, "unknown"),
        true_by_relation=_by_relation(first, aim),
        required_power=required_power,
        scores=pair,
        finding=scores if isinstance(scores, Finding) else None,
        cautions=(*_cautions(ruler, result, pair), *((_BLIND,) if blind else ()), *moved),
        **({} if pair is None else _changed(pair)),
    )


def _cautions(
    ruler: Ruler, result: SignificanceResult, pair: PairedScores | None
) -> tuple[Caution, ...]:
    """Return the cautions of the test, but for those that a ruler of its own settles."""
    settled = () if isinstance(ruler, StudentRuler) else ("degenerate", "zero-differences")
    kept = (caution for caution in result.cautions if caution.code not in settled)
    return (*kept, *left_out("" if pair is None else pair.left_out))


def _tested(
    scores: PairedScores | Comparison | Finding, method: str | None
) -> tuple[PairedScores | None, SignificanceResult]:
    """Return the scores, where there are such, and what their test found."""
    if isinstance(scores, Finding):
        if method is not None:
            raise invalid("method", f"left out for {scores.test}", repr(method))
        return None, scores
    pair = scores.scores if isinstance(scores, Comparison) else scores
    _refuse_cases_as_datasets(pair)
    test = choose_method(pair.design, method)
    with warnings.catch_warnings():  # a change that changes nothing is no reason to worry
        warnings.simplefilter("ignore", DegenerateScoresWarning)
        result = test.test(pair)
    if isinstance(result, PosteriorResult):
        raise invalid("method", "a test with p-values for a gate", repr(test.name))
    return pair, result


def _true_chance(first: FirstResult | None, aim: Aim, relation: Relation) -> float | None:
    """Return how probably the true difference is one that should pass."""
    if first is None:
        return None
    low, high = aim.passing.get("above", -math.inf), aim.passing.get("below", math.inf)
    return chance_of_difference(first, low, high, relation)


def _by_relation(first: FirstResult | None, aim: Aim) -> ByRelation | None:
    close, wide = (_true_chance(first, aim, end) for end in ENDS)
    return None if close is None or wide is None else ByRelation(close=close, any=wide)


def _changed(pair: PairedScores) -> dict[str, Any]:
    """Return the cases that became better and worse, the largest changes first."""
    if not pair.design.of_cases:
        return {}
    order = np.argsort(-np.abs(pair.differences), kind="stable")
    signs = np.sign(pair.differences[order])
    gained, lost = (tuple(order[signs == sign].tolist()) for sign in (1, -1))
    named = tuple(pair.case_names[at] for at in lost) if pair.case_names else ()
    return {"gained": gained, "lost": lost, "lost_cases": named}


_BLIND = Caution(
    "too-little-power", "The gate cannot see the margin as often as was required: no verdict."
)


def _refuse_cases_as_datasets(pair: PairedScores) -> None:
    """Ask what scores of 0 and 1 are: ranks about a margin would pass what loses by more."""
    scores = np.concatenate([pair.first, pair.second])
    if pair.design.over_datasets and np.isin(scores, (0.0, 1.0)).all():
        raise DesignMismatchError(
            "design",
            "holdout where every score is 0 or 1",
            f"{len(pair.first)} datasets",
            "If a row is a case, say `design=holdout`",
        )


def _margin(margin: float | None, goal: Goal, design: Design) -> float:
    if margin is None and goal == "better":
        return 0.0
    width = number(margin)
    if not 0 <= width < math.inf or (width == 0 and goal != "better"):
        got = "nothing" if margin is None else margin
        raise invalid("margin", "a positive difference of scores", got)
    if design.binary and width >= 1:
        raise invalid(
            "margin", "below 1 for cases that are right or wrong", width, "Two points are 0.02"
        )
    return width


def _require_power(power: float, goal: Goal, width: float) -> None:
    power = require_probability(power, "required_power")
    if goal == "better" and width == 0:
        remedy = "Say with `margin` which improvement the gate should see"
        raise invalid("required_power", "left out for better without a margin", power, remedy)


def _pvalues(aim: Aim, tested: Tested) -> tuple[float, float]:
    """Return the p-values against passing wrongly and against failing wrongly."""
    good = max(tested[bound][side == "below"] for side, bound in aim.passing.items())
    if aim.goal == "equivalent":
        return good, min(1.0, 2 * min(tested[-aim.width][1], tested[aim.width][0]))
    return good, tested[aim.failing["below"]][1]


def _decided(
    own: Interval, aim: Aim, tested: Tested, level: float
) -> tuple[Interval, tuple[Caution, ...]]:
    """Let the interval hold a bound exactly where the test shows neither side of it."""
    low, high = own
    deciding = []
    for bound in aim.passing.values():
        above, below = tested[bound]
        ends = (
            (max if is_significant(above, level) else min)(low, bound),
            (min if is_significant(below, level) else max)(high, bound),
        )
        for pvalue, end, now in zip((above, below), (low, high), ends, strict=True):
            if not math.isclose(end, now, rel_tol=1e-9, abs_tol=1e-12):
                deciding.append(format_pvalue(pvalue))
        low, high = ends
    if not deciding:
        return own, ()
    text = (
        f"The {format_percent(1 - 2 * level)} interval ends at the bound of the gate, where the test "
        f"does ({join_words(deciding)})."
    )
    return Interval(low, high), (Caution("interval-ends-at-bound", text),)


def _outcome(good: float, bad: float, significance: float) -> GateOutcome:
    if is_significant(good, significance):
        return "pass"
    return "fail" if is_significant(bad, significance) else "cannot tell"
