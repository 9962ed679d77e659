"""The chance of replication in plain words, with its doubt; and what the next experiment needs."""

from collections.abc import Sequence

import numpy as np

from replicast.design import Design, describe_design, describe_repeat
from replicast.errors import invalid, require_instance, require_sequence
from replicast.formatting import (
    format_count,
    format_number,
    format_percent,
    format_pvalue,
    format_rough,
)
from replicast.presentation.words.narrative import Narrative, Row
from replicast.replication.first_result import MODELS
from replicast.replication.records import Plan, Replication


def fresh_data(found: Replication, twin: str = "") -> str:
    """Answer the question users ask: would it be significant on fresh data too?

    After a posterior, repeats are judged by its `twin`, a test.
    """
    if found.interval.high == 0:
        return cannot_be_significant(found)
    chance, others = about(found.probability), by_test(found) or ends(found)
    said = (
        f"Would it happen again? {chance} repeats {describe_repeat(found.design)} would be significant "
        "this way too"
    )
    if twin:
        said = f"{said.removesuffix(' too')}{twin}"
    if not found.first_significant:
        even = abs(found.direction_probability - 0.5) < _EVEN
        way = "in either direction alone" if even else "in this direction"
        repeat = describe_repeat(found.design)
        said = f"Would a repeat be significant? {chance} {repeat} would be, {way}{twin}"
    if found.by_fresh_test is not None:
        said += ", by the same t-test over seeds"
    return f"{said}{others}{doubt(found)}.{_same_data(found)}"


def _same_data(found: Replication) -> str:
    """Name the other question beside the first, where it has an answer: replicability."""
    if found.replicability is None:
        return ""
    chance = _hundredths(found.replicability)
    again = f"{chance} in 100 would be by the same test"
    return f" With {_anew(found.design)}, {again}: replicability, not replication."


def _anew(design: Design) -> str:
    """Say what is new where the data are the same."""
    if design.of_cases:
        return "new answers to the same cases"
    return f"new seeds on {'this split' if design.splits == 1 else 'these splits'}"


def _replicability_rows(found: Replication) -> tuple[Row, ...]:
    if found.replicability is None:
        return ()
    return (Row("replicability", format_percent(found.replicability), _anew(found.design)),)


def cannot_be_significant(found: Replication) -> str:
    """Say that no repeat of this size can be significant."""
    return next(one.text for one in found.cautions if one.code == "cannot-be-significant")


def doubt(found: Replication) -> str:
    """Say beside a chance which other chances the one result cannot be told from."""
    low, high = (_hundredths(limit) for limit in found.interval)
    return "" if low == high else f"; this one result cannot tell {low} from {high}"


def by_test(found: Replication) -> str:
    """Say beside a chance what it is if the paper used the other t-test; nothing if that is known."""
    if found.by_test is None:
        return ""
    ordinary = _hundredths(found.by_test.ordinary)
    return (
        " if the paper corrected its t-test for the overlap of training sets, "
        f"{ordinary} if it did not"
    )


def about(probability: float) -> str:
    """Begin a sentence with a chance: `About 44 in 100`, but `Over 99 in 100`."""
    chance = _hundredths(probability)
    return f"About {chance} in 100" if chance[0].isdigit() else f"{chance.capitalize()} in 100"


def _hundredths(probability: float) -> str:
    return format_percent(probability).removesuffix("%")


def ends(found: Replication) -> str:
    """Say beside a chance what it is for the other relations the two may have.

    Whoever said nothing sees both ends; an estimator of its own has none.
    """
    if found.estimator not in ("calibrated", "empirical-bayes"):
        return ""
    close, wide = (_hundredths(p) for p in (found.by_relation.close, found.by_relation.any))
    match found.relation:
        case _ if close == wide:
            return ", whether they are close rivals or any two"
        case "close":
            return f" if they are close rivals ({wide} if any two)"
        case "any":
            return f" if they are any two ({close} if close rivals)"
        case _:
            return f" ({close} if they are close rivals, {wide} if any two)"


