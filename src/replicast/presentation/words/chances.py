"""The chance of a repeat in few words: one number, its two ends, what a repeat would show."""

from collections.abc import Sequence

from replicast.design import describe_repeat
from replicast.formatting import format_number, format_percent, format_pvalue
from replicast.presentation.document import Row
from replicast.presentation.words.scales import Scale, brief_design, hundred
from replicast.replication.first_result import MODELS
from replicast.replication.records import Replication

_FEW_DATASETS = 6  # below, no test of datasets can say anything of the direction
_STEPS = 2  # larger repeats in the answer
_TIMES = {2.0: "twice the data", 4.0: "four times"}
_LEARNED = ("calibrated", "empirical-bayes")
_UNITS = {
    "difference": "true differences in accuracy have standard deviations {mixture}",
    "angle": "true shares of the rank sum, as angles, have standard deviations {mixture}",
    "deviation": "true differences, in standard deviations of one, have standard deviations {mixture}",
    "signal": "signal-to-noise ratios have standard deviations {mixture}",
    "strength": "shares of wins are beta distributed with strengths {mixture}",
}


def can_be_significant(found: Replication) -> bool:
    """Say whether any repeat of this size could be significant."""
    return found.interval.high > 0


def of_hundred(probability: float) -> str:
    """Write a chance as people say it: `86 of 100 repeats`."""
    return f"{hundred(probability)} of 100 repeats"


def again_rows(found: Replication | None, twin: str = "", *, said: bool = False) -> tuple[Row, ...]:
    """Return the lines about a repeat: its chance with both ends, and that of a rerun on the same data.

    After a posterior, repeats are judged by its `twin`, a test. Where the headline has `said` the
    chance, the ends are left.
    """
    if found is None or not can_be_significant(found):
        return ()
    significant = "" if found.first_significant or said else "significant; "
    remark = f"{significant}{ends(found)}{_formula(found)}{twin}"
    rows = [Row("again", remark) if said else Row("again", of_hundred(found.probability), remark)]
    if found.by_fresh_test is not None:
        chance = f"{hundred(found.by_fresh_test)} of 100 repeats"
        rows.append(Row("split", chance, "by the test that allows for the split"))
    if found.replicability is not None:
        chance = f"{hundred(found.replicability)} of 100 reruns"
        rows.append(Row("rerun", chance, anew(found), spare=True))
    return tuple(rows)


def _formula(found: Replication) -> str:
    """Say what Berrar's formula gives: beside another estimate its chance, else its interval."""
    if found.estimator != "as-published":
        return f"; Berrar 2024: {hundred(found.as_published)}"
    low, high = (hundred(limit) for limit in found.as_published_interval)
    return f" of Berrar 2024, whose 95% interval is {low} to {high}"


def about(probability: float) -> str:
    """Begin a sentence with a chance: `About 44 in 100`, but `Over 99 in 100`."""
    chance = hundred(probability)
    return f"About {chance} in 100" if chance[0].isdigit() else f"{chance.capitalize()} in 100"


def ends(found: Replication) -> str:
    """Say what the chance is for close rivals and for any two."""
    if found.estimator not in _LEARNED:
        return f"by the {found.estimator} estimate"
    close, wide = hundred(found.by_relation.close), hundred(found.by_relation.any)
    match found.relation:
        case _ if close == wide:
            return "for close rivals and any two"
        case "close":
            return f"for close rivals; {wide} for any two"
        case "any":
            return f"for any two; {close} for close rivals"
        case _:
            return f"{close} if close rivals, {wide} if any two"


def anew(found: Replication) -> str:
    """Say what is new where the data are the same."""
    if found.design.of_cases:
        return "new answers to the same cases"
    return f"new seeds on {'this split' if found.design.splits == 1 else 'these splits'}"


def expect_rows(
    found: Replication | None, scale: Scale, *, turned: bool = False
) -> tuple[Row, ...]:
    """Return the line about the difference that a repeat would show, where the record has it.

    It is `turned` where the answer speaks of the second classifier's lead.
    """
    if found is None or not can_be_significant(found):
        return ()
    expected, limits = found.expected_difference, found.predicted_interval
    if expected is None or limits is None:
        return ()
    low, high = limits
    if turned:
        expected, low, high = -expected, -high, -low
    would = f"a repeat would show {scale.number(low)} to {scale.number(high)}"
    return (Row("expect", scale.difference(expected), would),)


def record_rows(found: Replication | None) -> tuple[Row, ...]:
    """Return the line about how such answers fared, where that was measured."""
    if found is None or found.track_record is None or not can_be_significant(found):
        return ()
    record = found.track_record
    band = f"{100 * record.low:.0f} to {100 * record.high:.0f}"
    fared = f"answers of {band} came true in {hundred(record.came_true)} of 100"
    return (Row("record", fared, spare=True),)


def larger_rows(outlook: Sequence[Replication]) -> tuple[Row, ...]:
    """Return the line about larger repeats, each with both ends."""
    if not outlook or not can_be_significant(outlook[-1]):
        return ()
    shown = outlook if len(outlook) <= _STEPS else (outlook[0], outlook[-1])
    words = [_larger_words(item) for item in shown]
    if len(words) == _STEPS and words[1].startswith(f"{words[0]} "):  # the same, on more data
        words[1] = words[1].removeprefix(f"{words[0]} ")
    steps = [f"{word} {both_ends(item)}" for word, item in zip(words, shown, strict=True)]
    return (Row("larger", ", ".join(steps), spare=True),)