_EVEN = 1e-9  # from which the first result favours one of the two
_JUST_BELOW = 0.6  # of the level
_SCORES_ONLY = "known: scores only, no case-by-case results"
ROUGH = (
    "Only a statistic is known, so the chance is rough: where the truth was known, such chances missed "
    "by about 10 points on average, and by 25 or more where the two hardly differed "
    "(docs/calibration.md)."
)
_FEW_DATASETS = 6  # below, no test of datasets can say anything of the direction


def optimism(found: Replication) -> str:
    """Say why the estimate lies below the published formula, where it does."""
    if not found.first_significant or found.interval.high == 0:
        return ""
    words = ""
    if found.probability < 0.5:
        just = found.first_pvalue > _JUST_BELOW * found.significance
        which = f"just below {found.significance:g}" if just else f"of {found.first_pvalue:.2g}"
        words = (
            f"A p-value {which} says little: results like this one are significant again less than "
            "half the time. "
        )
    if found.as_published - found.probability > 0.05:
        words += (
            "Taking the observed effect for the truth would say "
            f"{format_percent(found.as_published)}; that is optimistic for a result picked because "
            "it was significant."
        )
    return words.strip()


def outlook(larger: Sequence[Replication]) -> str:
    """Say what would raise the chance, and to what."""
    if not larger or larger[-1].interval.high == 0:
        return ""
    steps = []
    for item in larger:
        chance = format_percent(item.probability)
        limits = [format_percent(limit) for limit in item.interval]
        known = "" if set(limits) == {chance} else f" [{' to '.join(limits)}]"
        guessed = "about " if chance[0].isdigit() else ""
        steps.append(f"{describe_larger(item)} → {guessed}{chance}{known}")
    return f"A larger repeat, by forecast: {'; '.join(steps)}."


def describe_larger(item: Replication) -> str:
    """Say how a larger replication differs from the first experiment."""
    data = "as much data" if item.data_factor == 1 else f"{item.data_factor:g} times the data"
    if item.target_design == item.design:
        return data
    words = describe_design(item.target_design)
    return f"{words} on {data}" if item.data_factor != 1 else words


def replication_rows(found: Replication) -> tuple[Row, ...]:
    """Return the table lines of a replication probability, and of the values beside it."""
    low, high = (format_percent(limit) for limit in found.interval)
    level = format_percent(found.confidence)
    ours = "" if found.estimator == "calibrated" else f", {found.estimator}"
    said = "" if found.relation == "unknown" else f"; said: {found.relation}"
    if found.interval.high == 0:
        return (Row("replication", "0%", "no such repeat can be significant"),)
    tested = []
    if found.by_test is not None:
        ordinary, pvalue = found.by_test.ordinary, found.by_test.ordinary_pvalue
        tested = [
            Row("if ordinary", format_percent(ordinary),
                f"were the paper's t-test not corrected: {format_pvalue(pvalue)}")
        ]  # fmt: skip
    if found.by_fresh_test is not None:
        chance = format_percent(found.by_fresh_test)
        tested = [Row("with the split", chance, "by the test that allows for the split")]
    return (
        Row(
            "replication",
            f"{format_percent(found.probability)}  [{low}, {high}]",
            f"{level} range of chances that fit{ours}",
        ),
        *tested,
        Row(
            "by relation",
            f"{format_percent(found.by_relation.close)} / {format_percent(found.by_relation.any)}",
            f"close rivals / any two{said}",
        ),
        *_replicability_rows(found),
        Row(
            "Berrar 2024",
            format_percent(found.as_published),
            "this way, by Berrar's formula",
        ),
    )


def narrate_replication(
    found: Replication, required: Sequence[tuple[float, float | None]] = ()
) -> Narrative:
    """Put a replication probability into words.

    `required` pairs a wanted probability with the p-value that gives it, None if none does.
    """
    require_instance(found, Replication, "found")
    for pair in require_sequence(required, "required", 0):
        if len(require_sequence(pair, "required", 2)) != 2:
            raise invalid("required", "pairs of a probability and a p-value", pair)
    status = "significant" if found.first_significant else "not significant"
    first = f"{format_pvalue(found.first_pvalue)}, {status} at {found.significance:g}"
    rows = [
        Row("first result", first, f"{describe_design(found.design)}{_test_of(found)}"),
        *replication_rows(found),
    ]
    reported = found.first_result.reported_pvalue
    if reported is not None:
        rows[0] = Row("corrected", first, "for the overlap of training sets")
        own = f"{format_pvalue(reported)} in the paper"
        rows.insert(
            0, Row("first result", own, f"ordinary t-test, {describe_design(found.design)}")
        )
    if not (found.design.over_datasets and (found.design.count or 0) < _FEW_DATASETS):
        chance = format_percent(found.direction_probability)
        rows.append(
            Row("direction", chance, f"that it is {called(found.better)}, if one is better at all")
        )
    for wanted, pvalue in required:
        shown = "no p-value is enough" if pvalue is None else format_pvalue(pvalue, digits=4)
        rows.append(Row(f"for {wanted:.0%}", shown, "needed in this design"))
    if found.spread is not None:
        rows.append(Row("s*", format_number(found.spread.value), found.spread.source))
    target = (
        ""
        if found.target_design == found.design and found.data_factor == 1
        else describe_larger(found)
    )
    return Narrative(
        title=f"Chance of replication{f', repeated with {target}' if target else ''}",
        verdict="",
        replication=fresh_data(found),
        reason=optimism(found),
        rows=tuple(rows),
        outlook="",
        cautions=(
            *(  # that it cannot be significant was said first
                caution.text
                for caution in found.cautions
                if caution.code != "cannot-be-significant"
            ),
            *([ROUGH] if _SCORES_ONLY in found.assumptions and found.interval.high > 0 else []),
        ),
    )


def _test_of(found: Replication) -> str:
    """Name the test of a first result, where its design does not tell which, and its ties."""
    if found.by_fresh_test is not None:
        return ", t-test over seeds"
    if found.test is not None or found.model not in MODELS:
        return ""
    ties = getattr(found.first_result.model, "ties", 0)
    return f"{f', {ties} tied' if ties else ''}, {MODELS[found.model].titled(found.design)}"


def called(name: str) -> str:
    """Write the name of a classifier, or its place where it has no name."""
    return f"the {name}" if name in ("first", "second") else name


def narrate_plan(found: Plan) -> Narrative:
    """Put a plan into words."""
    require_instance(found, Plan, "found", "Make one with plan")
    times, shown = found.unit != found.vary, _milestones(found)
    return Narrative(
        title=f"What does a chance of replication of {format_percent(found.probability)} take?",
        verdict=str(found),
        replication="",
        reason="",
        rows=tuple(
            Row(
                f"{amount:.3g}" if times else _counted(amount, found),
                format_percent(chance),
                found.unit,
            )
            for amount, chance in shown
        ),
        outlook=f"{found.model} model, {found.estimator}; limit with endless "
        f"{'data' if times else found.vary}: {format_percent(found.limit)}.",
        cautions=tuple(caution.text for caution in found.cautions),
    )


def _counted(amount: float, found: Plan) -> str:
    """Write how many, as roughly as a forecast knows it; what there was is known."""
    write = format_count if amount == found.current else format_rough
    return write(round(amount))


def _milestones(found: Plan) -> list[tuple[float, float]]:
    """Pick five settings of the curve, equally many times as large, one of them what is needed."""
    sizes = np.log(found.amounts)
    every = np.abs(sizes - np.linspace(sizes[0], sizes[-1], 5)[:, None]).argmin(axis=1)
    if found.needed is not None:
        needed = found.amounts.index(found.needed)
        every[np.abs(sizes[every] - sizes[needed]).argmin()] = needed
    return [(found.amounts[i], found.probabilities[i]) for i in np.unique(every)]