def both_ends(found: Replication) -> str:
    """Write the chance for close rivals and for any two as `95 to 97`, or one number."""
    if found.estimator not in _LEARNED or found.relation != "unknown":
        return hundred(found.probability)
    close, wide = hundred(found.by_relation.close), hundred(found.by_relation.any)
    return close if close == wide else f"{close} to {wide}"


def _larger_words(item: Replication) -> str:
    if item.target_design == item.design and item.data_factor in _TIMES:
        return _TIMES[item.data_factor]
    return describe_larger(item)


def describe_larger(item: Replication) -> str:
    """Say how a larger replication differs from the first experiment."""
    data = "as much data" if item.data_factor == 1 else f"{item.data_factor:g} times the data"
    if item.target_design == item.design:
        return data
    words = brief_design(item.target_design)
    return f"{words} on {data}" if item.data_factor != 1 else words


def cannot_be_significant(found: Replication) -> str:
    """Say that no repeat of this size can be significant."""
    return next(one.text for one in found.cautions if one.code == "cannot-be-significant")


def number_rows(found: Replication | None) -> tuple[Row, ...]:
    """Return every number about a repeat."""
    if found is None:
        return ()
    if not can_be_significant(found):
        return (Row("replication", "0%", "no such repeat can be significant"),)
    said = "" if found.relation == "unknown" else f"; taken: {found.relation}"
    by_relation = found.by_relation
    rows = [
        Row("replication", format_percent(found.probability), f"significant {_repeat(found)}"),
        Row(
            "by relation",
            f"{format_percent(by_relation.close)} / {format_percent(by_relation.any)}",
            f"close rivals / any two methods{said}",
        ),
        Row("Berrar 2024", format_percent(found.as_published), _published_interval(found), spare=True),
        Row("sceptic, flat", f"{format_percent(found.sceptic)}, {format_percent(found.flat)}",
            "expecting next to no difference; expecting any", spare=True),
    ]  # fmt: skip
    if not (found.design.over_datasets and (found.design.n_scores or 0) < _FEW_DATASETS):
        chance = format_percent(found.direction_probability)
        better = f"that {called(found.better)} is really better, by the same prior"
        rows.append(Row("direction", chance, better, spare=True))
    if found.by_fresh_test is not None:
        rows.append(Row("with the split", format_percent(found.by_fresh_test),
                        "by the test that allows for the split"))  # fmt: skip
    if found.replicability is not None:
        rows.append(Row("replicability", format_percent(found.replicability), anew(found)))
    if found.spread is not None:
        rows.append(Row("s*", format_number(found.spread.value), found.spread.source))
    return tuple(rows)


def _repeat(found: Replication) -> str:
    again = "again " if found.first_significant else ""
    return f"{again}{describe_repeat(found.design)}"


def _published_interval(found: Replication) -> str:
    low, high = (format_percent(limit) for limit in found.as_published_interval)
    return f"takes the difference seen for the truth; 95% {low} to {high}"


def called(name: str) -> str:
    """Write the name of a classifier, or its place where it has no name."""
    return f"the {name}" if name in ("first", "second") else name


def chance_sentence(found: Replication, twin: str = "") -> str:
    """Say the chance of replication as a paper reports it; after a posterior by its `twin`."""
    if not can_be_significant(found):
        return cannot_be_significant(found)
    who = "" if found.estimator == "calibrated" else f"{found.estimator} "
    larger = found.target_design != found.design or found.data_factor != 1
    size = f" with {describe_larger(found)}" if larger else ""
    others = f" ({found.by_test or found.by_relation})" if found.estimator in _LEARNED else ""
    allowed = ""
    if found.by_fresh_test is not None:
        allowed = f", {format_percent(found.by_fresh_test)} by a test that allows for the split"
    return (
        f"The {who}probability that a replication {describe_repeat(found.design)}{size} is significant "
        f"in the same direction{twin} is {format_percent(found.probability)}{others}{allowed}."
    )


def how_computed(found: Replication | None) -> tuple[str, ...]:
    """Say how a chance of replication was computed, and what other assumptions would say."""
    if found is None:
        return ()
    prior = found.prior
    parts = zip(prior.weights, prior.components, strict=True)
    mixture = ", ".join(f"{size:g} ({100 * weight:.2g}%)" for weight, size in parts)
    return (
        f"Replication: {found.definition}; {found.model} model; assumed: "
        f"{'; '.join(found.assumptions)}.",
        f"Relation {found.relation}: {_UNITS[prior.unit].format(mixture=mixture)}, "
        f"{_learned_from(found)}.",
        f"Other assumptions: a sceptic, who expects next to no difference, says "
        f"{format_percent(found.sceptic)}; a flat prior, to which every difference is equally "
        f"likely, {format_percent(found.flat)}; Berrar (2024), who takes the observed effect for "
        f"the truth, {format_percent(found.as_published)}.",
    )


def _learned_from(found: Replication) -> str:
    """Say where the prior comes from; not all of it is published results."""
    if found.model == "bayesian":
        return "as if every share of wins were equally likely"
    if found.prior.unit == "deviation":
        return "as learned from published results of one laboratory"
    return "as learned from published results and from learners that we fitted ourselves"


def test_of(found: Replication) -> str:
    """Name the test of a first result, with its ties."""
    if found.by_fresh_test is not None:
        return "t-test over seeds"
    if found.model not in MODELS:
        return ""
    ties = getattr(found.first_result.model, "ties", 0)
    return f"{f'{ties} tied, ' if ties else ''}{MODELS[found.model].titled(found.design)}"


def first_words(found: Replication) -> str:
    """Write the first result's p-value and its test."""
    return ", ".join(filter(None, (format_pvalue(found.first_pvalue), test_of(found))))
